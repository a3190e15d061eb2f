// Reads a request from the transaction that fulfils it. Nobody may have made this request: a case with
// it agrees by construction.

import { burnPublicKeys } from '../../chain/modules.ts'
import type { Network } from '../../chain/network.ts'
import type { Payee } from '../../request/payment.ts'
import { addressedScript, keyHashScript } from '../../script/addressed-script.ts'
import { pubkeyHashScript } from '../../script/key-script.ts'
import { isNulldata } from '../../script/nulldata.ts'
import { pushedData, splitScript } from '../../script/push.ts'
import { addressOfScript } from '../../script/script.ts'
import { decodeTokenTransaction } from '../../token/read/read.ts'
import type { TokenOutput, TokenTransaction } from '../../token/read/token-transaction.ts'
import { conditionKeys, readConditionScript } from '../../token/rules/condition-script.ts'
import { isNullOutpoint } from '../../transaction/coinbase.ts'
import { decodeTransaction } from '../../transaction/decode.ts'
import type { Transaction } from '../../transaction/types.ts'
import { orderStepOf, statedOrder } from './observed-order.ts'
import { feeOf, type Observed, ownKeysOf, type Spending } from './spending.ts'

/**
 * Reads a request from a transaction.
 *
 * @param previous - hex of the transactions that it spends, and of the creation of its token, by txid
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
  if (token.payload.kind === 'create') return creationOf(token, spending)
  const order = statedOrder(token)
  return order === undefined
    ? transferOf(token, spending)
    : orderStepOf(token, order, spending, previous)
}

function paymentOf({ tx, spent, network }: Spending): Observed {
  const addressOfOutput = ({ script }: { readonly script: string }) =>
    addressOfScript(script, network)
  // An address is the same for a key and for its hash, to which wallets return change.
  const own = new Set(spent.flatMap((output) => addressOfOutput(output) ?? []))
  if (spent.some((output) => addressOfOutput(output) === undefined)) {
    return { reason: 'it spends outputs without an address' }
  }
  const data = tx.outputs.filter(({ script }) => isNulldata(script))
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
  const type = addressedScript(script)?.type
  const isMeant = address !== undefined && (type === 'pubkeyhash' || type === 'scripthash')
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
    return { reason: 'it moves what orders hold, and names no step' }
  }
  if (outputs.some((output) => output.tokenid !== undefined)) {
    return { reason: 'its outputs name their tokens themselves' }
  }
  const owners = inputs.flatMap(({ role, pubkeys }) => (role === 'token' ? [pubkeys ?? []] : []))
  if (owners.some(({ length }) => length > 1)) {
    return { reason: 'it moves tokens that several keys hold together' }
  }
  const keys = new Set(owners.flat())
  const [from] = keys
  const recipients = outputs.flatMap((output) =>
    output.role === 'destination'
      ? [{ pubkey: recipientOf(output, spending.network), amount: output.value }]
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
      ...(recipients.some(({ pubkey }) => isBurned(pubkey, spending.network)) && { burn: true }),
      from,
      ...ownKeysOf(spending, from),
      ...feeOf(spending),
    },
  }
}

/** Returns the key of a recipient, or the address of one that a condition names by its hash. */
function recipientOf({ pubkeys, script }: TokenOutput, network: Network): string {
  if (pubkeys !== undefined) return pubkeys.length === 1 ? pubkeys[0]! : ''
  const shown = readConditionScript(script)
  const [hash, ...others] = shown === undefined ? [] : conditionKeys(shown).keyHashes
  if (hash === undefined || others.length > 0) return ''
  return addressOfScript(keyHashScript(hash), network) ?? ''
}

/** Returns true for a burn key, and for its address. */
function isBurned(recipient: string, network: Network): boolean {
  return Object.values(burnPublicKeys).some(
    (key) => key === recipient || addressOfScript(pubkeyHashScript(key), network) === recipient,
  )
}

function isShielded({ shieldedSpends, shieldedOutputs, joinSplits }: Transaction): boolean {
  return [shieldedSpends, shieldedOutputs, joinSplits].some((parts) => (parts ?? []).length > 0)
}
