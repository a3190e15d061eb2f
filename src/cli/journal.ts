import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileJournal } from '../journal/file.ts'
import type { Journal } from '../journal/journal.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { type Option, type ParsedArguments, type Terminal, UsageError } from './command.ts'
import { stateFolder } from './state-folder.ts'

/** Option of every command that sends payments or lists them. */
export const journalOption: Option = {
  name: 'journal',
  value: 'FILE',
  about:
    'file in which payments are recorded before they are sent; default:\nantara-tx/journal in $XDG_STATE_HOME, or in ~/.local/state',
}
export const noJournalOption: Option = {
  name: 'no-journal',
  about: 'record nothing; a run that is killed and repeated may then pay twice',
}

/** Time to wait for the journal of another run, which ends soon. */
const waitMs = 10_000

/**
 * Opens the journal that the options name, and prints its path. `undefined` with --no-journal.
 *
 * @throws {UsageError} without --journal if the home directory is unknown: a journal in another
 *   place would lack the earlier payments
 */
export function chosenJournal(
  { flags, options }: ParsedArguments,
  { printError }: Pick<Terminal, 'printError'>,
): Journal | undefined {
  const named = options.get('journal')
  if (flags.has('no-journal')) {
    if (named !== undefined) throw new UsageError('--journal cannot be combined with --no-journal')
    printError('warning: without a journal, a run that is killed and repeated may pay twice\n')
    return undefined
  }
  if (named === '') throw new UsageError('--journal needs a value: FILE')
  const path = named ?? defaultPath()
  printError(`journal: ${path}\n`)
  // A dry run records nothing, so it does not create a journal either.
  if (flags.has('dry-run') && !existsSync(path)) return undefined
  const onTorn = ({ bytes }: { readonly bytes: number }) => {
    printError(`journal: cut off ${bytes} bytes of a record that was not finished\n`)
  }
  return fileJournal(path, { waitMs, onTorn })
}

/**
 * Refuses a journal that is not there, where a command only looks at earlier payments: a new one
 * would say that none of them is open.
 *
 * @throws {UsageError}
 */
export function requireNamedJournal({ options }: ParsedArguments): void {
  const path = options.get('journal')
  if (path !== undefined && !existsSync(path)) {
    throw new UsageError(`--journal: no such file: ${redactKey(path)}`)
  }
}

/** @throws {UsageError} if the home directory is unknown */
export function defaultPath(): string {
  const folder = stateFolder()
  if (folder !== undefined) return join(folder, 'journal')
  throw new UsageError(
    'HOME is not set, so the journal of earlier runs cannot be found: give --journal FILE or --no-journal',
  )
}

/** Runs `work` on the chosen journal, and closes it. */
export async function withJournal<T>(
  journal: Journal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } finally {
    // The records are synced already: a close that fails does not change them.
    await journal?.close().catch(() => undefined)
  }
}
