// Transactions whose fee is paid by coins of other keys, as daemons pay it from any of their wallet.

import {
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  signTransaction,
  type TransactionFields,
  transactionId,
} from '../../src/index.ts'
import { madeUpInputs } from './made-up.ts'
import { a, evidenceFor, p2pk, privateKeys } from './resigned.ts'

export interface Made {
  readonly hex: string
  readonly evidence: Evidence
}

/** `tx` with its native input replaced by coins that a made-up transaction pays to these scripts. */
export function paidBy(tx: TransactionFields, tipHeight: number, scripts: readonly string[]): Made {
  const given = evidenceFor(tx, tipHeight)
  const replaced = tx.inputs.findIndex(({ txid, vout }) => {
    return spentOutput(given, txid, vout).script === p2pk(a)
  })
  const { txid, vout } = tx.inputs[replaced]!
  const whole = spentOutput(given, txid, vout).value
  const share = whole / BigInt(scripts.length)
  const outputs = scripts.map((script, at) => {
    return { value: at === 0 ? whole - share * BigInt(scripts.length - 1) : share, script }
  })
  const parent = encodeTransaction({ ...tx, inputs: madeUpInputs, outputs })
  const coins = scripts.map((_, at) => {
    return { txid: transactionId(parent), vout: at, scriptSig: '', sequence: 0xffffffff }
  })
  const rest = tx.inputs.filter((_, at) => at !== replaced)
  const evidence = {
    ...given,
    previousTransactions: [...given.previousTransactions, parent],
  }
  const unsigned = { ...tx, inputs: [...coins, ...rest].map((it) => ({ ...it, scriptSig: '' })) }
  return { hex: signed(unsigned, evidence), evidence }
}

export function spentOutput(evidence: Evidence, txid: string, vout: number) {
  const hex = evidence.previousTransactions.find((it) => transactionId(it) === txid)!
  return decodeTransaction(hex).outputs[vout]!
}

export function signed(tx: TransactionFields, evidence: Evidence): string {
  const prevouts = tx.inputs.map(({ txid, vout }) => spentOutput(evidence, txid, vout))
  return signTransaction(encodeTransaction(tx), [...privateKeys.values()], prevouts).hex
}
