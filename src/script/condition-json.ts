// What tokeld prints of the tree that a scriptPubKey shows.

import { moduleOfEvalCode } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { type ConditionTree, type ConditionType, maskOfTypes } from '../condition/types.ts'
import { encodeAddress } from './base58.ts'
import { decodeConditionScript } from './read-condition-script.ts'

/** The outermost node, with tokeld's names, in its order. */
export type PrintedCondition = PrintedThreshold | PrintedNode

interface PrintedThreshold {
  readonly type: 'threshold-sha-256'
  /** How many members there are, not how many are needed. */
  readonly size: number
  readonly subconditions: readonly PrintedNode[]
}

interface PrintedNode {
  readonly type: ConditionType
  /** Whether only its condition is there. */
  readonly isAnon: 'yes' | 'no'
  readonly EvalCode?: string
  /** As `size`. */
  readonly threshold?: number
  readonly subconditions?: PrintedCondition
  /** Of a hash of a key, the key's address. */
  readonly destination?: string
  readonly fingerprint?: string
  /** Bit n for type n. */
  readonly subtypes?: number
}

/**
 * The `condition` that tokeld prints of scripts in its forms 'M' and 'N'; undefined for all others.
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
