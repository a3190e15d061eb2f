import { networks } from '../../chain/network.ts'
import { recentValues } from '../../primitives/recent.ts'
import { verifyInputs } from '../../signing/verify.ts'
import { encodeTransaction } from '../../transaction/encode.ts'
import type { Outpoint, Transaction, TransactionOutput } from '../../transaction/types.ts'
import { type FindTransaction, outputAt } from '../rules/funding.ts'
import type { Disproof } from './proof.ts'

/** Stands for an output whose input is not checked. */
const nothing: TransactionOutput = { value: 0n, script: '' }

/** About 4 MB. A wallet proves the whole history of a token for each of its transfers. */
const transactionsMax = 20_000

/**
 * Transactions by txid and by the inputs whose signatures are valid. A txid is the hash of all bytes,
 * and inputs name what they spend by txid, so the result never changes.
 */
const signed = recentValues<true>(transactionsMax)

/** Finds the first of some inputs that is not validly signed. */
export function unsignedInput(
  transaction: Transaction,
  inputs: readonly Outpoint[],
  find: FindTransaction,
): Disproof | undefined {
  const toCheck = new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`))
  const isToCheck = ({ txid, vout }: Outpoint): boolean => toCheck.has(`${txid}:${vout}`)
  const indexes = transaction.inputs.flatMap((it, index) => (isToCheck(it) ? [index] : []))
  const key = `${transaction.txid} ${indexes.join()}`
  if (signed.get(key) === true) return undefined
  const prevouts = transaction.inputs.map(
    (input) => (isToCheck(input) && outputAt(input, find)) || nothing,
  )
  // the token rules have decided what holds tokens; conditions of both kinds of daemon are verified
  const verdicts = verifyInputs(encodeTransaction(transaction), prevouts, networks.tokel)
  const at = indexes.find((index) => !verdicts[index]!.ok)
  if (at === undefined) {
    signed.add(key, true, 1)
    return undefined
  }
  const actual = `${verdicts[at]!.code} in inputs[${at}]`
  return { txid: transaction.txid, rule: 'signature_invalid', actual }
}
