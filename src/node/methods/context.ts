import type { Engine } from '../engine.ts'
import type { DaemonSettings } from '../state/daemon-settings.ts'
import type { NodeState } from '../state/view.ts'
import type { Wallet } from '../state/wallet.ts'
import type { Answer } from './answer.ts'
import type { Params } from './params.ts'

/** The daemon of one identity. */
interface Daemon {
  readonly engine: Engine
  /** Which of the wallets. */
  readonly identity: number
  /** Seconds since 1970 at which the node was started. */
  readonly startedAt: number
  readonly rpcPort: number
  /** Mines at once what was just accepted, where mining is automatic. */
  readonly afterBroadcast: () => void
  readonly mineBlock: () => string
  /** Ends this identity's server. */
  readonly stop: () => void
}

/** The node, as one identity sees it: the input of every method. */
export interface Context extends Daemon {
  readonly rules: Engine['rules']
  readonly state: NodeState
  /** The present wallet of this identity, which may be replaced. */
  wallet: Wallet
}

export function contextOf(daemon: Daemon): Context {
  const { engine, identity } = daemon
  return {
    ...daemon,
    rules: engine.rules,
    get state() {
      return engine.state
    },
    get wallet() {
      return engine.state.wallets[identity]!
    },
    set wallet(wallet) {
      engine.state = { ...engine.state, wallets: engine.state.wallets.with(identity, wallet) }
    },
  }
}

/** A method: how it is called, and what it does. */
export interface Method {
  /** As `help` lists it, parameters and all. */
  readonly usage: string
  readonly category: string
  /** Least and most parameters. */
  readonly params: readonly [number, number]
  readonly answer: (context: Context, params: Params) => Answer
  /** False for parameters that the daemon answers with the method's help. */
  readonly accepts?: (params: Params) => boolean
  /** For `help`; the first line is the usage. */
  readonly about?: string
}

export type Methods = Readonly<Record<string, Method>>

/** A method of a category; `name` where its usage begins with another one. */
export type MethodRow = Omit<Method, 'category'> & { readonly name?: string }

export function method(
  usage: string,
  params: readonly [number, number],
  answer: Method['answer'],
): MethodRow {
  return { usage, params, answer }
}

/** Makes a table of the methods of one category by their names, with which usages begin. */
export function methodsIn(category: string, rows: readonly MethodRow[]): Methods {
  return Object.fromEntries(
    rows.map(({ name, ...row }) => [name ?? row.usage.split(/\s/)[0], { ...row, category }]),
  )
}

export function changeSettings(context: Context, changed: Partial<DaemonSettings>): void {
  const { wallet } = context
  context.wallet = { ...wallet, settings: { ...wallet.settings, ...changed } }
}

/** Returns the port on which a daemon would listen for peers. @see komodo src/rpc/misc.cpp, getinfo */
export function p2pPortOf({ rpcPort }: Context): number {
  return Math.max(0, rpcPort - 1)
}
