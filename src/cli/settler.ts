import type { JournalPayment } from '../rpc/resume.ts'

/** Returns the command that settles a payment of the journal. */
export function settlerOf({ request = '{}' }: JournalPayment): string {
  const { operation, intent } = JSON.parse(request)
  if (operation === 'wallet') return 'antara-tx wallet resume'
  if (operation !== 'withdraw') return 'antara-tx attempts resume'
  return intent === undefined
    ? 'the same withdrawal, made again'
    : 'antara-tx attempts resume framework'
}
