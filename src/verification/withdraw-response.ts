// Reads the response of `withdraw`. A server wrote it, so it can have any form and depth.

import { isLosslessNumber } from '../primitives/json.ts'

export type Members = Readonly<Record<string, unknown>>

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

/**
 * Copies the members of a response that are verified, and reads each once: a getter could return
 * another value later. Members inside them are copied too, and nothing deeper.
 */
export function responseMembers(response: unknown): Members {
  const given = membersOf(response)
  return Object.fromEntries(
    memberNames.map((name) => {
      const member = given[name]
      if (Array.isArray(member)) return [name, Array.from<unknown>(member)]
      const isHolder = typeof member === 'object' && member !== null && !isLosslessNumber(member)
      return [name, isHolder ? { ...member } : member]
    }),
  )
}

const memberNames: readonly string[] = [
  'tx_hex',
  'tx_hash',
  'from',
  'to',
  'total_amount',
  'spent_by_me',
  'received_by_me',
  'my_balance_change',
  'fee_details',
  'coin',
  'kmd_rewards',
  'transaction_type',
]
