// A wallet's payments: made, listed and shown.

import { dustOfScript } from '../../chain/limits.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { valueOut } from '../consensus/check-transaction.ts'
import { lookUp, withEntry } from '../state/ordered-map.ts'
import { isCoinbase, type StoredTransaction } from '../state/stored-transaction.ts'
import { blockAt, findTransaction, positionOf } from '../state/view.ts'
import { ownershipOf } from '../state/wallet.ts'
import { concerns, depthOf, effectOf, timeOf, walletTransactions } from '../wallet/history.ts'
import { fundedPayment, signedPayment } from '../wallet/payment.ts'
import { type Answer, coins } from './answer.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { amount, boolean, integer, lenientHash, members, type Params, text } from './params.ts'
import { broadcast, requireScript } from './raw.ts'

export const walletPaymentMethods: Methods = methodsIn('Wallet', [
  method('settxfee amount', [1, 1], (context, [rate]) => {
    context.wallet = {
      ...context.wallet,
      feeRate: amount(rate, context.rules.network.maxMoney),
    }
    return true
  }),
  method(
    'sendtoaddress "address" amount ( "comment" "comment-to" subtractfeefromamount )',
    [2, 5],
    sendToAddress,
  ),
  method(
    'sendmany "fromaccount" {"address":amount,...} ( minconf "comment" ["address",...] )',
    [2, 5],
    sendMany,
  ),
  method('listtransactions ( "account" count from includeWatchonly )', [0, 4], listTransactions),
  method('gettransaction "txid" ( includeWatchonly )', [1, 2], getTransaction),
])

function sendToAddress(
  context: Context,
  [address, coinsGiven, comment, to, subtract]: Params,
): Answer {
  const script = requireScript(context, text(address))
  const value = amount(coinsGiven, context.rules.network.maxMoney)
  if (value === 0n) throw failure('type', 'Invalid amount for send')
  const takesFee = subtract !== undefined && boolean(subtract)
  const note = {
    ...(isText(comment) && { comment }),
    ...(isText(to) && { to }),
  }
  return pay(
    context,
    [{ value, script }],
    { ...(takesFee && { feeFrom: 'outputs' as const }) },
    note,
  )
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function sendMany(context: Context, [, payments, minimum, comment, subtract]: Params): Answer {
  const seen = new Set<string>()
  const outputs = Object.entries(members(payments)).map(([address, value]) => {
    const script = requireScript(context, address, `Invalid Komodo address: ${address}`)
    if (seen.has(address))
      throw failure('parameter', `Invalid parameter, duplicated address: ${address}`)
    seen.add(address)
    const sats = amount(value, context.rules.network.maxMoney)
    if (sats === 0n) throw failure('type', 'Invalid amount for send')
    return { value: sats, script }
  })
  const minConfirmations = minimum === undefined ? 1 : integer(minimum)
  const feeFrom =
    Array.isArray(subtract) && subtract.length > 0 ? { feeFrom: 'outputs' as const } : {}
  return pay(context, outputs, { minConfirmations, ...feeFrom }, isText(comment) ? { comment } : {})
}

type Paying = Omit<Parameters<typeof fundedPayment>[1], 'outputs'>

function pay(
  context: Context,
  outputs: readonly { readonly value: bigint; readonly script: string }[],
  options: Paying,
  note: { readonly comment?: string; readonly to?: string },
): string {
  const payer = { engine: context.engine, wallet: context.wallet }
  const isDust = outputs.some(({ value, script }) => value < dustOfScript(script))
  if (isDust) throw failure('wallet', 'Transaction amount too small')
  const made = fundedPayment(payer, { ...options, outputs })
  if (made === undefined) throw failure('insufficientFunds', 'Insufficient funds')
  const txid = broadcast(context, signedPayment(payer, made))
  const { wallet } = context
  context.wallet = { ...wallet, notes: withEntry(wallet.notes, txid, note) }
  return txid
}

function listTransactions(context: Context, [named, count, from, watched]: Params): Answer {
  const account = named === undefined ? '*' : text(named)
  const most = count === undefined ? 10 : integer(count)
  const skip = from === undefined ? 0 : integer(from)
  if (watched !== undefined) boolean(watched)
  if (most < 0) throw failure('parameter', 'Negative count')
  if (skip < 0) throw failure('parameter', 'Negative from')
  const entries = walletTransactions(context, context.wallet)
    .flatMap((stored) => listedEntries(context, stored).toReversed())
    .filter((entry) => account === '*' || entry.account === account)
  const end = entries.length - skip
  return end <= 0 ? [] : entries.slice(Math.max(0, end - most), end)
}

type Entry = { readonly [member: string]: Answer | undefined }

/** An entry for each output that went out, then for each that came in; the size is last. */
export function listedEntries(context: Context, stored: StoredTransaction): Entry[] {
  const members = walletMembers(context, stored)
  return detailsOf(context, stored).map(({ size, ...detail }) => ({ ...detail, ...members, size }))
}

/** @see komodo src/wallet/rpcwallet.cpp, gettransaction */
function getTransaction(context: Context, [id, watched]: Params): Answer {
  const txid = lenientHash(text(id))
  if (watched !== undefined) boolean(watched)
  const { wallet } = context
  const stored = findTransaction(context, txid)
  if (stored === undefined || !concerns(context, wallet, stored)) {
    throw failure('addressOrKey', 'Invalid or non-wallet transaction id')
  }
  const { credit, debit } = effectOf(context, wallet, stored)
  const fee = debit > 0n ? valueOut(stored.transaction) - debit : 0n
  return {
    amount: coins(credit - debit - fee),
    ...(debit > 0n && { fee: coins(fee) }),
    ...walletMembers(context, stored),
    details: detailsOf(context, stored),
    hex: stored.hex,
  }
}

/** @see komodo src/wallet/rpcwallet.cpp, WalletTxToJSON */
function walletMembers(context: Context, { txid, transaction }: StoredTransaction): Entry {
  const { state } = context
  const position = positionOf(state, txid)
  const block = position && blockAt(context, position.height)!
  const depth = depthOf(state, txid)
  const time = timeOf(context, txid)
  const note = lookUp(context.wallet.notes, txid)
  return {
    rawconfirmations: depth,
    generated: isCoinbase(transaction) ? true : undefined,
    confirmations: depth,
    ...(block && {
      blockhash: block.hash,
      blockindex: position.index,
      blocktime: block.time,
      expiryheight: transaction.expiryHeight,
    }),
    txid,
    walletconflicts: [],
    time: isCoinbase(transaction) && block !== undefined ? block.time : time,
    timereceived: time,
    comment: note?.comment,
    to: note?.to,
    vjoinsplit: [],
  }
}

/** @see komodo src/wallet/rpcwallet.cpp, ListTransactions; src/wallet/wallet.cpp, GetAmounts */
function detailsOf(context: Context, stored: StoredTransaction): Entry[] {
  const { rules, wallet } = context
  const { transaction, size } = stored
  const { debit } = effectOf(context, wallet, stored)
  const fee = valueOut(transaction) - debit
  let changes = 0
  const outputs = [...transaction.outputs.entries()].flatMap(([vout, { value, script }]) => {
    const { addresses } = rules.scripts.describe(script)
    const address = addresses?.length === 1 ? addresses[0] : undefined
    const isMine = ownershipOf(wallet, script, rules.scripts) === 'spendable'
    const isKnown = address !== undefined && lookUp(wallet.accounts, address) !== undefined
    if (debit > 0n && isMine && !isKnown) {
      changes += 1
      // The daemon shows two outputs that it takes for change, and no more.
      if (changes > 2) return []
    }
    return [{ vout, value, address, isMine }]
  })
  const sent =
    debit === 0n
      ? []
      : outputs.map(({ vout, value, address }) => ({
          account: '',
          address,
          category: 'send',
          amount: coins(-value),
          vout,
          fee: coins(fee),
          size,
        }))
  const category = isCoinbase(transaction) ? coinbaseCategory(context, stored) : 'receive'
  const received = outputs
    .filter(({ isMine }) => isMine)
    .map(({ vout, value, address }) => ({
      account: (address !== undefined && lookUp(wallet.accounts, address)) || '',
      address,
      category,
      amount: coins(value),
      vout,
      size,
    }))
  return [...sent, ...received]
}

function coinbaseCategory(context: Context, { txid }: StoredTransaction): string {
  return depthOf(context.state, txid) < context.rules.profile.maturity ? 'immature' : 'generate'
}
