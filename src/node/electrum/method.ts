// A method of the Electrum protocol: the parties to a call, and the versions that have the method.

import type { JsonValue } from '../../primitives/json.ts'
import type { Engine } from '../engine.ts'
import type { Context } from '../methods/context.ts'
import type { ScriptHistory } from './script-history.ts'

/** Versions of the protocol that are served, and how `server.version` names them. */
export type Protocol = '1.4' | '1.4.1' | '1.4.2' | '1.4.3' | '1.5' | '1.6'

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
  /** The daemon that the Electrum server reads, as a real one reads its own. */
  readonly daemon: Context
  readonly session: ElectrumSession
}

export type Arguments = readonly (JsonValue | undefined)[]

export interface Method {
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  /** The first version that has it, and the first that does not; all have it by default. */
  readonly since?: Protocol
  readonly until?: Protocol
  answer(context: ElectrumContext, params: Arguments): unknown
}

export type Methods = Readonly<Record<string, Method>>

export const protocols: readonly Protocol[] = ['1.4', '1.4.1', '1.4.2', '1.4.3', '1.5', '1.6']
