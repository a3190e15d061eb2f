// The payees of --recipients: a list in JSON, or a table in CSV such as a payroll.

import { formatCoins, parseCoins } from '../primitives/amount.ts'
import { amount, malformed, parseJson } from '../primitives/json-fields.ts'
import { type PaidOutput, payForms } from '../wallet/requests/pay.ts'
import { type Terminal, UsageError } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { readCaseText } from './read.ts'

/** How to read an amount, by the name of its column, because 1 may be a coin or a satoshi. */
const units: Readonly<Record<string, (text: string, path: string) => bigint>> = {
  coins: parseCoins,
  satoshis: amount,
}

/** Reads the payees of a file. @throws {AntaraError} `malformed_case`, or of the amount */
export async function readRecipients(
  path: string,
  terminal: Terminal,
): Promise<readonly PaidOutput[]> {
  const text = await readCaseText(path, terminal)
  return readAs('a list of recipients', text, (given) =>
    /^\s*[[{]/.test(given)
      ? payForms.recipients.read(parseJson(given), 'recipients')
      : readTable(given),
  )
}

/**
 * Compares the sum of payees with the one that the caller expects: a table that was cut short is a
 * table, too.
 *
 * @param total - in coins; `undefined` compares nothing
 * @throws {UsageError} for another sum, and for an amount of everything, which has none
 */
export function requireTotal(recipients: readonly PaidOutput[], total: string | undefined): void {
  if (total === undefined) return
  const expected = parseCoins(total, '--total')
  let sum = 0n
  for (const { amount: one } of recipients) {
    if (one === 'max')
      throw new UsageError(
        '--total: the file has an amount max, so it has no sum; leave out --total',
      )
    sum += one
  }
  if (sum === expected) return
  throw new UsageError(
    `--total: the file pays ${formatCoins(sum)} coins in ${recipients.length} amounts, expected ${formatCoins(expected)}; see if it was cut short`,
  )
}

function readTable(text: string): PaidOutput[] {
  const rows = text.split('\n').map((line) => line.split(',').map((cell) => cell.trim()))
  const [header = [], ...others] = rows
  const named = Object.keys(units).filter((unit) => header.includes(unit))
  const [unit] = named
  const isKnown = header.includes('to') && new Set(header).size === header.length
  if (!isKnown || unit === undefined || named.length > 1) {
    const expected = 'names of columns, among them to, and either coins or satoshis'
    throw malformed('line 1', expected, header.join())
  }
  return others.flatMap((cells, at) => {
    const line = `line ${at + 2}`
    if (cells.join('') === '') return []
    // A quoted cell may have a comma of its own.
    if (cells.length !== header.length || cells.some((cell) => cell.includes('"'))) {
      throw malformed(
        line,
        `${header.length} values with commas between them, without quotes`,
        cells.join(),
      )
    }
    const cellOf = (name: string) => cells[header.indexOf(name)]!
    return [{ to: cellOf('to'), amount: units[unit]!(cellOf(unit), `${line}, ${unit}`) }]
  })
}
