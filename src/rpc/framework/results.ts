import * as v from 'valibot'
import { type Open, optional, type Schema, text } from '../fields.ts'

// Results keep the wire's member names. Amounts stay decimal texts, because each coin has its own
// number of decimals, up to 18 and more, and the server prints them exactly.

export * from './activation-results.ts'
export * from './task-results.ts'
export * from './transaction-results.ts'

export interface ServerVersion extends Open {
  /** The version, such as `2.5.1-beta_<hash>`. */
  readonly result: string
  readonly datetime?: string
}

export const serverVersion: Schema<ServerVersion> = v.looseObject({
  result: text,
  datetime: optional(text),
})
