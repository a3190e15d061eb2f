import { columns } from './columns.ts'
import {
  type Command,
  type Entry,
  exitAgrees,
  exitFault,
  exitFindings,
  exitMalformed,
  exitUnavailable,
  exitUnsettled,
  exitUsage,
  type Option,
} from './command.ts'

/** Exit statuses of a command; scripts/generate-man.mjs adds them to the manual. */
export const exitStatuses: readonly (readonly [number, string])[] = [
  [exitAgrees, 'agrees, or done'],
  [exitFindings, 'findings, or refused by a server'],
  [exitMalformed, 'malformed input, or too few coins or tokens'],
  [exitUsage, 'wrong arguments'],
  [exitUnavailable, 'no engine or no server'],
  [exitFault, 'a fault of antara-tx itself'],
  [exitUnsettled, 'a payment may have been sent or recorded; see antara-tx attempts'],
]

/** Returns the exit statuses of one command. */
export function exitStatusesOf({ choosesCoins }: Command): typeof exitStatuses {
  if (choosesCoins === true) return exitStatuses
  return exitStatuses.map((row) =>
    row[0] === exitMalformed ? [exitMalformed, 'malformed input'] : row,
  )
}

/** Environment variables, for the help and the manual. */
export const environment: readonly (readonly [string, string])[] = [
  ['ANTARA_TX_KEY', 'the private key, without --key-file'],
  ['ANTARA_RPC_USER, ANTARA_RPC_PASSWORD', 'credentials of a daemon'],
  ['ANTARA_RPC_USERPASS', 'password of a framework server'],
  ['ANTARA_TX_ENGINE', 'native or wasm, to allow only that engine'],
  ['ANTARA_TX_ADDON', 'path of a native engine of your own'],
  ['NODE_DISABLE_COMPILE_CACHE', '1 to keep no compiled code for the next run'],
  ['NO_COLOR, FORCE_COLOR', 'disable or enable colors; ignored if empty'],
]

/** Returns the list of commands. */
export function generalHelp(catalogue: readonly Entry[]): string {
  return `Usage: antara-tx COMMAND [ARGUMENTS]

${columns(catalogue.map(({ name, summary }) => [name, summary]))}

Run antara-tx help COMMAND for details. Hex comes from an argument, a file or standard input.

Exit status:
${columns(exitStatuses.map(([status, meaning]) => [String(status), meaning]))}

Environment:
${columns(environment)}
`
}

export function commandHelp(name: string, command: Command): string {
  const { usage, about, options, notes } = command
  const forms = usage.map((form) => `antara-tx ${name} ${form}`.trimEnd())
  const parts = [
    `Usage: ${forms.join('\n       ')}`,
    about,
    columns(options.map((option) => [labelOf(option), option.about])),
    notes ?? '',
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function labelOf({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}
