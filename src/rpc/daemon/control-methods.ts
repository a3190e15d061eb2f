// The methods that end a daemon, let it mine, and ask for its estimates.

import { text as anyText, count, hashes, measure, nothing } from '../fields.ts'
import * as sizes from '../reply-sizes.ts'
import * as results from './control-results.ts'
import { bytes, flag, optional, uint32 } from './parameter.ts'
import type { NoParams } from './parameters.ts'
import { looking, type Rows } from './row.ts'

export interface ControlMethods {
  /** Ends the daemon; returns its last words. */
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
  /** Satoshis for 1,000 bytes by which a transaction waits `nblocks`; `null` without an estimate. */
  estimatefee: { params: { readonly nblocks: number }; result: bigint | null }
  estimatepriority: { params: { readonly nblocks: number }; result: number }
  /** The contract module and the function of an `OP_RETURN` script; 0 for none that it knows. */
  decodeccopret: {
    params: { readonly scriptPubKey: string }
    result: results.DecodedOpReturn | number
  }
}

const changing = { safety: 'other', replyBytesMax: sizes.scalarReplyBytesMax } as const

export const controlMethods: Rows<ControlMethods> = {
  stop: { ...changing, params: {}, result: anyText },
  uptime: { ...looking(count, sizes.scalarReplyBytesMax), params: {} },
  generate: {
    ...changing,
    params: { numblocks: uint32 },
    result: hashes,
    replyBytesMax: sizes.listReplyBytesMax,
  },
  setgenerate: {
    ...changing,
    params: { generate: flag, genproclimit: optional(uint32) },
    result: nothing,
  },
  getgenerate: { ...looking(results.miningState, sizes.scalarReplyBytesMax), params: {} },
  getlocalsolps: { ...looking(measure, sizes.scalarReplyBytesMax), params: {} },
  getnetworksolps: {
    ...looking(measure, sizes.scalarReplyBytesMax),
    params: { blocks: optional(uint32, 120), height: optional(uint32) },
  },
  estimatefee: {
    ...looking(results.feeEstimate, sizes.scalarReplyBytesMax),
    params: { nblocks: uint32 },
  },
  estimatepriority: {
    ...looking(measure, sizes.scalarReplyBytesMax),
    params: { nblocks: uint32 },
  },
  decodeccopret: {
    ...looking(results.decodedOpReturn, sizes.objectReplyBytesMax),
    params: { scriptPubKey: bytes },
  },
}
