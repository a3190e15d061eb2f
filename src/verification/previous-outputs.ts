import { type Finding, finding, type Known, type SpentAmount } from '../request/report.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'

/** The output that an input spends, read from its whole transaction. */
export interface SpentOutput {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
  readonly script: string
  /** One object for all inputs that name it. */
  readonly output: TransactionOutput
  readonly transaction: Transaction
}

export interface ResolvedInputs {
  readonly findings: readonly Finding[]
  /** In the order of the inputs; undefined where the transaction was not given. */
  readonly prevouts: readonly (SpentOutput | undefined)[]
  /** The value of each input, and the evidence for it. */
  readonly spends: readonly SpentAmount[]
}

/** Finds the output of each input among the given transactions. */
export function resolveInputs(tx: Transaction, known: KnownTransactions): ResolvedInputs {
  const findings: Finding[] = []
  const prevouts = tx.inputs.map(({ txid, vout }, index): SpentOutput | undefined => {
    const path = `inputs[${index}]`
    const transaction = known.byTxid.get(txid)
    if (transaction === undefined) {
      findings.push(finding('prevout_missing', path, { expected: txid }))
      return undefined
    }
    const output = transaction.outputs[vout]
    if (output === undefined) {
      const expected = `below ${transaction.outputs.length}`
      findings.push(finding('prevout_index', `${path}.vout`, { expected, actual: vout }))
      return undefined
    }
    const { value, script } = output
    if (value < 0n) {
      findings.push(finding('value_range', path, { expected: 'at least 0', actual: value }))
      return undefined
    }
    return { txid, vout, value, script, output, transaction }
  })
  const spends = tx.inputs.map(({ txid, vout }, input) => {
    const claimed = known.claims.get(`${txid}:${vout}`)
    const spend = spentAmount(input, prevouts[input]?.value, claimed)
    if (spend.known === 'contradictory') {
      const details = { expected: claimed!.join(' and '), actual: prevouts[input]?.value }
      findings.push(finding('amount_contradicted', `inputs[${input}]`, details))
    }
    return spend
  })
  return { findings, prevouts, spends }
}

function spentAmount(
  input: number,
  proven: bigint | undefined,
  claimed: readonly bigint[] = [],
): SpentAmount {
  const value = proven ?? claimed[0]
  if (value === undefined) return { input, known: 'missing' }
  if (claimed.some((it) => it !== value)) return { input, value, known: 'contradictory' }
  return { input, value, known: proven === undefined ? 'asserted' : 'proven' }
}

/** Returns the evidence for the fee, which is that of its least certain amount. */
export function knownOf(spends: readonly SpentAmount[]): Known {
  const order = ['missing', 'contradictory', 'asserted'] as const
  return order.find((it) => spends.some(({ known }) => known === it)) ?? 'proven'
}
