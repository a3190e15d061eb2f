// The methods of the Electrum protocol, over the chain of an engine.

import { sha256 } from '@noble/hashes/sha2.js'
import { merkleBranchOf } from '../../block/merkle.ts'
import { hexFromBytes } from '../../primitives/hex.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import {
  isLosslessNumber,
  type JsonValue,
  LosslessNumber,
  parsePlainJson,
} from '../../primitives/json.ts'
import { RpcFailure } from '../../server/json-rpc.ts'
import type { Engine } from '../engine.ts'
import type { Context } from '../methods/context.ts'
import { callMethod } from '../methods/table.ts'
import { headerHex } from '../state/block.ts'
import { blockAt } from '../state/view.ts'
import type { ScriptEntry, ScriptHistory } from './script-history.ts'

/** Versions of the protocol that are served, and how `server.version` names them. */
type Protocol = '1.4' | '1.4.1' | '1.4.2' | '1.4.3' | '1.5' | '1.6'

/** The state of one connection. */
export interface ElectrumSession {
  protocol: Protocol | undefined
  /** True if it gets each new header. */
  hasHeaders: boolean
  /** The status that was sent last, by script hash. */
  readonly scripts: Map<string, string | null>
}

export interface ElectrumContext {
  readonly engine: Engine
  readonly history: ScriptHistory
  /** The daemon that answers what an Electrum server asks its own. */
  readonly daemon: Context
  readonly session: ElectrumSession
}

type Arguments = readonly (JsonValue | undefined)[]

interface Method {
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  /** The first version that has it, and the first that does not; all have it by default. */
  readonly since?: Protocol
  readonly until?: Protocol
  answer(context: ElectrumContext, params: Arguments): unknown
}

const protocols: readonly Protocol[] = ['1.4', '1.4.1', '1.4.2', '1.4.3', '1.5', '1.6']
const software = 'antara-tx development node'
const badRequest = 1
const daemonError = 2
const historyTooLarge = 10_001
const methodNotFound = -32_601
const invalidArguments = -32_602
/** Headers that one answer has at most. */
const headersMax = 2016
/** Entries of a history that fit into an answer of a million bytes. */
const historyMax = Math.floor((1_000_000 - 100) / 99)

/**
 * Carries out a call.
 *
 * @param params - by position or by name
 * @throws {RpcFailure} the errors of ElectrumX
 * @see spesmilo/electrum-protocol, Protocol Methods
 */
export function callElectrum(
  context: ElectrumContext,
  name: string,
  params: JsonValue | undefined,
): unknown {
  const found = Object.hasOwn(methods, name) ? methods[name]! : undefined
  if (found === undefined || !isServed(found, context.session.protocol)) {
    throw new RpcFailure(methodNotFound, `unknown method "${name}"`)
  }
  return found.answer(context, argumentsOf(name, found, params ?? []))
}

function isServed({ since, until }: Method, protocol: Protocol | undefined): boolean {
  const version = protocols.indexOf(protocol ?? '1.4')
  if (since !== undefined && version < protocols.indexOf(since)) return false
  return until === undefined || version < protocols.indexOf(until)
}

function argumentsOf(
  name: string,
  { required, optional = [] }: Method,
  params: JsonValue,
): Arguments {
  const fail = (message: string) => new RpcFailure(invalidArguments, message)
  const names = [...required, ...optional]
  if (Array.isArray(params)) {
    const passed = `${params.length} argument${params.length === 1 ? '' : 's'} passed to method`
    if (params.length < required.length) {
      throw fail(`${passed} "${name}" but it requires ${required.length}`)
    }
    if (params.length > names.length && name !== 'server.version') {
      throw fail(`${passed} ${name} taking at most ${names.length}`)
    }
    return params
  }
  if (typeof params !== 'object' || params === null || isLosslessNumber(params)) {
    throw fail(`invalid request arguments: ${textOf(params)}`)
  }
  const given = params as Record<string, JsonValue>
  const list = (some: readonly string[]) =>
    `parameter${some.length === 1 ? '' : 's'} ${[...some]
      .sort()
      .map((it) => `"${it}"`)
      .join(', ')}`
  const missing = required.filter((it) => !Object.hasOwn(given, it))
  if (missing.length > 0) throw fail(`method "${name}" requires ${list(missing)}`)
  const excess = Object.keys(given).filter((it) => !names.includes(it))
  if (excess.length > 0) throw fail(`method "${name}" does not take ${list(excess)}`)
  return names.map((it) => (Object.hasOwn(given, it) ? given[it] : undefined))
}

const methods: Readonly<Record<string, Method>> = {
  'server.version': {
    required: [],
    optional: ['client_name', 'protocol_version'],
    answer({ session }, [, wanted]) {
      if (session.protocol !== undefined) throw refused('server.version already sent')
      const protocol = agreedProtocol(wanted)
      if (protocol === undefined) {
        throw refused(`unsupported protocol version: ${textOf(wanted)}`)
      }
      session.protocol = protocol
      return [software, protocol]
    },
  },
  'server.ping': { required: [], answer: () => null },
  'server.banner': { required: [], answer: () => `You are connected to an ${software}.` },
  'server.donation_address': { required: [], answer: () => '' },
  'server.peers.subscribe': { required: [], answer: () => [] },
  'server.features': {
    required: [],
    answer: ({ engine }) => ({
      hosts: {},
      pruning: null,
      server_version: software,
      protocol_min: protocols[0],
      protocol_max: protocols.at(-1),
      genesis_hash: blockAt(engine.state, engine.rules, 0)!.hash,
      hash_function: 'sha256',
      services: [],
    }),
  },
  'blockchain.estimatefee': {
    required: ['number'],
    optional: ['mode'],
    answer({ daemon }, [number, mode]) {
      const blocks = wholeNumber(number)
      if (mode !== undefined && mode !== null) throw refused('unknown estimatefee mode: None')
      return ofDaemon(daemon, 'estimatefee', [new LosslessNumber(`${blocks}`)])
    },
  },
  'blockchain.relayfee': {
    required: [],
    until: '1.6',
    answer: ({ daemon }) =>
      (ofDaemon(daemon, 'getnetworkinfo', []) as { relayfee: unknown }).relayfee,
  },
  'mempool.get_fee_histogram': { required: [], answer: () => [] },
  'blockchain.headers.subscribe': {
    required: [],
    answer({ engine, session }) {
      session.hasHeaders = true
      return tipOf(engine)
    },
  },
  'blockchain.block.header': {
    required: ['height'],
    optional: ['cp_height'],
    answer({ engine }, [given, checkpoint]) {
      const height = wholeNumber(given)
      const until = checkpoint === undefined ? 0 : wholeNumber(checkpoint)
      const header = headerAt(engine, height)
      return until === 0 ? header : { header, ...headerProof(engine, until, height) }
    },
  },
  'blockchain.block.headers': {
    required: ['start_height', 'count'],
    optional: ['cp_height'],
    answer({ engine, session }, [given, wanted, checkpoint]) {
      const start = wholeNumber(given)
      const most = Math.min(wholeNumber(wanted), headersMax)
      const until = checkpoint === undefined ? 0 : wholeNumber(checkpoint)
      const end = Math.min(start + most, engine.state.chain.tip.height + 1)
      const headers: string[] = []
      for (let height = start; height < end; height += 1) headers.push(headerAt(engine, height))
      const count = headers.length
      const proof = count > 0 && until > 0 ? headerProof(engine, until, start + count - 1) : {}
      const list = session.protocol === '1.6' ? { headers } : { hex: headers.join('') }
      return { ...list, count, max: headersMax, ...proof }
    },
  },
  'blockchain.scripthash.get_balance': {
    required: ['scripthash'],
    answer({ history }, [scripthash]) {
      const hash = hashOf(scripthash, 'a valid script hash')
      const sum = (coins: readonly { value: bigint }[]) =>
        coins.reduce((total, { value }) => total + value, 0n)
      const confirmed = sum(history.minedCoins(hash))
      return { confirmed, unconfirmed: sum(history.coins(hash)) - confirmed }
    },
  },
  'blockchain.scripthash.get_history': {
    required: ['scripthash'],
    answer({ history }, [scripthash]) {
      const hash = hashOf(scripthash, 'a valid script hash')
      requireShort(history, hash)
      return history.entries(hash).map(entryJson)
    },
  },
  'blockchain.scripthash.get_mempool': {
    required: ['scripthash'],
    answer: ({ history }, [scripthash]) =>
      history.waiting(hashOf(scripthash, 'a valid script hash')).map(entryJson),
  },
  'blockchain.scripthash.listunspent': {
    required: ['scripthash'],
    answer: ({ history }, [scripthash]) =>
      history
        .coins(hashOf(scripthash, 'a valid script hash'))
        .map(({ txid, vout, height, value }) => ({
          tx_hash: txid,
          tx_pos: vout,
          height,
          value,
        })),
  },
  'blockchain.scripthash.subscribe': {
    required: ['scripthash'],
    answer({ history, session }, [scripthash]) {
      const hash = hashOf(scripthash, 'a valid script hash')
      const status = statusOf(history, hash)
      session.scripts.set(hash, status)
      return status
    },
  },
  'blockchain.scripthash.unsubscribe': {
    required: ['scripthash'],
    since: '1.4.2',
    answer: ({ session }, [scripthash]) =>
      session.scripts.delete(hashOf(scripthash, 'a valid script hash')),
  },
  'blockchain.transaction.broadcast': {
    required: ['raw_tx'],
    answer({ daemon }, [hex]) {
      if (typeof hex !== 'string' || !/^(?:[0-9a-f]{2})*$/i.test(hex)) {
        throw refused(`${textOf(hex)} should be a hex string`)
      }
      try {
        return JSON.parse(callMethod(daemon, 'sendrawtransaction', [hex]))
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error
        throw refused(
          `the transaction was rejected by network rules.\n\n${error.message}\n[${hex}]`,
        )
      }
    },
  },
  'blockchain.transaction.get': {
    required: ['tx_hash'],
    optional: ['verbose'],
    answer({ daemon }, [txid, verbose]) {
      const wanted = hashOf(txid, 'a transaction hash', 'should be')
      if (!isBoolean(verbose ?? false)) throw refused('"verbose" must be a boolean')
      const isDecoded = new LosslessNumber(isTrue(verbose) ? '1' : '0')
      return ofDaemon(daemon, 'getrawtransaction', [wanted, isDecoded])
    },
  },
  'blockchain.transaction.get_merkle': {
    required: ['tx_hash', 'height'],
    answer({ engine }, [given, at]) {
      const txid = hashOf(given, 'a transaction hash', 'should be')
      const height = wholeNumber(at)
      const txids = txidsAt(engine, height)
      const pos = txids.indexOf(txid)
      if (pos < 0) throw refused(`tx ${txid} not in block at height ${grouped(height)}`)
      return { block_height: height, merkle: merkleBranchOf(txids, pos).branch, pos }
    },
  },
  'blockchain.transaction.id_from_pos': {
    required: ['height', 'tx_pos'],
    optional: ['merkle'],
    answer({ engine }, [at, position, wantsBranch]) {
      const pos = wholeNumber(position)
      const height = wholeNumber(at)
      if (!isBoolean(wantsBranch ?? false)) throw refused('"merkle" must be a boolean')
      const { height: last } = engine.state.chain.tip
      if (height > last) {
        throw refused(`db error: DBError('block ${height} not on disk (>${last})')`)
      }
      const txids = txidsAt(engine, height)
      const txid = txids[pos]
      if (txid === undefined) {
        throw refused(`no tx at position ${grouped(pos)} in block at height ${grouped(height)}`)
      }
      if (!isTrue(wantsBranch)) return txid
      return { tx_hash: txid, merkle: merkleBranchOf(txids, pos).branch }
    },
  },
}

/** The last block, as subscribers get it. */
export function tipOf({ state }: Engine): { hex: string; height: number } {
  const { tip } = state.chain
  return { hex: headerHex(tip), height: tip.height }
}

/**
 * The hash of a script's history, null where it has none.
 *
 * @see spesmilo/electrum-protocol, Protocol Basics, Status
 */
export function statusOf(history: ScriptHistory, scripthash: string): string | null {
  requireShort(history, scripthash)
  const entries = history.entries(scripthash)
  if (entries.length === 0) return null
  const text = entries.map(({ txid, height }) => `${txid}:${height}:`).join('')
  return hexFromBytes(sha256(new TextEncoder().encode(text)))
}

function requireShort(history: ScriptHistory, scripthash: string): void {
  if (history.minedCount(scripthash) >= historyMax) {
    throw new RpcFailure(historyTooLarge, 'history too large')
  }
}

function entryJson({ txid, height, fee }: ScriptEntry): object {
  return { tx_hash: txid, height, ...(fee !== undefined && { fee }) }
}

function headerAt({ state, rules }: Engine, height: number): string {
  const block = blockAt(state, rules, height)
  if (block === undefined) throw refused(`height ${grouped(height)} out of range`)
  return headerHex(block)
}

/** Proves a header by a tree over the hashes of all headers up to a checkpoint. */
function headerProof({ state, rules }: Engine, checkpoint: number, height: number): object {
  const last = state.chain.tip.height
  if (checkpoint < height || checkpoint > last) {
    throw refused(
      `require header height ${grouped(height)} <= cp_height ${grouped(checkpoint)} <= ` +
        `chain height ${grouped(last)}`,
    )
  }
  const hashes = Array.from({ length: checkpoint + 1 }, (_, at) => blockAt(state, rules, at)!.hash)
  return merkleBranchOf(hashes, height)
}

/**
 * Returns the txids of the block at a height. None for the first block: the index leaves out its
 * coinbase, which cannot be spent.
 *
 * @see spesmilo/electrumx lib/coins.py, Coin.genesis_block
 */
function txidsAt({ state, rules }: Engine, height: number): string[] {
  if (height === 0) return []
  const block = blockAt(state, rules, height)
  if (block === undefined) throw refused(`height ${grouped(height)} out of range`)
  return block.transactions.map(({ txid }) => txid)
}

function ofDaemon(daemon: Context, method: string, params: readonly JsonValue[]): unknown {
  try {
    return parsePlainJson(callMethod(daemon, method, params))
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    const { code, message } = error
    const text = `daemon error: DaemonError({'code': ${code}, 'message': ${quoted(message)}})`
    throw new RpcFailure(daemonError, text)
  }
}

/** A text as Python prints it. */
function quoted(text: string): string {
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text}'`
}

function refused(message: string): RpcFailure {
  return new RpcFailure(badRequest, message)
}

function hashOf(value: JsonValue | undefined, kind: string, verb = 'is not'): string {
  const hash = typeof value === 'string' ? value.toLowerCase() : undefined
  if (isHex32(hash)) return hash
  throw refused(`${textOf(value)} ${verb} ${kind}`)
}

/** Python's `int` takes numbers, which it cuts to whole ones, and digits in a text. */
function wholeNumber(value: JsonValue | undefined): number {
  const text = isLosslessNumber(value) || typeof value === 'string' ? String(value) : 'x'
  const number = typeof value === 'boolean' ? Number(value) : Math.trunc(Number(text))
  if (Number.isSafeInteger(number) && number >= 0 && text !== '') return number
  throw refused(`${textOf(value)} should be a non-negative integer`)
}

const isBoolean = (value: JsonValue) =>
  typeof value === 'boolean' || (isLosslessNumber(value) && /^[01]$/.test(value.value))

const isTrue = (value: JsonValue | undefined) => value === true || String(value) === '1'

/** A value as Python prints it. */
function textOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string' || isLosslessNumber(value)) return String(value)
  return JSON.stringify(value)
}

const grouped = (value: number) => value.toLocaleString('en-US')

/** The highest version that both sides speak: the client names one, or the least and the most. */
function agreedProtocol(wanted: JsonValue | undefined): Protocol | undefined {
  const [least, most] = Array.isArray(wanted) ? wanted : [wanted ?? '1.4', wanted ?? '1.4']
  const [low, high] = [placeOf(least), placeOf(most)]
  if (low === undefined || high === undefined) return undefined
  return protocols.findLast((it) => placeOf(it)! <= high && placeOf(it)! >= low)
}

/** `1.4.2` as 1004002. */
function placeOf(version: JsonValue | undefined): number | undefined {
  const match = typeof version === 'string' ? /^(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(version) : null
  if (match === null) return undefined
  const [, major, minor = '0', patch = '0'] = match
  return Number(major) * 1_000_000 + Number(minor) * 1_000 + Number(patch)
}
