// Results about peers that were added or banned, and about the daemon's age.

import * as v from 'valibot'
import { count, flag, integer, type Open, optional, type Schema, text } from '../fields.ts'

/** A peer that `addnode` added. */
export interface AddedNode extends Open {
  readonly addednode: string
  /** Absent, like `addresses`, if names were not looked up. */
  readonly connected?: boolean
  readonly addresses?: readonly ({
    readonly address: string
    /** `false`, `inbound` or `outbound`. */
    readonly connected: string
  } & Open)[]
}

export const addedNodes: Schema<readonly AddedNode[]> = v.array(
  v.looseObject({
    addednode: text,
    connected: optional(flag),
    addresses: optional(v.array(v.looseObject({ address: text, connected: text }))),
  }),
)

export interface Ban extends Open {
  /** Address and mask. */
  readonly address: string
  /** Seconds since 1970. */
  readonly banned_until: number
}

export const bans: Schema<readonly Ban[]> = v.array(
  v.looseObject({ address: text, banned_until: count }),
)

export interface DeprecationInfo extends Open {
  readonly version: number
  readonly subversion: string
  /** The daemon stops at this height. */
  readonly deprecationheight: number
}

export const deprecationInfo: Schema<DeprecationInfo> = v.looseObject({
  version: integer,
  subversion: text,
  deprecationheight: integer,
})
