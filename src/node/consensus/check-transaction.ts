// The rules that a transaction meets by itself.

import {
  expiryHeightThreshold,
  finalSequence,
  lockedSequence,
  lockTimeThreshold,
  saplingVersionGroupId,
  storedScriptBytesMax,
  transactionBytesMax,
} from '../../chain/limits.ts'
import type { Transaction } from '../../transaction/types.ts'
import { isCoinbase, isNullOutpoint, type StoredTransaction } from '../state/stored-transaction.ts'
import { type Refused, rejected } from './verdict.ts'

const versionGroupIds: readonly number[] = [0x03c48270, saplingVersionGroupId]

type Check = (transaction: Transaction, size: number, maxMoney: bigint) => string | false

const inRange = (value: bigint, maxMoney: bigint) => value >= 0n && value <= maxMoney
const hasTwice = (keys: readonly string[]) => new Set(keys).size < keys.length

/** In the daemon's order, each with its words. */
const checks: readonly Check[] = [
  (it) => !it.overwintered && it.version < 1 && 'bad-txns-version-too-low',
  (it) => it.overwintered && it.version < 3 && 'bad-tx-overwinter-version-too-low',
  (it) =>
    it.overwintered && !versionGroupIds.includes(it.versionGroupId) && 'bad-tx-version-group-id',
  (it) =>
    it.overwintered && it.expiryHeight >= expiryHeightThreshold && 'bad-tx-expiry-height-too-high',
  (it) =>
    it.inputs.length + it.joinSplits.length + it.shieldedSpends.length === 0 &&
    'bad-txns-vin-empty',
  (it) =>
    it.outputs.length + it.joinSplits.length + it.shieldedOutputs.length === 0 &&
    'bad-txns-vout-empty',
  (_, size) => size > transactionBytesMax && 'bad-txns-oversize',
  checkOutputs,
  (it) =>
    it.valueBalance !== 0n &&
    it.shieldedSpends.length + it.shieldedOutputs.length === 0 &&
    'bad-txns-valuebalance-nonzero',
  (it, _, maxMoney) =>
    !inRange(it.valueBalance < 0n ? -it.valueBalance : it.valueBalance, maxMoney) &&
    'bad-txns-valuebalance-toolarge',
  // komodo src/main.cpp: no chain takes them since 2019-02-15
  (it) => it.joinSplits.length > 0 && 'bad-txns-sprout-expired',
  ({ inputs }) =>
    hasTwice(inputs.map(({ txid, vout }) => `${txid}${vout}`)) && 'bad-txns-inputs-duplicate',
  ({ shieldedSpends }) =>
    hasTwice(shieldedSpends.map(({ nullifier }) => nullifier)) &&
    'bad-spend-description-nullifiers-duplicate',
  checkMint,
]

function checkOutputs({ outputs }: Transaction, _: number, maxMoney: bigint): string | false {
  let total = 0n
  for (const { value, script } of outputs) {
    if (value < 0n) return 'bad-txns-vout-negative'
    if (value > maxMoney) return 'bad-txns-vout-toolarge'
    if (script.length > 2 * storedScriptBytesMax) return 'bad-txns-opret-too-big'
    total += value
    if (!inRange(total, maxMoney)) return 'bad-txns-txouttotal-toolarge'
  }
  return false
}

function checkMint(it: Transaction): string | false {
  if (!isCoinbase(it)) return it.inputs.some(isNullOutpoint) && 'bad-txns-prevout-null'
  if (it.shieldedSpends.length > 0) return 'bad-cb-has-spend-description'
  if (it.shieldedOutputs.length > 0) return 'bad-cb-has-output-description'
  const bytes = it.inputs[0]!.scriptSig.length / 2
  return (bytes < 2 || bytes > 100) && 'bad-cb-length'
}

/** @see komodo src/main.cpp, CheckTransactionWithoutProofVerification */
export function checkTransaction(
  { transaction, size }: StoredTransaction,
  maxMoney: bigint,
): Refused | undefined {
  for (const check of checks) {
    const words = check(transaction, size, maxMoney)
    if (words !== false) return rejected('invalid', words)
  }
  return undefined
}

/**
 * Checks the rules of a block's height, on a chain that has Sapling from its first block.
 *
 * @see komodo src/main.cpp, ContextualCheckTransaction
 */
export function checkAtHeight(
  { transaction }: StoredTransaction,
  height: number,
): Refused | undefined {
  const { overwintered, version, versionGroupId, expiryHeight } = transaction
  if (!overwintered) return rejected('invalid', 'tx-overwinter-active')
  if (versionGroupId !== saplingVersionGroupId) {
    return rejected('invalid', 'bad-sapling-tx-version-group-id')
  }
  if (version < 4) return rejected('invalid', 'bad-tx-sapling-version-too-low')
  if (version > 4) return rejected('invalid', 'bad-tx-sapling-version-too-high')
  if (expiryHeight !== 0 && height > expiryHeight && !isCoinbase(transaction)) {
    return rejected('invalid', 'tx-overwinter-expired')
  }
  if (transaction.shieldedSpends.length + transaction.shieldedOutputs.length > 0) {
    const reason = 'this node verifies no Sapling proofs'
    return rejected('invalid', 'bad-txns-sapling-spend-description-invalid', reason)
  }
  return undefined
}

/** @see komodo src/main.cpp, IsFinalTx after the fork of lock times */
export function isFinal({ lockTime, inputs }: Transaction, height: number, time: number): boolean {
  const now = lockTime < lockTimeThreshold ? height : time
  if (lockTime === 0 || lockTime < now) return true
  return inputs.every(
    ({ sequence }) =>
      sequence === finalSequence || (sequence === lockedSequence && lockTime <= now),
  )
}

export function valueOut({ outputs }: Transaction): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n)
}
