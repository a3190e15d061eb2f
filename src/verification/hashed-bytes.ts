import type { Transaction } from '../transaction/types.ts'

/** Versions before 3 hash the transaction once for every input; more than this takes a second. */
export const hashedBytesMax = 40_000_000

/** Bytes that the signatures of a transaction hash beyond its own size. */
export function hashedBytes({ inputs, outputs, overwintered }: Transaction): number {
  if (overwintered) return 0
  const bytes = outputs.reduce((sum, { script }) => sum + 9 + script.length / 2, 0)
  return inputs.length * (inputs.length * 41 + bytes)
}
