// The methods of both dispatchers whose answers are computed. A scenario answers the others.

import type { JsonValue } from '../../primitives/json.ts'
import { standaloneFamily, startUtxo, utxoRequest } from './bch.ts'
import { invalidRequestError } from './errors.ts'
import { flag, oneOf, type Read, readParams, struct, text, unexpected, unsigned } from './read.ts'
import type { FrameworkState } from './state.ts'
import type { TaskFamily, UserAction } from './tasks.ts'
import {
  enableTendermint,
  startTendermint,
  tendermintFamily,
  tendermintRequest,
} from './tendermint.ts'
import { enableTendermintToken, tendermintTokenRequest } from './tendermint-token.ts'
import { startTrezor, trezorFamily, trezorRequest } from './trezor.ts'

/** Answers the `result` of a call. */
type Method = (params: JsonValue) => unknown

/** mmrpc 2.0, by name. */
export function frameworkMethods(state: FrameworkState): ReadonlyMap<string, Method> {
  const { preset } = state
  const methods = new Map<string, Method>()
  const add = <T>(name: string, read: Read<T>, answer: (params: T) => unknown): void => {
    methods.set(name, (params) => answer(readParams(read, params)))
  }
  const addTask = <T>(family: TaskFamily, read: Read<T>, start: (params: T) => number): void => {
    const table = state.tableOf(family)
    const name = `task::${family.name}`
    add(`${name}::init`, read, (params) => ({ task_id: start(params) }))
    add(`${name}::status`, statusRequest, ({ id, forgets }) => table.status(id, forgets))
    add(`${name}::user_action`, actionRequest, ({ id, action }) => {
      table.act(id, action)
      return 'success'
    })
    add(`${name}::cancel`, cancelRequest, (id) => {
      table.cancel(id)
      return 'success'
    })
  }

  const tendermint = tendermintRequest(preset)
  add('enable_tendermint_with_assets', tendermint, (request) => enableTendermint(state, request))
  addTask(tendermintFamily, tendermint, (request) => startTendermint(state, request))
  add('enable_tendermint_token', tendermintTokenRequest(preset), (request) =>
    enableTendermintToken(state, request),
  )
  for (const [name, protocol] of [
    ['bch', 'BCH'],
    ['utxo', 'UTXO'],
  ] as const) {
    const family = standaloneFamily(`enable_${name}`)
    addTask(family, utxoRequest(name), (request) => startUtxo(state, family, protocol, request))
  }
  addTask(trezorFamily, trezorRequest, (request) => startTrezor(state, request))
  methods.set('get_enabled_coins', (params) => {
    if (params !== null && !(preset.emptyParams && JSON.stringify(params) === '{}')) {
      throw invalidRequestError(`invalid type: ${unexpected(params)}, expected unit`)
    }
    return { coins: [...state.active.keys()].map((ticker) => ({ ticker })) }
  })
  return methods
}

const statusRequest = struct('RpcTaskStatusRequest', ({ required, optional }) => ({
  id: required('task_id', unsigned('u64')),
  forgets: optional('forget_if_finished', flag, true),
}))

const cancelRequest = struct('CancelRpcTaskRequest', ({ required }) =>
  required('task_id', unsigned('u64')),
)

const userAction = struct('HwRpcTaskUserAction', ({ required }): UserAction => {
  const action_type = required('action_type', oneOf('TrezorPin', 'TrezorPassphrase'))
  const member = action_type === 'TrezorPin' ? 'pin' : 'passphrase'
  return { action_type, text: required(member, text) }
})

const actionRequest = struct('RpcTaskUserActionRequest', ({ required }) => ({
  id: required('task_id', unsigned('u64')),
  action: required('user_action', userAction),
}))

/** The answer of a legacy method, whose parameters stand beside it; an `Error` is its failure. */
type LegacyMethod = (request: JsonValue) => unknown

export function legacyMethods(state: FrameworkState): ReadonlyMap<string, LegacyMethod> {
  const coinRequest = struct('BalanceRequest', ({ required }) => required('coin', text))
  return new Map<string, LegacyMethod>(
    Object.entries({
      version: () => ({ result: state.preset.version }),
      get_enabled_coins: () => ({
        result: [...state.active].map(([ticker, { address }]) => ({ address, ticker })),
      }),
      my_balance: (request) => {
        const coin = coinRequest(request)
        const active = state.active.get(coin)
        if (active === undefined) throw new Error(`No such coin: ${coin}`)
        const { address, balance } = active
        const { spendable, unspendable } = balance
        return { address, balance: spendable, unspendable_balance: unspendable, coin }
      },
    } satisfies Record<string, LegacyMethod>),
  )
}
