import type { JsonValue } from '../../primitives/json.ts'
import {
  requireArray,
  requireObject,
  requireString,
  requireUint32,
} from '../../primitives/misuse.ts'
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
import { type Cancellation, RpcError } from '../errors.ts'
import { readValue, type Schema } from '../fields.ts'
import { rememberReply, replyJson } from '../reply.ts'
import type { MethodTrait } from '../retry.ts'
import { checkedUrl, type RpcResponse } from '../transport.ts'
import { type Dialect, type FrameworkRequest, requestText, resultOf } from './envelope.ts'
import { frameworkError, isFrameworkError } from './errors.ts'
import { type EventStream, openEventStream } from './events.ts'
import * as params from './parameters.ts'
import * as results from './results.ts'
import { type TaskCalls, type TaskHandle, type TaskOptions, watchTask } from './task.ts'

/** Address, password and habits of a framework client. */
export interface FrameworkClientOptions extends ConnectionOptions {
  /** The server's `rpc_password`; a function is asked before each attempt. */
  readonly userpass: string | (() => string | Promise<string>)
}

/** Result of a task, by the task's name. */
interface TaskResults {
  enable_bch: results.UtxoActivation
  enable_utxo: results.UtxoActivation
}

/** Result of a task: typed where it is known, raw JSON otherwise. */
export type ResultOfTask<Task extends string> = Task extends keyof TaskResults
  ? TaskResults[Task]
  : JsonValue

/** One call of a batch, mmrpc 2.0. */
export interface FrameworkBatchCall {
  readonly method: string
  readonly params?: object
}

/**
 * Typed client of the Komodo DeFi Framework (mmrpc 2.0).
 *
 * Parameters and results have the wire's names. Amounts are decimal texts, as each coin has its own
 * number of decimals. Whatever the server answers badly is an `RpcError`: `framework` with
 * `errorType` and `errorData`, or `task` for a task that failed.
 *
 * An activation is never sent twice, and an abort does not undo one: the server carries on. Only a
 * task can be stopped.
 */
export interface FrameworkClient {
  /** Activates a Tendermint chain with its IBC assets, in one call. */
  enableTendermintWithAssets(
    params: params.EnableTendermintWithAssetsParams,
    options?: CallOptions,
  ): Promise<results.TendermintActivation>
  /** Activates BCH, watched to its end: init, status, user action and cancel behind one handle. */
  enableBch(
    params: params.EnableBchParams,
    options?: TaskOptions<results.UtxoActivation>,
  ): TaskHandle<results.UtxoActivation>
  enableBchWithTokens(
    params: params.EnableBchWithTokensParams,
    options?: CallOptions,
  ): Promise<results.BchActivation>
  /** Activates one SLP token of an active BCH. */
  enableSlp(params: params.EnableSlpParams, options?: CallOptions): Promise<results.SlpActivation>
  /** Activates one IBC asset of an active Tendermint chain. */
  enableTendermintToken(
    params: params.EnableTendermintTokenParams,
    options?: CallOptions,
  ): Promise<results.TendermintTokenActivation>
  getEnabledCoins(params?: object, options?: CallOptions): Promise<results.EnabledCoins>
  myBalance(params: params.MyBalanceParams, options?: CallOptions): Promise<results.CoinBalance>
  myTxHistory(params: params.MyTxHistoryParams, options?: CallOptions): Promise<results.TxHistory>
  version(params?: object, options?: CallOptions): Promise<results.ServerVersion>

  /** Starts any task, such as `enable_utxo`, with the wire's parameters. */
  startTask<const Task extends string>(
    task: Task,
    params: object,
    options?: TaskOptions<ResultOfTask<Task>>,
  ): TaskHandle<ResultOfTask<Task>>
  /** Follows a task that runs already, after a restart or a lost connection. */
  followTask<const Task extends string>(
    task: Task,
    taskId: number,
    options?: TaskOptions<ResultOfTask<Task>>,
  ): TaskHandle<ResultOfTask<Task>>

  /** The bare call. A failed task is an answer here, not an error. */
  taskStatus<const Task extends string>(
    task: Task,
    params: params.TaskStatusParams,
    options?: CallOptions,
  ): Promise<results.TaskStatus<ResultOfTask<Task>>>
  /** The bare call; the PIN or passphrase is in no error. */
  taskUserAction(
    task: string,
    params: params.TaskUserActionParams,
    options?: CallOptions,
  ): Promise<'success'>
  /** The bare call; `TaskFinished` and `NoSuchTask` are errors here. */
  taskCancel(
    task: string,
    params: params.TaskCancelParams,
    options?: CallOptions,
  ): Promise<'success'>

  /**
   * Calls any mmrpc 2.0 method; numbers in the result are `LosslessNumber`.
   *
   * @example
   * await framework.call('get_public_key') // { public_key: '03…' }
   */
  call(method: string, params?: object, options?: CallOptions): Promise<JsonValue>
  /** Calls a method of the older dispatcher, its parameters beside `method`; the whole answer. */
  callLegacy(method: string, params?: object, options?: CallOptions): Promise<JsonValue>
  /** Sends several mmrpc calls in one request; the server runs them concurrently. */
  batch(calls: readonly FrameworkBatchCall[], options?: CallOptions): Promise<Settled<JsonValue>[]>
}

/**
 * Opens a typed client on a framework server. Nothing is sent until a method is called.
 *
 * @throws {TypeError} for a url that is not this machine's and not in `allowedHosts`
 * @example
 * const framework = createFrameworkClient({ url: 'http://127.0.0.1:7783', userpass })
 * const { wallet_balance } = await framework.enableBch({ ticker: 'BCH', activation_params })
 */
export function createFrameworkClient(options: FrameworkClientOptions): FrameworkClient {
  requireObject(options, 'options')
  if (typeof options.userpass !== 'function') requireString(options.userpass, 'userpass')
  const link: Link = {
    connection: createConnection(options),
    userpass: options.userpass,
    url: checkedUrl(options.url, options.allowedHosts ?? []),
    told: new Map(),
  }

  const taskStatus = async <Task extends string>(
    task: Task,
    given: params.TaskStatusParams,
    callOptions?: CallOptions,
  ): Promise<results.TaskStatus<ResultOfTask<Task>>> => {
    const call = statusCall(task, params.taskParams(given))
    return perform(
      link.connection,
      statusExchange<ResultOfTask<Task>>(link, task, call),
      callOptions,
    )
  }
  const taskUserAction: FrameworkClient['taskUserAction'] = async (task, given, callOptions) => {
    const call = prepared(`task::${task}::user_action`, params.userActionParams(given), {
      result: results.accepted,
      taskId: given.task_id,
    })
    rememberSecret(link, given.task_id, params.secretOf(given.user_action))
    return perform(link.connection, exchangeOf<'success'>(link, call), callOptions)
  }
  const taskCancel: FrameworkClient['taskCancel'] = async (task, given, callOptions) => {
    const call = prepared(`task::${task}::cancel`, params.taskParams(given), {
      trait: 'other',
      result: results.accepted,
      taskId: given.task_id,
    })
    return perform(link.connection, exchangeOf<'success'>(link, call), callOptions)
  }
  const callsOf = <Task extends string>(
    task: Task,
    init: TaskCalls<ResultOfTask<Task>>['init'],
    stream?: { readonly open: EventStream | undefined },
  ): TaskCalls<ResultOfTask<Task>> => ({
    init,
    status: (task_id, forget_if_finished, signal) =>
      taskStatus(
        task,
        { task_id, forget_if_finished },
        forget_if_finished ? { signal, timeoutMs: forgetMsMax, retry: false } : { signal },
      ),
    act: async (task_id, user_action) => {
      await taskUserAction(task, { task_id, user_action })
    },
    cancel: (task_id, timeoutMs) =>
      taskCancel(task, { task_id }, { timeoutMs }).then(() => 'cancelled', cancellationOf),
    failure: (taskId, { details }) => taskFailure(task, taskId, details),
    listen: (taskId, wake) => listenTo(stream?.open, taskId, wake),
  })

  const startTask = <Task extends string>(
    task: Task,
    given: object,
    taskOptions: TaskOptions<ResultOfTask<Task>> = {},
  ): TaskHandle<ResultOfTask<Task>> => {
    requireString(task, 'task')
    requireObject(given, 'params')
    const stream: { open: EventStream | undefined } = { open: undefined }
    const init = async (signal: AbortSignal | undefined): Promise<number> => {
      let wanted = given
      if (taskOptions.events === true) {
        stream.open = await openEventStream(link.url, options.fetch, clientIdOf(given))
        wanted = { ...given, client_id: stream.open.clientId }
      }
      const call = prepared(`task::${task}::init`, wanted, { result: results.taskId })
      try {
        const started = await perform(
          link.connection,
          exchangeOf<{ readonly task_id: number }>(link, call),
          { signal },
        )
        return started.task_id
      } catch (error) {
        stream.open?.close()
        throw error
      }
    }
    return watchTask(callsOf(task, init, stream), taskOptions)
  }

  const activate =
    <Given, Result>(method: string, encode: (given: Given) => object, result: Schema<Result>) =>
    async (given: Given, callOptions?: CallOptions): Promise<Result> => {
      requireObject(given, 'params')
      const call = prepared(method, encode(given), { result, patienceMs: activationMsMax })
      return perform(link.connection, exchangeOf<Result>(link, call), callOptions)
    }

  const lookUp =
    <Given, Result>(
      method: string,
      encode: (given: Given) => object | undefined,
      result: Schema<Result>,
      dialect: Dialect = 'mmrpc',
    ) =>
    async (given: Given, callOptions?: CallOptions): Promise<Result> => {
      const call = prepared(method, encode(given), { dialect, trait: 'read', result })
      return perform(link.connection, exchangeOf<Result>(link, call), callOptions)
    }

  return Object.freeze<FrameworkClient>({
    enableTendermintWithAssets: activate(
      'enable_tendermint_with_assets',
      params.tendermintParams,
      results.tendermintActivation,
    ),
    enableBch: (given, taskOptions) => {
      requireObject(given, 'params')
      return startTask('enable_bch', params.enableBchParams(given), taskOptions)
    },
    enableBchWithTokens: activate(
      'enable_bch_with_tokens',
      params.enableBchWithTokensParams,
      results.bchActivation,
    ),
    enableSlp: activate('enable_slp', params.tokenActivationParams, results.slpActivation),
    enableTendermintToken: activate(
      'enable_tendermint_token',
      params.tokenActivationParams,
      results.tendermintTokenActivation,
    ),
    // Servers before 2.6 refuse even an empty `params` here.
    getEnabledCoins: lookUp('get_enabled_coins', () => undefined, results.enabledCoins),
    myBalance: lookUp('my_balance', params.coinParams, results.coinBalance, 'legacy'),
    myTxHistory: lookUp('my_tx_history', params.coinParams, results.txHistory),
    version: lookUp('version', () => undefined, results.serverVersion, 'legacy'),

    startTask,
    followTask: (task, taskId, taskOptions = {}) => {
      requireUint32(taskId, 'taskId')
      return watchTask(
        callsOf(task, async () => taskId),
        taskOptions,
      )
    },
    taskStatus,
    taskUserAction,
    taskCancel,

    call: async (method, given, callOptions) => {
      const call = prepared(method, given, { trait: traitOf(method) })
      return perform(link.connection, exchangeOf<JsonValue>(link, call), callOptions)
    },
    callLegacy: async (method, given, callOptions) => {
      const call = prepared(method, given, { dialect: 'legacy', trait: traitOf(method) })
      return perform(link.connection, exchangeOf<JsonValue>(link, call), callOptions)
    },
    batch: async (calls, callOptions) => {
      requireArray(calls, 'calls')
      const items = calls.map(({ method, params: given }) =>
        prepared(method, given, { trait: traitOf(method) }),
      )
      const settled = await performBatch(
        link.connection,
        items,
        (pending) => batchExchange(link, pending),
        callOptions,
      )
      return settled as Settled<JsonValue>[]
    },
  })
}

// A Tendermint or BCH activation talks to several foreign servers before it answers.
const activationMsMax = 180_000
const forgetMsMax = 2_000

interface Link {
  readonly connection: Connection
  readonly userpass: FrameworkClientOptions['userpass']
  readonly url: string
  /** What the user typed for a task: whatever comes of it later may quote that. */
  readonly told: Map<number, readonly string[]>
}

const toldTasksMax = 64
const toldSecretsMax = 8

function rememberSecret({ told }: Link, taskId: number, secret: string): void {
  const before = told.get(taskId) ?? []
  told.delete(taskId)
  told.set(taskId, [secret, ...before].slice(0, toldSecretsMax))
  const [oldest] = told.keys()
  if (told.size > toldTasksMax && oldest !== undefined) told.delete(oldest)
}

/** One call, checked and ready to be written. */
interface PreparedCall extends BatchItem {
  readonly dialect: Dialect
  readonly method: string
  readonly params: object | undefined
  readonly trait: MethodTrait
  readonly result: Schema<unknown>
  readonly patienceMs?: number
  readonly taskId?: number
}

function prepared(
  method: string,
  given: object | undefined,
  facts: Partial<Omit<PreparedCall, 'method' | 'params'>>,
): PreparedCall {
  requireString(method, 'method')
  if (given !== undefined) requireObject(given, 'params')
  return {
    dialect: 'mmrpc',
    method,
    params: given,
    trait: 'once',
    result: results.anything,
    ...facts,
  }
}

const lookUps = new Set([
  'get_enabled_coins',
  'my_balance',
  'my_tx_history',
  'trezor_connection_status',
  'validateaddress',
  'version',
  'wc_get_session',
  'wc_get_sessions',
])

/** Activations and task starts must not happen twice; of an unknown method nothing is known. */
function traitOf(method: string): MethodTrait {
  if (lookUps.has(method)) return 'read'
  return /^enable|^electrum$|::init$|::user_action$/.test(method) ? 'once' : 'other'
}

function exchangeOf<T>(link: Link, call: PreparedCall): Exchange<T> {
  const request = requestOf(link, call)
  return {
    method: call.method,
    id: request.id,
    trait: call.trait,
    patienceMs: call.patienceMs,
    taskId: call.taskId,
    seal: () => sealed(link, [call], (userpass) => requestText(request, userpass)),
    read: (response) =>
      rememberReply(
        readValue(call.result, resultOf(replyJson(response), request, response.status)) as T,
        response.text,
      ),
  }
}

function requestOf({ connection }: Link, call: PreparedCall): FrameworkRequest {
  const { dialect, method, params: given } = call
  return { dialect, method, params: given, id: connection.nextId() }
}

async function sealed(
  link: Link,
  calls: readonly PreparedCall[],
  write: (userpass: string) => string,
): Promise<SealedRequest> {
  const userpass = typeof link.userpass === 'string' ? link.userpass : await link.userpass()
  return {
    body: write(userpass),
    headers: { 'content-type': 'application/json' },
    secrets: [userpass, ...calls.flatMap(({ taskId = -1 }) => link.told.get(taskId) ?? [])],
  }
}

function batchExchange(link: Link, calls: readonly PreparedCall[]): Exchange<Settled<unknown>[]> {
  const numbered = calls.map((call) => ({ call, request: requestOf(link, call) }))
  return {
    method: 'batch',
    id: numbered[0]?.request.id ?? 0,
    trait: 'read',
    seal: () =>
      sealed(link, calls, (userpass) => {
        const texts = numbered.map(({ request }) => requestText(request, userpass))
        return `[${texts.join(',')}]`
      }),
    read: (response, { finish }) => readBatch(response, numbered, finish),
  }
}

function readBatch(
  response: RpcResponse,
  numbered: readonly { readonly call: PreparedCall; readonly request: FrameworkRequest }[],
  finish: Reading['finish'],
): Settled<unknown>[] {
  const answers = replyJson(response)
  if (!Array.isArray(answers)) {
    if (numbered[0]) resultOf(answers, numbered[0].request, response.status)
    throw new RpcError('shape', 'the reply to a batch is no list', { reason: 'wrong_envelope' })
  }
  return numbered.map(({ call, request }, position) => {
    try {
      // The server puts null where an element's answer was no JSON.
      const answer: JsonValue = answers[position] ?? null
      if (answer === null) throw new RpcError('shape', 'not answered', { reason: 'missing_reply' })
      return { status: 'fulfilled', value: resultOf(answer, request, response.status) }
    } catch (error) {
      const reason = error instanceof RpcError ? finish(error, call.method) : error
      return { status: 'rejected', reason }
    }
  })
}

function statusCall(task: string, given: params.TaskStatusParams): PreparedCall {
  return prepared(`task::${task}::status`, given, {
    // A lost answer that made the server forget cannot be had again: then asking twice would turn
    // a finished task into an unknown one.
    trait: given.forget_if_finished === false ? 'read' : 'other',
    taskId: given.task_id,
  })
}

const taskResults: { readonly [Task in keyof TaskResults]: Schema<TaskResults[Task]> } = {
  enable_bch: results.utxoActivation,
  enable_utxo: results.utxoActivation,
}

function isTypedTask(task: string): task is keyof TaskResults {
  return Object.hasOwn(taskResults, task)
}

function statusExchange<T>(
  link: Link,
  task: string,
  call: PreparedCall,
): Exchange<results.TaskStatus<T>> {
  const details = isTypedTask(task) ? taskResults[task] : results.anything
  const schema = results.taskStatus(details as Schema<T>)
  const exchange = exchangeOf<JsonValue>(link, call)
  return {
    ...exchange,
    read: (response, reading) => {
      const { redact } = reading
      const status = readValue(schema, exchange.read(response, reading))
      // Statuses are shown and logged as errors are, and may quote what was sent as these do.
      const details = redact.value(status.details)
      return rememberReply({ ...status, details } as typeof status, redact.text(response.text))
    },
  }
}

function taskFailure(task: string, taskId: number, details: results.TaskErrorDetails): RpcError {
  const error = frameworkError('task', details as unknown as JsonValue, { taskId })
  const method = `task::${task}`
  return new RpcError('task', `${method}: ${error.message}`, {
    method,
    taskId,
    errorType: error.errorType,
    errorData: error.errorData,
    errorPath: error.errorPath,
    errorTrace: error.errorTrace,
  })
}

// The manager's words for a task that is being torn down after an earlier cancel; it has no type
// of its own. src: komodo-defi-framework rpc_task, RpcTaskError::UnexpectedTaskStatus
const beingCancelled = "Actual: 'Cancelled'"

function cancellationOf(error: unknown): Cancellation {
  if (isFrameworkError(error, 'TaskFinished')) return 'already-finished'
  if (isFrameworkError(error, 'NoSuchTask')) return 'unknown'
  if (isFrameworkError(error, 'Internal') && error.message.includes(beingCancelled)) {
    return 'cancelled'
  }
  throw error
}

function listenTo(stream: EventStream | undefined, taskId: number, wake: () => void): () => void {
  const stop = stream?.listen(taskId, wake)
  return () => {
    stop?.()
    stream?.close()
  }
}

/** Number for the event stream: the caller's own, or one that no other client will have. */
function clientIdOf(given: object): number {
  const own: unknown = (given as { client_id?: unknown }).client_id
  return typeof own === 'number' ? own : 1 + Math.floor(Math.random() * (2 ** 31 - 1))
}
