import { conditionKey } from '../../token/rules/slot-script.ts'

/** Returns the public key that the daemon reads from bytes; '' if it reads no key. */
export function keyBytes(hex: string): string {
  return conditionKey(hex) ?? ''
}

/**
 * The bytes that stand in a condition for an invalid key. The daemon puts there whatever its
 * memory holds; nobody can spend either.
 */
export const noKey: string = `ff${'00'.repeat(32)}`
