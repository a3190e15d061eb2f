import { isAntaraError } from '../errors/antara-error.ts'
import type { JournalPayment } from '../rpc/resume.ts'

/**
 * Returns the command that settles a payment of the journal, or words for a withdrawal of an earlier
 * version, which no command settles.
 *
 * @param options - what follows the command, with a space before it
 */
export function settlerOf(
  { request = '{}' }: Pick<JournalPayment, 'request'>,
  options = '',
): string {
  const { operation, intent } = membersOf(request)
  if (operation === 'wallet') return `antara-tx wallet resume${options}`
  if (operation !== 'withdraw') return `antara-tx attempts resume${options}`
  return intent === undefined
    ? 'the same withdrawal, made again'
    : `antara-tx attempts resume framework${options}`
}

/** Returns no members for a text that is no object: a journal of another program may have any. */
function membersOf(request: string): { readonly operation?: unknown; readonly intent?: unknown } {
  try {
    return JSON.parse(request) ?? {}
  } catch {
    return {}
  }
}

/**
 * Returns true if a payment is unsettled, or could not be looked up. A settled payment of another
 * chain does not count: a journal may have payments of several.
 */
export function isOpen({ state }: Pick<JournalPayment, 'state'>, error: unknown): boolean {
  if (state === 'unsettled') return true
  return error !== undefined && !isAntaraError(error, 'journal_chain')
}
