import type { ConditionTree } from '../../condition/types.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
import { decodeConditionScriptSigs } from '../../script/read-condition-script.ts'
import type { Outpoint, Transaction, TransactionInput } from '../../transaction/types.ts'

/** The eval codes and keys of a fulfillment, in the order in which daemons visit them. */
export interface FulfillmentKeys {
  /** Codes of the eval nodes, hex. */
  readonly evalCodes: readonly string[]
  /** Keys that were revealed, hex. */
  readonly pubkeys: readonly string[]
}

type Fulfillments = readonly (FulfillmentKeys | undefined)[]

/** Cached, because several rules read the inputs of one transaction. */
const read = oncePerObject((inputs: readonly TransactionInput[]): Fulfillments => {
  const decoded = decodeConditionScriptSigs(inputs.map(({ scriptSig }) => scriptSig))
  return decoded.map((it) => it && keysIn(it.tree))
})

/**
 * Returns eval codes and keys of each scriptSig that fulfills a condition; `undefined` for the
 * others.
 */
export function fulfillmentsOf({ inputs }: Pick<Transaction, 'inputs'>): Fulfillments {
  return read(inputs)
}

/** An input that brings tokens of any id. */
export interface TokenInputOutpoint extends Outpoint {
  /** The first key of its fulfillment, '' if it has none. */
  readonly key: string
}

/** Returns the inputs whose fulfillment shows a module's eval code. */
export function tokenInputs(
  transaction: Pick<Transaction, 'inputs'>,
  evalCode: string,
): TokenInputOutpoint[] {
  const fulfillments = fulfillmentsOf(transaction)
  return transaction.inputs.flatMap(({ txid, vout }, index) => {
    const fulfillment = fulfillments[index]
    if (!fulfillment?.evalCodes.includes(evalCode)) return []
    return [{ txid, vout, key: fulfillment.pubkeys[0] ?? '' }]
  })
}

/** Visits depth first, as the C library's cc_visit does. */
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
