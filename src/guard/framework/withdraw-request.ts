// The request that a call of `withdraw` makes. A member that the guard does not know is refused.
// `from` is recorded and passed on, and not verified: a path does not name one of the own addresses.
// Source: komodo-defi-framework mm2_main coins/lp_coins.rs, WithdrawRequest, WithdrawFee.

import { defaultFee, defaultMaxFee } from '../../chain/limits.ts'
import type { Network } from '../../chain/network.ts'
import { formatCoins, satsOfText } from '../../primitives/amount.ts'
import { isJsonObject, isLosslessNumber, type JsonValue } from '../../primitives/json.ts'
import type { WithdrawIntent } from '../../request/withdraw.ts'
import { payerIn, type RecordedWithdrawal } from '../../rpc/safe-flow/withdraw-text.ts'
import { refusedParameter } from '../refusals.ts'

/** Facts that a guard has besides the parameters. */
export interface WithdrawTerms {
  /** The ticker of the one coin that the guard pays. */
  readonly coin: string
  readonly network: Network
  /** The wallet's own addresses or keys. */
  readonly own: readonly string[]
  readonly maxFee: bigint | undefined
}

type Params = Readonly<Record<string, JsonValue>>

const members: ReadonlySet<string> = new Set(['coin', 'to', 'amount', 'max', 'fee', 'from'])
/** Members that say nothing at these values. */
const empty: Params = { broadcast: false, memo: null, ibc_source_channel: null }

/**
 * Returns the withdrawal that a call requests.
 *
 * @throws {RpcFailure} for parameters that the guard does not read as the server does
 */
export function withdrawRequest(params: Params, terms: WithdrawTerms): RecordedWithdrawal {
  for (const [name, value] of Object.entries(params)) {
    if (members.has(name)) continue
    // The name is text of the client, so it is not repeated.
    if (!Object.hasOwn(empty, name)) throw refusedParameter('params', [...members].join(', '))
    if (value !== empty[name]) throw refusedParameter(`params.${name}`, `${empty[name]}`)
  }
  const { coin, to, amount, max = false, fee, from } = params
  if (coin !== terms.coin) throw refusedParameter('params.coin', `${terms.coin}, the guarded coin`)
  if (typeof to !== 'string') throw refusedParameter('params.to', 'an address')
  if (typeof max !== 'boolean') throw refusedParameter('params.max', 'true or false')
  if (from !== undefined && from !== null && !isJsonObject(from)) {
    throw refusedParameter('params.from', 'a path or an account')
  }
  if (max && amount !== undefined) throw refusedParameter('params', 'an amount or max, not both')
  const intent = {
    coin,
    to,
    amount: max ? ('max' as const) : satsOf(amount, 'params.amount', terms),
    own: terms.own,
    network: terms.network,
    ...feeOf(fee, terms),
  }
  return { intent, from: payerIn(from) }
}

// The highest `maxMoney`, 2^63 - 1 satoshis, has 11 digits before the point.
const decimal = /^(?:0|[1-9]\d{0,10})(?:\.\d{1,8})?$/

function satsOf(value: JsonValue | undefined, path: string, { network }: WithdrawTerms): bigint {
  const text = isLosslessNumber(value) ? value.value : value
  const isDecimal = typeof text === 'string' && decimal.test(text)
  const sats = (isDecimal ? satsOfText(text) : undefined) ?? 0n
  if (sats > 0n && sats <= network.maxMoney) return sats
  const most = formatCoins(network.maxMoney)
  throw refusedParameter(
    path,
    `coins above 0, at most ${most}, in decimal digits with at most 8 decimals`,
  )
}

function feeOf(
  fee: JsonValue | undefined,
  terms: WithdrawTerms,
): Pick<WithdrawIntent, 'fee' | 'feeRate' | 'maxFee'> {
  const most = terms.maxFee ?? defaultMaxFee(defaultFee)
  if (fee === undefined || fee === null) return { maxFee: most }
  const { type, amount, ...rest } = isJsonObject(fee) ? fee : {}
  const isKnown = type === 'UtxoFixed' || type === 'UtxoPerKbyte'
  if (!isKnown || Object.keys(rest).length > 0) {
    throw refusedParameter('params.fee', 'type UtxoFixed or UtxoPerKbyte, and amount')
  }
  const sats = satsOf(amount, 'params.fee.amount', terms)
  if (type === 'UtxoPerKbyte') return { feeRate: sats, maxFee: most }
  if (!(sats <= most)) {
    throw refusedParameter('params.fee.amount', `at most ${formatCoins(most)} coins`)
  }
  return { fee: sats }
}
