// Members that case files share with requests for new transactions.

import {
  defaultNetwork,
  defineNetwork,
  knownNetwork,
  membersApart,
  type Network,
  networks,
} from '../chain/network.ts'
import {
  amount,
  height,
  items,
  type Members,
  malformed,
  object,
  string,
  strings,
} from '../primitives/json-fields.ts'
import { type KeySet, keySetMembers } from '../token/rules/key-set.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { ClaimedAmount } from './case.ts'
import {
  type IntentTerms,
  propertyMembers,
  type Recipient,
  recipientMembers,
  type TokelProperties,
} from './intent.ts'

/** Fee and bound, where they are given. */
export function fees(intent: Members): { fee?: bigint; maxFee?: bigint } {
  return {
    ...(intent.fee !== undefined && { fee: amount(intent.fee, 'intent.fee') }),
    ...(intent.maxFee !== undefined && { maxFee: amount(intent.maxFee, 'intent.maxFee') }),
  }
}

/** Members that an intent of any operation may have. */
export const termMembers: readonly string[] = [
  'fee',
  'maxFee',
  'ownKeys',
  'spendable',
  'onChain',
  'reportedBy',
  'expiryBlocksMax',
]

export function readTerms(intent: Members, network: Network): IntentTerms {
  const { ownKeys, spendable, onChain, reportedBy, expiryBlocksMax } = intent
  return {
    network,
    ...fees(intent),
    ...(ownKeys !== undefined && { ownKeys: strings(ownKeys, 'intent.ownKeys') }),
    ...(spendable !== undefined && { spendable: readOutpoints(spendable, 'intent.spendable') }),
    ...(onChain !== undefined && { onChain: strings(onChain, 'intent.onChain') }),
    ...(reportedBy !== undefined && { reportedBy: string(reportedBy, 'intent.reportedBy') }),
    ...(expiryBlocksMax !== undefined && {
      expiryBlocksMax: height(expiryBlocksMax, 'intent.expiryBlocksMax'),
    }),
  }
}

/**
 * A known network by name, or members that differ from `assetChain`. Not the branch id: a file that
 * is carried about does not decide for which chains a signature counts. Nor are a known network's
 * members otherwise than they are: a person who reads its name relies on it.
 */
export function readNetwork(value: unknown): Network {
  if (value === undefined) return defaultNetwork
  if (typeof value === 'string') {
    const known = knownNetwork(value)
    if (known !== undefined) return known
    throw malformed('network', Object.keys(networks).join(', '), value)
  }
  const overrides = readOverrides(value)
  const network = defined(overrides)
  // A network without a name of its own is identified by its members.
  const known = overrides.name === undefined ? undefined : knownNetwork(network.name)
  if (known === undefined) return network
  const [apart] = membersApart(network, known)
  if (apart === undefined) return known
  const expected = `${known[apart]}, or another name: ${known.name} is known`
  throw malformed(`network.${apart}`, expected, `${network[apart]}`)
}

function readOverrides(value: unknown): Members {
  const names = Object.keys(networks.assetChain).filter((name) => name !== 'branchId')
  const { maxMoney, ...members } = object(value, 'network', names)
  if (maxMoney === undefined) return members
  return { ...members, maxMoney: amount(maxMoney, 'network.maxMoney') }
}

function defined(overrides: Partial<Network>): Network {
  try {
    return defineNetwork(overrides)
  } catch (error) {
    throw malformed('network', 'overrides of assetChain', (error as Error).message)
  }
}

export function readRecipients(value: unknown, path: string): Recipient[] {
  return items(value, path, { named: 'recipients', read: readRecipient })
}

function readRecipient(value: unknown, path: string): Recipient {
  const recipient = object(value, path, recipientMembers)
  return {
    pubkey: string(recipient.pubkey, `${path}.pubkey`),
    amount: amount(recipient.amount, `${path}.amount`),
  }
}

export function readKeySet(value: unknown, path: string): KeySet {
  const keys = object(value, path, keySetMembers)
  return {
    required: height(keys.required, `${path}.required`),
    pubkeys: strings(keys.pubkeys, `${path}.pubkeys`),
  }
}

export function readProperties(value: unknown, path: string): TokelProperties {
  const { id, url, royalty, arbitrary } = object(value, path, propertyMembers)
  return {
    ...(id !== undefined && { id: height(id, `${path}.id`) }),
    ...(url !== undefined && { url: string(url, `${path}.url`) }),
    ...(royalty !== undefined && { royalty: height(royalty, `${path}.royalty`) }),
    ...(arbitrary !== undefined && { arbitrary: string(arbitrary, `${path}.arbitrary`) }),
  }
}

export function readOutpoints(value: unknown, path: string): Outpoint[] {
  return items(value, path, { named: 'outpoints', read: readOutpoint })
}

function readOutpoint(value: unknown, path: string): Outpoint {
  const outpoint = object(value, path, ['txid', 'vout'])
  return {
    txid: string(outpoint.txid, `${path}.txid`),
    vout: height(outpoint.vout, `${path}.vout`),
  }
}

export function readHeights(value: unknown): Record<string, number> {
  const heights = object(value, 'heights', Object.keys(value ?? {}))
  const rows = Object.entries(heights).map(([txid, it]) => [txid, height(it, `heights.${txid}`)])
  return Object.fromEntries(rows) as Record<string, number>
}

export function readAmounts(value: unknown): ClaimedAmount[] {
  return items(value, 'amounts', { named: 'amounts', read: readClaimedAmount })
}

function readClaimedAmount(value: unknown, path: string): ClaimedAmount {
  const claimed = object(value, path, ['txid', 'vout', 'value'])
  return {
    txid: string(claimed.txid, `${path}.txid`),
    vout: height(claimed.vout, `${path}.vout`),
    value: amount(claimed.value, `${path}.value`),
  }
}
