// Contradictions within the evidence: a transaction can be on a chain only together with all of its
// ancestors. Each given ancestor is visited once, nearest first, so the work stays linear in the
// bytes given.

import type { Network } from '../chain/network.ts'
import type { Steps } from '../primitives/steps.ts'
import type { Evidence } from '../request/evidence.ts'
import { heightIn } from '../request/heights.ts'
import { type Finding, finding } from '../request/report.ts'
import { isNullOutpoint } from '../transaction/coinbase.ts'
import type { Transaction } from '../transaction/types.ts'
import { type AncestorContext, checkAncestor } from './ancestor-rules.ts'
import { newSigningBudget, type SignedAncestor, takeSigned } from './ancestor-signatures.ts'
import type { KnownTransactions } from './evidence.ts'
import { createFindingList } from './finding-list.ts'
import { takingsOf } from './takings.ts'

interface Ancestry {
  readonly findings: readonly Finding[]
  /** Ancestors whose signatures are checked afterwards. */
  readonly signed: readonly SignedAncestor[]
}

const findingsMax = 8

type Given = Pick<Evidence, 'tipHeight' | 'tipTime' | 'heights'>

export function* checkAncestry(
  tx: Transaction,
  known: KnownTransactions,
  evidence: Given,
  network: Network,
): Steps<Ancestry> {
  const { byTxid, givenAt } = known
  const { tipHeight, tipTime } = evidence
  const heightOf = (txid: string) => heightIn(evidence, txid)
  const context = { byTxid, heightOf, tipHeight, tipTime, network }
  const findings = createFindingList(findingsMax)
  const spenders = new Map<string, Spender>()
  const budget = newSigningBudget()
  const signed: SignedAncestor[] = []

  findings.add(checkSent(tx, heightOf))
  findings.add(noteSpends(tx, '', spenders))
  const ancestors = new Set(tx.inputs.map(({ txid }) => txid))
  ancestors.delete(tx.txid)
  for (const txid of ancestors) {
    const ancestor = byTxid.get(txid)
    if (ancestor === undefined) continue
    const given = givenAt.get(txid)!
    const { path } = given
    for (const input of ancestor.inputs) ancestors.add(input.txid)
    findings.add(noteSpends(ancestor, path, spenders))
    findings.add(checkAncestor(ancestor, path, context))
    const toCheck = takeSigned(ancestor, given, context, budget)
    if (toCheck !== undefined) signed.push(toCheck)
    yield
  }
  for (const [txid, other] of byTxid) {
    if (txid === tx.txid || ancestors.has(txid)) continue
    findings.add(contested(other, spenders, heightOf(txid)))
    yield
  }
  // A source without a single height knows none of the transactions, which is no reason for trust.
  if (evidence.heights !== undefined) {
    const fullyChecked = new Set(signed.flatMap((it) => (it.isComplete ? [it.txid] : [])))
    findings.add(yield* checkConfirmations(tx, context, fullyChecked))
  }
  return { findings: findings.all, signed }
}

/** Reports that the transaction itself is in a block, by the given heights. */
function checkSent({ txid }: Transaction, heightOf: AncestorContext['heightOf']): Finding[] {
  const height = heightOf(txid)
  if (height === undefined || height === 0) return []
  return [finding('already_in_block', 'txid', { actual: height })]
}

/** The first spender of an output, counted from the transaction back. */
interface Spender {
  readonly txid: string
  /** The path of the input. */
  readonly path: string
}

/**
 * Records what a transaction takes from the chain, and reports what an earlier one takes too.
 */
function noteSpends(
  transaction: Transaction,
  at: string,
  spenders: Map<string, Spender>,
): Finding[] {
  const { txid } = transaction
  const findings: Finding[] = []
  for (const { name, member } of takingsOf(transaction)) {
    const path = at === '' ? member : `${at}.${member}`
    const first = spenders.get(name)
    if (first === undefined) spenders.set(name, { txid, path })
    else if (first.txid !== txid) {
      const actual = `${name} is spent by ${first.txid} and by ${txid}`
      findings.push(finding('ancestor_conflict', first.path, { actual }))
    } else if (at !== '') {
      const actual = `${txid} spends ${name} twice`
      findings.push(finding('ancestor_invalid', path, { actual }))
    }
  }
  return findings
}

/** Reports what a given transaction takes from the ancestry without being an ancestor. */
function contested(
  transaction: Transaction,
  spenders: ReadonlyMap<string, Spender>,
  height: number | undefined,
): Finding[] {
  return takingsOf(transaction).flatMap(({ name }) => {
    const spender = spenders.get(name)
    if (spender === undefined) return []
    const code = height !== undefined && height > 0 ? 'output_spent' : 'output_contested'
    return [finding(code, spender.path, { actual: `${name} is spent by ${transaction.txid}` })]
  })
}

/**
 * Reports ancestors that are in no block, or possibly in no block. Only evidence with heights can
 * show that: if a transaction is in a block, so are all of its ancestors.
 *
 * Inputs that spend such a transaction have a finding of their own: `unconfirmed_input`.
 */
function* checkConfirmations(
  tx: Transaction,
  { byTxid, heightOf }: AncestorContext,
  fullyChecked: ReadonlySet<string>,
): Steps<Finding[]> {
  const findings: Finding[] = []
  const paths = new Map<string, string>()
  for (const [index, input] of tx.inputs.entries()) {
    if (!paths.has(input.txid)) paths.set(input.txid, `inputs[${index}]`)
  }
  const direct = paths.size
  let position = 0
  for (const [txid, path] of paths) {
    const isDirect = position < direct
    position += 1
    yield
    const height = heightOf(txid)
    // ancestors of a transaction in no block need no warning of their own
    if (height === undefined && isDirect) {
      findings.push(finding('height_unknown', path, { actual: txid }))
    }
    if (height !== 0) continue
    if (!isDirect) findings.push(finding('ancestor_unconfirmed', path, { actual: txid }))
    if (!fullyChecked.has(txid)) {
      findings.push(finding('ancestor_unproven', path, { actual: txid }))
    }
    for (const input of byTxid.get(txid)?.inputs ?? []) {
      if (!isNullOutpoint(input) && !paths.has(input.txid)) paths.set(input.txid, path)
    }
  }
  return findings
}
