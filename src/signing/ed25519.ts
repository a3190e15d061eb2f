import { publicKeys } from '#public-keys'
import { decodeFulfillment } from '../condition/codec.ts'
import type { ConditionTree } from '../condition/types.ts'
import { bytesFromHex } from '../primitives/hex.ts'
import type { Steps } from '../primitives/steps.ts'
import { conditionScript } from '../script/condition-script.ts'
import type { Prevout } from './prevout.ts'
import { signatureHash, signatureHashes } from './sighash.ts'
import type { InputVerdict } from './verdict.ts'

/** A transaction whose inputs the engine has looked at. */
interface Verified {
  readonly source: string | Uint8Array
  readonly prevouts: readonly Prevout[]
  readonly branchId: number | undefined
  /** Whether its hashes have parts that all inputs share. */
  readonly overwintered: boolean
}

/**
 * Completes verdicts to which only the Ed25519 signatures of a fulfillment are missing: they are
 * not the engine's. Each signature is a step.
 *
 * @see komodo src/cryptoconditions/src/ed25519.c, ed25519Verify: the hash itself is the message
 */
export function* settleEd25519(
  verdicts: readonly InputVerdict[],
  verified: Verified,
): Steps<InputVerdict[]> {
  const settled = [...verdicts]
  for (const [hashType, indexes] of openByHashType(verdicts)) {
    const hashOf = hasher(indexes, hashType, verified)
    for (const index of indexes) settled[index] = yield* settle(verdicts[index]!, index, hashOf)
  }
  return settled
}

function openByHashType(verdicts: readonly InputVerdict[]): Map<number, number[]> {
  const open = new Map<number, number[]>()
  for (const [index, { code, hashType }] of verdicts.entries()) {
    if (code !== 'ed25519_not_checked') continue
    const indexes = open.get(hashType!) ?? []
    open.set(hashType!, indexes)
    indexes.push(index)
  }
  return open
}

type HashOf = (index: number, tree: ConditionTree) => string

/** Stands for the output of an input that is not asked about. */
const nothing: Prevout = { value: 0n, script: '' }

/** Hashes of some inputs: at once where they share most of what is hashed. */
function hasher(indexes: readonly number[], hashType: number, verified: Verified): HashOf {
  const { source, prevouts, branchId, overwintered } = verified
  const options = { hashType, branchId }
  if (!overwintered) {
    return (index, tree) => {
      const { value } = prevouts[index]!
      return signatureHash(source, index, { scriptCode: conditionScript(tree), value, ...options })
    }
  }
  const wanted = new Set(indexes)
  const known = prevouts.map((prevout, index) => (wanted.has(index) ? prevout : nothing))
  const hashes = signatureHashes(source, known, options)
  return (index) => hashes[index]!
}

function* settle(verdict: InputVerdict, index: number, hashOf: HashOf): Steps<InputVerdict> {
  const tree = decodeFulfillment(verdict.fulfillment!)
  const message = bytesFromHex(hashOf(index, tree))
  const leaves = leavesOf(tree)
  for (const leaf of leaves) {
    if (leaf.type !== 'ed25519-sha-256') continue
    yield
    if (!publicKeys.ed25519Verifies(leaf.publicKey, leaf.signature ?? '', message)) {
      return { ...verdict, code: 'signature_mismatch' }
    }
  }
  const { code: _, ...rest } = verdict
  // what is behind a hash is there once it has signed
  const keys = leaves.flatMap((leaf) => ('publicKey' in leaf ? [leaf.publicKey!] : []))
  return { ...rest, ok: true, publicKeys: keys }
}

/** What a fulfillment fulfills: prefixes are not spendable, so thresholds are all there is. */
function leavesOf(tree: ConditionTree): ConditionTree[] {
  return tree.type === 'threshold-sha-256' ? tree.subconditions.flatMap(leavesOf) : [tree]
}
