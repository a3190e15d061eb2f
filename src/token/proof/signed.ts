import { networks } from '../../chain/network.ts'
import { verifyInputs } from '../../signing/verify.ts'
import { encodeTransaction } from '../../transaction/encode.ts'
import type { Outpoint, Transaction, TransactionOutput } from '../../transaction/types.ts'
import { type FindTransaction, outputAt } from '../rules/funding.ts'
import type { Disproof } from './proof.ts'

/** Stands for an output whose input is not checked. */
const nothing: TransactionOutput = { value: 0n, script: '' }

/** Finds the first of some inputs that is not validly signed. */
export function unsignedInput(
  transaction: Transaction,
  inputs: readonly Outpoint[],
  find: FindTransaction,
): Disproof | undefined {
  const toCheck = new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`))
  const isToCheck = ({ txid, vout }: Outpoint): boolean => toCheck.has(`${txid}:${vout}`)
  const prevouts = transaction.inputs.map(
    (input) => (isToCheck(input) && outputAt(input, find)) || nothing,
  )
  // the token rules have decided what holds tokens; conditions of both kinds of daemon are verified
  const verdicts = verifyInputs(encodeTransaction(transaction), prevouts, networks.tokel)
  const at = transaction.inputs.findIndex((it, index) => isToCheck(it) && !verdicts[index]!.ok)
  if (at < 0) return undefined
  const actual = `${verdicts[at]!.code} in inputs[${at}]`
  return { txid: transaction.txid, rule: 'signature_invalid', actual }
}
