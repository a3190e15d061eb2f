// Payments that the chain has and the journal has not. A journal that was lost or restored from a
// copy, or a second machine with a journal of its own, would make them again.

import { pastOfFull } from '../../journal/recorded-payment.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
import { recentValues } from '../../primitives/recent.ts'
import type { Transaction } from '../../transaction/types.ts'
import { longestSince, type Moment, momentNow } from '../clock.ts'
import type { Checked } from './check.ts'
import type { Flow, Outcome } from './flow.ts'
import type { RecordedHeights } from './look-back.ts'
import { paysOther } from './pays-other.ts'
import { areSameTerms } from './same-terms.ts'
import { loadReader } from './transaction.ts'

/** Characters of the requests and txids that are kept for a client: 20,000 of usual length. */
const otherCharactersMax = 16_000_000
/**
 * Returns the transactions that make another payment than a request, by request and txid. A stranger
 * may pay the same amount to the payee thousands of times, and each verification takes requests.
 */
const othersOf = oncePerObject((_client: object) => recentValues<true>(otherCharactersMax))

/**
 * Looks for the same payment among the payer's transactions, because the caller may repeat it.
 * Other spends do not count: the wallet of a daemon serves other programs. Returns `changed` if
 * another process recorded something for this payment meanwhile.
 *
 * @param own - txid of the transaction that is about to be recorded. Its bytes pay only once, also if
 *   the daemon that built it has sent them
 */
export async function unrecordedPayment(flow: Flow, own?: string): Outcome {
  const { payment, book, named, isDurable } = flow
  const { options, mayBe } = payment
  if (!isDurable || payment.spends === undefined || mayBe === undefined) return undefined
  const acknowledged = new Set((options.acknowledged ?? []).map((txid) => txid.toLowerCase()))
  const isPassed = (txid: string) =>
    txid === own || acknowledged.has(txid) || book.paymentsOf(txid).length > 0
  flow.comparedAt = momentNow()
  const before = book.payment(named.name)?.last
  const unrecorded: string[] = []
  let result: Checked | undefined
  const lookUp = payment.readSpend ?? payment.lookUp
  const read = await loadReader()
  const known = othersOf(payment.client)
  const request = payment.request()
  for (const txid of await payment.spends(recordedHeights(flow))) {
    const other = `${txid} ${request}`
    if (isPassed(txid) || known.get(other) === true) continue
    const hex = await lookUp(txid)
    const tx = typeof hex === 'string' ? read(hex) : undefined
    // Verification reads all ancestors, so what cannot be the payment is left out before.
    if (tx?.txid !== txid || !mayBe(tx)) continue
    const checked = await payment.check(hex as string, 'on-chain')
    if (paysOther(checked)) {
      // Evidence that the daemon did not give may come later.
      if (checked.refused === undefined) known.add(other, true, other.length)
      continue
    }
    // A process with the same journal may have recorded it since this call read the journal.
    await book.catchUp()
    if (book.payment(named.name)?.last !== before) return 'changed'
    if (isPassed(txid) || (await isCopyOfOther(tx, flow))) continue
    result ??= checked
    unrecorded.push(txid)
  }
  if (result === undefined) return undefined
  return { ...result, held: 'unrecorded-spends', unrecorded }
}

/**
 * Milliseconds after which a comparison is repeated before the payment leaves. Another machine may
 * have made the payment meanwhile, and a node needs about as long to learn of a transaction.
 */
const comparedMsMax = 1000

/**
 * Returns true if a comparison is old. A person who decides or signs takes minutes, and so may a daemon
 * that builds or gives ancestors.
 */
export function isComparedLongAgo(at: Moment | undefined): boolean {
  return at !== undefined && longestSince(at) >= comparedMsMax
}

function recordedHeights({ book, named }: Flow): RecordedHeights {
  const { chain, terms } = named
  // A full list of equal payments without an id has dropped the ones before it.
  const full = book
    .payments()
    .filter((it) => pastOfFull(it).length > 0)
    .filter((it) => it.chain === chain && areSameTerms(it.terms, terms))
  let dropped = book.forgottenTo(chain)
  for (const it of full) {
    const heights = pastOfFull(it).flatMap(({ height }) => height ?? [])
    if (heights.length === 0) continue
    dropped = Math.max(
      dropped,
      heights.reduce((one, other) => Math.min(one, other)),
    )
  }
  return { first: book.lowestHeight(chain), dropped }
}

/**
 * Returns true for a malleated copy of another payment's transaction, which makes that payment. A
 * copy of this payment's own attempt makes this payment, so it holds.
 */
async function isCopyOfOther(tx: Transaction, { book, named }: Flow): Promise<boolean> {
  const { isMalleatedCopy } = await import('../../transaction/malleated-copy.ts')
  const read = await loadReader()
  return book.payments().some(({ name, attempts, past }) =>
    [...(name === named.name ? [] : attempts), ...past].some(({ hex, fate }) => {
      const recorded = fate === 'dead' ? undefined : read(hex)
      return recorded !== undefined && isMalleatedCopy(tx, recorded)
    }),
  )
}
