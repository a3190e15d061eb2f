// Spends of the wallet's coins that its journal does not have. A journal that was restored from a
// copy, or a second machine with a journal of its own, would pay again what others paid already.

import type { ChainOptions, ChainTip, HistoryEntry } from '../chain-source/source.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import {
  pastOfFull,
  type RecordedAttempt,
  type RecordedPayment,
  weekOfBlocks,
} from '../journal/recorded-payment.ts'
import type { LookBack } from '../rpc/safe-flow/look-back.ts'
import { areSameTerms } from '../rpc/safe-flow/same-terms.ts'
import { readTransaction } from '../rpc/safe-flow/transaction.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import { withoutScriptSigs } from '../transaction/malleated-copy.ts'
import type { Transaction } from '../transaction/types.ts'
import type { KnownTransactions } from './transactions.ts'
import type { ViewContext } from './view.ts'

export interface Compared {
  readonly journal: Journal
  /** Identifies the chain; `undefined` if the source does not. */
  readonly chain: string | undefined
  /** The terms of the payment, as a journal has them. */
  readonly terms: string
  /** True if a spend counts only if it makes an equal payment. */
  readonly isEqualOnly: boolean
  /** Returns how many blocks below the tip are compared, whatever the journal has. */
  blocksBack(tip: ChainTip): Promise<number>
}

/** A spend that the journal does not have. */
export interface UnrecordedSpend {
  readonly transaction: Transaction
  readonly hex: string
  /**
   * True if the journal has no payment in a block before it. It may be from before the journal, so it
   * holds an equal payment only.
   */
  readonly isBefore: boolean
}

/**
 * The least that is compared, whatever the journal has: a week, and as many blocks as it has where a
 * block takes a minute.
 */
export const lookedBack: LookBack = { blocks: weekOfBlocks, seconds: 7 * 24 * 3600 }

/**
 * Looks at the history since the first payment that the journal has in a block, and at that of the
 * last week. The journal may be a new one, because the other is lost or on another machine.
 *
 * @returns spends, oldest first
 */
export async function unrecordedSpends(
  { chain: source, known, own }: ViewContext,
  { journal, chain, terms, isEqualOnly: isEqualAsked, blocksBack }: Compared,
  history: readonly HistoryEntry[],
  options: ChainOptions,
): Promise<readonly UnrecordedSpend[]> {
  const book = bookOf(journal)
  await book.catchUp()
  const listed = new Map(history.map(({ txid, height }) => [txid, height]))
  /** A payment that nobody asked for again has no height in the journal. */
  const heightsOf = ({ txid, minedAs = txid, hex, height }: RecordedAttempt): number[] => {
    // Compaction leaves such a payment no bytes, and may have dropped older payments without an id.
    if (hex === '') return []
    const now = listed.get(minedAs) ?? 0
    if (now > 0) return [now]
    return height === undefined ? [] : [height]
  }
  const payments = book.payments()
  const attempts = payments.flatMap((payment) => [...payment.attempts, ...payment.past])
  const heights = attempts.flatMap(heightsOf)
  // A full list of payments with the same terms has dropped the ones before it.
  const full = payments.filter((it) => pastOfFull(it).length > 0)
  const droppedTo = (some: readonly RecordedPayment[]): number =>
    some
      .flatMap((it) => {
        const kept = pastOfFull(it).flatMap(heightsOf)
        return kept.length === 0 ? [] : kept.reduce(lowest)
      })
      .reduce(highest, 0)
  const forgotten = book.forgottenTo(chain)
  // The history has the payments that are forgotten, so a height above all of it is false.
  const isPossible = history.some(({ height }) => height >= forgotten)
  const complete = isPossible ? forgotten : 0
  const isEqualOnly = isEqualAsked || heights.length === 0
  // Any spend above the first height counts, and one above the second if it makes an equal payment.
  const anyAbove = isEqualOnly
    ? Number.POSITIVE_INFINITY
    : Math.max(heights.reduce(lowest), complete, droppedTo(full))
  // Other payments that were dropped are no reason to overlook this one.
  const equal = full.filter((it) => areSameTerms(it.terms, terms))
  const tip = await source.tip(options)
  const lookedBackTo = tip.height - (await blocksBack(tip))
  const equalAbove = Math.min(anyAbove, Math.max(lookedBackTo, complete, droppedTo(equal)))
  const isBefore = (txid: string) => {
    const height = listed.get(txid)!
    return height === 0 ? isEqualOnly : height <= anyAbove
  }
  const isKnown = (txid: string) => book.paymentsOf(txid).length > 0
  const unknown = history
    .filter(({ txid, height }) => !isKnown(txid) && (height === 0 || height > equalAbove))
    .map(({ txid }) => txid)
  await known.fetch(unknown, options)
  const spends = unknown.filter((txid) => {
    const transaction = known.get(txid)
    return transaction !== undefined && !isCoinbase(transaction)
  })
  await known.fetch(
    spends.flatMap((txid) => known.get(txid)!.inputs.map((input) => input.txid)),
    options,
  )
  const ours = spends.filter((txid) =>
    known.get(txid)!.inputs.some((input) => {
      const output = known.get(input.txid)?.outputs[input.vout]
      const owner = output && own.ownerOf(output.script)
      // Others spend what an order offers, and the marker beside it.
      return owner !== undefined && owner.holds !== 'markers'
    }),
  )
  const moving = ours.filter((txid) => !isStake(known.get(txid)!, known))
  if (moving.length === 0) return []
  const recorded = await Promise.all(attempts.map(({ hex }) => readTransaction(hex)))
  // Anyone can change the scriptSigs of a recorded transaction, and its txid with them.
  const copies = new Set(recorded.flatMap((it) => (it === undefined ? [] : withoutScriptSigs(it))))
  return moving
    .map((txid) => {
      return { transaction: known.get(txid)!, hex: known.hexOf(txid)!, isBefore: isBefore(txid) }
    })
    .filter(({ transaction }) => !copies.has(withoutScriptSigs(transaction)))
}

/**
 * Matches the data of a stake: an OP_RETURN that pushes the byte 77 and a merkle root.
 *
 * @see komodo src/komodo_bitcoind.cpp, EncodeStakingOpRet
 */
const stakeData = /^6a214d[0-9a-f]{64}$/

/**
 * Returns true for the stake of a block, which a daemon with the key makes where a chain has
 * -ac_staked. It spends one coin back to its script. With -splitperc, a share becomes a fee.
 *
 * @see komodo src/komodo_bitcoind.cpp, komodo_staked
 */
function isStake({ inputs, outputs }: Transaction, known: KnownTransactions): boolean {
  const [returned, data] = outputs
  const { txid, vout } = inputs[0]!
  return (
    inputs.length === 1 &&
    outputs.length === 2 &&
    returned!.script === known.get(txid)?.outputs[vout]?.script &&
    data!.value === 0n &&
    stakeData.test(data!.script)
  )
}

const lowest = (one: number, other: number): number => Math.min(one, other)
const highest = (one: number, other: number): number => Math.max(one, other)
