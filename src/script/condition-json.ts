// The JSON that tokeld prints for the condition tree in a scriptPubKey.

import { moduleOfEvalCode } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { type ConditionTree, type ConditionType, maskOfTypes } from '../condition/types.ts'
import { encodeAddress } from './base58.ts'
import { decodeConditionScript } from './read-condition-script.ts'

/** The outermost node, with tokeld's names, in its order. */
export type PrintedCondition = PrintedThreshold | PrintedNode

interface PrintedThreshold {
  readonly type: 'threshold-sha-256'
  /** The number of members, not the number of required ones. */
  readonly size: number
  readonly subconditions: readonly PrintedNode[]
}

interface PrintedNode {
  readonly type: ConditionType
  /** Tells whether the script contains only the node's condition. */
  readonly isAnon: 'yes' | 'no'
  readonly EvalCode?: string
  /** The same number as `size`. */
  readonly threshold?: number
  readonly subconditions?: PrintedCondition
  /** The address of a key that is given by its hash. */
  readonly destination?: string
  readonly fingerprint?: string
  /** A mask: bit n stands for type n. */
  readonly subtypes?: number
}

/**
 * Returns the `condition` that tokeld prints for scripts in its forms 'M' and 'N'; `undefined` for
 * others.
 *
 * @see tokel src/rpc/rawtransaction.cpp, ScriptPubKeyToJSON; src/cc/CCutils.cpp, CCDecodeMixedMode
 */
export function printedCondition(script: string, network: Network): PrintedCondition | undefined {
  if (network.conditions !== 'tokel') return undefined
  const tree = decodeConditionScript(script, network)?.tree
  return tree && printedTree(tree, network)
}

function printedTree(tree: ConditionTree, network: Network): PrintedCondition {
  if (tree.type !== 'threshold-sha-256') return printedNode(tree, network)
  const { type, subconditions } = tree
  const printed = subconditions.map((it) => printedNode(it, network))
  return { type, size: printed.length, subconditions: printed }
}

function printedNode(node: ConditionTree, network: Network): PrintedNode {
  switch (node.type) {
    case 'condition': {
      const { conditionType: type, fingerprint, subtypes } = node
      if (type === 'secp256k1hash-sha-256') {
        const destination = encodeAddress(network.pubKeyHashPrefix, fingerprint)
        return { type, isAnon: 'yes', destination }
      }
      const hidden: PrintedNode = { type, isAnon: 'yes', fingerprint }
      return type === 'threshold-sha-256' ? { ...hidden, subtypes: maskOfTypes(subtypes) } : hidden
    }
    case 'eval-sha-256':
      return { type: node.type, isAnon: 'no', EvalCode: evalName(node.code) }
    case 'threshold-sha-256': {
      const threshold = node.subconditions.length
      return { type: node.type, isAnon: 'no', threshold, subconditions: printedTree(node, network) }
    }
    default:
      return { type: node.type, isAnon: 'no' }
  }
}

/** tokel src/cc/eval.cpp, EvalToStr */
function evalName(code: string): string {
  const number = Number.parseInt(code.slice(0, 2), 16)
  const module = moduleOfEvalCode(number)
  return module === undefined || number < 0xe0 ? `0x${number.toString(16)}` : `EVAL_${module.name}`
}
