// The recordings of a real tokeld: its chain, and what it made of tokens v2.

import { ancestorsIn } from './ancestors.ts'
import type { SentTransaction } from './komodod.ts'
import { type ChainTransaction, readVectors } from './vectors.ts'

const read = <Row>(name: string): Row[] =>
  readVectors<{ transactions: Row[] }>(`tokeld/${name}.json`).transactions

export const tokelChain: readonly ChainTransaction[] = read('90-chain-dump')

const hexByTxid = new Map(tokelChain.map(({ txid, hex }) => [txid, hex]))

export interface MadeV2 {
  readonly file: string
  readonly note: string
  readonly method: string
  readonly params: readonly (string | number)[]
  readonly hex: string
}

export const madeV2: readonly MadeV2[] = read('daemon-made')
export const mutatedV2: readonly SentTransaction[] = read('08-mutated-tokenv2-transfers')

/** Everything that `hex` descends from, as far as the chain has it. */
export function tokelAncestors(hex: string): string[] {
  return ancestorsIn(hexByTxid, hex)
}
