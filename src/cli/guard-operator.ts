import { join } from 'node:path'
import { isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import { type Operator, openOperator } from '../guard/operator.ts'
import type { Journal } from '../journal/journal.ts'
import { type ParsedArguments, type Terminal, UsageError } from './command.ts'
import { readPolicyText } from './guard-files.ts'
import { stateFolder } from './state-folder.ts'

/** Opens the policy, the limits and the record that options name, and reloads on SIGHUP. */
export async function startOperator(
  { options, flags }: ParsedArguments,
  terminal: Terminal,
  journal: Journal | undefined,
): Promise<Operator> {
  const folder = guardFolder(options)
  const path = options.get('policy')
  const policy = path === undefined ? undefined : await readPolicyText(path)
  const operator = await openOperator({
    folder,
    policy,
    journal,
    isReconciled: flags.has('reconciled'),
  })
  const held = operator.health()
  if (held !== undefined) {
    terminal.printError(
      `payments are held: ${held}. Restore the file, or start with --reconciled\n`,
    )
  }
  // Without a handler the signal would end the guard.
  const reload = () => {
    if (path !== undefined) void reloadPolicy(operator, path, terminal)
    else terminal.printError('SIGHUP: the guard has no policy file to read again\n')
  }
  process.on('SIGHUP', reload)
  return {
    ...operator,
    async close() {
      process.removeListener('SIGHUP', reload)
      await operator.close()
    },
  }
}

/** Returns the folder of --state; by default one in the user's state folder. @throws {UsageError} */
export function guardFolder(options: ReadonlyMap<string, string>): string {
  const named = options.get('state')
  if (named !== undefined) return named
  const folder = stateFolder()
  if (folder === undefined) throw new UsageError('--state: name a folder, since HOME is not set')
  return join(folder, 'guard')
}

/** Takes the rules that the file has now, or keeps the old ones. */
async function reloadPolicy(operator: Operator, path: string, terminal: Terminal): Promise<void> {
  try {
    await operator.reload(await readPolicyText(path))
    terminal.printError('the policy was read again\n')
  } catch (error) {
    const why = isAntaraError(error) ? sentenceOf(error) : (error as Error).message
    terminal.printError(`the old policy stays: ${why}\n`)
  }
}
