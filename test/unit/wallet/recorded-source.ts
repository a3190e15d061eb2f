// A chain source on transactions of a recording, which keeps what it is asked to broadcast.

import { decodeTransaction, transactionId } from '../../../src/index.ts'
import type { ChainSource } from '../../../src/wallet/index.ts'

export interface RecordedTransaction {
  readonly hex: string
  /** Default 1. */
  readonly height?: number
}

export interface RecordedSource extends ChainSource {
  /** Hex that `broadcast` was called with. */
  readonly sent: readonly string[]
}

/**
 * @param tipHeight - height of the last block
 * @param answers - bytes that it gives for some txids instead of their own
 */
export function recordedSource(
  transactions: readonly RecordedTransaction[],
  tipHeight: number,
  answers: ReadonlyMap<string, string | undefined> = new Map(),
): RecordedSource {
  const sent: string[] = []
  const made = transactions.map(({ hex, height = 1 }) => {
    const { txid, inputs, outputs } = decodeTransaction(hex)
    return { txid, inputs, outputs, hex, height }
  })
  const byTxid = new Map(made.map((it) => [it.txid, it]))
  const spent = new Set(
    made.flatMap(({ inputs }) => inputs.map(({ txid, vout }) => `${txid}:${vout}`)),
  )
  return {
    name: 'recording',
    sent,
    tip: async () => ({ height: tipHeight, time: 1_800_000_000 }),
    unspent: async (scripts) =>
      made.flatMap(({ txid, height, outputs }) =>
        outputs.flatMap(({ script }, vout) =>
          scripts.includes(script) && !spent.has(`${txid}:${vout}`) ? [{ txid, vout, height }] : [],
        ),
      ),
    history: async (scripts) =>
      made
        .filter(
          ({ inputs, outputs }) =>
            outputs.some(({ script }) => scripts.includes(script)) ||
            inputs.some(({ txid, vout }) =>
              scripts.includes(byTxid.get(txid)?.outputs[vout]?.script ?? ''),
            ),
        )
        .map(({ txid, height }) => ({ txid, height })),
    transactions: async (txids) =>
      txids.map((txid) => (answers.has(txid) ? answers.get(txid) : byTxid.get(txid)?.hex)),
    async broadcast(hex) {
      sent.push(hex)
      return transactionId(hex)
    },
  }
}
