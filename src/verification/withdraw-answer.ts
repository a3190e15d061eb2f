// Reads the response of `withdraw`. A server wrote it, so it can have any form and depth.

import { isLosslessNumber } from '../primitives/json.ts'

export type Members = Readonly<Record<string, unknown>>

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

/** Reads each claim of a response once, to a depth of one level. */
export function claimsOf(response: unknown): Members {
  const answer = membersOf(response)
  return Object.fromEntries(
    claimNames.map((name) => {
      const claim = answer[name]
      if (Array.isArray(claim)) return [name, Array.from<unknown>(claim)]
      const isHolder = typeof claim === 'object' && claim !== null && !isLosslessNumber(claim)
      return [name, isHolder ? { ...claim } : claim]
    }),
  )
}

const claimNames: readonly string[] = [
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
