// The operation `payment`: its rules, and its verifier.

import { defaultNetwork, type Network } from '../../chain/network.ts'
import { formatCoins } from '../../primitives/amount.ts'
import type { SliceOptions } from '../../primitives/steps.ts'
import type { Evidence } from '../../request/evidence.ts'
import { requireIntent } from '../../request/members.ts'
import { ownScripts } from '../../request/own-scripts.ts'
import { type PaymentIntent, paymentForms } from '../../request/payment.ts'
import { nulldataProblems, paymentFeeProblems, readPayees } from '../../request/payment-problems.ts'
import { problemFindings } from '../../request/problem.ts'
import type { Report } from '../../request/report.ts'
import { checkTerms } from '../../request/terms.ts'
import { scriptHashOf } from '../../script/key-script.ts'
import { pushOf } from '../../script/push.ts'
import { templateOf } from '../../script/template.ts'
import { redactName } from '../../signing/own-scripts.ts'
import type { Checked } from '../check-intent.ts'
import { checkInclusion } from '../inclusion.ts'
import type { Operation, RequestLine } from '../operation.ts'
import { paymentFee } from '../payment-fee.ts'
import { paymentRules, type ReadyPayment } from '../payment-rules.ts'
import { redactScript, shownScript } from '../shown-script.ts'
import { verifyOperation, verifyOperationAsync } from '../verify-operation.ts'

/**
 * Verifies that a transaction makes exactly the requested payment in plain coins, and does nothing
 * else. It may be on any network, of any version that a chain has had, and spend coins of keys and
 * of M of N keys.
 *
 * Spent outputs are read from whole previous transactions, which are hashed. The report has a fee
 * only if all of them are known. On KMD itself, coins may have accrued a reward;
 * `evidence.heights` and `tipTime` determine it.
 *
 * @param hex - the answer of the daemon or of a framework server
 * @param intent - the payees, the wallet's own names, the bounds of the fee; satoshis
 * @param evidence - the transactions that are spent from, and more
 * @returns the report: `ok`, `broadcast`, the findings, and the fee in satoshis
 * @throws {TypeError} for arguments of the wrong type
 * @see docs/verify.md; komodo src/wallet/wallet.cpp, CWallet::CreateTransaction
 * @example
 * const recipients = [{ address: addressOf(destination, networks.assetChain), amount: 1000n }]
 * verifyPayment(hex, { recipients, own: [from] }, evidence).ok // false
 */
export function verifyPayment(hex: string, intent: PaymentIntent, evidence: Evidence): Report {
  return verifyOperation(payment, hex, intent, evidence, checkInclusion)
}

/**
 * Runs `verifyPayment` in slices, between which other work has its turn. The signatures of a large
 * transaction are checked on the threads of Node's pool.
 *
 * @param hex - the transaction
 * @param intent - as `verifyPayment`
 * @param evidence - as `verifyPayment`
 * @param options - a signal that stops the verification
 * @returns as `verifyPayment`
 * @throws {TypeError} by rejection, for arguments of the wrong type
 * @example
 * const recipients = [{ address: addressOf(destination, networks.assetChain), amount: 1000n }]
 * const report = await verifyPaymentAsync(hex, { recipients, own: [from] }, evidence)
 */
export async function verifyPaymentAsync(
  hex: string,
  intent: PaymentIntent,
  evidence: Evidence,
  options: SliceOptions = {},
): Promise<Report> {
  return verifyOperationAsync(payment, hex, intent, evidence, options, checkInclusion)
}

export const payment: Operation<PaymentIntent, ReadyPayment> = {
  name: 'payment',
  about: 'pays plain coins, and gives what is left back to the wallet',
  members: paymentForms,
  roles: {
    destination: { text: 'coins to the recipient', holds: 'coins' },
    'native-change': { text: 'coins back to the wallet', holds: 'coins' },
    nulldata: { text: 'nulldata as requested', holds: 'coins' },
  },
  lines,
  validate: checkPaymentIntent,
  // The command line loads this rule when it is needed: scripts/rarely.mjs.
  rules: (intent) => paymentRules(intent),
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function checkPaymentIntent(given: PaymentIntent): Checked<ReadyPayment> {
  requireIntent(given, paymentForms)
  const { lockTime, expiryHeight } = given
  const { terms, problems: ofTerms } = checkTerms(given, 'nothing')
  const { network } = terms
  const own = ownScripts(given, network, terms.ownScripts)
  const { payees: recipients, problems } = readPayees(given.recipients, network)
  const nulldata = given.nulldata?.toLowerCase()
  const found = [
    ...ofTerms,
    ...own.problems,
    ...paymentFeeProblems(given),
    ...(nulldata === undefined ? [] : nulldataProblems(given.nulldata!, network)),
    ...problems,
  ]
  return {
    intent: {
      recipients,
      own,
      fee: paymentFee(given),
      maxChangeOutputs: given.maxChangeOutputs ?? 1,
      terms,
      ...(nulldata !== undefined && { nulldata: `6a${pushOf(nulldata)}` }),
      ...(lockTime !== undefined && { lockTime }),
      ...(expiryHeight !== undefined && { expiryHeight }),
    },
    findings: problemFindings(found),
  }
}

function lines({
  recipients,
  own: mine,
  redeemScripts = [],
  nulldata,
  maxChangeOutputs = 1,
  lockTime,
  expiryHeight,
  network = defaultNetwork,
}: PaymentIntent): RequestLine[] {
  const names =
    typeof mine === 'function' ? ['scripts that the wallet confirms'] : mine.map(redactName)
  return [
    ...recipients.map(({ address, script, amount }): RequestLine => {
      const coins = amount === 'max' ? 'all that is spent' : formatCoins(amount)
      const payee =
        address === undefined ? redactScript(script ?? 'no payee', network) : redactName(address)
      return ['pay', `${coins} to ${payee}`]
    }),
    ...names.map((name): RequestLine => ['own', name]),
    ...redeemScripts.flatMap((it) => redeemLines(it, network)),
    ...(maxChangeOutputs === 1
      ? []
      : [['change', `in at most ${maxChangeOutputs} outputs`] as const]),
    ...(nulldata === undefined ? [] : [['saying', nulldata] as const]),
    ...(lockTime === undefined || lockTime === 0 ? [] : [['locked', `until ${lockTime}`] as const]),
    ...(expiryHeight === undefined
      ? []
      : [['expires', expiryHeight === 0 ? 'never' : `at height ${expiryHeight}`] as const]),
  ]
}

/** Shows the keys behind a script hash, because the address alone does not name its owners. */
function redeemLines(redeemScript: string, network: Network): RequestLine[] {
  const address = shownScript(scriptHashOf(redeemScript), network)
  const template = templateOf(redeemScript.toLowerCase())
  if (template.type !== 'multisig') return [['own', `${address} (redeem script given)`]]
  const { required, keys } = template
  return [
    ['own', `${address} (${required} of ${keys.length} keys)`],
    ...keys.map((key): RequestLine => ['of key', key]),
  ]
}
