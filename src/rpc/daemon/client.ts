// The typed client of a daemon.

import { requireArray, requireObject, requireString } from '../../primitives/arguments.ts'
import { isHex } from '../../primitives/hex-forms.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { snapshot, snapshotOptions } from '../../primitives/snapshot.ts'
import { createCaller, type Settled } from '../calls.ts'
import { anything } from '../fields.ts'
import {
  type CallOptions,
  type ConnectionOptions,
  requireCallOptions,
  requireConnectionOptions,
} from '../options.ts'
import { secretsOfParameters } from '../secret-parameters.ts'
import type {
  GetAddressDeltasParams,
  GetBlockHashesParams,
  GetBlockHeaderParams,
  GetBlockParams,
  TestMempoolAcceptParams,
} from './chain-parameters.ts'
import {
  type DaemonMethods,
  daemonMethodNames,
  encodeParams,
  isTypedMethod,
  replyBytesMaxOf,
  resultSchemaOf,
  type SendOptions,
  safetyOf,
} from './methods.ts'
import { txidOfHex } from './parameter.ts'
import type {
  GetAddressUtxosParams,
  GetRawMempoolParams,
  GetRawTransactionParams,
} from './parameters.ts'
import {
  type Credentials,
  type DaemonCall,
  type DaemonCredentials,
  daemonProtocol,
} from './protocol.ts'
import type {
  AcceptanceVerdict,
  AddressDelta,
  AddressDeltasWithRange,
  AddressUtxo,
  AddressUtxosWithTip,
  BlockHeaderReply,
  BlockReply,
  BlockTime,
  BlockWithTransactions,
  MempoolEntry,
  TransactionReply,
} from './results.ts'

/** Options of a daemon client. */
export type DaemonClientOptions = ConnectionOptions &
  (
    | (DaemonCredentials & { readonly credentials?: never })
    | {
        /** Called before each attempt, so that a conf file or a cookie is read again. */
        readonly credentials: () => DaemonCredentials | Promise<DaemonCredentials>
        readonly user?: never
        readonly password?: never
      }
  )

type Method = keyof DaemonMethods
type Params<M extends Method> = DaemonMethods[M]['params']
type Result<M extends Method> = DaemonMethods[M]['result']
type Options<M extends Method> = DaemonMethods[M] extends { readonly options: infer Own }
  ? Own
  : CallOptions

/** Every method by its name. The parameters are optional if all of them are. */
type TypedMethods = {
  readonly [M in Method]: Record<never, never> extends Params<M>
    ? (params?: Params<M>, options?: Options<M>) => Promise<Result<M>>
    : (params: Params<M>, options?: Options<M>) => Promise<Result<M>>
}

/** Methods whose result depends on a parameter. */
type Overloaded =
  | 'getaddressdeltas'
  | 'getaddressutxos'
  | 'getblock'
  | 'getblockhashes'
  | 'getblockheader'
  | 'getrawmempool'
  | 'getrawtransaction'
  | 'testmempoolaccept'

/** Result of a method that is called by name: typed for a known method, raw JSON otherwise. */
type ResultOfMethod<Name extends string> = Name extends Method ? Result<Name> : JsonValue

/** A call of a batch: named parameters for a typed method, positional ones for any method. */
export type DaemonBatchCall =
  | { readonly [M in Method]: { readonly method: M; readonly params: Params<M> } }[Method]
  | { readonly method: string; readonly params: readonly unknown[] }

/** Settled results in the order of the calls. */
export type DaemonBatchResults<Calls extends readonly DaemonBatchCall[]> = {
  -readonly [Index in keyof Calls]: Settled<ResultOfMethod<Calls[Index]['method']>>
}

/**
 * Typed client of a komodod-like daemon (JSON-RPC 1.0).
 *
 * Each method takes one object with the wire's parameter names, and an options object. Results keep
 * the wire's member names; amounts and balances are bigint satoshis or token units. Parameters that
 * the daemon does not validate are validated first: a wrong type is a `TypeError`, wrong data an
 * `AntaraError`, and nothing is sent. Every later failure is an `RpcError`.
 */
export interface DaemonClient extends Omit<TypedMethods, Overloaded> {
  getrawtransaction(
    params: GetRawTransactionParams & { readonly verbose: 1 },
    options?: CallOptions,
  ): Promise<TransactionReply>
  getrawtransaction(
    params: GetRawTransactionParams & { readonly verbose?: 0 },
    options?: CallOptions,
  ): Promise<string>
  getaddressutxos(
    params: GetAddressUtxosParams & { readonly chainInfo: true },
    options?: CallOptions,
  ): Promise<AddressUtxosWithTip>
  getaddressutxos(
    params: GetAddressUtxosParams & { readonly chainInfo?: false },
    options?: CallOptions,
  ): Promise<readonly AddressUtxo[]>
  getrawmempool(
    params: GetRawMempoolParams & { readonly verbose: true },
    options?: CallOptions,
  ): Promise<Readonly<Record<string, MempoolEntry>>>
  getrawmempool(
    params?: GetRawMempoolParams & { readonly verbose?: false },
    options?: CallOptions,
  ): Promise<readonly string[]>
  getblock(
    params: GetBlockParams & { readonly verbosity: 0 },
    options?: CallOptions,
  ): Promise<string>
  getblock(
    params: GetBlockParams & { readonly verbosity: 2 },
    options?: CallOptions,
  ): Promise<BlockWithTransactions>
  getblock(
    params: GetBlockParams & { readonly verbosity?: 1 },
    options?: CallOptions,
  ): Promise<BlockReply>
  getblockhashes(
    params: GetBlockHashesParams & { readonly logicalTimes: true },
    options?: CallOptions,
  ): Promise<readonly BlockTime[]>
  getblockhashes(
    params: GetBlockHashesParams & { readonly logicalTimes?: false },
    options?: CallOptions,
  ): Promise<readonly string[]>
  getblockheader(
    params: GetBlockHeaderParams & { readonly verbose: false },
    options?: CallOptions,
  ): Promise<string>
  getblockheader(
    params: GetBlockHeaderParams & { readonly verbose?: true },
    options?: CallOptions,
  ): Promise<BlockHeaderReply>
  getaddressdeltas(
    params: GetAddressDeltasParams & {
      readonly chainInfo: true
      readonly start: number
      readonly end: number
    },
    options?: CallOptions,
  ): Promise<AddressDeltasWithRange>
  getaddressdeltas(
    params: GetAddressDeltasParams & { readonly chainInfo?: false },
    options?: CallOptions,
  ): Promise<readonly AddressDelta[]>
  testmempoolaccept(
    params: TestMempoolAcceptParams,
    options?: CallOptions,
  ): Promise<readonly AcceptanceVerdict[]>

  /**
   * Calls any method with positional parameters, sent as they are.
   *
   * The result of a method above is typed. The result of another method is JSON whose numbers are
   * `LosslessNumber`. A contract module's failure is an error here too.
   *
   * @example
   * const hash = await daemon.call('getblockhash', [0]) // '027e3758c3a6…'
   */
  call<const Name extends string>(
    method: Name,
    params: readonly unknown[],
    options?: CallOptions,
  ): Promise<ResultOfMethod<Name>>

  /**
   * Sends several calls in one request. Settles each call; rejects only if there was no reply.
   *
   * @example
   * const [tip, info] = await daemon.batch([
   *   { method: 'getblockcount', params: {} },
   *   { method: 'tokeninfo', params: { tokenid } },
   * ])
   * if (info.status === 'fulfilled') console.log(info.value.supply)
   */
  batch<const Calls extends readonly DaemonBatchCall[]>(
    calls: Calls,
    options?: CallOptions,
  ): Promise<DaemonBatchResults<Calls>>
}

/**
 * Creates a typed client for a daemon's RPC port. It sends nothing until you call a method.
 *
 * @param options - the URL and the credentials; timeouts in milliseconds
 * @returns a client with a method for each documented call
 * @throws {TypeError} for a URL of another machine that is not in `allowedHosts`, and for
 *   credentials inside the URL
 * @example
 * const daemon = createDaemonClient({ url: 'http://127.0.0.1:7771', user, password })
 * const { name, supply } = await daemon.tokeninfo({ tokenid })
 * supply // 100000000n
 */
export function createDaemonClient(options: DaemonClientOptions): DaemonClient {
  requireObject(options, 'options')
  const taken = snapshotOptions(options, 'options')
  requireConnectionOptions(taken, clientMembers)
  return openClient(taken)
}

/** The last three are those of a development node's identity, which can be passed as it is. */
const clientMembers = ['user', 'password', 'credentials', 'pubkey', 'wif', 'address']

function openClient(options: DaemonClientOptions): DaemonClient {
  const caller = createCaller(options, daemonProtocol(credentialsOf(options)))

  const typed =
    (method: Method) =>
    async (params: object = {}, given: SendOptions = {}): Promise<unknown> => {
      const sendOptions = snapshotOptions(given, 'options')
      requireCallOptions(sendOptions, method === 'sendrawtransaction' ? ['expectedTxid'] : [])
      const { expectedTxid, ...callOptions } = sendOptions
      const call = { ...namedCall(method, params), expectedTxid: expectedTxid?.toLowerCase() }
      return caller.call(call, callOptions)
    }

  return Object.freeze({
    ...Object.fromEntries(daemonMethodNames.map((method) => [method, typed(method)])),

    call: async (method: string, params: readonly unknown[], callOptions?: CallOptions) =>
      caller.call(positionalCall(method, params), callOptions),

    batch: async (calls: readonly DaemonBatchCall[], callOptions?: CallOptions) => {
      requireArray(calls, 'calls')
      const prepared = snapshot(calls, 'calls').map(({ method, params }) =>
        Array.isArray(params) ? positionalCall(method, params) : namedCall(method, params),
      )
      return caller.batch(prepared, callOptions)
    },
    // Every method is a row of the table from which the types above are made.
  }) as unknown as DaemonClient
}

function credentialsOf(options: DaemonClientOptions): Credentials {
  if (typeof options.credentials === 'function') return options.credentials
  const { user, password } = options as DaemonCredentials
  requireString(user, 'user')
  requireString(password, 'password')
  return () => ({ user, password })
}

function namedCall(method: string, params: unknown): DaemonCall {
  if (!isTypedMethod(method)) throw new TypeError(`${String(method)} takes a list of parameters`)
  requireObject(params, 'params')
  const given = snapshot(params, 'params') as Params<typeof method>
  return positionalCall(method, encodeParams(method, given))
}

function positionalCall(method: string, given: readonly unknown[]): DaemonCall {
  requireString(method, 'method')
  requireArray(given, 'params')
  const params = snapshot(given, 'params')
  const result = isTypedMethod(method) ? resultSchemaOf(method, params) : anything
  const txid = method === 'sendrawtransaction' ? () => sentTxid(params) : undefined
  const replyBytesMax = replyBytesMaxOf(method, params)
  const secrets = secretsOfParameters(method, params)
  return { method, params, safety: safetyOf(method), result, txid, replyBytesMax, secrets }
}

/** Returns the txid of the transaction that a broadcast sends, if the parameter is hex. */
function sentTxid([hex]: readonly unknown[]): string | undefined {
  return typeof hex === 'string' && isHex(hex) ? txidOfHex(hex) : undefined
}
