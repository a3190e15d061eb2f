// Komodod's rules for orders: what a transaction must look like to spend an ask or a bid.

import { markerSats } from '../../chain/limits.ts'
import { assetsEvalCode, tokensEvalCode } from '../../chain/modules.ts'
import type { Transaction, TransactionOutput } from '../../transaction/types.ts'
import type { AssetAction, AssetOrder } from '../payload/asset-order.ts'
import { conditionPart, paysToCondition } from './condition-script.ts'
import { fulfillmentsOf } from './fulfillment.ts'
import type { FindTransaction } from './funding.ts'
import { lastPayload, nonFungibleEvalCode } from './komodo.ts'
import { orderScripts } from './order-layout.ts'
import { isCoins, isCondition } from './order-output.ts'
import { conditionKey, slotScript, tokenEvalCodes } from './slot-script.ts'

/** The parts of the chain that the rules read. */
interface OrderChain {
  readonly find: FindTransaction
  /** Units of a token in the transaction's inputs. */
  tokensIn(tokenid: string): bigint
}

/**
 * Returns why komodod's assets module refuses a transaction that spends an order, in the daemon's
 * words; `undefined` if it accepts the transaction.
 *
 * Two cases differ, because they crash the daemon or read beyond its memory. A division by zero is
 * refused as a remainder that does not match. An output after the last counts as absent.
 *
 * @see komodo src/cc/assets.cpp, AssetsValidate; src/cc/CCassetsCore.cpp
 */
export function orderRefusal(transaction: Transaction, chain: OrderChain): string | undefined {
  const { outputs } = transaction
  if (outputs.length === 0) return 'AssetValidate: no vouts'
  const claimed = orderIn(outputs)
  if (claimed === undefined) return 'AssetValidate: invalid opreturn payload'
  const rule = rules[claimed.order.action]
  const creation = chain.find(claimed.tokenid)
  const isCancel = typeof rule !== 'string' && rule.isCancel
  if (!isCancel && creation === undefined) return 'cant find asset create txid'
  if ('otherTokenid' in claimed.order && chain.find(claimed.order.otherTokenid) === undefined) {
    return 'cant find asset2 create txid'
  }
  if (fulfillmentsOf(transaction)[0] !== undefined) return 'illegal asset vin0'
  if (outputs.length < 2) return 'too few vouts'
  if (/^0*$/.test(claimed.tokenid)) return 'illegal assetid'
  if (typeof rule === 'string') return rule
  const payload = creation && lastPayload(creation.outputs)
  const code = payload?.kind === 'create' ? nonFungibleEvalCode(payload) : undefined
  const scripts = scriptsFor(code ?? 0)
  const spent = spentOrder(transaction, claimed, rule.spends, scripts, chain.find)
  if (typeof spent === 'string') return spent
  return rule.check({ transaction, ...claimed, spent, scripts, chain })
}

interface ClaimedOrder {
  /** The token's id; empty if the payload creates a token. */
  readonly tokenid: string
  readonly order: AssetOrder
}

/** Reads the order in a transaction's payload, as DecodeAssetTokenOpRet does. */
function orderIn(outputs: readonly TransactionOutput[]): ClaimedOrder | undefined {
  const payload = lastPayload(outputs)
  const order = payload?.extras.find(({ kind }) => kind === 'assets')?.order
  if (payload === undefined || order === undefined) return undefined
  return { tokenid: payload.kind === 'transfer' ? payload.tokenid : '', order }
}

interface OrderScripts {
  /** The script of coins that a bid offers. */
  readonly bids: string
  /** The script of tokens that an ask offers. */
  readonly asks: string
  /** Returns the script of an owner's tokens. */
  tokens(owner: string): string | undefined
  /** Returns the script of the marker by which wallets find an owner's orders. */
  marker(owner: string): string | undefined
}

/** @param dataEvalCode - eval code of the token's data, 0 for a fungible token */
function scriptsFor(dataEvalCode: number): OrderScripts {
  const ofOwner = (owner: string, evalCodes: readonly number[]): string | undefined => {
    const key = conditionKey(owner)
    return key === undefined ? undefined : slotScript([key], evalCodes)
  }
  return {
    ...orderScripts(dataEvalCode),
    tokens: (owner) => ofOwner(owner, tokenEvalCodes(tokensEvalCode, dataEvalCode)),
    marker: (owner) => ofOwner(owner, [assetsEvalCode]),
  }
}

/** The spent order: the first output of its transaction, and always spent by the second input. */
interface SpentOrder {
  readonly value: bigint
  readonly price: bigint
  readonly origin: string
}

/**
 * Returns the spent order, or why there is none. Source: AssetValidateCCvin, AssetValidateBuyvin,
 * AssetValidateSellvin.
 */
function spentOrder(
  { inputs }: Transaction,
  { tokenid }: ClaimedOrder,
  wanted: 'bid' | 'ask',
  { bids, asks }: OrderScripts,
  find: FindTransaction,
): SpentOrder | string {
  const input = inputs[1]
  if (input === undefined) return 'not enough for CC vins'
  if (input.vout !== 0) return 'vin1 needs to be buyvin.vout[0]'
  const outputs = find(input.txid)?.outputs
  if (outputs === undefined) return 'always should find CCvin, but didnt'
  const [offered, next] = outputs
  if (offered === undefined || conditionPart(offered.script) !== (wanted === 'ask' ? asks : bids)) {
    return 'invalid vin assets CCaddr'
  }
  const claimed = orderIn(outputs)
  if (claimed === undefined || !('origin' in claimed.order) || 'otherTokenid' in claimed.order) {
    return 'couldnt get origaddr for buyvin'
  }
  const { value } = offered
  const { action, price, origin } = claimed.order
  if (value === 0n) return 'null value CCvin'
  if (wanted === 'ask') {
    const isAsset = claimed.tokenid === tokenid
    return isAsset ? { value, price, origin } : 'invalid missing CC vout0 for sellvin'
  }
  // There is a second output, because the order's terms are never in the first.
  if (action === 'bid' && !paysToCondition(next!.script)) {
    return 'invalid normal vout1 for buyvin'
  }
  if (action !== 'bid' && action !== 'fillBid') return 'invalid opreturn for buyvin'
  return claimed.tokenid === tokenid ? { value, price, origin } : 'invalid assetid for buyvin'
}

interface Checked extends ClaimedOrder {
  readonly transaction: Transaction
  readonly spent: SpentOrder
  readonly scripts: OrderScripts
  readonly chain: OrderChain
}

interface OrderRule {
  readonly spends: 'bid' | 'ask'
  readonly isCancel: boolean
  check(checked: Checked): string | undefined
}

/**
 * The rule for each action of a spending transaction; a text if the action never spends an order.
 */
const rules: { readonly [Action in AssetAction]: OrderRule | string } = {
  bid: 'invalid asset funcid (b)',
  ask: 'invalid asset funcid (s)',
  swap: 'unexpected assets funcid',
  fillSwap: 'unexpected assets fillexchange funcid',
  cancelBid: { spends: 'bid', isCancel: true, check: checkCancelBid },
  cancelAsk: { spends: 'ask', isCancel: true, check: checkCancelAsk },
  fillBid: { spends: 'bid', isCancel: false, check: checkFillBid },
  fillAsk: { spends: 'ask', isCancel: false, check: checkFillAsk },
}

function checkCancelBid({ transaction, spent }: Checked): string | undefined {
  if (!isCoins(transaction.outputs[0], spent.origin, spent.value)) {
    return 'invalid refund for cancelbuy'
  }
  return conditionsFrom(transaction, { inputs: 3, outputs: 0 })
}

function checkCancelAsk({ transaction, spent, scripts }: Checked): string | undefined {
  if (!isCondition(transaction.outputs[0]!, scripts.tokens(spent.origin), spent.value)) {
    return 'invalid vout for cancel'
  }
  return conditionsFrom(transaction, { inputs: 3, outputs: 1 })
}

function checkFillBid({
  transaction,
  tokenid,
  order,
  spent,
  scripts,
  chain,
}: Checked): string | undefined {
  const [left, paid, tokens, marker, change] = transaction.outputs
  const terms = order as Extract<AssetOrder, { price: bigint }>
  if (marker === undefined) return 'not enough vouts for fillbuy'
  if (spent.origin !== terms.origin) return 'mismatched origpubkeys for fillbuy'
  if (spent.value !== left!.value + paid!.value) return 'locked value doesnt match vout0+1 fillbuy'
  const tokensIn = chain.tokensIn(tokenid)
  const wanted = scripts.tokens(spent.origin)
  if (change !== undefined && paysToCondition(change.script)) {
    // komodod checks nothing else if there is token change.
    if (!isCondition(tokens!, wanted)) return 'vout2 doesnt go to origpubkey fillbuy'
    if (tokensIn !== tokens!.value + change.value)
      return 'asset inputs doesnt match vout2+3 fillbuy'
    return conditionsFrom(transaction, { outputs: 5 })
  }
  if (!isCondition(tokens!, wanted, tokensIn)) return 'vout2 doesnt match inputs fillbuy'
  if (paysToCondition(paid!.script)) return 'vout1 is CC for fillbuy'
  if (!isCondition(marker, scripts.marker(terms.origin), markerSats)) {
    return 'invalid marker for original pubkey'
  }
  const isRight =
    isSplit(spent, terms.price, left!.value, paid!.value, tokens!.value) &&
    paid!.value / tokens!.value >= spent.value / spent.price
  if (!isRight) return 'mismatched remainder for fillbuy'
  if (terms.price !== 0n && !isCondition(left!, scripts.bids)) {
    return 'mismatched vout0 AssetsCCaddr for fillbuy'
  }
  return conditionsFrom(transaction, { outputs: 4 })
}

function checkFillAsk({ transaction, order, spent, scripts }: Checked): string | undefined {
  const [left, tokens, paid, marker] = transaction.outputs
  const terms = order as Extract<AssetOrder, { price: bigint }>
  if (marker === undefined) return 'not enough vouts for fillask'
  if (spent.origin !== terms.origin) return 'mismatched origpubkeys for fillask'
  if (spent.value !== left!.value + tokens!.value)
    return 'locked value doesnt match vout0+1 fillask'
  const isRight =
    isSplit(spent, terms.price, left!.value, tokens!.value, paid!.value) &&
    paid!.value / tokens!.value >= spent.price / spent.value
  if (!isRight) return 'mismatched remainder for fillask'
  if (!paysToCondition(tokens!.script)) return 'normal vout1 for fillask'
  if (!isCoins(paid!, spent.origin)) return 'normal vout1 for fillask'
  if (!isCondition(marker, scripts.marker(terms.origin), markerSats)) {
    return 'invalid marker for original pubkey'
  }
  if (terms.price !== 0n && !isCondition(left!, scripts.asks)) {
    return 'mismatched vout0 assets dual unspendable CCaddr for fill sell'
  }
  return undefined
}

/**
 * Returns whether the taken and the remaining part add up to the order, and the paid and the
 * remaining price to its price: ValidateBidRemainder, ValidateAskRemainder, without unit prices.
 */
function isSplit(
  spent: SpentOrder,
  priceLeft: bigint,
  left: bigint,
  taken: bigint,
  given: bigint,
): boolean {
  if (spent.value === 0n || spent.price === 0n || taken === 0n || given === 0n) return false
  return spent.price === priceLeft + given && spent.value === left + taken
}

/** Refuses conditions from the given positions on: PreventCC. */
function conditionsFrom(
  transaction: Transaction,
  from: { readonly inputs?: number; readonly outputs: number },
): string | undefined {
  const spent = from.inputs === undefined ? [] : fulfillmentsOf(transaction).slice(from.inputs)
  if (spent.some((it) => it !== undefined)) return 'invalid CC vin'
  const paid = transaction.outputs.slice(from.outputs)
  return paid.some(({ script }) => paysToCondition(script)) ? 'invalid CC vout' : undefined
}
