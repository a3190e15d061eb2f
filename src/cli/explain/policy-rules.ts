import type { Row } from './explanation.ts'

const change =
  'Change the policy file, and send SIGHUP to the guard. docs/guard-policy.md has its members.'
const wait = 'Wait, or raise the limit in the policy file and send SIGHUP to the guard.'

/** Rules of a guard's policy, as a refusal names them. */
export const policyRules: { readonly [Path: string]: Row } = {
  methods: [
    'The list of methods does not have this one.',
    'dumpprivkey, where only @send is listed.',
    change,
  ],
  quietHours: [
    'The policy forbids payments in these hours, which are UTC.',
    'A payment at 23:30 with quiet hours from 22:00 to 06:00.',
    wait,
  ],
  'recipients.allow': ['A recipient is not in the list.', 'An address that was mistyped.', change],
  'recipients.deny': [
    'The list of denied recipients has one of the payees.',
    'An address that a thief used.',
    change,
  ],
  'coins.perPayment': [
    'The payment has more coins than one payment may have.',
    '60 coins, where the policy has "perPayment": "50".',
    change,
  ],
  'coins.perHour': [
    'The payments of the last 60 minutes would have more coins than allowed.',
    'A second payment of 6 coins, where the policy has "perHour": "10".',
    wait,
  ],
  'coins.perDay': [
    'The payments of the last 24 hours would have more coins than allowed.',
    'A second payment of 6 coins, where the policy has "perDay": "10".',
    wait,
  ],
  tokens: [
    'The policy does not name the token.',
    'A transfer of a token without a member in "tokens".',
    change,
  ],
  'tokens.perPayment': [
    'The payment has more units of the token than one payment may have.',
    '600 units, where the policy has "perPayment": "500".',
    change,
  ],
  'tokens.perHour': [
    'The payments of the last 60 minutes would have more units than allowed.',
    'A second transfer of 600 units, where the policy has "perHour": "1000".',
    wait,
  ],
  'tokens.perDay': [
    'The payments of the last 24 hours would have more units than allowed.',
    'A second transfer of 600 units, where the policy has "perDay": "1000".',
    wait,
  ],
  'tokens.price': [
    'The price of an order has no bound, or is beyond it.',
    'An offer of 1 satoshi for each unit.',
    change,
  ],
  fee: [
    'The fee of the transaction is above the limit.',
    'A fee of 0.01 coins, where the policy has "fee": "0.001".',
    change,
  ],
  feePerKilobyte: [
    'The fee for 1,000 bytes is above the limit.',
    'A small transaction with a large fee.',
    change,
  ],
  burn: [
    'Nobody could spend the amount again, and the policy does not allow that.',
    'A payment to a script that is unspendable.',
    change,
  ],
  users: [
    'The policy does not name the user.',
    'A program with the name of another guard.',
    change,
  ],
  limits: [
    'The record, the limits or the journal were lost or restored, so payments are held.',
    'A folder of --state that came from a backup.',
    'Restore the newest files, or start the guard once with --reconciled.',
  ],
}

/** Returns a rule of a policy without the user and the token that a refusal names. */
export function ruleOf(code: string): string {
  return code
    .replace(/^users\.[^.]+\./, '')
    .replace(/^tokens\.[0-9a-f]{64}\./, 'tokens.')
    .replace(/^tokens\.price\..*/, 'tokens.price')
}
