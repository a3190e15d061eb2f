// Finds the condition behind a script, so that a key can sign for it.

import {
  assetsEvalCode,
  assetsV2EvalCode,
  assetsV2GlobalPubkey,
  tokensEvalCode,
  tokensV2EvalCode,
} from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { decodeFulfillment, encodeCondition } from '../condition/codec.ts'
import type { ConditionTree } from '../condition/types.ts'
import { hash160 } from '../engine/calls.ts'
import { unlessMalformed } from '../errors/malformed.ts'
import { conditionTree } from '../script/condition-script.ts'
import { decodeConditionScript } from '../script/read-condition-script.ts'

/** komodo src/cc/eval.h, and the same in tokel: codes of modules, and codes free for libraries. */
const moduleCodes = [...range(0xe1, 0xf7), ...range(0x10, 0x7f)]

/** The tokens modules of komodod and tokeld; their conditions may name a second module. */
const tokensCodes = [tokensEvalCode, tokensV2EvalCode]

/**
 * Returns the tree behind a script of Tokel's form 'M', which hides the keys' condition and names
 * the keys beside it. The tree has all eval codes of the script, and the named keys in place of the
 * hidden condition.
 *
 * @returns `undefined` for other scripts, and if the named keys do not make the hidden condition
 * @see tokel src/cc/CCtokenutils.cpp, MakeTokensCCMofNDestVoutMixed
 */
export function namedTree(script: string, network: Network): ConditionTree | undefined {
  const shown = decodeConditionScript(script, network)
  if (shown?.params === undefined) return undefined
  const { tree, params, condition } = shown
  if (tree?.type !== 'threshold-sha-256') return undefined
  const isAllRequired = tree.threshold === tree.subconditions.length
  if (!isAllRequired || !tree.subconditions.every(isModuleOrHidden)) return undefined
  const keys: ConditionTree = {
    type: 'threshold-sha-256',
    threshold: params.m,
    subconditions: params.pubkeys.map((publicKey) => ({ type: 'secp256k1-sha-256', publicKey })),
  }
  const named: ConditionTree = {
    ...tree,
    subconditions: tree.subconditions.map((it) => (it.type === 'condition' ? keys : it)),
  }
  // A script may name parameters that make no tree at all.
  const made = unlessMalformed(() => encodeCondition(named))
  return made === encodeCondition(condition) ? named : undefined
}

function isModuleOrHidden({ type }: ConditionTree): boolean {
  return type === 'eval-sha-256' || type === 'condition'
}

/** Returns the tree behind a condition, hex; `undefined` if it is not among the known ones. */
export type FindTree = (condition: string) => ConditionTree | undefined

/** The finder of more keys is not kept, because their conditions take megabytes. */
const keptKeysMax = 16
/** The finder of the last call. A wallet signs with the same few keys again and again. */
let kept: { readonly keys: string; readonly find: FindTree } | undefined

/**
 * Finds the trees that daemons make for a single key: the codes of modules and the key, all
 * required.
 *
 * Conditions are computed on demand, the likely ones first, and cached. A condition that none of
 * the keys makes takes thousands of computations, so those of the same keys are kept for the next
 * call.
 *
 * @param publicKeys - the candidate keys, compressed, hex
 * @see komodo src/cc/CCutils.cpp, MakeCCcond1; src/cc/CCtokenutils.cpp, MakeTokensCCcond1
 */
export function treeFinder(publicKeys: readonly string[]): FindTree {
  if (publicKeys.length > keptKeysMax) return newFinder(publicKeys)
  const keys = publicKeys.join()
  if (kept?.keys !== keys) kept = { keys, find: newFinder(publicKeys) }
  return kept.find
}

function newFinder(publicKeys: readonly string[]): FindTree {
  const known = new Map<string, ConditionTree>()
  const candidates = treesOfKeys(publicKeys)
  const search: FindTree = (condition) => {
    let tree = known.get(condition)
    while (tree === undefined) {
      const next = candidates.next()
      if (next.done) return undefined
      const found = encodeCondition(next.value)
      known.set(found, next.value)
      if (found === condition) tree = next.value
    }
    return tree
  }
  return (condition) => {
    try {
      return search(condition)
    } catch (error) {
      // The search has ended. Going on with it would find nothing, where a new one fails again.
      kept = undefined
      throw error
    }
  }
}

function* treesOfKeys(publicKeys: readonly string[]): Generator<ConditionTree> {
  const keys = publicKeys.flatMap((publicKey): ConditionTree[] => [
    { type: 'secp256k1-sha-256', publicKey },
    { type: 'secp256k1hash-sha-256', publicKeyHash: hash160(publicKey) },
  ])
  // The marker of an order of tokens v2, which the module can spend as well.
  const module = { type: 'secp256k1-sha-256', publicKey: assetsV2GlobalPubkey } as const
  for (const publicKey of publicKeys) {
    yield conditionTree([assetsV2EvalCode], [{ type: 'secp256k1-sha-256', publicKey }, module])
  }
  for (const codes of codeSets()) {
    for (const key of keys) yield conditionTree(codes, [key])
  }
}

/**
 * Returns the condition that a scriptPubKey pushes; for Tokel's 'M' and 'N', the condition of its
 * tree.
 *
 * @param pushed - hex of the pushed data of a script that pays a condition, so it decodes
 */
export function pushedCondition(pushed: string): string {
  if (!/^4[de]/.test(pushed)) return pushed
  return encodeCondition(decodeFulfillment(pushed.slice(2), { form: 'mixed' }))
}

/**
 * Yields the code sets of daemons: modules alone; tokens with their data or a second module; and
 * tokens with data that an order holds.
 *
 * @see komodo src/cc/CCtokenutils.cpp, MakeTokensCC1vout with two further codes, by CreateSell alone
 */
function* codeSets(): Generator<number[]> {
  for (const code of moduleCodes) yield [code]
  for (const tokens of tokensCodes) {
    for (const code of range(0x01, 0xff)) yield [tokens, code]
  }
  for (const code of range(0x01, 0xff)) yield [tokensEvalCode, assetsEvalCode, code]
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
