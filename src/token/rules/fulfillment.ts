import type { ConditionTree } from '../../condition/types.ts'
import { decodeConditionScriptSig } from '../../script/condition-script.ts'
import type { Outpoint, Transaction } from '../../transaction/types.ts'

/** What a fulfillment shows, in the order in which daemons look at it. */
export interface FulfillmentKeys {
  /** Codes of the eval nodes, hex. */
  readonly evalCodes: readonly string[]
  /** Keys that were revealed, hex. */
  readonly pubkeys: readonly string[]
}

/** Eval codes and keys of a scriptSig that fulfills a condition; undefined for any other. */
export function fulfillmentOf(scriptSig: string): FulfillmentKeys | undefined {
  const tree = decodeConditionScriptSig(scriptSig)?.tree
  return tree === undefined ? undefined : keysIn(tree)
}

/** An input that brings tokens, of whatever id. */
export interface TokenInputOutpoint extends Outpoint {
  /** The first key of its fulfillment, '' if it has none. */
  readonly key: string
}

/** Inputs whose fulfillment shows a module's eval code. */
export function tokenInputs({ inputs }: Transaction, evalCode: string): TokenInputOutpoint[] {
  const found: TokenInputOutpoint[] = []
  for (const { txid, vout, scriptSig } of inputs) {
    const fulfillment = fulfillmentOf(scriptSig)
    if (!fulfillment?.evalCodes.includes(evalCode)) continue
    found.push({ txid, vout, key: fulfillment.pubkeys[0] ?? '' })
  }
  return found
}

/** Depth first, as the C library's cc_visit. */
function keysIn(tree: ConditionTree): FulfillmentKeys {
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
