// tokeld's rules for orders of tokens v2: what a transaction must look like to make, fill or cancel
// an ask or a bid.

import { markerSats } from '../../chain/limits.ts'
import { assetsV2EvalCode, tokensV2EvalCode } from '../../chain/modules.ts'
import { byteHex } from '../../primitives/wire.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { AssetOrder } from '../payload/asset-order.ts'
import { conditionPart, conditionScriptsOf, paysToCondition } from './condition-script.ts'
import { type TokenInputOutpoint, tokenInputs } from './fulfillment.ts'
import { fundingOf } from './funding.ts'
import {
  markerScriptOfV2,
  moduleDust,
  orderScriptsV2,
  royaltyOf,
  unitPriceMin,
} from './order-layout-v2.ts'
import { isCoins, isCondition } from './order-output.ts'
import { checkFillAsk, checkFillBid, tokensScript } from './orders-v2-fill.ts'
import type {
  ConditionCounts,
  OfferTerms,
  OrderChainV2,
  OrderStep,
  SpentOrderV2,
} from './orders-v2-step.ts'
import { rulesV2 } from './tokens-v2.ts'

const evalCode = byteHex(assetsV2EvalCode)
const countRefusal = 'invalid cc vin or vout count'

/**
 * Returns why the module refuses a transaction, in the daemon's words; `undefined` if it accepts
 * it. An output that is not there, where the daemon reads beyond its memory, counts as absent.
 *
 * @see tokel src/cc/assets.cpp, AssetsValidateInternal
 */
export function orderRefusalV2(transaction: Transaction, chain: OrderChainV2): string | undefined {
  const { inputs, outputs } = transaction
  if (inputs.length === 0) return 'AssetValidate: no vins'
  if (outputs.length === 0) return 'AssetValidate: no vouts'
  const claimed = orderIn(transaction)
  if (claimed === undefined) return 'AssetValidate: invalid opreturn payload'
  if (outputs.length < 2) return 'too few vouts'
  if (/^0*$/.test(claimed.tokenid)) return 'illegal opreturn assetid'
  const created = rulesV2.payloadOf(chain.find(claimed.tokenid)?.outputs ?? [])
  const royalty = royaltyOf(created?.kind === 'create' ? created : { extras: [] })
  const counts = checked({ transaction, ...claimed, royalty, chain })
  if (typeof counts === 'string') return counts
  const isRight =
    (counts.spent ?? ownInputs(transaction).length) === ownInputs(transaction).length &&
    counts.paid === outputs.filter(({ script }) => paysToCondition(script)).length
  return isRight ? undefined : countRefusal
}

function checked(step: OrderStep): ConditionCounts | string {
  const { order } = step
  if (order.action === 'cancelBid') return checkCancelBid(step)
  if (order.action === 'cancelAsk') return checkCancelAsk(step)
  if (!isOffer(order)) return 'unexpected assets funcid'
  switch (order.action) {
    case 'bid':
      return checkBid(step, order)
    case 'ask':
      return checkAsk(step, order)
    case 'fillBid': {
      const spent = spentBid(step)
      return typeof spent === 'string' ? spent : checkFillBid(step, order, spent)
    }
    case 'fillAsk': {
      const spent = spentAsk(step)
      return typeof spent === 'string' ? spent : checkFillAsk(step, order, spent)
    }
  }
}

interface ClaimedOrder {
  readonly tokenid: string
  readonly order: AssetOrder
}

/** @see tokel src/cc/CCassetsUtils.cpp, DecodeAssetTokenOpRetV2 */
function orderIn({ outputs }: Pick<Transaction, 'outputs'>): ClaimedOrder | undefined {
  const payload = rulesV2.payloadOf(outputs)
  const order = payload?.extras[0]?.order
  if (payload === undefined || order?.evalCode !== evalCode) return undefined
  return { tokenid: payload.kind === 'transfer' ? payload.tokenid : '', order }
}

function ownInputs(transaction: Pick<Transaction, 'inputs'>): TokenInputOutpoint[] {
  return tokenInputs(transaction, evalCode)
}

function isOffer(order: AssetOrder): order is OfferTerms {
  return 'expiryHeight' in order
}

function checkBid({ transaction, chain }: OrderStep, terms: OfferTerms): ConditionCounts | string {
  const { outputs } = transaction
  const [coins, marker] = outputs
  const { price, origin } = terms
  if (outputs.length < 3) return 'too few vouts'
  if (!isCondition(coins, orderScriptsV2().bids)) return 'invalid funding for bid'
  if (!isCondition(marker, markerScriptOfV2(origin), markerSats)) {
    return 'invalid vout1 marker for original pubkey'
  }
  if (!isPaidBy(transaction, origin, chain)) return 'not the originator pubkey signed for bid'
  if (price < unitPriceMin) return 'invalid or too low unit price'
  if (coins!.value < price) return 'invalid bid amount too low'
  return spendsNoOrder(transaction, 2)
}

function checkAsk(step: OrderStep, terms: OfferTerms): ConditionCounts | string {
  const { transaction, tokenid, chain } = step
  const { outputs } = transaction
  const [tokens, marker, change] = outputs
  const { price, origin } = terms
  if (outputs.length < 3) return 'too few vouts'
  if (!isCondition(tokens, orderScriptsV2().asks)) {
    return 'invalid vout0 global two eval address for sell'
  }
  if (chain.tokenidAt(transaction, 0) !== tokenid) return 'invalid tokenid in output for tokenask'
  if (!isCondition(marker, markerScriptOfV2(origin), markerSats)) {
    return 'invalid vout1 marker for originator pubkey'
  }
  if (!isPaidBy(transaction, origin, chain)) return 'not the originator pubkey signed for ask'
  if (price < unitPriceMin) return 'invalid or too low unit price'
  const shown = conditionScriptsOf(outputs)[2]
  const isChange =
    paysToCondition(change!.script) &&
    (shown === undefined || shown.evalCodes.includes(tokensV2EvalCode))
  return spendsNoOrder(transaction, isChange ? 3 : 2)
}

function isPaidBy(transaction: Transaction, origin: string, { find }: OrderChainV2): boolean {
  return fundingOf(transaction, origin, find).paid > 0n
}

function spendsNoOrder(transaction: Transaction, paid: number): ConditionCounts | string {
  if (ownInputs(transaction).length > 0) return 'could not have cc assets vin for creation tx'
  return { paid }
}

function checkCancelBid(step: OrderStep): ConditionCounts | string {
  const spent = spentBid(step)
  if (typeof spent === 'string') return spent
  const [refund] = step.transaction.outputs
  const isDust = refund!.value <= moduleDust
  if (isDust) {
    if (!isCondition(refund, orderScriptsV2().bids, spent.value)) {
      return 'invalid dust refund for cancelbid'
    }
  } else if (!isCoins(refund, spent.origin, spent.value)) return 'invalid refund for cancelbid'
  return markerSpentRefusal(step, spent, 'cancelbid') ?? { spent: 2, paid: isDust ? 1 : 0 }
}

function checkCancelAsk(step: OrderStep): ConditionCounts | string {
  const spent = spentAsk(step)
  if (typeof spent === 'string') return spent
  const { transaction, tokenid, chain } = step
  if (!isCondition(transaction.outputs[0], tokensScript(spent.origin), spent.value)) {
    return 'invalid vout0 for cancelask'
  }
  if (chain.tokenidAt(transaction, 0) !== tokenid) return 'invalid tokenid in vout0 for cancelask'
  return markerSpentRefusal(step, spent, 'cancelask') ?? { spent: 2, paid: 1 }
}

/** Before its end, only the maker of an order may cancel it: the next input is its marker. */
function markerSpentRefusal(
  { transaction, chain }: OrderStep,
  { origin, expiryHeight }: SpentOrderV2,
  step: string,
): string | undefined {
  const [first] = ownInputs(transaction)
  const at = transaction.inputs.findIndex((it) => isSame(it, first!)) + 1
  const marker = transaction.inputs[at]
  if (marker === undefined) return 'marker vin not found'
  const key = ownInputs(transaction).find((it) => isSame(it, marker))?.key
  if (key === origin || chain.height >= expiryHeight) return undefined
  return `not the originator pubkey signed for ${step} for not yet expired orders`
}

function isSame(one: TokenOutpoint, other: TokenOutpoint): boolean {
  return one.txid === other.txid && one.vout === other.vout
}

type TokenOutpoint = Pick<TokenInputOutpoint, 'txid' | 'vout'>

/** @see tokel src/cc/CCassetsCore_impl.h, AssetValidateBuyvin */
function spentBid(step: OrderStep): SpentOrderV2 | string {
  const found = spentOrder(step, orderScriptsV2().bids, 'cc vin not found in tx')
  if (typeof found === 'string') return found
  const { made, claimed, spent } = found
  // An order has a second output, because its terms are never in the first.
  const marker = made.outputs[1]!
  const { action } = claimed.order
  if (action === 'bid' && !paysToCondition(marker.script)) return 'invalid not cc vout1 for buyvin'
  if (action !== 'bid' && action !== 'fillBid') return 'invalid opreturn funcid for buyvin'
  return claimed.tokenid === step.tokenid ? spent : 'invalid assetid for buyvin'
}

/** @see tokel src/cc/CCassetsCore_impl.h, AssetValidateSellvin, IsAssetvout */
function spentAsk(step: OrderStep): SpentOrderV2 | string {
  const found = spentOrder(step, orderScriptsV2().asks, 'cc vin not found')
  if (typeof found === 'string') return found
  return found.claimed.tokenid === step.tokenid ? found.spent : { ...found.spent, value: -1n }
}

interface FoundOrder {
  readonly made: Transaction
  readonly claimed: ClaimedOrder
  readonly spent: SpentOrderV2
}

/** @see tokel src/cc/CCassetsCore_impl.h, AssetValidateCCvin */
function spentOrder(
  { transaction, chain }: OrderStep,
  script: string,
  notFound: string,
): FoundOrder | string {
  const own = ownInputs(transaction)
  const [first] = own
  if (first === undefined) return notFound
  if (transaction.inputs.length < 2) return 'not enough vins'
  if (first.vout !== 0) return 'asset cc vin must refer bid vintx.vout[0]'
  const made = chain.find(first.txid)
  if (made === undefined) return 'could not load previous tx or it has too few vouts'
  const claimed = orderIn(made)
  if (claimed === undefined) return 'could not find assets opreturn in previous tx'
  const [offered] = made.outputs
  if (!isCondition(offered, script)) return 'invalid vin assets CCaddr'
  if (!isOffer(claimed.order)) return 'couldnt get origaddr for vin tx'
  const { action, price: unitPrice, origin, expiryHeight } = claimed.order
  const isRest = action === 'fillAsk' || action === 'fillBid'
  if (isRest && ownInputs(made).length === 0) {
    return 'no assets cc vins in previous fillbuy or fillsell tx'
  }
  const { value } = offered!
  const part = conditionPart(script)
  const taken = own.reduce((sum, { txid, vout }) => {
    const output = chain.find(txid)?.outputs[vout]
    return output !== undefined && conditionPart(output.script) === part ? sum + output.value : sum
  }, 0n)
  if (taken !== value) return 'invalid assets cc vins found'
  if (value === 0n) return 'null value in previous tx CC vout0'
  return { made, claimed, spent: { value, unitPrice, origin, expiryHeight } }
}
