// Chooses the daemon's method that transfers or creates tokens. Komodod has one module for tokens,
// tokeld has two: tokens v1 and v2.

import { burnPublicKeys } from '../../chain/modules.ts'
import { formatCoins } from '../../primitives/amount.ts'
import type { TransferIntent } from '../../request/transfer.ts'
import { encodeTokelData } from '../../token/payload/tokel-data.ts'
import type { KeySet } from '../../token/rules/key-set.ts'
import type { ReadyCreate } from '../../verification/operations/create.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { unlessRefused } from '../errors.ts'
import type { CallOptions } from '../options.ts'
import type { BuildCall } from './build-call.ts'
import { readAnswer } from './transaction.ts'

/**
 * Refuses a transfer that needs more than one call of a daemon.
 *
 * @throws {TypeError}
 */
export function requireSingleCall({ recipients = [], fromKeys }: TransferIntent): void {
  if (recipients.length > 1) {
    throw new TypeError(
      'intent.recipients: expected one recipient, because a daemon pays one at a time',
    )
  }
  if (fromKeys !== undefined) {
    throw new TypeError(
      'intent.fromKeys: expected none, because a daemon signs for its own key only',
    )
  }
}

/**
 * Returns the daemon's call for a transfer. On a chain of tokeld, it fetches the transaction that
 * created the token, which shows whether the token is of v1 or v2.
 */
export async function transferCall(
  client: DaemonClient,
  intent: TransferIntent,
  options: CallOptions,
): Promise<BuildCall> {
  const { network, tokenids, destinationKeys, destination } = intent
  const tokenid = intent.tokenid.toLowerCase()
  const amount = intent.amount.toString()
  const isV2 = network?.conditions === 'tokel' && (await isTokenV2(client, tokenid, options))
  if (!isV2) return { name: 'tokentransfer', params: [tokenid, destination, amount] }
  if (tokenids !== undefined) {
    return { name: 'tokenv2transfermany', params: [...tokenids, destination, amount] }
  }
  if (destinationKeys !== undefined) {
    return {
      name: 'tokenv2transferMofN',
      params: [manyKeysQuery(tokenid, destinationKeys, amount)],
    }
  }
  if (destination.toLowerCase() === burnPublicKeys.tokel) {
    return { name: 'tokenv2burn', params: [tokenid, amount, 'false'] }
  }
  return { name: 'tokenv2transfer', params: [tokenid, destination, amount] }
}

/**
 * Returns the parameter of `tokenv2transferMofN` as JSON text. The amount is appended as digits,
 * because a number of JavaScript may not hold all of them.
 */
function manyKeysQuery(tokenid: string, { required, pubkeys }: KeySet, amount: string): string {
  const query = JSON.stringify({ tokenid, destpubkeys: pubkeys, M: required })
  return `${query.slice(0, -1)},"amount":${amount}}`
}

/**
 * Matches an OP_RETURN script (`6a`) whose data begins with `f2`, the eval code of tokens v1. The
 * push is a direct one, OP_PUSHDATA1 (`4c`) or OP_PUSHDATA2 (`4d`).
 */
const payloadOfV1 = /^6a(?:[0-4].|4c..|4d.{4})f2/

/**
 * Returns whether a token is of v2. If its creation is not available, it counts as v2, the usual
 * case. A wrong guess costs no tokens, because the verifier checks what the daemon builds.
 */
async function isTokenV2(
  client: DaemonClient,
  tokenid: string,
  options: CallOptions,
): Promise<boolean> {
  const creation = await unlessRefused(client.getrawtransaction({ txid: tokenid }, options))
  const payload = (await readAnswer(creation))?.outputs.at(-1)?.script ?? ''
  return !payloadOfV1.test(payload)
}

export function createCall(normalized: ReadyCreate): BuildCall {
  const { name, supply, description, properties, version, terms } = normalized
  const leading = [name, formatCoins(supply), description]
  const isV2 = terms.network.conditions === 'tokel' && version === 2
  if (isV2 && properties !== undefined) {
    return { name: 'tokenv2createtokel', params: [...leading, JSON.stringify(properties)] }
  }
  const data = properties === undefined ? normalized.data : encodeTokelData(properties)
  const params = data === '' ? leading : [...leading, data]
  return { name: isV2 ? 'tokenv2create' : 'tokencreate', params }
}
