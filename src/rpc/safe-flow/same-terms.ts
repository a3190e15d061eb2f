// The wallet and the flows of a daemon write the terms of a payment in two forms, because a wallet
// chooses the paying key only when it builds. A payment by one of them may be repeated by the other,
// and one of an earlier version after an upgrade.

import { holderName } from '../../request/holder-name.ts'
import { decodeAddress } from '../../script/read-address.ts'

/** The terms of a payment without its payer, and who wrote them. */
interface ReadTerms {
  readonly by: 'wallet' | 'earlier-wallet' | 'flow'
  readonly terms: string
}

/** Returns true if two texts are the terms of the same payment, in either form. */
export function areSameTerms(one: string, other: string): boolean {
  if (one === other) return true
  const [read, another] = [readTerms(one), readTerms(other)]
  // Two texts of one form differ in what that form tells apart, such as the payer.
  return read !== undefined && read.by !== another?.by && read.terms === another?.terms
}

/** The places of the payer, its key first, in the terms that a flow of a daemon writes. */
const payerAt: Readonly<Record<string, readonly number[]>> = {
  transfer: [2, 3],
  create: [1],
  order: [3],
}

export interface PayerTerms {
  readonly payer: string
  /** The terms without the payer. */
  readonly rest: string
}

/** Reads the payer in terms of a flow: the calls that a guard takes name none. */
export function payerTerms(text: string): PayerTerms | undefined {
  const parts = partsOfTerms(text)
  const places = payerAt[String(parts[0])]
  if (places === undefined) return undefined
  const rest = JSON.stringify(parts.filter((_, at) => !places.includes(at)))
  return { payer: String(parts[places[0]!]), rest }
}

const keptMax = 20_000
const kept = new Map<string, ReadTerms | undefined>()

/** Reads a text once: each new payment is compared with all that are not settled. */
function readTerms(text: string): ReadTerms | undefined {
  if (kept.has(text)) return kept.get(text)
  if (kept.size >= keptMax) kept.clear()
  const parts = partsOfTerms(text)
  const read = walletTerms(parts) ?? flowTerms(parts)
  const known = read && { by: read.by, terms: JSON.stringify(read.terms) }
  kept.set(text, known)
  return known
}

/** Returns the parts of terms; none for a text of another form. */
export function partsOfTerms(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(text)
    return Array.isArray(parts) ? parts : []
  } catch {
    // A program that uses the attempts directly may name its terms as it likes.
    return []
  }
}

interface Parts {
  readonly by: ReadTerms['by']
  readonly terms: readonly unknown[]
}

function walletTerms([kind, ...parts]: readonly unknown[]): Parts | undefined {
  const by = 'wallet'
  const [first, second, third, fourth] = parts
  switch (kind) {
    case 'pay':
      return { by, terms: ['coins', parts.at(-1), ...parts.slice(0, -1)] }
    case 'transfer':
    case 'burn':
      return parts.length === 3 ? transferTerms(first, second, third) : undefined
    case 'transferMany':
      return { by, terms: ['transfer', ...parts] }
    case 'create':
      return parts.length === 5
        ? { by, terms: ['create', first, second, third, fourth] }
        : undefined
    case 'ask':
    case 'bid':
      return { by, terms: [kind, first, second, third] }
    case 'fill':
      // The earliest wallets did not write the price.
      return { by: parts.length > 2 ? by : 'earlier-wallet', terms: ['fill', first, second] }
    case 'cancel':
      return { by, terms: ['cancel', first] }
    default:
      return undefined
  }
}

/**
 * Until 2026-11-26, 11:18 UTC, a wallet wrote the burn key, an address and `2 of KEY,KEY` where later
 * ones write what `holderName` returns.
 */
function transferTerms(tokenid: unknown, payee: unknown, amount: unknown): Parts {
  const holder = String(payee)
  const [, required, keys = ''] = /^(\d+) of (.*)$/.exec(holder) ?? []
  const name =
    required === undefined
      ? (decodeAddress(holder)?.hash160 ?? holderName(holder))
      : holderName({ required: Number(required), pubkeys: keys.split(',') })
  const by = name === holder ? 'wallet' : 'earlier-wallet'
  return { by, terms: ['transfer', tokenid, `${name} ${amount}`] }
}

function flowTerms([kind, ...parts]: readonly unknown[]): Parts | undefined {
  const by = 'flow'
  switch (kind) {
    case 'payment':
      return { by, terms: ['coins', ...parts] }
    case 'transfer': {
      const [tokenids, _from, _owner, ...paid] = parts
      return { by, terms: ['transfer', tokenids, ...paid] }
    }
    case 'create': {
      // The wallet does not write the version of tokens that a chain creates by default.
      const [_owner, name, supply, description, data] = parts
      return { by, terms: ['create', name, supply, description, data] }
    }
    case 'order': {
      const [step, tokenid, _from, order, units, price, expiryHeight] = parts
      if (step === 'ask' || step === 'bid') {
        return expiryHeight === '0' ? { by, terms: [step, tokenid, units, price] } : undefined
      }
      const isFill = step === 'fillAsk' || step === 'fillBid'
      return { by, terms: isFill ? ['fill', order, units] : ['cancel', order] }
    }
    default:
      return undefined
  }
}
