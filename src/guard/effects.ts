import type { Network } from '../chain/network.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import type { AskedFor } from '../request/case.ts'
import type { Effect, Report } from '../request/report.ts'
import { addressedScript, keyHashScript } from '../script/addressed-script.ts'
import { pubkeyScript } from '../script/key-script.ts'
import { hashOfKey } from '../script/public-key.ts'
import { decodeAddress } from '../script/read-address.ts'
import { addressOfScript } from '../script/script.ts'
import type { GuardedEffects, Outflow, Trade } from './decision.ts'

/** Roles of outputs that stay with the wallet, or that pay nobody. */
const kept: ReadonlySet<Effect['role']> = new Set([
  'native-change',
  'token-change',
  'nulldata',
  'issuance',
])

/** Returns what a verified transaction takes from the wallet, read from its report. */
export function effectsOf(
  asked: AskedFor,
  report: Report,
  { network, pubkey }: { readonly network: Network; readonly pubkey: string },
): GuardedEffects {
  const own = new Set([pubkeyScript(pubkey), keyHashScript(hashOfKey(pubkey))])
  const outflows = report.effects
    .filter(({ role, script }) => !kept.has(role) && !own.has(script))
    .filter(({ role }) => !(role === 'destination' && isToItself(asked, pubkey)))
    .map((effect) => outflowOf(asked, effect, network))
  const trade = tradeOf(asked, report)
  return {
    outflows,
    fee: report.inputsMinusOutputs ?? 0n,
    ...(trade !== undefined && { trade }),
    ...(asked.operation === 'tokencreate' && { created: asked.intent.supply }),
  }
}

function isToItself(asked: AskedFor, pubkey: string): boolean {
  return asked.operation === 'tokentransfer' && asked.intent.destination === pubkey
}

function outflowOf(asked: AskedFor, { role, value, script }: Effect, network: Network): Outflow {
  const isOfTokens = role === 'destination' && asked.operation !== 'payment'
  const asset = isOfTokens || role === 'order-tokens' ? tokenidOf(asked) : 'coins'
  const address = addressOfScript(script, network)
  const isBurn = asked.operation === 'tokentransfer' && asked.intent.burn === true
  return {
    asset,
    amount: value,
    script,
    keyHashes: isOfTokens ? holdersOf(asked) : hashesOf(script),
    ...(address !== undefined && { address }),
    ...(isOfTokens && isBurn && { isBurn }),
  }
}

function tokenidOf({ intent }: AskedFor): string {
  return 'tokenid' in intent ? intent.tokenid.toLowerCase() : ''
}

/** The script of a token output names no key, so the request tells who holds it. */
function holdersOf(asked: AskedFor): string[] {
  if (asked.operation !== 'tokentransfer') return []
  const { destination } = asked.intent
  if (isCompressedKey(destination)) return [hashOfKey(destination)]
  const hash = decodeAddress(destination)?.hash160
  return hash === undefined ? [] : [hash]
}

function hashesOf(script: string): string[] {
  const paid = addressedScript(script)
  if (paid === undefined) return []
  return [paid.type === 'pubkey' ? hashOfKey(paid.key) : paid.hash]
}

function tradeOf(asked: AskedFor, { effects }: Report): Trade | undefined {
  const { intent } = asked
  if (!('kind' in intent)) return undefined
  const { kind } = intent
  const tokenid = intent.tokenid.toLowerCase()
  if (kind === 'cancelAsk' || kind === 'cancelBid') return { kind, tokenid, units: 0n, price: 0n }
  if (kind === 'ask' || kind === 'bid') {
    return { kind, tokenid, units: intent.units, price: intent.price }
  }
  const paid = effects.filter(({ role }) => role === 'payment' || role === 'royalty')
  const price = paid.reduce((sum, { value }) => sum + value, 0n)
  return { kind, tokenid, units: intent.units, price }
}
