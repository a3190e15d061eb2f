// Checks a payment against the rules of a policy.

import { formatCoins } from '../../primitives/amount.ts'
import { moduleOfScript } from '../../script/burned-scripts.ts'
import type { GuardedEffects, GuardedPayment, PolicyRefusal } from '../decision.ts'
import type { Amounts } from './limit-entry.ts'
import type { Bound } from './limits.ts'
import { mayPay } from './payee.ts'
import { isQuiet } from './quiet-hours.ts'
import type { AssetRules, PriceRules, Rules, TokenRules } from './rules.ts'

/** The name of the chain's coin among assets. */
const coins = 'coins'

/** Returns a refusal, with the path of its rule. */
export function refuse(rule: string, reason: string): PolicyRefusal {
  return { verdict: 'refuse', rule, reason }
}

/**
 * Returns what a payment takes from the wallet by asset, without the fee. An order counts at least
 * what it offers, wherever its outputs are.
 */
function stakesOf({ outflows, trade, created = 0n }: GuardedEffects): Amounts {
  const stakes = new Map<string, bigint>()
  // komodo src/cc/CCtokens.cpp, CreateToken: coins become the units, and never coins again.
  if (created > 0n) stakes.set(coins, created)
  for (const { asset, amount, isOfBid } of outflows) {
    if (isOfBid !== true) stakes.set(asset, (stakes.get(asset) ?? 0n) + amount)
  }
  const [asset, offered] = offeredBy(trade)
  if (offered > (stakes.get(asset) ?? 0n)) stakes.set(asset, offered)
  return stakes
}

function offeredBy(trade: GuardedEffects['trade']): [asset: string, amount: bigint] {
  if (trade?.kind === 'ask' || trade?.kind === 'fillBid') return [trade.tokenid, trade.units]
  if (trade?.kind === 'bid' || trade?.kind === 'fillAsk') return [coins, trade.price]
  return [coins, 0n]
}

/** Returns what a payment consumes of the limits by hour and day: the fee too. */
export function consumedBy(effects: GuardedEffects): Amounts {
  const consumed = new Map(stakesOf(effects))
  return consumed.set(coins, (consumed.get(coins) ?? 0n) + effects.fee)
}

/** Returns the limits of an asset; `unnamed` for a token that the rules do not name. */
function rulesOf(rules: Rules, asset: string): AssetRules | 'unnamed' {
  if (asset === coins) return rules.coins ?? {}
  if (rules.tokens === undefined) return {}
  return rules.tokens.get(asset) ?? 'unnamed'
}

function pathOf(asset: string): string {
  return asset === coins ? coins : `tokens.${asset}`
}

/**
 * Checks all rules but those of hours and days.
 *
 * @param owner - before the paths of rules: `users.alice.`, or '' for those of all users
 * @param now - the time of day, for quiet hours
 */
export function checkPayment(
  rules: Rules,
  payment: GuardedPayment,
  owner: string,
  now: number,
): PolicyRefusal | undefined {
  const { effects, bytes } = payment
  if (rules.quietHours !== undefined && isQuiet(rules.quietHours, now)) {
    return refuse(`${owner}quietHours`, 'no payments in these hours')
  }
  return (
    checkRecipients(rules, effects, owner) ??
    checkAmounts(rules, effects, owner) ??
    checkFee(rules, effects.fee, bytes, owner) ??
    checkPrice(rules, effects, owner)
  )
}

function checkRecipients(
  rules: Rules,
  { outflows, trade, created }: GuardedEffects,
  owner: string,
): PolicyRefusal | undefined {
  for (const outflow of outflows) {
    if (outflow.isBurn === true && rules.allowsBurn !== true) {
      return refuse(`${owner}burn`, 'the amount could never be spent again')
    }
    if (rules.recipients === undefined || outflow.isBurn === true) continue
    const answer = mayPay(outflow, rules.recipients)
    if (answer === 'denied') return refuse(`${owner}recipients.deny`, 'a denied recipient')
    // The other party of an order is any key, and its outputs were verified. Its price is bounded.
    const isOfTrade = trade !== undefined && trade.isForOther !== true
    const isMarker = created !== undefined && moduleOfScript(outflow.script) !== undefined
    if (answer === 'unknown' && !isOfTrade && !isMarker) {
      return refuse(`${owner}recipients.allow`, 'a recipient that is not in the list')
    }
  }
  return undefined
}

function checkAmounts(
  rules: Rules,
  effects: GuardedEffects,
  owner: string,
): PolicyRefusal | undefined {
  const assets = new Map(stakesOf(effects))
  const traded = effects.trade?.tokenid
  if (traded !== undefined && !assets.has(traded)) assets.set(traded, 0n)
  for (const [asset, amount] of assets) {
    const limits = rulesOf(rules, asset)
    if (limits === 'unnamed')
      return refuse(`${owner}tokens`, 'a token that the policy does not name')
    if (limits.perPayment !== undefined && amount > limits.perPayment) {
      const reason = `${shown(asset, amount)}, at most ${shown(asset, limits.perPayment)}`
      return refuse(`${owner}${pathOf(asset)}.perPayment`, reason)
    }
  }
  return undefined
}

function checkFee(
  { fee: feeMax, feePerKilobyte }: Rules,
  fee: bigint,
  bytes: number,
  owner: string,
): PolicyRefusal | undefined {
  if (feeMax !== undefined && fee > feeMax) {
    return refuse(`${owner}fee`, `a fee of ${formatCoins(fee)}, at most ${formatCoins(feeMax)}`)
  }
  if (feePerKilobyte !== undefined && fee * 1000n > feePerKilobyte * BigInt(bytes)) {
    const most = formatCoins(feePerKilobyte)
    return refuse(`${owner}feePerKilobyte`, `a fee of over ${most} for 1,000 bytes`)
  }
  return undefined
}

/** Orders need a bound: otherwise all tokens could be offered for one satoshi. */
function checkPrice(
  rules: Rules,
  { trade }: GuardedEffects,
  owner: string,
): PolicyRefusal | undefined {
  if (trade === undefined || trade.kind === 'cancelAsk' || trade.kind === 'cancelBid') {
    return undefined
  }
  const { kind, tokenid, units, price } = trade
  const side = kind === 'ask' || kind === 'fillBid' ? 'min' : 'max'
  const path = `${owner}tokens.${tokenid}.price.${side}`
  const bounds: PriceRules | undefined = (rules.tokens?.get(tokenid) as TokenRules | undefined)
    ?.price
  const bound = bounds?.[side]
  if (bounds === undefined || bound === undefined) {
    // A user's rules narrow those of all users, which have their bounds.
    if (owner !== '') return undefined
    return refuse(path, 'an order of a token whose price has no bound')
  }
  const [paid, allowed] = [price * bounds.per, bound * units]
  if (side === 'min' ? paid >= allowed : paid <= allowed) return undefined
  const word = side === 'min' ? 'below' : 'above'
  return refuse(path, `a price ${word} ${formatCoins(bound)} for ${bounds.per} units`)
}

/** Returns the bounds by hour and day that a payment has to keep. */
export function boundsOf(rules: Rules, amounts: Amounts, owner: string, scope: string): Bound[] {
  return [...amounts.keys()].flatMap((asset) => {
    const limits = rulesOf(rules, asset)
    if (limits === 'unnamed') return []
    const bound = (window: Bound['window'], name: 'perHour' | 'perDay'): Bound[] => {
      const most = limits[name]
      const rule = `${owner}${pathOf(asset)}.${name}`
      return most === undefined ? [] : [{ rule, scope, asset, window, most }]
    }
    return [...bound('hour', 'perHour'), ...bound('day', 'perDay')]
  })
}

/** Returns the rule that needs a confirmation of a payment; `undefined` if none does. */
export function confirmedBy(
  rules: Rules,
  effects: GuardedEffects,
  owner: string,
): string | undefined {
  for (const [asset, amount] of stakesOf(effects)) {
    const limits = rulesOf(rules, asset)
    if (limits === 'unnamed' || limits.confirmAbove === undefined) continue
    if (amount > limits.confirmAbove) return `${owner}${pathOf(asset)}.confirmAbove`
  }
  return undefined
}

/** Writes an amount for people: coins with eight decimals, or units. */
export function shown(asset: string, amount: bigint): string {
  return asset === coins ? `${formatCoins(amount)} coins` : `${amount} units`
}
