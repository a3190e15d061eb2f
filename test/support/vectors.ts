import { readFileSync } from 'node:fs'

/** Reads a file below test/vectors. */
export function readVectors<Content>(path: string): Content {
  return JSON.parse(readFileSync(new URL(`../vectors/${path}`, import.meta.url), 'utf8'))
}

export interface ChainTransaction {
  readonly height: number
  readonly txid: string
  readonly hex: string
}

/** Every transaction of the recorded komodod chain, oldest first. */
export const chain: readonly ChainTransaction[] = readVectors<{
  transactions: ChainTransaction[]
}>('komodod/90-chain-dump.json').transactions
