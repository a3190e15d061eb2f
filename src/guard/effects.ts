// The effects of a verified transaction, by payee and asset, for the rules of a policy.

import type { Network } from '../chain/network.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import type { AskedFor } from '../request/case.ts'
import type { Effect, Report } from '../request/report.ts'
import { addressedScript, keyHashScript } from '../script/addressed-script.ts'
import { pubkeyScript } from '../script/key-script.ts'
import { hashOfKey } from '../script/public-key.ts'
import { decodeAddress } from '../script/read-address.ts'
import { addressOfScript } from '../script/script.ts'
import { tokenNamedBy } from '../token/rules/tokens-v2.ts'
import type { GuardedEffects, Outflow, Trade } from './decision.ts'

/** Outputs without a payee. A creation has a member of its own, and nulldata has no value. */
const unpaid: ReadonlySet<Effect['role']> = new Set(['nulldata', 'issuance'])

/**
 * Outputs that the units or coins of the order pay: what is left of it, and what the wallet gets of
 * it. Units of the order and of its outputs are equal, and so are coins, or the transaction would
 * not be verified. The wallet pays a new marker itself.
 */
const paidByOrder: Readonly<Partial<Record<Trade['kind'], readonly Effect['role'][]>>> = {
  fillAsk: ['order-tokens', 'destination'],
  fillBid: ['order-coins'],
  cancelAsk: ['destination'],
}

/**
 * Returns what a verified transaction takes from the wallet, read from its report; `undefined` if
 * its fee is not known.
 *
 * A case of `guard_submit` may name keys of other wallets, so change stays only if the guard's own
 * key gets it.
 *
 * @param own - locking scripts of the wallet; default: those of the key
 */
export function effectsOf(
  asked: AskedFor,
  report: Report,
  { network, pubkey }: { readonly network: Network; readonly pubkey: string },
  own: ReadonlySet<string> = new Set([pubkeyScript(pubkey), keyHashScript(hashOfKey(pubkey))]),
): GuardedEffects | undefined {
  const fee = report.inputsMinusOutputs
  if (fee === undefined) return undefined
  const isPayer = payerOf(asked) === pubkey
  // tokel src/cc/CCassetstx_impl.h, FillBuyOffer: the royalty is taken from what the bid pays.
  const isFillBid = 'kind' in asked.intent && asked.intent.kind === 'fillBid'
  const isKept = ({ role, script }: Effect): boolean =>
    unpaid.has(role) ||
    own.has(script) ||
    (isPayer && isOfPayer(asked, role)) ||
    (role === 'destination' && isToItself(asked, pubkey))
  const outflows = report.effects
    .filter((effect) => !isKept(effect))
    .map((effect): Outflow => {
      const outflow = outflowOf(asked, effect, network)
      const isOfBid = isPayer && isFillBid && effect.role === 'royalty'
      return isOfBid ? { ...outflow, isOfBid } : outflow
    })
  const trade = tradeOf(asked, report, pubkey)
  return {
    outflows,
    fee,
    ...(trade !== undefined && { trade }),
    ...(asked.operation === 'tokencreate' && { created: asked.intent.supply }),
  }
}

/** Returns whether an output takes nothing from the key that spends tokens or fills an order. */
function isOfPayer({ intent }: AskedFor, role: Effect['role']): boolean {
  if (role === 'token-change') return true
  return 'kind' in intent && paidByOrder[intent.kind]?.includes(role) === true
}

function isToItself(asked: AskedFor, pubkey: string): boolean {
  if (asked.operation !== 'tokentransfer') return false
  const { destination, destinationKeys, recipients = [] } = asked.intent
  const isOne = destinationKeys === undefined && recipients.length < 2
  return destination === pubkey && isOne
}

/** Returns the key that spends tokens and gets what is left of them. */
function payerOf({ intent }: AskedFor): string | undefined {
  return 'from' in intent ? intent.from.toLowerCase() : undefined
}

function outflowOf(asked: AskedFor, { role, value, script }: Effect, network: Network): Outflow {
  const isChange = role === 'token-change'
  const isOfTokens = isChange || (role === 'destination' && asked.operation !== 'payment')
  const asset = isOfTokens || role === 'order-tokens' ? tokenidOf(asked, script) : 'coins'
  const address = addressOfScript(script, network)
  const isBurn = asked.operation === 'tokentransfer' && asked.intent.burn === true
  return {
    asset,
    amount: value,
    script,
    keyHashes: isOfTokens ? holdersOf(asked, isChange) : hashesOf(script),
    ...(address !== undefined && { address }),
    ...(isOfTokens && isBurn && { isBurn }),
  }
}

/** Where several tokens move at once, each output names its own. */
function tokenidOf({ intent }: AskedFor, script: string): string {
  if ('tokenids' in intent && intent.tokenids !== undefined) return tokenNamedBy(script) ?? ''
  return 'tokenid' in intent ? intent.tokenid.toLowerCase() : ''
}

/** The script of a token output names no key, so the holder comes from the request. */
function holdersOf(asked: AskedFor, isChange: boolean): string[] {
  const payer = payerOf(asked)
  if (isChange) return payer === undefined ? [] : [hashOfKey(payer)]
  if (asked.operation !== 'tokentransfer') return []
  const { destination, destinationKeys, recipients } = asked.intent
  if (destinationKeys !== undefined) return destinationKeys.pubkeys.flatMap(hashesOfHolder)
  // Several recipients count for each output, so that each of them has to be allowed.
  return (recipients ?? [{ pubkey: destination }]).flatMap(({ pubkey }) => hashesOfHolder(pubkey))
}

/** A case of guard_submit may spell a key in upper case. */
function hashesOfHolder(given: string): string[] {
  const key = given.toLowerCase()
  if (isCompressedKey(key)) return [hashOfKey(key)]
  const hash = decodeAddress(given)?.hash160
  return hash === undefined ? [] : [hash]
}

function hashesOf(script: string): string[] {
  const paid = addressedScript(script)
  if (paid === undefined) return []
  return [paid.type === 'pubkey' ? hashOfKey(paid.key) : paid.hash]
}

function tradeOf(asked: AskedFor, { effects }: Report, pubkey: string): Trade | undefined {
  const { intent } = asked
  if (!('kind' in intent)) return undefined
  const { kind } = intent
  const about = {
    kind,
    tokenid: intent.tokenid.toLowerCase(),
    ...(payerOf(asked) !== pubkey && ({ isForOther: true } as const)),
  }
  if (kind === 'cancelAsk' || kind === 'cancelBid') return { ...about, units: 0n, price: 0n }
  if (kind === 'ask' || kind === 'bid') {
    return { ...about, units: intent.units, price: intent.price }
  }
  // A buyer pays the royalty as well. The seller who fills a bid gets it only as the creator.
  const isCounted = ({ role, script }: Effect): boolean =>
    role === 'payment' ||
    (role === 'royalty' && (kind !== 'fillBid' || script === pubkeyScript(payerOf(asked)!)))
  const paid = effects.filter(isCounted)
  const price = paid.reduce((sum, { value }) => sum + value, 0n)
  return { ...about, units: intent.units, price }
}
