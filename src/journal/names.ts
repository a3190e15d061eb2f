import { basename, dirname, join } from 'node:path'

/** Returns the path that compaction writes to before it renames the file. */
export function besideOf(path: string): string {
  return join(dirname(path), `${basename(path)}.compacting`)
}

/** Returns the error code of the operating system, such as ENOSPC, for the context of an error. */
export function codeOf(cause: unknown): { readonly actual?: string } {
  const code = (cause as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? { actual: code } : {}
}
