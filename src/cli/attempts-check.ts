// A look at settled payments by another daemon. The one that settled a payment may have claimed a
// false block, and compaction leaves no bytes that could be sent again.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import {
  isSettled,
  type RecordedAttempt,
  type RecordedPayment,
} from '../journal/recorded-payment.ts'
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
  /** `other-chain` if the record names another chain, and the daemon has no payment of that one. */
  readonly state: 'in-block' | 'waiting' | 'missing' | 'other-chain'
}

interface CheckedJournal {
  readonly payments: readonly CheckedPayment[]
  /** By txid, what a person can do about a transaction that the daemon does not have. */
  readonly remedies: ReadonlyMap<string, string>
}

/** RPC_INVALID_ADDRESS_OR_KEY: the daemon has no such transaction. */
const unknownTransaction = -5

/**
 * Looks for the transactions of settled payments. Records nothing, and sends nothing.
 *
 * @param options - what follows the command that sends recorded bytes again
 */
export async function checkedPayments(
  client: DaemonClient,
  journal: Journal,
  limits: CallOptions,
  options: string,
): Promise<CheckedJournal> {
  const book = bookOf(journal)
  await book.catchUp()
  const ownChains = new Set([await client.call('getblockhash', [1], limits), undefined])
  const found: (SettledAttempt & Pick<CheckedPayment, 'txid' | 'state'>)[] = []
  for (const one of book.payments().flatMap(settledOf)) {
    const { txid: sent, minedAs: txid = sent, chain } = one.attempt
    const state = await stateOf(client, txid, limits)
    // If a record names another chain, and the daemon has its transaction, a server reported a false
    // block 1 when the payment was recorded.
    if (state !== 'missing') ownChains.add(chain)
    found.push({ ...one, txid, state })
  }
  const remedies = new Map<string, string>()
  const payments = found.map((one): CheckedPayment => {
    const { name, txid, state, attempt } = one
    const isOwn = ownChains.has(attempt.chain)
    remedies.set(txid, isOwn ? remedyOf(one, options) : otherText(`${attempt.chain}`))
    return { name, txid, state: state === 'missing' && !isOwn ? 'other-chain' : state }
  })
  return { payments, remedies }
}

function remedyOf({ isPast, request }: SettledAttempt, options: string): string {
  if (isPast) return pastText
  return request === undefined ? goneText : `send it again: ${settlerOf({ request }, options)}`
}

interface SettledAttempt extends Pick<RecordedPayment, 'name' | 'request'> {
  readonly attempt: RecordedAttempt
  /** True if the same request was a payment again later. */
  readonly isPast: boolean
}

function settledOf({ name, request, attempts, past }: RecordedPayment): SettledAttempt[] {
  const last = attempts.findLast(isSettled)
  const about = { name, ...(request !== undefined && { request }) }
  return [
    ...past.map((attempt) => ({ ...about, attempt, isPast: true })),
    ...(last === undefined ? [] : [{ ...about, attempt: last, isPast: false }]),
  ]
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

export function checkedText({ payments, remedies }: CheckedJournal): string {
  const open = payments.filter(({ state }) => state !== 'in-block')
  const lines = open.map(({ name, txid, state }) => {
    const shown = printable(name)
    if (state === 'waiting') return `${shown}: ${txid} waits for a block\n`
    return `${shown}: the daemon does not have ${txid}\n  ${remedies.get(txid)}\n`
  })
  const others = open.filter(({ state }) => state === 'other-chain').length
  const missing = open.length - others
  const ends = [
    ...(missing === 0 ? [] : [`${missing} in no block`]),
    ...(others === 0 ? [] : [`${others} of another chain`]),
  ]
  const end = ends.length === 0 ? 'a block has each of them' : ends.join(', ')
  const sum = `${payments.length} settled payment${payments.length === 1 ? '' : 's'}`
  return `${lines.join('')}${sum}: ${end}\n`
}

const lostText = `A daemon without
  -txindex lacks old transactions. If no daemon has it, and the payee got nothing, pay again with
  another id. If a copy of its bytes is mined later, the payee is paid twice`

const goneText = `the journal no longer has its bytes, and its id counts as paid. ${lostText}`

const pastText = `the same request was made again later, so a resume does not look for it. ${lostText}`

const otherText = (chain: string): string => `its record names the chain with block 1 ${chain}:
  check it by a daemon of that chain. If no chain of yours has this block 1, a server reported a
  false one. ${lostText}`
