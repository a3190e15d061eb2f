import { printableMessage } from '../primitives/printable.ts'

/** sysexits.h, EX_SOFTWARE: neither the transaction nor whoever asked has done anything wrong. */
export const exitFault = 70

/** Words in which a private key could be; nothing in a stack needs as long ones. */
const longWords = /[0-9a-z]{43,}/gi

/** What to say of an error that nothing here foresaw. */
export function faultText(error: unknown): string {
  const told = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  const lines = told.replace(longWords, '(hidden)').split('\n').map(printableMessage)
  return `antara-tx: this is a fault of antara-tx itself, nothing was decided:\n${lines.join('\n')}\n`
}
