// Scripts as a daemon decodes them, in transactions and alone.

import * as v from 'valibot'
import { count, hex, type Open, optional, type Schema, text } from '../fields.ts'

interface ScriptMembers extends Open {
  readonly asm: string
  readonly type: string
  /**
   * Present, like the next, if the script has addresses: not for `nulldata` and `nonstandard`.
   */
  readonly reqSigs?: number
  readonly addresses?: readonly string[]
}

const scriptMembers = {
  asm: text,
  type: text,
  reqSigs: optional(count),
  addresses: optional(v.array(text)),
}

/** The script of an output. */
export interface DecodedScriptReply extends ScriptMembers {
  readonly hex: string
}

export const decodedScript: Schema<DecodedScriptReply> = v.looseObject({ ...scriptMembers, hex })

/** A script that was given as hex. */
export interface ScriptReply extends ScriptMembers {
  /** Address of the script's hash. */
  readonly p2sh?: string
}

export const script: Schema<ScriptReply> = v.looseObject({ ...scriptMembers, p2sh: optional(text) })
