// Rules that every transaction on a chain keeps, applied to the given ancestors. Nodes check more.
// Each finding here is a contradiction, whatever else the chain holds, with one exception: an input
// without a scriptSig, whose spent output was not given. Its script may need none, which no wallet
// uses and no node relays. An invented parent is more likely, so the finding rejects until the evidence
// has the spent output.

import { finalSequence, lockedSequence, lockTimeThreshold } from '../chain/limits.ts'
import { type Network, rewardsOf } from '../chain/network.ts'
import { mayAccrue } from '../chain/reward.ts'
import { append } from '../primitives/append.ts'
import { compactSizeMax } from '../primitives/wire.ts'
import { type Finding, finding } from '../request/report.ts'
import { addressedScript } from '../script/addressed-script.ts'
import { lacksSignatures } from '../script/template.ts'
import { paysToCondition } from '../token/rules/condition-script.ts'
import {
  coinbaseHeight,
  isCoinbase,
  isCoinImport,
  isNullOutpoint,
} from '../transaction/coinbase.ts'
import type { Outpoint, Transaction, TransactionOutput } from '../transaction/types.ts'
import { prematureSpends } from './coinbase-maturity.ts'

export interface AncestorContext {
  readonly byTxid: ReadonlyMap<string, Transaction>
  /** Returns 0 for a transaction in no block; `undefined` if the evidence has no height of it. */
  heightOf(txid: string): number | undefined
  readonly tipHeight: number | undefined
  readonly tipTime: number | undefined
  readonly network: Network
}

/**
 * Compares an ancestor with the rules. Where its height is known, so is the block that it is in, or
 * the first that it can be in.
 *
 * @param path - of the ancestor in the evidence
 */
export function checkAncestor(
  ancestor: Transaction,
  path: string,
  context: AncestorContext,
): Finding[] {
  const findings = checkForm(ancestor, path, context)
  if (!spendsNoOutput(ancestor)) {
    append(findings, checkUnsigned(ancestor, path, context))
    append(findings, checkSums(ancestor, path, context))
  }
  const height = context.heightOf(ancestor.txid)
  if (height === undefined) return findings
  append(findings, checkHeight(ancestor, path, height, context))
  if (isCoinbase(ancestor)) append(findings, checkCoinbase(ancestor, path, height))
  const { tipHeight } = context
  if (height === 0 && tipHeight === undefined) return findings
  const minedAt = height === 0 ? tipHeight! + 1 : height
  const spent = ancestor.inputs.map(({ txid }) => context.byTxid.get(txid))
  append(findings, prematureSpends(spent, `${path}.`, minedAt, context))
  if (isCoinbase(ancestor)) return findings
  append(findings, checkExpired(ancestor, path, minedAt))
  append(findings, checkLocked(ancestor, path, minedAt, context))
  return findings
}

/** Returns the output that an input spends, if its transaction was given. */
export function spentBy(
  { txid, vout }: Transaction['inputs'][number],
  { byTxid }: Pick<AncestorContext, 'byTxid'>,
): TransactionOutput | undefined {
  return byTxid.get(txid)?.outputs[vout]
}

/** Returns true for a coinbase or an import, whose one input spends no output of this chain. */
export function spendsNoOutput(transaction: Transaction): boolean {
  return isCoinbase(transaction) || isCoinImport(transaction)
}

/** Returns true if no transaction has as many outputs as the input's index implies. */
export function namesNoOutput({ vout }: Outpoint): boolean {
  return vout >= compactSizeMax
}

/** @see komodo src/main.cpp, CheckTransactionWithoutProofVerification; CheckTxInputs */
function checkForm(ancestor: Transaction, path: string, context: AncestorContext): Finding[] {
  const { txid, inputs, outputs, shieldedSpends, shieldedOutputs, joinSplits } = ancestor
  const { valueBalance } = ancestor
  const { maxMoney } = context.network
  const against = (where: string, why: string): Finding =>
    finding('ancestor_invalid', `${path}${where}`, { actual: `${why}, in ${txid}` })
  const findings: Finding[] = []
  if (inputs.length + shieldedSpends.length + joinSplits.length === 0) {
    findings.push(against('.inputs', 'no inputs'))
  }
  if (valueBalance !== 0n && shieldedSpends.length + shieldedOutputs.length === 0) {
    findings.push(against('.valueBalance', `${valueBalance} without a shielded part`))
  }
  const isWrong = ({ value }: TransactionOutput): boolean => value < 0n || value > maxMoney
  const wrong = outputs.findIndex(isWrong)
  if (wrong >= 0) findings.push(against(`.outputs[${wrong}].value`, `${outputs[wrong]!.value}`))
  if (spendsNoOutput(ancestor)) return findings
  for (const [index, input] of inputs.entries()) {
    const spent = context.byTxid.get(input.txid)
    if (isNullOutpoint(input)) findings.push(against(`.inputs[${index}]`, 'a null outpoint'))
    else if (namesNoOutput(input) || (spent && spent.outputs[input.vout] === undefined)) {
      findings.push(against(`.inputs[${index}].vout`, `no output ${input.vout}`))
    }
  }
  return findings
}

/** Other scripts, such as a bare OP_TRUE, may be spent with an empty scriptSig. */
function needsScriptSig(script: string): boolean {
  return addressedScript(script) !== undefined || lacksSignatures(script) || paysToCondition(script)
}

function checkUnsigned(ancestor: Transaction, path: string, context: AncestorContext): Finding[] {
  const at = ancestor.inputs.findIndex((input) => {
    if (input.scriptSig !== '') return false
    const spent = spentBy(input, context)
    return spent === undefined || needsScriptSig(spent.script)
  })
  if (at < 0) return []
  const actual = `unsigned, in ${ancestor.txid}`
  return [finding('ancestor_signature', `${path}.inputs[${at}].scriptSig`, { actual })]
}

/** A coin of KMD earns at most a 20th a year. source: komodo src/komodo_interest.cpp */
const rewardShare = 20n

function checkSums(ancestor: Transaction, path: string, context: AncestorContext): Finding[] {
  const { txid, inputs, outputs, valueBalance, joinSplits } = ancestor
  let spent = valueBalance
  for (const input of inputs) {
    if (namesNoOutput(input)) continue
    const output = spentBy(input, context)
    if (output === undefined) return []
    spent += output.value + mostReward(output.value, context.byTxid.get(input.txid)!, context)
  }
  for (const { vpubOld, vpubNew } of joinSplits) spent += vpubNew - vpubOld
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n)
  if (paid <= spent) return []
  const details = { expected: `at most ${spent}`, actual: `${paid}, in ${txid}` }
  return [finding('ancestor_value', `${path}.outputs`, details)]
}

function mostReward(
  value: bigint,
  { lockTime }: Transaction,
  { network }: Pick<AncestorContext, 'network'>,
): bigint {
  return rewardsOf(network) !== 'none' && mayAccrue(value, lockTime) ? value / rewardShare : 0n
}

function checkHeight(
  { txid, inputs }: Transaction,
  path: string,
  height: number,
  { heightOf, tipHeight }: AncestorContext,
): Finding[] {
  const against = (expected: string): Finding[] => [
    finding('ancestor_height', path, { expected, actual: `${height} of ${txid}` }),
  ]
  if (tipHeight !== undefined && height > tipHeight) return against(`at most ${tipHeight}`)
  if (height === 0) return []
  for (const { txid: spent } of inputs) {
    const below = heightOf(spent)
    if (below === 0) return against(`none, because ${spent} is in no block`)
    if (below !== undefined && below > height) return against(`at least ${below} of ${spent}`)
  }
  return []
}

/**
 * Compares the block of a coinbase with the one that it names. No coinbase waits for a block.
 *
 * @see komodo src/main.cpp, ContextualCheckBlock, bad-cb-height; AcceptToMemoryPool, which refuses
 *   every coinbase
 */
function checkCoinbase(ancestor: Transaction, path: string, height: number): Finding[] {
  const named = coinbaseHeight(ancestor)
  if (height !== 0 && height === named) return []
  const expected = named === undefined ? 'a coinbase that names its block' : `${named}`
  const details = { expected, actual: `${height} of ${ancestor.txid}` }
  return [finding('ancestor_height', path, details)]
}

/** @see komodo src/main.cpp, IsExpiredTx */
function checkExpired(
  { txid, expiryHeight }: Transaction,
  path: string,
  minedAt: number,
): Finding[] {
  if (expiryHeight === 0 || minedAt <= expiryHeight) return []
  const details = { expected: `at least ${minedAt}`, actual: `${expiryHeight} of ${txid}` }
  return [finding('ancestor_expired', `${path}.expiryHeight`, details)]
}

/** Blocks may be that far ahead of a node's clock. source: komodo src/main.cpp, CheckBlockHeader */
const clockSecondsMax = 7200

/**
 * Tolerates inputs of sequence 0xfffffffe. They are final in the block of the lock time itself.
 * Before the fork of lock times, which heights do not show, they are final in earlier blocks, too.
 *
 * @see komodo src/main.cpp, IsFinalTx
 */
function checkLocked(
  { txid, lockTime, inputs }: Transaction,
  path: string,
  minedAt: number,
  context: AncestorContext,
): Finding[] {
  if (inputs.every(({ sequence }) => sequence === finalSequence)) return []
  const { tipTime } = context
  const latest = tipTime === undefined ? undefined : tipTime + clockSecondsMax
  const limit = lockTime < lockTimeThreshold ? minedAt : latest
  if (limit === undefined || lockTime < limit) return []
  const isDaemons = inputs.every(({ sequence }) => sequence >= lockedSequence)
  if (isDaemons && (lockTime === limit || context.heightOf(txid) !== 0)) return []
  const details = { expected: `below ${limit}`, actual: `${lockTime} of ${txid}` }
  return [finding('ancestor_locked', `${path}.lockTime`, details)]
}
