import {
  decodeTransaction,
  encodeTransaction,
  isAntaraError,
  type Transaction,
  type TransactionFields,
} from '../../src/index.ts'
import { readByOracle } from './wire-oracle.ts'

/**
 * Returns how the engine disagrees with the oracle on `raw`, or `undefined`. The engine must
 * decode the oracle's fields and encode them byte for byte, or refuse with the oracle's code and
 * offset.
 */
export function disagreement(raw: Buffer, source: string | Uint8Array = raw): string | undefined {
  const expected = readByOracle(raw)
  let tx: Transaction
  try {
    tx = decodeTransaction(source)
  } catch (error) {
    if (!isAntaraError(error)) throw error
    const actual = `${error.code} at ${error.context.offset}`
    if (!('refusal' in expected)) return `${actual}, but it is well formed`
    const { code, offset } = expected.refusal
    return actual === `${code} at ${offset}` ? undefined : `${actual}, not ${code} at ${offset}`
  }
  if ('refusal' in expected) return `decoded, but ${expected.refusal.code}`
  if (!isSame(tx, expected.tx)) return 'decoded to other fields'
  if (encodeTransaction(tx) !== raw.toString('hex')) return 'encoded to other bytes'
  return undefined
}

/**
 * Returns true if `actual` has the members of `expected`. It is quicker than a matcher, for many
 * calls.
 */
function hasSame(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return actual === expected
  if (typeof actual !== 'object' || actual === null) return false
  if (Array.isArray(expected) && (actual as unknown[]).length !== expected.length) return false
  for (const name in expected) {
    const member = name as keyof typeof expected
    if (!hasSame((actual as typeof expected)[member], expected[member])) return false
  }
  return true
}

const optionalMembers = ['joinSplitPubKey', 'joinSplitSig', 'bindingSig'] as const

function isSame(tx: Transaction, expected: TransactionFields): boolean {
  const hasOnlyThese = optionalMembers.every((name) => tx[name] === expected[name])
  return hasOnlyThese && hasSame(tx, expected)
}
