// The daemon's methods to transfer or create tokens: komodod's, and those of tokeld's two modules.

import { burnPublicKeys } from '../../chain/modules.ts'
import type { TransferIntent } from '../../request/transfer.ts'
import { encodeTokelData } from '../../token/payload/tokel-data.ts'
import type { KeySet } from '../../token/rules/key-set.ts'
import type { ReadyCreate } from '../../verification/operations/create.ts'
import { coinsOfSats } from '../amounts.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isRpcError } from '../errors.ts'
import type { CallOptions } from '../options.ts'
import type { BuildCall } from './build-call.ts'
import { readTransaction } from './transaction.ts'

/** @throws {TypeError} for a transfer that no daemon makes in one call */
export function requireOneCall({ recipients = [], fromKeys }: TransferIntent): void {
  if (recipients.length > 1) {
    throw new TypeError('intent.recipients: a daemon transfers to one recipient at a time')
  }
  if (fromKeys !== undefined) {
    throw new TypeError('intent.fromKeys: a daemon signs for its own key alone')
  }
}

/**
 * Chooses the method for a transfer. On tokeld's chains the token's creation, which is fetched,
 * decides.
 */
export async function transferCall(
  client: DaemonClient,
  intent: TransferIntent,
  options: CallOptions,
): Promise<BuildCall> {
  const { network, tokenids, destinationKeys, destination } = intent
  const tokenid = intent.tokenid.toLowerCase()
  const amount = intent.amount.toString()
  const isV2 = network?.conditions === 'tokel' && (await isOfV2(client, tokenid, options))
  if (!isV2) return { name: 'tokentransfer', params: [tokenid, destination, amount] }
  if (tokenids !== undefined) {
    return { name: 'tokenv2transfermany', params: [...tokenids, destination, amount] }
  }
  if (destinationKeys !== undefined) {
    return { name: 'tokenv2transferMofN', params: [toKeys(tokenid, destinationKeys, amount)] }
  }
  if (destination.toLowerCase() === burnPublicKeys.tokel) {
    return { name: 'tokenv2burn', params: [tokenid, amount, 'false'] }
  }
  return { name: 'tokenv2transfer', params: [tokenid, destination, amount] }
}

/**
 * Returns the query as JSON text. The amount is a JSON number that may exceed those of JavaScript.
 */
function toKeys(tokenid: string, { required, pubkeys }: KeySet, amount: string): string {
  const query = JSON.stringify({ tokenid, destpubkeys: pubkeys, M: required })
  return `${query.slice(0, -1)},"amount":${amount}}`
}

/** Matches the payload of tokens v1 in the last output of a creation. */
const payloadOfV1 = /^6a(?:[0-4].|4c..|4d.{4})f2/

/** A token whose creation is not available counts as v2, the usual case; the verifier decides. */
async function isOfV2(
  client: DaemonClient,
  tokenid: string,
  options: CallOptions,
): Promise<boolean> {
  try {
    const creation = await client.getrawtransaction({ txid: tokenid }, options)
    const outputs = (await readTransaction(creation))?.outputs ?? []
    return !payloadOfV1.test(outputs.at(-1)?.script ?? '')
  } catch (error) {
    if (isRpcError(error, 'daemon') || isRpcError(error, 'shape')) return true
    throw error
  }
}

export function createCall(normalized: ReadyCreate): BuildCall {
  const { name, supply, description, properties, version, terms } = normalized
  const leading = [name, coinsOfSats(supply), description]
  const isV2 = terms.network.conditions === 'tokel' && version === 2
  if (isV2 && properties !== undefined) {
    return { name: 'tokenv2createtokel', params: [...leading, JSON.stringify(properties)] }
  }
  const data = properties === undefined ? normalized.data : encodeTokelData(properties)
  const params = data === '' ? leading : [...leading, data]
  return { name: isV2 ? 'tokenv2create' : 'tokencreate', params }
}
