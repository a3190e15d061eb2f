// Units for several keys: whether nodes will relay the transaction that spends them.

import { pushBytesMax } from '../../chain/limits.ts'
import { tokensV2EvalCode } from '../../chain/modules.ts'
import { encodeFulfillment } from '../../condition/codec.ts'
import type { ConditionTree } from '../../condition/types.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { moduleCondition } from '../../script/condition-script.ts'
import type { KeySet } from './key-set.ts'

/** A signature of any key: all of them have as many bytes. */
const signature = `${'00'.repeat(31)}01`.repeat(2)
/** The hash type after a fulfillment. */
const hashTypeBytes = 1

/**
 * Refuses keys of whose units no node relays a spend: a fulfillment with its signatures is one push
 * of the scriptSig. A miner can still take such a spend.
 *
 * @throws {AntaraError} `size_out_of_range`
 * @see komodo src/main.cpp, AreInputsStandard; src/script/interpreter.cpp, EvalScript
 */
export function requireRelayedSpend(keys: KeySet): void {
  const why = whySpendNotRelayed(keys)
  if (why !== undefined) throw new AntaraError('size_out_of_range', { path: 'to', ...why })
}

/** Returns what nodes expect of a spend, and what it has; `undefined` if they relay it. */
export function whySpendNotRelayed({
  required,
  pubkeys,
}: KeySet): { readonly expected: string; readonly actual: string } | undefined {
  const tree = moduleCondition(pubkeys, { evalCodes: [tokensV2EvalCode], required })
  const bytes = encodeFulfillment(signed(tree)).length / 2 + hashTypeBytes
  if (bytes <= pushBytesMax) return undefined
  return {
    expected: `a spend that nodes relay, with a fulfillment of at most ${pushBytesMax} bytes`,
    actual: `${required} of ${pubkeys.length} keys: ${bytes} bytes`,
  }
}

/** Puts signatures beside all keys: a fulfillment takes as many of them as must sign. */
function signed(node: ConditionTree): ConditionTree {
  if (node.type === 'threshold-sha-256') {
    return { ...node, subconditions: node.subconditions.map(signed) }
  }
  return node.type === 'secp256k1-sha-256' ? { ...node, signature } : node
}
