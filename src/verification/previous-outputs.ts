import { append } from '../primitives/append.ts'
import { type Finding, finding, type Known, type SpentAmount } from '../request/report.ts'
import type { Outpoint, Transaction, TransactionOutput } from '../transaction/types.ts'
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
  const contradictions: Finding[] = []
  const prevouts: (SpentOutput | undefined)[] = []
  const spends: SpentAmount[] = []
  for (const [input, outpoint] of tx.inputs.entries()) {
    const path = `inputs[${input}]`
    const found = spentOutput(outpoint, path, known)
    const prevout = 'code' in found ? undefined : found
    if ('code' in found) findings.push(found)
    const claimed = known.claims.get(`${outpoint.txid}:${outpoint.vout}`)
    const spend = spentAmount(input, prevout?.value, claimed)
    if (spend.known === 'contradictory') {
      const details = { expected: claimed!.join(' and '), actual: prevout?.value }
      contradictions.push(finding('amount_contradicted', path, details))
    }
    prevouts.push(prevout)
    spends.push(spend)
  }
  append(findings, contradictions)
  return { findings, prevouts, spends }
}

/** Returns the output that an input spends, or a finding that says why it cannot be spent. */
function spentOutput(
  { txid, vout }: Outpoint,
  path: string,
  { byTxid }: KnownTransactions,
): SpentOutput | Finding {
  const transaction = byTxid.get(txid)
  if (transaction === undefined) return finding('prevout_missing', path, { expected: txid })
  const output = transaction.outputs[vout]
  if (output === undefined) {
    const expected = `below ${transaction.outputs.length}`
    return finding('prevout_index', `${path}.vout`, { expected, actual: vout })
  }
  const { value, script } = output
  if (value >= 0n) return { txid, vout, value, script, output, transaction }
  return finding('value_range', path, { expected: 'at least 0', actual: value })
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
