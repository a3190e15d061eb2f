// The blocks of a recorded chain, and proofs that its transactions are in them.

import { decodeBlockHeader } from '../../src/electrum/index.ts'
import {
  decodeTransaction,
  type Evidence,
  type InclusionBranch,
  type PaymentIntent,
} from '../../src/index.ts'
import { headersOf } from './headers.ts'
import { branchOf } from './merkle.ts'
import { leadingTransactions } from './transactions.ts'

export const headers: readonly string[] = headersOf('komodod-headers.txt')
export const decodedHeaders = headers.map((hex) => decodeBlockHeader(hex))
export const blocks = headersOf('komodod-bodies.txt').map(leadingTransactions)
const txidsOf = blocks.map((block) => block.map((hex) => decodeTransaction(hex).txid))
const places = new Map(
  txidsOf.flatMap((txids, height) => txids.map((txid, pos) => [txid, { height, pos }] as const)),
)

/** A block of the recorded chain, as a request names it. */
export const blockAt = (height: number) => ({ height, hash: decodedHeaders[height]!.hash })

export const hexOf = (txid: string) => {
  const { height, pos } = places.get(txid)!
  return blocks[height]![pos]!
}

/** A branch as a server gives it, with that of the coinbase. */
export function proofOf(
  txid: string,
): InclusionBranch & { coinbase: { transaction: string; merkle: string[] } } {
  const { height, pos } = places.get(txid)!
  const txids = txidsOf[height]!
  return {
    txid,
    height,
    pos,
    merkle: branchOf(txids, pos),
    coinbase: { transaction: blocks[height]![0]!, merkle: branchOf(txids, 0) },
  }
}

/** The median time of the last blocks. */
const medianTime = decodedHeaders.at(-6)!.time

/** A recorded payment in plain coins, with its request and what it spends. */
export interface RecordedPayment {
  readonly hex: string
  readonly height: number
  readonly intent: PaymentIntent
  readonly evidence: Evidence & { readonly tipHeight: number }
  readonly parents: readonly string[]
}

/** The recorded payments whose outputs and coins are those of plain keys. */
export const payments: readonly RecordedPayment[] = blocks.flatMap((block, height) =>
  block.slice(1).flatMap((hex) => paymentOf(hex, height)),
)

function isPlain(script: string): boolean {
  return /^(?:21.{66}ac|76a914.{40}88ac)$/.test(script)
}

function paymentOf(hex: string, height: number): RecordedPayment[] {
  const { inputs, outputs, expiryHeight } = decodeTransaction(hex)
  const parents = [...new Set(inputs.map(({ txid }) => txid))]
  if (parents.some((txid) => !places.has(txid))) return []
  const coins = inputs.map(({ txid, vout }) => decodeTransaction(hexOf(txid)).outputs[vout]!)
  if (![...coins, ...outputs].every(({ script }) => isPlain(script))) return []
  const sum = (of: readonly { readonly value: bigint }[]) =>
    of.reduce((all, { value }) => all + value, 0n)
  const fee = sum(coins) - sum(outputs)
  return [
    {
      hex,
      height,
      parents,
      intent: {
        recipients: outputs.map(({ script, value }) => ({ script, amount: value })),
        own: [...new Set(coins.map(({ script }) => script))],
        maxFee: fee,
        ...(expiryHeight > 0 && { expiryHeight }),
      },
      evidence: { previousTransactions: parents.map(hexOf), tipHeight: height - 1, medianTime },
    },
  ]
}
