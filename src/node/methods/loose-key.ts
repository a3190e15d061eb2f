import { conditionKey } from '../../token/rules/slot-script.ts'

/** What the daemon takes for a public key of the bytes that it was given; '' for what is none. */
export function keyBytes(hex: string): string {
  return conditionKey(hex) ?? ''
}

/**
 * The bytes that stand in a condition for a key that is none. The daemon puts there whatever its
 * memory holds; nobody can spend either.
 */
export const noKey: string = `ff${'00'.repeat(32)}`
