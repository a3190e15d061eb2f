import {
  decodeTransaction,
  encodeTransaction,
  isAntaraError,
  type Transaction,
  type TransactionFields,
} from '../../src/index.ts'
import { readByOracle } from './wire-oracle.ts'

/**
 * What is wrong with how the engine takes `raw`, or nothing: it must read what the oracle reads and
 * write it back byte for byte, or refuse with the oracle's code at the oracle's offset.
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

/** Whether `actual` has what `expected` has; quicker than a matcher, of whose calls there are many. */
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
