import { paysKey } from '../../script/key-script.ts'
import type { Outpoint, Transaction, TransactionOutput } from '../../transaction/types.ts'
import { fulfillmentsOf } from './fulfillment.ts'

/** Looks a transaction up by its id. */
export type FindTransaction = (txid: string) => Transaction | undefined

/** Returns the output that an outpoint names, if its transaction is known and can be on a chain. */
export function outputAt(
  { txid, vout }: Outpoint,
  find: FindTransaction,
): TransactionOutput | undefined {
  const output = find(txid)?.outputs[vout]
  // No chain has an output with a negative value.
  return output !== undefined && output.value >= 0n ? output : undefined
}

/** The coins that an owner paid into the creation of a token, as IsTokensvout counts them. */
interface Funding {
  /** Satoshis. */
  readonly paid: bigint
  readonly paying: readonly Outpoint[]
  /** Unknown transactions that may have paid. */
  readonly missing: readonly string[]
}

export function fundingOf(transaction: Transaction, owner: string, find: FindTransaction): Funding {
  const fulfillments = fulfillmentsOf(transaction)
  const missing: string[] = []
  const paying: Outpoint[] = []
  let paid = 0n
  for (const [index, input] of transaction.inputs.entries()) {
    if (fulfillments[index] !== undefined) continue
    if (find(input.txid) === undefined) missing.push(input.txid)
    const output = outputAt(input, find)
    if (output === undefined || !paysKey(output.script, owner)) continue
    paying.push(input)
    paid += output.value
  }
  return { paid, paying, missing }
}
