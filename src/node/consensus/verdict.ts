/** Why a transaction is refused, in the daemon's words. */
export interface Refused {
  readonly ok: false
  /** The code of the RPC error: -22, -25, -26, -27. */
  readonly code: number
  readonly message: string
  /** The contract module's reason, which the daemon only logs, or why this node cannot decide. */
  readonly reason?: string
}

// komodo src/consensus/validation.h
const rejectNumbers = { invalid: 16, duplicate: 18, nonstandard: 64 } as const

/** -26 with the number of a kind of reject before its words. */
export function rejected(
  kind: keyof typeof rejectNumbers,
  words: string,
  reason?: string,
): Refused {
  const message = `${rejectNumbers[kind]}: ${words}`
  return { ok: false, code: -26, message, ...(reason !== undefined && { reason }) }
}

/** -25, without words where the daemon has none. */
export function unverifiable(message = '', reason?: string): Refused {
  return { ok: false, code: -25, message, ...(reason !== undefined && { reason }) }
}
