// Reads from a transaction the request that it fulfils. The request shows nothing about what anyone
// asked for: a case that is made from it agrees by construction.

import { defaultFee, defaultMaxFee } from '../../chain/limits.ts'
import { burnPublicKeys } from '../../chain/modules.ts'
import type { Network } from '../../chain/network.ts'
import type { AskedFor } from '../../request/case.ts'
import type { Payee } from '../../request/payment.ts'
import { pushedData, splitScript } from '../../script/push.ts'
import { addressOfScript } from '../../script/script.ts'
import { addressOf } from '../../signing/key.ts'
import { decodeTokenTransaction } from '../../token/read/read.ts'
import type { TokenTransaction } from '../../token/read/token-transaction.ts'
import { isNullOutpoint } from '../../transaction/coinbase.ts'
import { decodeTransaction } from '../../transaction/decode.ts'
import type { Transaction } from '../../transaction/types.ts'

/** A request, or the reason why none can be read. */
type Observed = AskedFor | { readonly reason: string }

const burnKeys: ReadonlySet<string> = new Set(Object.values(burnPublicKeys))

/** A transaction with the outputs that it spends. */
interface Spending {
  readonly tx: Transaction
  readonly spent: Transaction['outputs']
  readonly network: Network
}

/**
 * Reads a request from a transaction.
 *
 * @param previous - hex of the transactions that it spends, by txid
 * @throws {AntaraError} for malformed hex
 */
export function observedRequest(
  hex: string,
  previous: ReadonlyMap<string, string>,
  network: Network,
): Observed {
  const tx = decodeTransaction(hex)
  if (tx.inputs.some(isNullOutpoint)) return { reason: 'it makes new coins' }
  if (isShielded(tx)) return { reason: 'it has shielded parts' }
  const spent: Transaction['outputs'][number][] = []
  for (const { txid, vout } of tx.inputs) {
    const parent = previous.get(txid)
    const output = parent === undefined ? undefined : decodeTransaction(parent).outputs[vout]
    if (output === undefined) return { reason: `it spends ${txid}:${vout}, which is missing` }
    spent.push(output)
  }
  const spending = { tx, spent, network }
  const token = decodeTokenTransaction(hex, network)
  if (token === undefined) return paymentOf(spending)
  return token.payload.kind === 'create' ? creationOf(token, spending) : transferOf(token, spending)
}

function paymentOf({ tx, spent, network }: Spending): Observed {
  const addressOfOutput = ({ script }: { readonly script: string }) =>
    addressOfScript(script, network)
  // An address is the same for a key and for its hash, to which wallets return change.
  const own = new Set(spent.flatMap((output) => addressOfOutput(output) ?? []))
  if (spent.some((output) => addressOfOutput(output) === undefined)) {
    return { reason: 'it spends outputs without an address' }
  }
  const data = tx.outputs.filter(({ script }) => script.startsWith('6a'))
  const nulldata = data.length === 1 ? nulldataOf(data[0]!.script) : undefined
  if (data.length > 1 || (data.length === 1 && nulldata === undefined)) {
    return { reason: 'its data have a form that no request names' }
  }
  const others = tx.outputs.filter(
    (output) => !data.includes(output) && !own.has(addressOfOutput(output) ?? ''),
  )
  // If all outputs go back to the payer, the first one counts as paid.
  const paid = others.length === 0 ? tx.outputs.slice(0, 1) : others
  const changes = tx.outputs.length - data.length - paid.length
  return {
    operation: 'payment',
    intent: {
      network,
      recipients: paid.map((output) => payeeOf(output, addressOfOutput(output))),
      own: [...own],
      ...(nulldata !== undefined && { nulldata }),
      ...(changes > 1 && { maxChangeOutputs: changes }),
      ...feeOf({ tx, spent }),
    },
  }
}

/** Names a payee by script if its address means another one, as that of a bare key does. */
function payeeOf(
  { script, value }: Transaction['outputs'][number],
  address: string | undefined,
): Payee {
  const isMeant = address !== undefined && /^(?:76a914|a914)/.test(script)
  return { ...(isMeant ? { address } : { script }), amount: value }
}

function nulldataOf(script: string): string | undefined {
  const [, push, ...rest] = splitScript(script)
  return push === undefined || rest.length > 0 ? undefined : pushedData(push)
}

function creationOf({ payload, supply }: TokenTransaction, spending: Spending): Observed {
  if (payload.kind !== 'create') return { reason: 'it creates no token' }
  const { layout, owner, name, description, extras } = payload
  const [extra, ...others] = extras
  if (others.length > 0 || (extra !== undefined && extra.kind !== 'nonFungible')) {
    return { reason: 'it carries data of other modules' }
  }
  return {
    operation: 'tokencreate',
    intent: {
      network: spending.network,
      name,
      supply: supply ?? 0n,
      description,
      owner,
      ...(extra !== undefined && { data: extra.data }),
      ...(layout === 'tokel-v1' && { version: 1 }),
      ...ownKeysOf(spending, owner),
      ...feeOf(spending),
    },
  }
}

function transferOf({ tokenid, inputs, outputs }: TokenTransaction, spending: Spending): Observed {
  const isOrder = (role: string) => role.startsWith('order')
  if ([...inputs, ...outputs].some(({ role }) => isOrder(role))) {
    return { reason: 'it is a step of an order' }
  }
  const keys = new Set(
    inputs.flatMap(({ role, pubkeys }) => (role === 'token' ? (pubkeys ?? [])[0] : []) ?? []),
  )
  const [from] = keys
  const recipients = outputs.flatMap(({ role, value, pubkeys }) =>
    role === 'destination'
      ? [{ pubkey: pubkeys?.length === 1 ? pubkeys[0]! : '', amount: value }]
      : [],
  )
  const [first] = recipients
  if (from === undefined || keys.size !== 1 || first === undefined) {
    return { reason: 'it moves tokens of several keys, or to nobody else' }
  }
  if (recipients.some(({ pubkey }) => pubkey === '')) {
    return { reason: 'it does not show the key of a recipient' }
  }
  return {
    operation: 'tokentransfer',
    intent: {
      network: spending.network,
      tokenid,
      destination: first.pubkey,
      amount: first.amount,
      ...(recipients.length > 1 && { recipients }),
      ...(recipients.some(({ pubkey }) => burnKeys.has(pubkey)) && { burn: true }),
      from,
      ...ownKeysOf(spending, from),
      ...feeOf(spending),
    },
  }
}

/** Returns the addresses of other keys that pay, because daemons take coins of the whole wallet. */
function ownKeysOf(
  { spent, network }: Spending,
  from: string,
): { readonly ownKeys?: readonly string[] } {
  const addresses = spent.flatMap(({ script }) =>
    /^(?:76a9|21|41)/.test(script) ? (addressOfScript(script, network) ?? []) : [],
  )
  const others = new Set(addresses)
  others.delete(addressOf(from, network))
  return others.size > 0 ? { ownKeys: [...others] } : {}
}

/** Returns the fee as `maxFee` if it is above the default limit of a request. */
function feeOf({ tx, spent }: Pick<Spending, 'tx' | 'spent'>): { readonly maxFee?: bigint } {
  const sum = (outputs: Transaction['outputs']) =>
    outputs.reduce((total, { value }) => total + value, 0n)
  const fee = sum(spent) - sum(tx.outputs)
  return fee > defaultMaxFee(defaultFee) ? { maxFee: fee } : {}
}

function isShielded({ shieldedSpends, shieldedOutputs, joinSplits }: Transaction): boolean {
  return [shieldedSpends, shieldedOutputs, joinSplits].some((parts) => (parts ?? []).length > 0)
}
