const change =
  'Change the policy file, and send SIGHUP to the guard. docs/guard-policy.md has its members.'
const wait = 'Wait, or raise the limit in the policy file and send SIGHUP to the guard.'

/** Rules of a guard's policy, as a refusal names them. */
export const policyRules: Readonly<Record<string, string>> = {
  methods: `The policy lists the methods that programs may call, and this is another one.
    A call of dumpprivkey, where the policy lists only @send.
    ${change}`,
  quietHours: `The policy forbids payments in these hours, which are UTC.
    A payment at 23:30 with quiet hours from 22:00 to 06:00.
    Wait, or change the hours in the policy file and send SIGHUP to the guard.`,
  'recipients.allow': `The list of allowed recipients lacks one of the payees.
    A new customer, or an address that was mistyped.
    Compare the address. If it is right, add it to the policy file and send SIGHUP to the guard.`,
  'recipients.deny': `The list of denied recipients has one of the payees.
    An address that a thief used.
    ${change}`,
  'coins.perPayment': `The payment has more coins than the policy allows in one payment.
    60 coins, where the policy has "perPayment": "50".
    ${change}`,
  'coins.perHour': `With this payment, those of the last 60 minutes would have more coins than the policy allows.
    A second payment of 6 coins, where the policy has "perHour": "10".
    ${wait}`,
  'coins.perDay': `With this payment, those of the last 24 hours would have more coins than the policy allows.
    A second payment of 6 coins, where the policy has "perDay": "10".
    ${wait}`,
  tokens: `The policy does not name the token.
    A transfer of a token without a member in "tokens".
    ${change}`,
  'tokens.perPayment': `The payment has more units of the token than the policy allows in one payment.
    600 units, where the policy has "perPayment": "500".
    ${change}`,
  'tokens.perHour': `With this payment, those of the last 60 minutes would have more units than the policy allows.
    A second transfer of 600 units, where the policy has "perHour": "1000".
    ${wait}`,
  'tokens.perDay': `With this payment, those of the last 24 hours would have more units than the policy allows.
    A second transfer of 600 units, where the policy has "perDay": "1000".
    ${wait}`,
  'tokens.price': `The price of an order has no bound, or is beyond it.
    An offer of 1 satoshi for each unit.
    ${change}`,
  fee: `The fee of the transaction is above the limit.
    A fee of 0.01 coins, where the policy has "fee": "0.001".
    ${change}`,
  feePerKilobyte: `The fee for 1,000 bytes is above the limit.
    A small transaction with a large fee.
    ${change}`,
  burn: `The payment burns coins or tokens, and the policy does not allow that.
    A payment to an unspendable script.
    ${change}`,
  users: `The policy does not name the user.
    A program with the name of another guard.
    ${change}`,
  limits: `The guard holds payments because its record, limits or journal were lost or restored.
    A folder of --state that came from a backup.
    Restore the newest files, or start the guard once with --reconciled.`,
}

/** Returns a rule of a policy without the user and the token that a refusal names. */
export function ruleOf(code: string): string {
  return code
    .replace(/^users\.[^.]+\./, '')
    .replace(/^tokens\.[0-9a-f]{64}\./, 'tokens.')
    .replace(/^tokens\.price\..*/, 'tokens.price')
}
