import { coinMethods } from './coin-requests.ts'
import { tokenMethods } from './token-requests.ts'

/** Methods that a guard verifies or carries out itself. Every other one is passed on or refused. */
export const carriedOutMethods: ReadonlySet<string> = new Set([
  ...Object.keys(tokenMethods),
  ...coinMethods,
  'sendrawtransaction',
  'guard_submit',
])
