import { coinMethods } from './coin-requests.ts'
import { tokenMethods } from './token-requests.ts'

/** Methods that a guard verifies or carries out itself. Every other one is passed on or refused. */
export const carriedOutMethods: ReadonlySet<string> = new Set([
  ...Object.keys(tokenMethods),
  ...coinMethods,
  'sendrawtransaction',
  'guard_submit',
])

/** The methods of a framework that can repeat a payment. A task is asked for by its number. */
export const repeatedWithdrawals: ReadonlySet<string> = new Set([
  'withdraw',
  'send_raw_transaction',
])

/** The methods that a guard in front of a framework verifies or carries out itself. */
export const carriedOutWithdrawals: ReadonlySet<string> = new Set([
  'withdraw',
  'send_raw_transaction',
  'task::withdraw::init',
  'task::withdraw::status',
  'task::withdraw::user_action',
  'task::withdraw::cancel',
])
