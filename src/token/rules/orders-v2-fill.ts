// tokeld's rules for what fills an order of tokens v2: the price, the royalty, and what is left.

import { markerSats } from '../../chain/limits.ts'
import { tokensV2EvalCode } from '../../chain/modules.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { conditionScriptsOf, paysToCondition } from './condition-script.ts'
import { tokenInputs } from './fulfillment.ts'
import {
  markerScriptOfV2,
  moduleDust,
  mustSplit,
  orderScriptsV2,
  type Royalty,
} from './order-layout-v2.ts'
import { isCoins, isCondition } from './order-output.ts'
import type { ConditionCounts, OfferTerms, OrderStep, SpentOrderV2 } from './orders-v2-step.ts'
import { keyScriptV2, rulesV2 } from './tokens-v2.ts'

/**
 * Returns how many conditions a fill of a bid has, or why it is refused.
 *
 * @see tokel src/cc/assets.cpp, AssetsValidateInternal, case 'B'
 */
export function checkFillBid(
  step: OrderStep,
  terms: OfferTerms,
  spent: SpentOrderV2,
): ConditionCounts | string {
  const { transaction, tokenid, royalty, chain } = step
  const { outputs } = transaction
  if (outputs.length < 3) return 'not enough vouts for fillbid'
  if (spent.origin !== terms.origin) return 'mismatched opreturn originator pubkeys for fillbid'
  const { price: unitPrice } = terms
  if (unitPrice !== spent.unitPrice) return 'mismatched unit price for fillbid'
  if (unitPrice <= 0n) return 'invalid unit price'
  if (terms.expiryHeight !== spent.expiryHeight) return 'invalid expiry height'
  const firstTokens = outputs.findIndex(({ script }, at) => at > 0 && paysToCondition(script))
  if (royalty.thousandths > 0n && firstTokens < 0) return 'could not find token vout for fillbid'
  const worth = (outputs[firstTokens]?.value ?? 0n) * spent.unitPrice
  const r = isShared(royalty, worth) ? 1 : 0
  const [left, paid] = outputs as [TransactionOutput, TransactionOutput]
  const share = r === 1 ? valueAt(outputs, 2) : 0n
  const received = paid.value + share
  if (spent.value !== left.value + received) {
    return `input cc value does not equal to vout0+1${r === 1 ? '+2' : ''} for fillbid`
  }
  const isOpen = left.value / unitPrice > 0n
  const waits = isOpen || left.value <= moduleDust
  if (waits && !isCondition(left, orderScriptsV2().bids)) {
    return 'mismatched vout0 global assets CC addr for fillbid'
  }
  if (!waits && !isCoins(left, spent.origin)) {
    return 'vout0 should be order originator normal address with remainder for fillbid'
  }
  const tokens = 2 + r
  const change = isOpen ? tokens + 2 : tokens + 1
  if (chain.tokenidAt(transaction, tokens) !== tokenid) {
    return 'invalid tokenid in vout for tokenfillbid'
  }
  const brought = tokenValueIn(step)
  const wanted = tokensScript(spent.origin)
  const hasChange = outputs[change] !== undefined && paysToCondition(outputs[change].script)
  if (hasChange) {
    if (!isCondition(outputs[tokens], wanted)) {
      return `vout${tokens} tokens value should go to originator pubkey for fillbid`
    }
    if (brought !== valueAt(outputs, tokens) + valueAt(outputs, change)) {
      return `tokens inputs doesnt match tokens vout${tokens}+vout${change} for fillbid`
    }
  } else if (!isCondition(outputs[tokens], wanted, brought)) {
    return `vout${tokens} should have tokens to originator cc addr for fillbid`
  }
  if (paysToCondition(paid.script)) return 'vout 1 should be normal for fillbid'
  const marker = markerScriptOfV2(spent.origin)
  if (isOpen && !isCondition(outputs[3 + r], marker, markerSats)) {
    return `invalid vout${3 + r} marker for originator pubkey for fillbid`
  }
  const units = valueAt(outputs, tokens)
  const isBounded = spent.value !== 0n && received !== 0n && units !== 0n
  if (!isBounded || received / units > unitPrice) return 'vout0 mismatched remainder for fillbid'
  if (r === 1) {
    if (shareOf(received, royalty) !== share) return 'vout2 invalid royalty amount for fillask'
    if (!isCoins(outputs[2], royalty.creator)) return 'vout2 invalid royalty detination for fillask'
  } else if (goesToCreator(royalty) && !isCoins(paid, royalty.creator)) {
    return 'vout 1 should go to token owner for fillbid (dust reason)'
  }
  if (chain.height >= spent.expiryHeight) return 'order is expired'
  return { spent: 1, paid: 1 + Number(waits) + Number(hasChange) + Number(isOpen) }
}

/**
 * Returns how many conditions a fill of an ask has, or why it is refused.
 *
 * @see tokel src/cc/assets.cpp, AssetsValidateInternal, case 'S'
 */
export function checkFillAsk(
  step: OrderStep,
  terms: OfferTerms,
  spent: SpentOrderV2,
): ConditionCounts | string {
  const { transaction, tokenid, royalty, chain } = step
  const { outputs } = transaction
  if (outputs.length < 3) return 'not enough vouts for fillask'
  if (spent.origin !== terms.origin) return 'mismatched origpubkeys for fillask'
  if (terms.price !== spent.unitPrice) return 'mismatched unit price for fillask'
  if (terms.expiryHeight !== spent.expiryHeight) return 'invalid expiry height'
  const [left, tokens, paid] = outputs as [TransactionOutput, TransactionOutput, TransactionOutput]
  if (spent.value !== left.value + tokens.value) return 'locked value doesnt match vout0+1 fillask'
  const r = isShared(royalty, spent.value * spent.unitPrice) ? 1 : 0
  const share = r === 1 ? valueAt(outputs, 3) : 0n
  const coins = paid.value + share
  const isBounded = tokens.value !== 0n && coins !== 0n
  if (!isBounded || coins / tokens.value < terms.price) {
    return 'mismatched vout0 remainder for fillask'
  }
  if (chain.tokenidAt(transaction, 0) !== tokenid) return 'invalid tokenid in vout0 for fillask'
  if (!conditionScriptsOf(outputs)[1]?.evalCodes.includes(tokensV2EvalCode)) {
    return 'vout1 should be cc for fillask'
  }
  if (chain.tokenidAt(transaction, 1) !== tokenid) return 'invalid tokenid in vout1 for fillask'
  const toCreator = r === 0 && goesToCreator(royalty)
  if (!isCoins(paid, toCreator ? royalty.creator : spent.origin)) {
    return `vout2 should be normal to ${toCreator ? 'token' : 'order'} creator for fillask`
  }
  if (r === 1) {
    if (shareOf(coins, royalty) !== share) return 'vout3 invalid royalty amount for fillask'
    if (!isCoins(outputs[3], royalty.creator)) {
      return 'vout3 invalid royalty destination for fillask'
    }
  }
  if (!isCondition(left, orderScriptsV2().asks)) {
    return 'invalid vout0 should pay to tokens/assets global address for fillask'
  }
  const isOpen = left.value > 0n
  if (isOpen && !isCondition(outputs[3 + r], markerScriptOfV2(spent.origin), markerSats)) {
    return 'invalid marker vout for original pubkey'
  }
  if (chain.height >= spent.expiryHeight) return 'order is expired'
  return { spent: 1, paid: 2 + Number(isOpen) }
}

/** Returns whether the creator has an output of its own. */
function isShared(royalty: Royalty, worth: bigint): boolean {
  return royalty.thousandths > 0n && mustSplit(worth, royalty)
}

/** Returns whether all coins are the creator's, where one of the two shares would be dust. */
function goesToCreator({ thousandths }: Royalty): boolean {
  return thousandths >= 500n
}

function shareOf(coins: bigint, { thousandths }: Royalty): bigint {
  return (coins / 1000n) * thousandths
}

function valueAt(outputs: readonly TransactionOutput[], vout: number): bigint {
  return outputs[vout]?.value ?? 0n
}

/** @see tokel src/cc/CCassetsUtils.cpp, AssetsGetTxTokenInputs */
function tokenValueIn({ transaction, chain }: OrderStep): bigint {
  return tokenInputs(transaction, rulesV2.evalCode).reduce(
    (sum, { txid, vout }) => sum + (chain.find(txid)?.outputs[vout]?.value ?? 0n),
    0n,
  )
}

/** Returns the script of an owner's tokens; `undefined` for bytes that are not a key. */
export function tokensScript(owner: string): string | undefined {
  return markerScriptOfV2(owner) === '' ? undefined : keyScriptV2(owner)
}
