// The state of a guard: the record of its decisions and the journal of its payments. A guard that
// pays begins neither by itself, because its real state may be in another folder.

import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openOperator, recordName } from '../guard/operator.ts'
import { nextPath } from '../guard/record/open-record.ts'
import { exitAgrees, type ParsedArguments, type Terminal, UsageError } from './command.ts'
import { guardFolder } from './guard-operator.ts'
import { guardJournal, guardJournalPath } from './guard-payments.ts'

const filesOf = ({ options }: ParsedArguments): readonly string[] => [
  join(guardFolder(options), recordName),
  guardJournalPath(options),
]

/** A power failure between the two renames of a rotation leaves the record under its next name. */
const isThere = (path: string): boolean =>
  existsSync(path) || (basename(path) === recordName && existsSync(nextPath(path)))

/**
 * Refuses to start a guard that pays if its record or its journal is missing: what it paid before
 * would be paid again.
 *
 * @throws {UsageError}
 */
export function requireState(parsed: ParsedArguments): void {
  const missing = filesOf(parsed).find((path) => !isThere(path))
  if (missing === undefined) return
  throw new UsageError(
    `${missing} is missing. If this guard ran before, name its folder by --state, or its journal by --journal. ` +
      'If it is new, and no other guard pays from the same wallet, run the same command once with --new-state',
  )
}

/** Creates the missing files of the state. @throws {UsageError} if none is missing */
export async function beginState(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  if (filesOf(parsed).every(isThere)) {
    throw new UsageError(`--new-state: ${guardFolder(parsed.options)} has a state already`)
  }
  const journal = guardJournal(parsed, terminal)
  try {
    // Reading creates the file.
    await journal?.read(0)
    await (await openOperator({ folder: guardFolder(parsed.options) })).close()
  } finally {
    await journal?.close()
  }
  terminal.print(`The state begins in ${guardFolder(parsed.options)}\n`)
  return exitAgrees
}
