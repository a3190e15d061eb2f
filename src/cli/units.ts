import { formatCoins, parseCoins } from '../primitives/amount.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { type Command, exitAgrees, jsonOption, jsonText, UsageError } from './command.ts'

export const units: Command = {
  usage: ['AMOUNT [units | coins]'],
  about: `Converts an amount between units and coins, exactly. A coin has 100,000,000 units; a unit is a
satoshi, or the smallest part of a token. An amount with a point counts coins, a whole number
units, unless you name the kind.`,
  options: [jsonOption],
  run({ positionals, flags }, terminal) {
    const [text, kind, ...more] = positionals
    if (text === undefined || more.length > 0) throw new UsageError('expected one amount')
    const amount = isCoins(text, kind) ? parseCoins(text, 'AMOUNT') : wholeUnits(text)
    const amounts = { units: amount.toString(), coins: formatCoins(amount) }
    terminal.print(
      flags.has('json') ? jsonText(amounts) : `units  ${amounts.units}\ncoins  ${amounts.coins}\n`,
    )
    return exitAgrees
  },
}

function isCoins(text: string, kind: string | undefined): boolean {
  if (kind !== undefined && kind !== 'coins' && kind !== 'units') {
    throw new UsageError(`expected units or coins, got ${redactKey(kind)}`)
  }
  return kind === undefined ? text.includes('.') : kind === 'coins'
}

/** Reads whole units as coins with the point eight digits from the end. */
function wholeUnits(text: string): bigint {
  if (!/^[0-9]+$/.test(text)) {
    throw new UsageError(`units: expected a whole number, got ${redactKey(text)}`)
  }
  const padded = text.replace(/^0+/, '').padStart(9, '0')
  return parseCoins(`${padded.slice(0, -8)}.${padded.slice(-8)}`, 'AMOUNT')
}
