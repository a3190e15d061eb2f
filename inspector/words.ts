// How the page writes amounts, ids and whatever strangers chose.

import { printable } from '../src/index.ts'
import { coins } from './flow.ts'

/** Safe to show: no control, no bidirectional mark, no width of nothing. */
export function safe(text: string): string {
  return printable(text)
}

/** Characters of one value that are shown: with more of them a page stands still. */
const briefMax = 20_000

/** The same of what may be long, cut where nobody would read on, and said to be. */
export function brief(text: string): string {
  if (text.length <= briefMax) return safe(text)
  return `${safe(text.slice(0, briefMax))}… ${text.length - briefMax} characters more`
}

/** Coins with all their digits, or units of a token. */
export function amountText(amount: bigint | undefined, asset: string): string {
  if (amount === undefined) return 'amount unknown'
  if (asset !== coins) return `${grouped(amount)} ${amount === 1n ? 'unit' : 'units'}`
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(9, '0')
  return `${sign}${grouped(BigInt(digits.slice(0, -8)))}.${digits.slice(-8)}`
}

/** Thousands apart, by spaces that do not break. */
function grouped(value: bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, '\u202f')
}

export function shortened(hex: string): string {
  return hex.length <= 20 ? hex : `${hex.slice(0, 8)}…${hex.slice(-8)}`
}

/** A color of its own for each token, by its id; for coins that of the page. */
export function assetColor(asset: string): string {
  if (asset === coins) return 'var(--coins)'
  const hue = Number.parseInt(asset.slice(0, 4), 16) % 360
  return `light-dark(hsl(${hue} 65% 38%), hsl(${hue} 60% 65%))`
}
