import type { JsonValue } from '../../primitives/json.ts'
import { requireArray, requireObject, requireString } from '../../primitives/misuse.ts'
import {
  type BatchItem,
  type CallOptions,
  type Connection,
  type ConnectionOptions,
  createConnection,
  type Exchange,
  perform,
  performBatch,
  type Reading,
  type SealedRequest,
  type Settled,
} from '../connection.ts'
import { isRpcError, RpcError } from '../errors.ts'
import { readValue, type Schema } from '../fields.ts'
import { base64 } from '../redaction.ts'
import { rememberReply, replyJson } from '../reply.ts'
import type { MethodTrait } from '../retry.ts'
import type { RpcResponse } from '../transport.ts'
import { alreadyInChain } from './codes.ts'
import { requestText, resultOf } from './envelope.ts'
import { type DaemonMethods, daemonCodecs, isTypedMethod, traitOf } from './methods.ts'
import {
  type GetAddressUtxosParams,
  type GetRawMempoolParams,
  type GetRawTransactionParams,
  paramsObject,
  type SendRawTransactionParams,
  txidOfHex,
} from './parameters.ts'
import type { AddressUtxo, AddressUtxosWithTip, MempoolEntry, TransactionReply } from './results.ts'

export interface DaemonCredentials {
  readonly user: string
  readonly password: string
}

/** Address, credentials and habits of a daemon client. */
export type DaemonClientOptions = ConnectionOptions &
  (
    | (DaemonCredentials & { readonly credentials?: never })
    | {
        /** Asked before each attempt, so that a conf file or a cookie is read afresh. */
        readonly credentials: () => DaemonCredentials | Promise<DaemonCredentials>
        readonly user?: never
        readonly password?: never
      }
  )

type Method = keyof DaemonMethods
type Params<M extends Method> = DaemonMethods[M]['params']
type Result<M extends Method> = DaemonMethods[M]['result']

/** Options of a broadcast. */
export interface SendOptions extends CallOptions {
  /** Id of the transaction that is sent, from a source other than the daemon. */
  readonly expectedTxid?: string | undefined
}

/** A method whose parameters may be left out altogether. */
type Optional<M extends Method> = (params?: Params<M>, options?: CallOptions) => Promise<Result<M>>
type Required<M extends Method> = (params: Params<M>, options?: CallOptions) => Promise<Result<M>>

/** Result of a method called by name: typed where the method is known, raw JSON otherwise. */
export type ResultOfMethod<Name extends string> = Name extends Method ? Result<Name> : JsonValue

/** One call of a batch: named parameters for a typed method, or positional ones for any. */
export type DaemonBatchCall =
  | { readonly [M in Method]: { readonly method: M; readonly params: Params<M> } }[Method]
  | { readonly method: string; readonly params: readonly unknown[] }

/** Settled results, one for each call, in the order of the calls. */
export type DaemonBatchResults<Calls extends readonly DaemonBatchCall[]> = {
  -readonly [Index in keyof Calls]: Settled<ResultOfMethod<Calls[Index]['method']>>
}

/**
 * Typed client of a komodod-like daemon (JSON-RPC 1.0).
 *
 * Each method takes one object with the wire's parameter names and an options object. Results keep
 * the wire's member names; amounts and balances are bigint satoshis or token units. Parameters the
 * daemon would not check are checked first: a wrong type is a `TypeError`, wrong data an
 * `AntaraError`, and nothing is sent. Whatever goes wrong afterwards is an `RpcError`.
 */
export interface DaemonClient {
  /** Addresses of the tokens module, of a key and of the node, with their balances. */
  readonly tokenaddress: Optional<'tokenaddress'>
  /** Token units of a key. 0 may also mean an unknown token or an unconfirmed transfer. */
  readonly tokenbalance: Required<'tokenbalance'>
  /** Builds and signs a creation; broadcasts nothing. Never retried. Prefer `createToken`. */
  readonly tokencreate: Required<'tokencreate'>
  readonly tokeninfo: Required<'tokeninfo'>
  /** Ids of all tokens of the chain, in no promised order. */
  readonly tokenlist: Optional<'tokenlist'>
  /** Builds and signs a transfer; broadcasts nothing. Never retried. Prefer `transferToken`. */
  readonly tokentransfer: Required<'tokentransfer'>
  /**
   * Broadcasts, and answers the txid as the daemon tells it.
   *
   * Retried once. "Already in the chain" is success on that retry: the first attempt arrived. With
   * `expectedTxid` it is success at once if that is the id of what was sent, and an answer with any
   * other id is an error (`shape`, `wrong_txid`).
   */
  sendrawtransaction(params: SendRawTransactionParams, options?: SendOptions): Promise<string>
  readonly decoderawtransaction: Required<'decoderawtransaction'>
  getrawtransaction(
    params: GetRawTransactionParams & { readonly verbose: 1 },
    options?: CallOptions,
  ): Promise<TransactionReply>
  getrawtransaction(
    params: GetRawTransactionParams & { readonly verbose?: 0 },
    options?: CallOptions,
  ): Promise<string>
  /** `null` when the output is spent or unknown. */
  readonly gettxout: Required<'gettxout'>
  getaddressutxos(
    params: GetAddressUtxosParams & { readonly chainInfo: true },
    options?: CallOptions,
  ): Promise<AddressUtxosWithTip>
  getaddressutxos(
    params: GetAddressUtxosParams & { readonly chainInfo?: false },
    options?: CallOptions,
  ): Promise<readonly AddressUtxo[]>
  readonly listunspent: Optional<'listunspent'>
  readonly validateaddress: Required<'validateaddress'>
  readonly getinfo: Optional<'getinfo'>
  readonly getblockcount: Optional<'getblockcount'>
  getrawmempool(
    params: GetRawMempoolParams & { readonly verbose: true },
    options?: CallOptions,
  ): Promise<Readonly<Record<string, MempoolEntry>>>
  getrawmempool(
    params?: GetRawMempoolParams & { readonly verbose?: false },
    options?: CallOptions,
  ): Promise<readonly string[]>
  readonly help: Optional<'help'>

  /**
   * Calls any method with positional parameters, sent as they are.
   *
   * The result of a method typed above is typed; of any other it is JSON whose numbers are
   * `LosslessNumber`. A contract module's failure is an error here too.
   *
   * @example
   * const hash = await daemon.call('getblockhash', [1200]) // '0a3c…'
   */
  call<const Name extends string>(
    method: Name,
    params: readonly unknown[],
    options?: CallOptions,
  ): Promise<ResultOfMethod<Name>>

  /**
   * Sends several calls in one request. Settles each; rejects only if there was no reply at all.
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
 * Opens a typed client on a daemon's RPC port. Nothing is sent until a method is called.
 *
 * @throws {TypeError} for a url that is not this machine's and not in `allowedHosts`, and for
 * credentials inside the url
 * @example
 * const daemon = createDaemonClient({ url: 'http://127.0.0.1:7771', user, password })
 * const { name, supply } = await daemon.tokeninfo({ tokenid })
 * supply // 100000000n
 */
export function createDaemonClient(options: DaemonClientOptions): DaemonClient {
  requireObject(options, 'options')
  const connection = createConnection(options)
  const credentials = credentialsOf(options)

  const typed =
    <M extends Method>(method: M) =>
    async (params: Params<M> = {} as Params<M>, callOptions?: CallOptions): Promise<Result<M>> => {
      const call = namedCall(method, paramsObject(params) as Params<M>)
      return perform(connection, exchangeOf<Result<M>>(connection, credentials, call), callOptions)
    }

  return Object.freeze<DaemonClient>({
    tokenaddress: typed('tokenaddress'),
    tokenbalance: typed('tokenbalance'),
    tokencreate: typed('tokencreate'),
    tokeninfo: typed('tokeninfo'),
    tokenlist: typed('tokenlist'),
    tokentransfer: typed('tokentransfer'),
    sendrawtransaction: async (params, sendOptions = {}) => {
      const call = namedCall('sendrawtransaction', paramsObject(params) as SendRawTransactionParams)
      const exchange = exchangeOf<string>(connection, credentials, {
        ...call,
        expectedTxid: sendOptions.expectedTxid?.toLowerCase(),
      })
      return perform(connection, exchange, sendOptions)
    },
    decoderawtransaction: typed('decoderawtransaction'),
    getrawtransaction: typed('getrawtransaction') as DaemonClient['getrawtransaction'],
    gettxout: typed('gettxout'),
    getaddressutxos: typed('getaddressutxos') as DaemonClient['getaddressutxos'],
    listunspent: typed('listunspent'),
    validateaddress: typed('validateaddress'),
    getinfo: typed('getinfo'),
    getblockcount: typed('getblockcount'),
    getrawmempool: typed('getrawmempool') as DaemonClient['getrawmempool'],
    help: typed('help'),

    async call<const Name extends string>(
      method: Name,
      params: readonly unknown[],
      callOptions?: CallOptions,
    ): Promise<ResultOfMethod<Name>> {
      const call = positionalCall(method, params)
      return perform(
        connection,
        exchangeOf<ResultOfMethod<Name>>(connection, credentials, call),
        callOptions,
      )
    },

    async batch<const Calls extends readonly DaemonBatchCall[]>(
      calls: Calls,
      callOptions?: CallOptions,
    ): Promise<DaemonBatchResults<Calls>> {
      requireArray(calls, 'calls')
      const items = calls.map(({ method, params }) =>
        Array.isArray(params)
          ? positionalCall(method, params)
          : namedCall(method as Method, paramsObject(params) as Params<Method>),
      )
      const settled = await performBatch(
        connection,
        items,
        (pending, round) => batchExchange(connection, credentials, pending, round),
        callOptions,
      )
      return settled as DaemonBatchResults<Calls>
    },
  })
}

type Credentials = () => DaemonCredentials | Promise<DaemonCredentials>

function credentialsOf(options: DaemonClientOptions): Credentials {
  if (typeof options.credentials === 'function') return options.credentials
  const { user, password } = options as DaemonCredentials
  requireString(user, 'user')
  requireString(password, 'password')
  return () => ({ user, password })
}

/** One call, checked and ready to be written. */
interface PreparedCall extends BatchItem {
  readonly method: string
  readonly params: readonly unknown[]
  readonly trait: MethodTrait
  readonly result?: Schema<unknown>
  /** For a broadcast: the raw transaction, and the id it is known to have. */
  readonly hex?: string
  readonly expectedTxid?: string | undefined
}

function namedCall<M extends Method>(method: M, params: Params<M>): PreparedCall {
  if (!isTypedMethod(method)) throw new TypeError(`${String(method)} takes a list of parameters`)
  return positionalCall(method, daemonCodecs[method].encode(params))
}

function positionalCall(method: string, params: readonly unknown[]): PreparedCall {
  requireString(method, 'method')
  requireArray(params, 'params')
  const call = { method, params, trait: traitOf(method) }
  if (!isTypedMethod(method)) return call
  const [hex] = params
  const isBroadcast = method === 'sendrawtransaction' && typeof hex === 'string'
  return {
    ...call,
    result: daemonCodecs[method].result,
    ...(isBroadcast && { hex }),
  }
}

function exchangeOf<T>(
  connection: Connection,
  credentials: Credentials,
  call: PreparedCall,
): Exchange<T> {
  const id = connection.nextId()
  return {
    method: call.method,
    id,
    trait: call.trait,
    seal: () => sealed(requestText(call.method, call.params, String(id)), credentials),
    read: (response, { attempt }) =>
      rememberReply(
        readAnswer(replyJson(response), call, String(id), response.status, attempt) as T,
        response.text,
      ),
  }
}

function batchExchange(
  connection: Connection,
  credentials: Credentials,
  calls: readonly PreparedCall[],
  round: number,
): Exchange<Settled<unknown>[]> {
  const numbered = calls.map((call) => ({ call, id: String(connection.nextId()) }))
  const body = `[${numbered
    .map(({ call, id }) => requestText(call.method, call.params, id))
    .join(',')}]`
  return {
    method: 'batch',
    id: Number(numbered[0]?.id ?? 0),
    trait: 'read',
    seal: () => sealed(body, credentials),
    read: (response, { finish }) => readBatch(response, numbered, round, finish),
  }
}

function readBatch(
  response: RpcResponse,
  numbered: readonly { readonly call: PreparedCall; readonly id: string }[],
  round: number,
  finish: Reading['finish'],
): Settled<unknown>[] {
  const answers = replyJson(response)
  if (!Array.isArray(answers)) {
    // The daemon refuses a whole batch with one ordinary error.
    resultOf(answers, '', response.status)
    throw new RpcError('shape', 'the reply to a batch is no list', { reason: 'wrong_envelope' })
  }
  return numbered.map(({ call, id }, position) => {
    try {
      const answer: JsonValue | undefined = answers[position]
      if (answer === undefined)
        throw new RpcError('shape', 'not answered', { reason: 'missing_reply' })
      const value = readAnswer(answer, call, id, response.status, round)
      return { status: 'fulfilled', value }
    } catch (error) {
      const reason = error instanceof RpcError ? finish(error, call.method) : error
      return { status: 'rejected', reason }
    }
  })
}

function readAnswer(
  answer: JsonValue,
  call: PreparedCall,
  id: string,
  status: number,
  attempt: number,
): unknown {
  const result = resultUnlessSent(answer, call, id, status, attempt)
  const value = call.result === undefined ? result : readValue(call.result, result)
  const { expectedTxid } = call
  if (expectedTxid !== undefined && value !== expectedTxid) {
    throw wrongTxid(expectedTxid, String(value))
  }
  return value
}

/** Answers a broadcast that finds its own transaction in the chain with the txid. */
function resultUnlessSent(
  answer: JsonValue,
  { hex, expectedTxid }: PreparedCall,
  id: string,
  status: number,
  attempt: number,
): JsonValue {
  try {
    return resultOf(answer, id, status)
  } catch (error) {
    const isThere = isRpcError(error, 'daemon') && error.code === alreadyInChain
    if (!isThere || hex === undefined) throw error
    const txid = txidOfHex(hex)
    const isOurs = expectedTxid === undefined ? attempt > 1 : txid === expectedTxid
    if (!isOurs) throw error
    return txid
  }
}

function wrongTxid(expected: string, received: string): RpcError {
  return new RpcError('shape', 'the daemon answered with the id of another transaction', {
    reason: 'wrong_txid',
    path: 'result',
    expected,
    received,
  })
}

async function sealed(body: string, credentials: Credentials): Promise<SealedRequest> {
  const { user, password } = await credentials()
  const authorization = base64(`${user}:${password}`)
  return {
    body,
    headers: { authorization: `Basic ${authorization}`, 'content-type': 'text/plain;' },
    secrets: [authorization, `${user}:${password}`, password],
  }
}
