// The holder of an output in one text, as a ledger keeps it.

import type { TokenOutput } from './token-transaction.ts'

/**
 * Returns the keys of an output, with a blank between them: `KEY KEY` if each of them can spend
 * alone, `2 of KEY KEY` if two must sign. `undefined` if the keys are not known.
 */
export function holderOf({
  pubkeys,
  required = 1,
}: Pick<TokenOutput, 'pubkeys' | 'required'>): string | undefined {
  if (pubkeys === undefined) return undefined
  const keys = pubkeys.join(' ')
  return required > 1 ? `${required} of ${keys}` : keys
}

/** Returns a holder in words: `KEY or KEY`, `2 of KEY, KEY`. */
export function holderWords(holder: string): string {
  const [count, keys] = holder.split(' of ') as [string, string?]
  return keys === undefined
    ? holder.replaceAll(' ', ' or ')
    : `${count} of ${keys.replaceAll(' ', ', ')}`
}
