import { inputsMax } from '../chain/limits.ts'
import {
  argumentError,
  requireArray,
  requireObject,
  requireSome,
  requireUint32,
} from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { economicCoins } from './economy.ts'
import { assembled, offeredCoins, selected } from './payment-assembly.ts'
import {
  type ConsolidationRequest,
  consolidationMembers,
  type PaymentRequest,
  paymentMembers,
  readNulldata,
  readPayee,
  readTerms,
} from './payment-request.ts'
import type { UnsignedPayment } from './unsigned.ts'

/**
 * Builds a payment in plain coins, unsigned: coins by `selectCoins`, change, and a note if wanted.
 *
 * On KMD, with `tipTime` and `heights`, the reward that the coins have accrued goes to the change,
 * or to the recipient of everything.
 *
 * @param request - satoshis
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} `unknown_address`, `malformed_hex`, `amount_out_of_range`, `module_key`,
 *   `previous_transaction_missing`, `no_such_output`, `duplicate_coin`, `foreign_coin`,
 *   `redeem_script_missing`, `unsupported_script`, `burn_key`, `insufficient_coins`,
 *   `fee_over_limit`, `nulldata_too_large`, `expiry_height`, `input_count`,
 *   `transaction_too_large`, `fee_below_relay`, `evidence_contradicts`, `lock_time_stale`
 * @example
 * const recipients = [{ address: addressOf(destination, networks.assetChain), amount: 1000n }]
 * buildPayment({ recipients, own: [from], coins, previousTransactions, tipHeight: 223 }).fee // 10000n
 */
export function buildPayment(request: PaymentRequest): UnsignedPayment {
  requireObject(request, 'request')
  requireKnownMembers(request, paymentMembers, 'request')
  const { spend = 'selected' } = request
  if (spend !== 'selected' && spend !== 'all')
    throw argumentError('spend', "'selected' or 'all'", spend)
  const terms = readTerms(request, request.change)
  const nulldata = readNulldata(request.nulldata, terms.network)
  requireArray(request.recipients, 'recipients')
  requireSome(request.recipients, 'recipients', 'recipient')
  const payees = request.recipients.map((payee, at) => readPayee(payee, at, terms))
  const rest = payees.findIndex(({ value }) => value === undefined)
  if (payees.filter(({ value }) => value === undefined).length > 1) {
    throw new TypeError('recipients: expected the amount max once, got it several times')
  }
  const offered = offeredCoins(request, terms)
  const draft = { payees, nulldata }
  if (spend === 'all') return assembled(request, terms, { coins: offered, leftOut: [], ...draft })
  const { economic, leftOut } = economicCoins(offered, terms)
  const coins = rest >= 0 ? economic : selected(offered, draft, terms)
  return assembled(request, terms, { coins, leftOut, ...draft })
}

/**
 * Builds a payment to oneself that turns many small coins into one, unsigned.
 *
 * With `feeRate`, `leftOut` of the result has the coins that cost more than they bring. A fee above
 * a tenth of what is moved is refused unless `maxFee` allows it.
 *
 * @param request - satoshis
 * @returns as `buildPayment`
 * @throws {AntaraError} as `buildPayment`
 * @example
 * buildConsolidation({ own: [from], coins, previousTransactions, tipHeight: 223 }).coins.length // 1
 */
export function buildConsolidation(request: ConsolidationRequest): UnsignedPayment {
  requireObject(request, 'request')
  requireKnownMembers(request, consolidationMembers, 'request')
  const { maxInputs = 500, to } = request
  requireUint32(maxInputs, 'maxInputs')
  const terms = readTerms(request, to)
  const { economic, leftOut } = economicCoins(offeredCoins(request, terms), terms)
  const smallest = economic.toSorted((one, other) => (one.worth < other.worth ? -1 : 1))
  const coins = smallest.slice(0, Math.min(maxInputs, inputsMax))
  const payees = [{ script: terms.changeScript }]
  return assembled(request, terms, { coins, leftOut, payees, isMerged: true })
}
