import { inputsMax } from '../chain/limits.ts'
import { argumentError } from '../primitives/arguments.ts'
import { requireRequest } from '../request/members.ts'
import {
  type ConsolidationRequest,
  consolidationForms,
  type PaymentRequest,
  paymentRequestForms,
  type SpendingRequest,
} from '../request/payment.ts'
import { economicCoins } from './economy.ts'
import { assembled, offeredCoins, selected, withSharedChange } from './payment-assembly.ts'
import { readNulldata, readTerms, requirePayees } from './payment-request.ts'
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
  requireRequest(request, paymentRequestForms)
  const { change, spend } = request
  const { terms, offered } = readSpending(request, 'change', change)
  const nulldata = readNulldata(request.nulldata, terms.network)
  const payees = requirePayees(request.recipients, terms)
  const draft = { payees, nulldata }
  if (spend === 'all') return assembled(request, terms, { coins: offered, leftOut: [], ...draft })
  const { economic, leftOut } = economicCoins(offered, terms)
  const isAll = payees.some(({ value }) => value === undefined)
  const coins = isAll ? economic : selected(offered, draft, terms)
  return assembled(request, terms, { coins, leftOut, ...draft })
}

/**
 * Builds a payment to yourself that turns many small coins into one, unsigned.
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
  requireRequest(request, consolidationForms)
  const { maxInputs = 500, to } = request
  if (maxInputs === 0) throw argumentError('maxInputs', 'at least 1', maxInputs)
  const { terms, offered } = readSpending(request, 'to', to)
  const { economic, leftOut } = economicCoins(offered, terms)
  const smallest = economic.toSorted((one, other) => (one.worth < other.worth ? -1 : 1))
  const coins = smallest.slice(0, Math.min(maxInputs, inputsMax))
  const payees = [{ script: terms.changeScript }]
  return assembled(request, terms, { coins, leftOut, payees, isMerged: true })
}

/** @param change - where change goes, from the member of this name; absent to follow the coins */
function readSpending(request: SpendingRequest, name: string, change: string | undefined) {
  const named = readTerms(request, change === undefined ? undefined : [name, change])
  const offered = offeredCoins(request, named)
  return { offered, terms: change === undefined ? withSharedChange(named, offered) : named }
}
