import { type Finding, finding } from '../request/report.ts'
import type { Transaction } from '../transaction/types.ts'

/** Versions before 3 hash the transaction once for every input; more than this takes a second. */
export const hashedBytesMax = 40_000_000

/** Bytes that the signatures of a transaction hash beyond its own size. */
export function hashedBytes({ inputs, outputs, overwintered }: Transaction): number {
  if (overwintered) return 0
  const bytes = outputs.reduce((sum, { script }) => sum + 9 + script.length / 2, 0)
  return inputs.length * (inputs.length * 41 + bytes)
}

/** Returns true if checking the signatures of a transaction would take too long. */
export function isTooMuchToHash(tx: Transaction): boolean {
  return hashedBytes(tx) > hashedBytesMax
}

export function checkHashedBytes(tx: Transaction): Finding[] {
  if (!isTooMuchToHash(tx)) return []
  const details = { expected: hashedBytesMax, actual: hashedBytes(tx) }
  return [finding('too_much_to_hash', 'inputs', details)]
}
