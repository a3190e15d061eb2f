import { printableMessage } from '../primitives/printable.ts'
import { withoutKeys } from '../primitives/redact-key.ts'

/** sysexits.h, EX_SOFTWARE: the fault is neither the transaction's nor the user's. */
export const exitFault = 70

/** Returns the message for an unforeseen error. */
export function faultText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  const lines = withoutKeys(text).split('\n').map(printableMessage)
  return `antara-tx: a fault of antara-tx itself; it reached no result:\n${lines.join('\n')}\n`
}
