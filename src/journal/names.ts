import { basename, dirname, join } from 'node:path'

/** Where compaction writes before it renames. */
export function besideOf(path: string): string {
  return join(dirname(path), `${basename(path)}.compacting`)
}

/** What the system said, such as ENOSPC. */
export function codeOf(cause: unknown): { readonly actual?: string } {
  const code = (cause as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? { actual: code } : {}
}
