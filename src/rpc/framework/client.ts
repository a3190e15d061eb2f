// The typed client of a framework server.

import { requireArray, requireObject, requireString } from '../../primitives/arguments.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { snapshot, snapshotOptions } from '../../primitives/snapshot.ts'
import { createCaller, type Settled } from '../calls.ts'
import { type CallOptions, type ConnectionOptions, requireConnectionOptions } from '../options.ts'
import { checkedUrl } from '../transport.ts'
import { type FrameworkMethods, frameworkMethodNames, methodCall, prepared } from './methods.ts'
import {
  type EnableBchParams,
  enableBchParams,
  type WithdrawParams,
  withdrawParams,
} from './parameters.ts'
import { createTaskSecrets, frameworkProtocol } from './protocol.ts'
import type { UtxoActivation, WithdrawDetails } from './results.ts'
import type { TaskHandle, TaskOptions } from './task.ts'
import { createTasks, type Tasks } from './tasks.ts'

/** Options of a framework client. */
export interface FrameworkClientOptions extends ConnectionOptions {
  /** The server's `rpc_password`, or a function that is called before each attempt. */
  readonly userpass: string | (() => string | Promise<string>)
}

/** A call of a batch, mmrpc 2.0. */
export interface FrameworkBatchCall {
  readonly method: string
  readonly params?: object
}

type Params<Name extends keyof FrameworkMethods> = FrameworkMethods[Name]['params']

/** Every method by its name. The parameters are optional if all of them are. */
type TypedMethods = {
  [Name in keyof FrameworkMethods]: Record<never, never> extends Params<Name>
    ? (params?: Params<Name>, options?: CallOptions) => Promise<FrameworkMethods[Name]['result']>
    : (params: Params<Name>, options?: CallOptions) => Promise<FrameworkMethods[Name]['result']>
}

/**
 * Typed client of the Komodo DeFi Framework (mmrpc 2.0).
 *
 * Parameters and results have the wire's names. Amounts are decimal texts, because each coin has
 * its own number of decimals. Every failure of the server is an `RpcError`: `framework` with
 * `errorType` and `errorData`, or `task` for a failed task.
 *
 * An activation is never sent twice. An abort does not undo it, because the server continues; only
 * a task can be stopped.
 */
export interface FrameworkClient extends Readonly<TypedMethods>, Tasks {
  /**
   * Activates BCH and follows the task to its end: init, status, user action and cancel behind one
   * handle.
   */
  enableBch(
    params: EnableBchParams,
    options?: TaskOptions<UtxoActivation>,
  ): TaskHandle<UtxoActivation>

  /** Builds and signs a payment as a task: for hardware wallets, which ask the user. */
  withdrawTask(
    params: WithdrawParams,
    options?: TaskOptions<WithdrawDetails>,
  ): TaskHandle<WithdrawDetails>

  /**
   * Calls any mmrpc 2.0 method. Numbers in the result are `LosslessNumber`.
   *
   * @example
   * await framework.call('get_public_key') // { public_key: '03…' }
   */
  call(method: string, params?: object, options?: CallOptions): Promise<JsonValue>
  /**
   * Calls a method of the older dispatcher, whose parameters stand beside `method`. Returns the
   * whole answer.
   */
  callLegacy(method: string, params?: object, options?: CallOptions): Promise<JsonValue>
  /** Sends several mmrpc calls in one request; the server runs them concurrently. */
  batch(calls: readonly FrameworkBatchCall[], options?: CallOptions): Promise<Settled<JsonValue>[]>
}

/**
 * Creates a typed client for a framework server. It sends nothing until you call a method.
 *
 * @param options - the URL and the `userpass`; timeouts in milliseconds
 * @returns a client with a method for each documented call
 * @throws {TypeError} for a URL of another machine that is not in `allowedHosts`
 * @example
 * const framework = createFrameworkClient({ url: 'http://127.0.0.1:7783', userpass })
 * const { wallet_balance } = await framework.enableBch({ ticker: 'BCH', activation_params })
 */
export function createFrameworkClient(options: FrameworkClientOptions): FrameworkClient {
  requireObject(options, 'options')
  const taken = snapshotOptions(options, 'options')
  requireConnectionOptions(taken, frameworkMembers)
  return openClient(taken)
}

/**
 * All but the first are those of a development framework, or of the line that `antara-tx node`
 * prints about it: both can be passed as they are.
 */
export const frameworkMembers: readonly string[] = [
  'userpass',
  'request',
  'now',
  'advance',
  'plug',
  'unplug',
  'close',
  'preset',
]

function openClient(options: FrameworkClientOptions): FrameworkClient {
  if (typeof options.userpass !== 'function') requireString(options.userpass, 'userpass')
  const taskSecrets = createTaskSecrets()
  const caller = createCaller(options, frameworkProtocol(options.userpass, taskSecrets))
  const url = checkedUrl(options.url, options.allowedHosts ?? [])
  const tasks = createTasks(caller, taskSecrets, { url, fetch: options.fetch })

  const typed =
    (name: keyof FrameworkMethods) =>
    async (params: object = {}, callOptions?: CallOptions): Promise<unknown> =>
      caller.call(methodCall(name, params), callOptions)

  return Object.freeze({
    ...Object.fromEntries(frameworkMethodNames.map((name) => [name, typed(name)])),
    ...tasks,

    enableBch: (params: EnableBchParams, taskOptions?: TaskOptions<UtxoActivation>) => {
      requireObject(params, 'params')
      const wanted = enableBchParams(snapshot(params, 'params'))
      return tasks.startTask('enable_bch', wanted, taskOptions)
    },
    withdrawTask: (params: WithdrawParams, taskOptions?: TaskOptions<WithdrawDetails>) => {
      requireObject(params, 'params')
      const wanted = withdrawParams(snapshot(params, 'params'))
      return tasks.startTask('withdraw', wanted, taskOptions)
    },
    call: async (method: string, params?: object, callOptions?: CallOptions) =>
      caller.call(prepared(method, params), callOptions),
    callLegacy: async (method: string, params?: object, callOptions?: CallOptions) =>
      caller.call(prepared(method, params, { dispatcher: 'legacy' }), callOptions),
    batch: async (calls: readonly FrameworkBatchCall[], callOptions?: CallOptions) => {
      requireArray(calls, 'calls')
      const taken = snapshot(calls, 'calls')
      const wanted = taken.map(({ method, params }) => prepared(method, params))
      return caller.batch(wanted, callOptions)
    },
    // Every method is a row of the table from which the types above are made.
  }) as unknown as FrameworkClient
}
