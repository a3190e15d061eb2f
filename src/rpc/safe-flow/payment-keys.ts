// Defines which intents are the same payment. These keys identify recorded attempts, so an intent
// with another spelling must have the same key, or it would be paid twice.

import { defaultNetwork } from '../../chain/network.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import { holderName } from '../../request/holder-name.ts'
import type { PaymentIntent } from '../../request/payment.ts'
import { readPayees } from '../../request/payment-problems.ts'
import { paymentOf, type WithdrawIntent } from '../../request/withdraw.ts'
import { decodeTokelData, encodeTokelData, type TokelData } from '../../token/payload/tokel-data.ts'
import type { ReadyCreate } from '../../verification/operations/create.ts'
import type { ReadyOrder } from '../../verification/order-intent.ts'
import type { ReadyTransfer } from '../../verification/transfer-intent.ts'
import { partsOfTerms } from './same-terms.ts'

/**
 * Joins the parts of a key. Fees are not among them: an intent with another fee is the same
 * payment.
 */
function keyOf(...parts: readonly (string | bigint)[]): string {
  return JSON.stringify(parts.map(String))
}

/** Returns the key of a transfer: tokens, payer, recipients and amounts, in any order. */
export function transferKey(normalized: ReadyTransfer): string {
  const { tokenid, tokenids = [tokenid], from, owner, recipients } = normalized
  const paid = recipients.map(({ holder, amount }) => `${holderName(holder)} ${amount}`)
  return keyOf('transfer', tokenids.toSorted().join(), from, holderName(owner), ...paid.toSorted())
}

export function createKey(normalized: ReadyCreate): string {
  const { owner, name, supply, description, version, terms } = normalized
  const isTokel = terms.network.conditions === 'tokel'
  const data = isTokel ? tokelDataOf(normalized) : normalized.data
  return keyOf('create', owner, name, supply, description, data, isTokel ? String(version) : '1')
}

/** Returns the properties in one order, also those that were given as data. */
function tokelDataOf({ properties, data }: ReadyCreate): string {
  try {
    const { id, url, urlHex, royalty, arbitrary }: TokelData = properties ?? decodeTokelData(data)
    if (urlHex !== undefined) return data
    return encodeTokelData({
      ...(id !== undefined && { id }),
      ...(url !== undefined && { url }),
      ...(royalty !== undefined && { royalty }),
      ...(arbitrary !== undefined && { arbitrary: arbitrary.toLowerCase() }),
    })
  } catch (error) {
    if (!isAntaraError(error)) throw error
    // These are not properties.
    return data
  }
}

/**
 * Returns the key of an order step. For a fill or a cancellation the order decides what is paid; a
 * price only bounds it.
 */
export function orderKey(normalized: ReadyOrder): string {
  const { kind, tokenid, from, order, units, price = 0n, expiryHeight = 0 } = normalized
  const isOffer = kind === 'ask' || kind === 'bid'
  const offered = isOffer ? [price, BigInt(expiryHeight)] : []
  return keyOf('order', kind, tokenid, from, order, units, ...offered)
}

/** Returns the key of a payment in coins: paid scripts and amounts in any order, and the data. */
export function paymentKey(intent: PaymentIntent): string {
  const { recipients, nulldata = '', network = defaultNetwork } = intent
  const paid = readPayees(recipients, network).payees.map(
    ({ script, value = 'max' }) => `${script} ${value}`,
  )
  return keyOf('payment', nulldata.toLowerCase(), ...paid.toSorted())
}

/** Returns the key of a withdrawal: paid script, amount and note. The ticker names the chain. */
export function withdrawKey(intent: WithdrawIntent): string {
  const { coin, to, amount, nulldata = '', network = defaultNetwork } = intent
  const [payee] = readPayees(paymentOf(intent).recipients, network).payees
  // The verifier rejects an address that pays no script.
  return keyOf('withdraw', coin, payee?.script || to, amount, nulldata.toLowerCase())
}

/** Returns the coin of the key of a withdrawal, also of one that a guard recorded for a user. */
export function withdrawnCoin(key: string): string | undefined {
  const parts = partsOfTerms(key)
  // A guard writes the user before the key.
  const [kind, coin] = parts.length === 2 ? partsOfTerms(String(parts[1])) : parts
  return kind === 'withdraw' ? String(coin) : undefined
}
