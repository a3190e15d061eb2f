// The recordings of a real komodod: its chain, its keys and what it made.

import { decodeTransaction } from '../../src/index.ts'
import { ancestorsIn } from './ancestors.ts'
import { chain, readVectors } from './vectors.ts'

export { readVectors } from './vectors.ts'

interface Keys {
  A: { pubkey: string }
  B: { pubkey: string }
  C: { pubkey: string }
  txids: Record<string, string>
}

export const keys: Keys = readVectors('komodod/keys.json')

const hexByTxid = new Map(chain.map(({ txid, hex }) => [txid, hex]))

export function chainTransaction(txid: string): string {
  const hex = hexByTxid.get(txid)
  if (hex === undefined) throw new Error(`no transaction ${txid} on the recorded chain`)
  return hex
}

/** The transactions that the inputs of `hex` spend from, as far as the chain has them. */
export function previousTransactions(hex: string): string[] {
  const txids = new Set(decodeTransaction(hex).inputs.map(({ txid }) => txid))
  return [...txids].flatMap((txid) => hexByTxid.get(txid) ?? [])
}

/** The height that the daemon built `hex` on: its expiry less the next block and 200 more. */
export function tipHeightOf(hex: string): number {
  return decodeTransaction(hex).expiryHeight - 201
}

/** A coin of the recorded chain that pays a script, and that nothing on that chain spends. */
export function unspentCoin(script: string): { readonly txid: string; readonly vout: number } {
  const decoded = chain.map(({ hex }) => decodeTransaction(hex))
  const spent = new Set(
    decoded.flatMap(({ inputs }) => inputs.map(({ txid, vout }) => `${txid}:${vout}`)),
  )
  const coins = decoded.flatMap(({ txid, outputs }) =>
    outputs.flatMap((output, vout) =>
      output.script === script && output.value > 20_000n && !spent.has(`${txid}:${vout}`)
        ? [{ txid, vout }]
        : [],
    ),
  )
  return coins[0]!
}

export interface MadeTransaction {
  file: string
  note: string
  method: 'tokencreate' | 'tokentransfer'
  params: string[]
  hex: string
}

export const daemonMade: MadeTransaction[] = readVectors<{ transactions: MadeTransaction[] }>(
  'komodod/daemon-made.json',
).transactions

export interface SentTransaction {
  note: string
  hex: string
  accepted: boolean
}

export function sentTransactions(name: string): SentTransaction[] {
  return readVectors<{ transactions: SentTransaction[] }>(`komodod/${name}.json`).transactions
}

/** Everything that `hex` descends from, as far as the chain has it. */
export function ancestors(hex: string): string[] {
  return ancestorsIn(hexByTxid, hex)
}
