// A look at settled payments by another daemon. The one that settled a payment may have claimed a
// false block, and compaction leaves no bytes that could be sent again.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { isSettled, type RecordedPayment } from '../journal/recorded-payment.ts'
import { printable } from '../primitives/printable.ts'
import { wholeNumberIn } from '../primitives/whole-number.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { isRpcError } from '../rpc/errors.ts'
import type { CallOptions } from '../rpc/options.ts'
import { placeIn } from '../rpc/safe-flow/chain-view.ts'
import { settlerOf } from './settler.ts'

/** A settled payment, and what a daemon reports of its transaction. */
interface CheckedPayment {
  readonly name: string
  readonly txid: string
  readonly state: 'in-block' | 'waiting' | 'missing'
}

interface CheckedJournal {
  readonly payments: readonly CheckedPayment[]
  /** Requests by name, of the payments whose bytes the journal has: a resume sends them again. */
  readonly requests: ReadonlyMap<string, string>
  /** Settled payments of other chains, which the daemon cannot have. */
  readonly ofOtherChains: number
}

/** RPC_INVALID_ADDRESS_OR_KEY: the daemon has no such transaction. */
const unknownTransaction = -5

/** Looks for the transactions of settled payments. Records nothing, and sends nothing. */
export async function checkedPayments(
  client: DaemonClient,
  journal: Journal,
  limits: CallOptions,
): Promise<CheckedJournal> {
  const book = bookOf(journal)
  await book.catchUp()
  const settled = book.payments().filter(({ attempts }) => attempts.some(isSettled))
  const chain = await client.call('getblockhash', [1], limits)
  const isOfOther = (it: RecordedPayment): boolean => it.chain !== undefined && it.chain !== chain
  const own = settled.filter((it) => !isOfOther(it))
  const payments: CheckedPayment[] = []
  for (const { name, attempts } of own) {
    const { txid: sent, minedAs: txid = sent } = attempts.findLast(isSettled)!
    payments.push({ name, txid, state: await stateOf(client, txid, limits) })
  }
  const requests = new Map(
    own.flatMap(({ name, request }) => (request === undefined ? [] : [[name, request]])),
  )
  return { payments, requests, ofOtherChains: settled.length - own.length }
}

async function stateOf(
  client: DaemonClient,
  txid: string,
  limits: CallOptions,
): Promise<CheckedPayment['state']> {
  try {
    const reply = await client.call('getrawtransaction', [txid, 1], limits)
    const tip = wholeNumberIn(await client.call('getblockcount', [], limits)) ?? 0
    return placeIn(reply, tip).height === undefined ? 'waiting' : 'in-block'
  } catch (error) {
    if (isRpcError(error, 'daemon') && error.code === unknownTransaction) return 'missing'
    throw error
  }
}

/** @param options - what follows the command that sends recorded bytes again */
export function checkedText(
  { payments, requests, ofOtherChains }: CheckedJournal,
  options: string,
): string {
  const open = payments.filter(({ state }) => state !== 'in-block')
  const lines = open.map(({ name, txid, state }) => {
    const shown = printable(name)
    if (state === 'waiting') return `${shown}: ${txid} waits for a block\n`
    const request = requests.get(name)
    const next =
      request === undefined ? goneText : `send it again: ${settlerOf({ request }, options)}`
    return `${shown}: the daemon does not have ${txid}\n  ${next}\n`
  })
  const sum = `${payments.length} settled ${paymentWord(payments.length)}`
  const end = open.length === 0 ? 'a block has each of them' : `${open.length} in no block`
  const others = ofOtherChains === 0 ? '' : `${otherText(ofOtherChains)}\n`
  return `${lines.join('')}${sum}: ${end}\n${others}`
}

const goneText = `the journal no longer has its bytes, and its id counts as paid. A daemon without -txindex lacks
  old transactions. If no daemon has it, and the payee got nothing, pay again with another id`

const otherText = (count: number): string =>
  `${count} ${paymentWord(count)} of another chain ${count === 1 ? 'was' : 'were'} not looked up`

const paymentWord = (count: number): string => (count === 1 ? 'payment' : 'payments')
