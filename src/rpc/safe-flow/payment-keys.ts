// Defines which intents are the same payment. Attempts are remembered by these keys, so an intent
// that is spelled differently must have the same one, or it would be paid beside the first.

import { defaultNetwork, type Network } from '../../chain/network.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import { hashOfKey } from '../../script/public-key.ts'
import { scriptOfAddress } from '../../script/script.ts'
import { decodeTokelData, encodeTokelData, type TokelData } from '../../token/payload/tokel-data.ts'
import type { Holder } from '../../token/rules/rules.ts'
import type { ReadyCreate } from '../../verification/operations/create.ts'
import type { ReadyOrder } from '../../verification/order-intent.ts'
import type { ReadyTransfer } from '../../verification/transfer-intent.ts'
import type { WithdrawIntent } from '../../verification/withdraw.ts'

/** Fees are no part of it: an intent with another fee is the same payment. */
function keyOf(...parts: readonly (string | bigint)[]): string {
  return JSON.stringify(parts.map(String))
}

/** The tokens, who pays, and who gets how much: recipients and tokens in any order. */
export function transferKey(normalized: ReadyTransfer): string {
  const { tokenid, tokenids = [tokenid], from, owner, recipients } = normalized
  const paid = recipients.map(({ holder, amount }) => `${recipientOf(holder)} ${amount}`)
  return keyOf('transfer', tokenids.toSorted().join(), from, recipientOf(owner), ...paid.toSorted())
}

const publicKey = /^0[23][0-9a-f]{64}$/

/**
 * A recipient whatever names it: the hash of a key, which its address has too, or how many of which
 * keys. The scripts of either follow from that.
 */
function recipientOf(holder: Holder): string {
  if (typeof holder === 'string') return publicKey.test(holder) ? hashOfKey(holder) : holder
  const { required, pubkeys } = holder
  const [only, ...others] = pubkeys
  const isOne = only !== undefined && others.length === 0 && required === 1
  return isOne ? recipientOf(only) : `${required}/${pubkeys.toSorted().join()}`
}

/** Returns a key of the token's own data, whatever request they were made from. */
export function createKey(normalized: ReadyCreate): string {
  const { owner, name, supply, description, version, terms } = normalized
  const isTokel = terms.network.conditions === 'tokel'
  const data = isTokel ? tokelDataOf(normalized) : normalized.data
  return keyOf('create', owner, name, supply, description, data, isTokel ? String(version) : '1')
}

/** Properties in one order, those that are given as data too. */
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
    // Data of another kind.
    return data
  }
}

/** To fill or cancel, the order names what is paid: a price beside it bounds that, no more. */
export function orderKey(normalized: ReadyOrder): string {
  const { kind, tokenid, from, order, units, price = 0n, expiryHeight = 0 } = normalized
  const isOffer = kind === 'ask' || kind === 'bid'
  const offered = isOffer ? [price, BigInt(expiryHeight)] : []
  return keyOf('order', kind, tokenid, from, order, units, ...offered)
}

/** The script that is paid, the amount and the note. A ticker names the chain. */
export function withdrawKey(intent: WithdrawIntent): string {
  const { coin, to, amount, nulldata = '', network = defaultNetwork } = intent
  return keyOf('withdraw', coin, scriptPaid(to, network), amount, nulldata.toLowerCase())
}

/** The verifier rejects text that is not an address of the network. */
function scriptPaid(address: string, network: Network): string {
  try {
    return scriptOfAddress(address, network)
  } catch (error) {
    if (isAntaraError(error)) return address
    throw error
  }
}
