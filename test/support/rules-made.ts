// Transactions that are made up for rules that read inputs and outputs only, and the parts of them.

import type { Transaction, TransactionOutput } from '../../src/index.ts'
import { push } from './sign.ts'

/** The ID of a transaction, by a digit that tells it from others. */
export const id = (digit: string) => digit.repeat(64)

/** A text behind its length, if that is a byte. */
export const vec = (hex: string) => (hex.length / 2).toString(16).padStart(2, '0') + hex

export const out = (value: bigint, script: string): TransactionOutput => ({ value, script })

/** The output with the payload of a token. */
export const payloadOutput = (payload: string) => out(0n, `6a${push(payload)}`)

export type Input = readonly [txid: string, vout: number, scriptSig?: string]

export const made = (
  txid: string,
  inputs: readonly Input[],
  outputs: readonly TransactionOutput[],
) =>
  ({
    txid,
    inputs: inputs.map(([from, vout, scriptSig = '']) => ({
      txid: from,
      vout,
      scriptSig,
      sequence: 0,
    })),
    outputs,
  }) as unknown as Transaction

/** A fulfillment that shows a key and an eval code. */
export const shows = (pubkey: string, evalCode: string) =>
  `4c79a276a072a26ba067a5658021${pubkey}8140${'00'.repeat(64)}a100af038001${evalCode}a10001`
