import { decodeFulfillment } from '../condition/codec.ts'
import type { ConditionTree } from '../condition/types.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { firstPush } from './push.ts'

/** What a fulfillment shows, in the order in which daemons look at it. */
export interface FulfilmentKeys {
  /** Codes of the eval nodes, hex. */
  readonly evalCodes: readonly string[]
  /** Keys that were revealed, hex. */
  readonly pubkeys: readonly string[]
}

/**
 * Eval codes and keys of a scriptSig that fulfills a condition; undefined for any other.
 *
 * @see komodo src/cc/CCutils.cpp, GetCryptoCondition: the first push, less its last byte
 */
export function fulfilmentOf(scriptSig: string): FulfilmentKeys | undefined {
  const pushed = firstPush(scriptSig)
  if (pushed === undefined || pushed.length <= 2) return undefined
  try {
    return keysIn(decodeFulfillment(pushed.slice(0, -2)))
  } catch (error) {
    if (error instanceof AntaraError) return undefined
    throw error
  }
}

/** Depth first, as the C library's cc_visit. */
function keysIn(tree: ConditionTree): FulfilmentKeys {
  const evalCodes: string[] = []
  const pubkeys: string[] = []
  visit(tree)
  return { evalCodes, pubkeys }

  function visit(node: ConditionTree): void {
    switch (node.type) {
      case 'eval-sha-256':
        evalCodes.push(node.code)
        return
      case 'secp256k1-sha-256':
        pubkeys.push(node.publicKey)
        return
      case 'secp256k1hash-sha-256':
        if (node.publicKey !== undefined) pubkeys.push(node.publicKey)
        return
      case 'prefix-sha-256':
        visit(node.subcondition)
        return
      case 'threshold-sha-256':
        node.subconditions.forEach(visit)
    }
  }
}
