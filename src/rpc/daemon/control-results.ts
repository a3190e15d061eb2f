// Results of methods that control a daemon or ask for its estimates.

import * as v from 'valibot'
import { isLosslessNumber } from '../../primitives/json.ts'
import {
  chosen,
  count,
  flag,
  integer,
  type Open,
  type Schema,
  satsFromCoins,
  success,
  text,
} from '../fields.ts'

export interface MiningState extends Open {
  readonly generate: boolean
  /** -1 for all processors. */
  readonly numthreads: number
}

const miningObject: Schema<MiningState> = v.looseObject({ generate: flag, numthreads: integer })

/** Older daemons answer the flag alone. */
export const miningState: Schema<MiningState | boolean> = chosen<MiningState | boolean>((value) =>
  typeof value === 'boolean' ? flag : miningObject,
)

/** The daemon answers -1 if it has no estimate; that is not a fee. */
export const feeEstimate: Schema<bigint | null> = v.pipe(
  satsFromCoins,
  v.transform((sats) => (sats < 0n ? null : sats)),
)

export interface DecodedOpReturn extends Open {
  readonly OpRets: readonly ({ readonly eval_code: string; readonly function: string } & Open)[]
}

const opReturns: Schema<DecodedOpReturn> = v.looseObject({
  result: success,
  OpRets: v.array(v.looseObject({ eval_code: text, function: text })),
})

/** Recorded: komodod answers the number 0 about data of no module that it knows. */
export const decodedOpReturn: Schema<DecodedOpReturn | number> = chosen<DecodedOpReturn | number>(
  (value) => (isLosslessNumber(value) ? count : opReturns),
)
