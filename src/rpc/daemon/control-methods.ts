// The methods that end a daemon, let it mine, and ask for its estimates.

import type { JsonValue } from '../../primitives/json.ts'
import { text as anyText, anything, count, hashes, measure, nothing } from '../fields.ts'
import * as results from './control-results.ts'
import { bytes, flag, optional, text, uint32 } from './parameter.ts'
import type { NoParams } from './parameters.ts'
import { type Rows, row } from './row.ts'

export interface CclibParams {
  /** Name of the function. */
  readonly method: string
  /** Number of the contract's eval code, as a text. */
  readonly evalcode?: string
  /** JSON of the function's own parameters, as a text. */
  readonly params?: string
}

export interface ControlMethods {
  /** Ends the daemon; returns its last message. */
  stop: { params: NoParams; result: string }
  /** Seconds since the daemon started. */
  uptime: { params: NoParams; result: number }
  /** Mines blocks, on a chain for tests; returns their hashes. */
  generate: { params: { readonly numblocks: number }; result: readonly string[] }
  setgenerate: {
    params: { readonly generate: boolean; readonly genproclimit?: number }
    result: null
  }
  getgenerate: { params: NoParams; result: results.MiningState | boolean }
  getlocalsolps: { params: NoParams; result: number }
  getnetworksolps: {
    params: { readonly blocks?: number; readonly height?: number }
    result: number
  }
  getnetworkhashps: {
    params: { readonly blocks?: number; readonly height?: number }
    result: number
  }
  /**
   * Calls a function of the contract library that a chain names with `-ac_cclib`. The library
   * decides what the function does and returns.
   */
  cclib: { params: CclibParams; result: JsonValue }
  /**
   * Satoshis for 1,000 bytes by which a transaction waits `nblocks`; `null` without an estimate.
   */
  estimatefee: { params: { readonly nblocks: number }; result: bigint | null }
  estimatepriority: { params: { readonly nblocks: number }; result: number }
  /** The contract module and the function of an `OP_RETURN` script; 0 for an unknown one. */
  decodeccopret: {
    params: { readonly scriptPubKey: string }
    result: results.DecodedOpReturn | number
  }
}

const averaged = { blocks: optional(uint32, 120), height: optional(uint32) }

export const controlMethods: Rows<ControlMethods> = {
  stop: row('other', 'scalar', anyText, {}),
  uptime: row('read', 'scalar', count, {}),
  generate: row('other', 'list', hashes, { numblocks: uint32 }),
  setgenerate: row('other', 'scalar', nothing, { generate: flag, genproclimit: optional(uint32) }),
  getgenerate: row('read', 'scalar', results.miningState, {}),
  getlocalsolps: row('read', 'scalar', measure, {}),
  getnetworksolps: row('read', 'scalar', measure, averaged),
  getnetworkhashps: row('read', 'scalar', measure, averaged),
  cclib: row('other', 'untyped', anything, {
    method: text,
    evalcode: optional(text, ''),
    params: optional(text),
  }),
  estimatefee: row('read', 'scalar', results.feeEstimate, { nblocks: uint32 }),
  estimatepriority: row('read', 'scalar', measure, { nblocks: uint32 }),
  decodeccopret: row('read', 'object', results.decodedOpReturn, { scriptPubKey: bytes }),
}
