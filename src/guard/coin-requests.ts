// Converts the parameters of sendtoaddress and sendmany to a payment request. A parameter that the
// guard would have to drop is refused.
// Source: komodo src/wallet/rpcwallet.cpp, sendtoaddress, sendmany; AmountFromValue.

import { satsMax } from '../primitives/amount.ts'
import { isJsonObject, isLosslessNumber, type JsonValue } from '../primitives/json.ts'
import type { AskedFor } from '../request/case.ts'
import type { Payee } from '../request/payment.ts'
import { refusedParameter } from './refusals.ts'
import type { RequestTerms } from './token-method.ts'

/** Methods that spend coins in one call, and that the guard carries out in steps. */
export const coinMethods: readonly string[] = ['sendtoaddress', 'sendmany']

/**
 * Returns the payment that a call requests.
 *
 * @throws {RpcFailure} for parameters that the guard does not carry out as the daemon would
 */
export function coinRequest(
  method: string,
  params: readonly JsonValue[],
  terms: RequestTerms,
): AskedFor<'payment'> {
  const recipients = method === 'sendmany' ? payeesOfMany(params) : payeeOfOne(params)
  const { network, pubkey, maxFee } = terms
  return {
    operation: 'payment',
    intent: { recipients, own: [pubkey], network, ...(maxFee !== undefined && { maxFee }) },
  }
}

function payeeOfOne(params: readonly JsonValue[]): Payee[] {
  const [address, amount, comment = '', commentTo = '', subtractsFee = false, ...rest] = params
  requireNone(rest, 'params[5]')
  requireEqual(comment, '', 'params[2]')
  requireEqual(commentTo, '', 'params[3]')
  requireEqual(subtractsFee, false, 'params[4]')
  if (typeof address !== 'string') throw refusedParameter('params[0]', 'an address')
  return [{ address, amount: satsOf(amount, 'params[1]') }]
}

function payeesOfMany(params: readonly JsonValue[]): Payee[] {
  const [account, payments, minConf, comment = '', subtractFeeFrom = [], ...rest] = params
  requireNone(rest, 'params[5]')
  requireEqual(account, '', 'params[0]')
  requireEqual(comment, '', 'params[3]')
  const isDefault = isLosslessNumber(minConf) && minConf.value === '1'
  if (minConf !== undefined && !isDefault) {
    throw refusedParameter('params[2]', '1 as the minimum of confirmations')
  }
  if (!Array.isArray(subtractFeeFrom) || subtractFeeFrom.length > 0) {
    throw refusedParameter('params[4]', 'an empty list: the payer pays the fee')
  }
  const entries = isJsonObject(payments) ? Object.entries(payments) : []
  if (entries.length === 0) throw refusedParameter('params[1]', 'an object of addresses')
  return entries.map(([address, amount]) => ({ address, amount: satsOf(amount, 'params[1]') }))
}

function requireNone(rest: readonly JsonValue[], path: string): void {
  if (rest.length > 0) throw refusedParameter(path, 'no further parameter')
}

function requireEqual(
  value: JsonValue | undefined,
  expected: string | boolean,
  path: string,
): void {
  if (value !== expected) throw refusedParameter(path, JSON.stringify(expected))
}

const decimal = /^(\d{1,10})(?:\.(\d{1,20}))?(?:[eE]([+-]?\d{1,2}))?$/

/** Reads an amount as the daemon does: decimal coins, with an exponent, exact to a satoshi. */
function satsOf(value: JsonValue | undefined, path: string): bigint {
  const text = isLosslessNumber(value) ? value.value : value
  const match = typeof text === 'string' ? decimal.exec(text) : null
  if (match === null) throw refusedParameter(path, 'an amount of coins in decimal digits')
  const [, whole, fraction = '', exponent = '0'] = match
  const shift = 8 + Number(exponent) - fraction.length
  const digits = BigInt(`${whole}${fraction}`)
  const scale = 10n ** BigInt(Math.abs(shift))
  const isExact = shift >= 0 || digits % scale === 0n
  const sats = shift >= 0 ? digits * scale : digits / scale
  if (isExact && sats > 0n && sats <= satsMax) return sats
  throw refusedParameter(path, 'an amount of coins above 0, with at most 8 decimals')
}
