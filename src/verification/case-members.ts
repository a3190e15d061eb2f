// What case files and requests for new transactions have in common.

import { defineNetwork, type Network, networks } from '../chain/network.ts'
import {
  amount,
  items,
  type Members,
  malformed,
  object,
  string,
} from '../primitives/json-fields.ts'
import type { Recipient } from './intent.ts'

/** Fee and bound, where they are given. */
export function fees(intent: Members): { fee?: bigint; maxFee?: bigint } {
  return {
    ...(intent.fee !== undefined && { fee: amount(intent.fee, 'intent.fee') }),
    ...(intent.maxFee !== undefined && { maxFee: amount(intent.maxFee, 'intent.maxFee') }),
  }
}

/**
 * A known network by name, or members that differ from `assetChain`. Not the branch id: a file that
 * is carried about does not decide for which chains a signature counts.
 */
export function readNetwork(value: unknown): Network {
  if (value === undefined) return networks.assetChain
  if (typeof value === 'string') {
    const named = Object.entries(networks).find(([name]) => name === value)?.[1]
    if (named !== undefined) return named
    throw malformed('network', Object.keys(networks).join(', '), value)
  }
  const known = Object.keys(networks.assetChain).filter((name) => name !== 'branchId')
  const { maxMoney, ...members } = object(value, 'network', known)
  const exact = maxMoney === undefined ? {} : { maxMoney: amount(maxMoney, 'network.maxMoney') }
  try {
    return defineNetwork({ ...members, ...exact })
  } catch (error) {
    throw malformed('network', 'overrides of assetChain', (error as Error).message)
  }
}

export function readRecipients(value: unknown, path: string): Recipient[] {
  return items(value, path, { named: 'recipients', read: readRecipient })
}

function readRecipient(value: unknown, path: string): Recipient {
  const recipient = object(value, path, ['pubkey', 'amount'])
  return {
    pubkey: string(recipient.pubkey, `${path}.pubkey`),
    amount: amount(recipient.amount, `${path}.amount`),
  }
}
