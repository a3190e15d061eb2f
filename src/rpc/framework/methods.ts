// The table of the framework's typed methods that are one call.

import { requireObject, requireString } from '../../primitives/arguments.ts'
import { snapshot } from '../../primitives/snapshot.ts'
import { anything, type Schema } from '../fields.ts'
import { replyBytesMax } from '../reply-sizes.ts'
import type { Safety } from '../retry.ts'
import { secretsOfMembers } from '../secret-parameters.ts'
import * as params from './parameters.ts'
import { type Dispatcher, type FrameworkCall, type Subject, subjectIn } from './protocol.ts'
import * as results from './results.ts'

/**
 * Parameters and result of every typed method that is one call. Each has a row in the table below;
 * activations that run as tasks are in tasks.ts.
 */
export interface FrameworkMethods {
  /** Activates a Tendermint chain with its IBC assets, in one call. */
  enableTendermintWithAssets: {
    params: params.EnableTendermintWithAssetsParams
    result: results.TendermintActivation
  }
  enableBchWithTokens: {
    params: params.EnableBchWithTokensParams
    result: results.BchActivation
  }
  /** Activates one SLP token of an active BCH. */
  enableSlp: { params: params.EnableSlpParams; result: results.SlpActivation }
  /** Activates one IBC asset of an active Tendermint chain. */
  enableTendermintToken: {
    params: params.EnableTendermintTokenParams
    result: results.TendermintTokenActivation
  }
  getEnabledCoins: { params: object; result: results.EnabledCoins }
  myBalance: { params: params.MyBalanceParams; result: results.CoinBalance }
  myTxHistory: { params: params.MyTxHistoryParams; result: results.TxHistory }
  version: { params: object; result: results.ServerVersion }
  /** Builds and signs a payment. Verify the answer before `sendRawTransaction`. */
  withdraw: { params: params.WithdrawParams; result: results.WithdrawDetails }
  /** Broadcasts hex unchanged. */
  sendRawTransaction: {
    params: params.SendRawTransactionParams
    result: results.SentTransaction
  }
  /** Returns a transaction by its hash. */
  getRawTransaction: {
    params: params.GetRawTransactionParams
    result: results.RawTransaction
  }
}

/** A method: its name on the wire, the safety of a repetition, its parameters and its result. */
interface Row<Params, Result> {
  readonly method: string
  readonly dispatcher?: Dispatcher
  readonly safety: Safety
  readonly patienceMs?: number
  /** Returns the wire's form. Throws `TypeError` for a required member of the wrong type. */
  readonly encode: (params: Params) => object | undefined
  readonly result: Schema<Result>
  /** The member that names the coin in the parameters and in the result. */
  readonly names?: Subject['member']
  /** Largest reply in bytes; the rest is not read. */
  readonly replyBytesMax: number
}

type Table = {
  readonly [Name in keyof FrameworkMethods]: Row<
    FrameworkMethods[Name]['params'],
    FrameworkMethods[Name]['result']
  >
}

/** An activation talks to several other servers before it answers, and must not be repeated. */
const activation = { safety: 'once', patienceMs: 180_000 } as const
const lookUp = { safety: 'read' } as const

const table: Table = {
  enableTendermintWithAssets: {
    ...activation,
    method: 'enable_tendermint_with_assets',
    encode: params.tendermintParams,
    result: results.tendermintActivation,
    names: 'ticker',
    replyBytesMax: replyBytesMax.list,
  },
  enableBchWithTokens: {
    ...activation,
    method: 'enable_bch_with_tokens',
    encode: params.enableBchWithTokensParams,
    result: results.bchActivation,
    replyBytesMax: replyBytesMax.list,
  },
  enableSlp: {
    ...activation,
    method: 'enable_slp',
    encode: params.tokenActivationParams,
    result: results.slpActivation,
    replyBytesMax: replyBytesMax.object,
  },
  enableTendermintToken: {
    ...activation,
    method: 'enable_tendermint_token',
    encode: params.tokenActivationParams,
    result: results.tendermintTokenActivation,
    replyBytesMax: replyBytesMax.object,
  },
  getEnabledCoins: {
    ...lookUp,
    method: 'get_enabled_coins',
    // Servers before 2.6 refuse even an empty `params` here.
    encode: () => undefined,
    result: results.enabledCoins,
    replyBytesMax: replyBytesMax.built,
  },
  myBalance: {
    ...lookUp,
    method: 'my_balance',
    dispatcher: 'legacy',
    encode: params.coinParams,
    result: results.coinBalance,
    names: 'coin',
    replyBytesMax: replyBytesMax.scalar,
  },
  myTxHistory: {
    ...lookUp,
    method: 'my_tx_history',
    encode: params.coinParams,
    result: results.txHistory,
    names: 'coin',
    replyBytesMax: replyBytesMax.list,
  },
  version: {
    ...lookUp,
    method: 'version',
    dispatcher: 'legacy',
    encode: () => undefined,
    result: results.serverVersion,
    replyBytesMax: replyBytesMax.scalar,
  },
  withdraw: {
    safety: 'build',
    patienceMs: activation.patienceMs,
    method: 'withdraw',
    encode: params.withdrawParams,
    result: results.withdrawDetails,
    replyBytesMax: replyBytesMax.built,
  },
  sendRawTransaction: {
    safety: 'once',
    method: 'send_raw_transaction',
    dispatcher: 'legacy',
    encode: params.sendRawTransactionParams,
    result: results.sentTransaction,
    replyBytesMax: replyBytesMax.scalar,
  },
  getRawTransaction: {
    ...lookUp,
    method: 'get_raw_transaction',
    encode: params.getRawTransactionParams,
    result: results.rawTransaction,
    replyBytesMax: replyBytesMax.built,
  },
}

export const frameworkMethodNames: readonly (keyof FrameworkMethods)[] = Object.keys(
  table,
) as (keyof FrameworkMethods)[]

/** Returns the client's name of a method, by its name on the wire. */
export function typedNameOf(method: string): keyof FrameworkMethods | undefined {
  return frameworkMethodNames.find((name) => table[name].method === method)
}

export function methodCall(name: keyof FrameworkMethods, given: object): FrameworkCall {
  requireObject(given, 'params')
  const { method, encode, names, ...row } = table[name] as Row<object, unknown>
  const wanted = encode(snapshot(given, 'params'))
  const facts = { ...row, ...(names !== undefined && { subject: subjectIn(wanted, names) }) }
  const pays = broadcasts(method, wanted)
  return prepared(method, wanted, pays ? { ...facts, safety: 'once' } : facts)
}

/**
 * Returns true if the server relays a transaction to other servers and reports their errors. A task
 * has the name of its method.
 */
export function broadcasts(method: string, params: object | undefined): boolean {
  if (method === 'send_raw_transaction') return true
  return (
    method === 'withdraw' && (params as { broadcast?: unknown } | undefined)?.broadcast === true
  )
}

/** Makes any call from validated parameters. */
export function prepared(
  method: string,
  given: object | undefined,
  own: Partial<Omit<FrameworkCall, 'method' | 'params'>> = {},
): FrameworkCall {
  requireString(method, 'method')
  if (given !== undefined) requireObject(given, 'params')
  const params = snapshot(given, 'params')
  const safety = safetyOf(method)
  const isRelayed = broadcasts(method, params) ? true : undefined
  const facts = {
    dispatcher: 'mmrpc',
    safety,
    isRelayed,
    result: anything,
    replyBytesMax: replyBytesMax.untyped,
  } as const
  return { ...facts, method, params, secrets: secretsOfMembers(params), ...own }
}

// Untyped methods that only read.
const lookUps = new Set([
  ...Object.values(table).flatMap(({ method, safety }) => (safety === 'read' ? [method] : [])),
  'trezor_connection_status',
  'validateaddress',
  'wc_get_session',
  'wc_get_sessions',
])

/**
 * Activations, task starts and user actions must not be repeated. The effect of an unknown method is
 * not known.
 */
function safetyOf(method: string): Safety {
  if (lookUps.has(method)) return 'read'
  return /^enable|^electrum$|::init$|::user_action$/.test(method) ? 'once' : 'other'
}
