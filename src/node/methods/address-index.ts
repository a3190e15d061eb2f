// Methods of the address index: balances, outputs and changes of addresses.

import { tokensGlobalPubkey } from '../../chain/modules.ts'
import { reverseHex } from '../../primitives/hex.ts'
import { isJsonObject, isLosslessNumber } from '../../primitives/json.ts'
import { pubkeyScript } from '../../script/key-script.ts'
import { ordinal } from '../state/keys.ts'
import { lookUp } from '../state/ordered-map.ts'
import { hasConditionAddresses, type IndexKey, indexTypes } from '../state/script-index.ts'
import { coinsUnder, indexedUnder, spendingOf } from '../state/view.ts'
import { indexKeyOf } from '../wallet/condition-builder.ts'
import { waitingUnder } from './address-mempool.ts'
import type { Answer } from './answer.ts'
import { type Context, type MethodRow, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { hash, integer, list, members, type Params, text } from './params.ts'
import { sortedAsLibstdcpp } from './unstable-sort.ts'

export const addressMethods: Methods = methodsIn('Addressindex', [
  indexed('getaddressutxos', (context, params) => {
    const utxos = sortedAsLibstdcpp(
      requested(context, params).flatMap(({ key, address }) =>
        [...coinsUnder(context, key)].map(({ txid, vout, script, value, height }) => {
          return { address, txid, outputIndex: vout, script, satoshis: value, height }
        }),
      ),
      (one, other) => one.height < other.height,
    )
    const [first] = params
    if (!isJsonObject(first) || first.chainInfo !== true) return utxos
    const { tip } = context.state.chain
    return { utxos, hash: tip.hash, height: tip.height }
  }),
  indexed('getaddressbalance', (context, params) => {
    const changes = requested(context, params).flatMap(({ key }) => changesOf(context, key))
    return {
      balance: changes.reduce((sum, { satoshis }) => sum + satoshis, 0n),
      received: changes.reduce((sum, { satoshis }) => (satoshis > 0n ? sum + satoshis : sum), 0n),
    }
  }),
  indexed('getaddresstxids', (context, params) => {
    const { start, end } = rangeOf(params)
    const asked = requested(context, params)
    const changes = asked
      .flatMap(({ key }) => changesOf(context, key))
      .filter(({ height }) => start <= 0 || end <= 0 || (height >= start && height <= end))
    if (asked.length === 1) return [...new Set(changes.map(({ txid }) => txid))]
    // The daemon orders those of several addresses by height, and then as texts.
    const keys = changes.map(({ height, txid }) => `${String(height).padStart(10, '0')}${txid}`)
    return [...new Set(keys)].sort().map((key) => key.slice(10))
  }),
  {
    ...indexed('getaddressdeltas', addressDeltas),
    accepts: ([first]) => isJsonObject(first),
  },
  indexed('getaddressmempool', (context, params) => {
    const asked = requested(context, params)
    const waiting = waitingUnder(
      context,
      asked.map(({ key }) => key),
    )
    return sortedAsLibstdcpp(
      asked.flatMap(({ key, address }) => waiting.get(key)!.map((it) => ({ address, ...it }))),
      (one, other) => one.timestamp < other.timestamp,
    )
  }),
  {
    ...method('getspentinfo {"txid":"id","index":n}', [1, 1], (context, [outpoint]) => {
      const { txid, index } = members(outpoint)
      if (typeof txid !== 'string' || !isLosslessNumber(index)) {
        throw failure('addressOrKey', 'Invalid txid or index')
      }
      const spending = spendingOf(context.state, hash(txid, 'txid'), integer(index))
      if (spending === undefined) throw failure('addressOrKey', 'Unable to get spent info')
      const { txid: spender, index: at, height } = spending
      return { txid: spender, index: at, height }
    }),
    accepts: ([outpoint]) => isJsonObject(outpoint),
  },
])

function addressDeltas(context: Context, params: Params): Answer {
  const range = checkedRange(params)
  const deltas: Answer = requested(context, params)
    .flatMap(({ key, address }) => changesOf(context, key).map((it) => ({ ...it, address })))
    .filter(({ height }) => height >= range.start && height <= range.end)
  if (!isJsonObject(params[0]) || params[0].chainInfo !== true || !range.isGiven) return deltas
  const { tip, tables } = context.state.chain
  if (range.end > tip.height) {
    throw failure('addressOrKey', 'Start or end is outside chain range')
  }
  const at = (height: number): Answer => ({
    hash: lookUp(tables.hashes, ordinal(height)) ?? '',
    height,
  })
  return { deltas, start: at(range.start), end: at(range.end) }
}

function indexed(name: string, answer: MethodRow['answer']): MethodRow {
  return {
    ...method(name, [1, 2], answer),
    about: `{"addresses":["address",...]} ( ccvout ): of an address or several`,
  }
}

interface Requested {
  readonly key: IndexKey
  readonly address: string
}

/**
 * Returns the requested addresses. Any second parameter, whatever its value, requests conditions.
 *
 * @see komodo src/rpc/misc.cpp, getAddressesFromParams
 */
function requested(context: Context, params: Params): Requested[] {
  const type = params.length > 1 ? indexTypes.condition : indexTypes.key
  const [given] = params
  const one = (address: string, refusal: string): Requested => {
    const { network, scripts } = context.rules
    const decoded = scripts.readAddress(address)
    if (decoded?.prefix === network.scriptHashPrefix) {
      return { key: indexTypes.script + decoded.hash160, address }
    }
    if (decoded?.prefix === network.conditionPrefix && hasConditionAddresses(network)) {
      return { key: indexTypes.condition + decoded.hash160, address }
    }
    if (decoded?.prefix !== network.pubKeyHashPrefix) throw failure('addressOrKey', refusal)
    return { key: type + decoded.hash160, address }
  }
  if (typeof given === 'string') return [one(given, 'Invalid address')]
  if (!isJsonObject(given)) throw failure('addressOrKey', 'Invalid addresse')
  const { addresses } = given
  if (!Array.isArray(addresses)) {
    throw failure('addressOrKey', 'Addresses is expected to be an array')
  }
  return list(addresses).map((address) => one(text(address), 'Invalid addresses'))
}

interface Range {
  readonly start: number
  readonly end: number
  readonly isGiven: boolean
}

function rangeOf([first]: Params): Range {
  const { start, end } = isJsonObject(first) ? first : {}
  if (!isLosslessNumber(start) || !isLosslessNumber(end)) {
    return { start: 0, end: Number.POSITIVE_INFINITY, isGiven: false }
  }
  return { start: integer(start), end: integer(end), isGiven: true }
}

function checkedRange(params: Params): Range {
  const range = rangeOf(params)
  if (!range.isGiven) return range
  if (range.start <= 0 || range.end <= 0) {
    throw failure('addressOrKey', 'Start and end is expected to be greater than zero')
  }
  if (range.end < range.start) {
    throw failure('addressOrKey', 'End value is expected to be greater than start')
  }
  return range
}

interface Delta {
  readonly satoshis: bigint
  readonly txid: string
  readonly index: number
  readonly blockindex: number
  readonly height: number
}

/** Key: type and hash, height, position, wire key, index, whether it spends. */
export function changesOf(context: Context, key: IndexKey): Delta[] {
  const number = (place: string, from: number) => Number.parseInt(place.slice(from, from + 8), 16)
  return [...indexedUnder(context.state.chain, 'addressDeltas', key)].map(([whole, satoshis]) => {
    const place = whole.slice(key.length)
    return {
      satoshis,
      txid: reverseHex(place.slice(16, 80)),
      index: number(place, 80),
      blockindex: number(place, 8),
      height: number(place, 0),
    }
  })
}

/** Returns the outputs at the ordinary address of the tokens module, where old markers are. */
export function oldMarkers(context: Context): Delta[] {
  const key = indexKeyOf(context.engine, pubkeyScript(tokensGlobalPubkey), indexTypes.key)
  return changesOf(context, key).filter(({ satoshis }) => satoshis >= 0n)
}
