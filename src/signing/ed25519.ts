import { publicKeys } from '#public-keys'
import { decodeFulfillment } from '../condition/codec.ts'
import type { ConditionTree } from '../condition/types.ts'
import { bytesFromHex } from '../primitives/hex.ts'
import type { Steps } from '../primitives/steps.ts'
import { conditionScript } from '../script/condition-script.ts'
import type { Prevout } from './prevout.ts'
import { signatureHash, signatureHashes } from './sighash.ts'
import type { InputVerdict } from './verdict.ts'

/** A transaction whose inputs the native core has verified. */
interface Verified {
  readonly source: string | Uint8Array
  readonly prevouts: readonly Prevout[]
  readonly branchId: number | undefined
  /** Tells whether all inputs share parts of the hashed bytes. */
  readonly overwintered: boolean
}

/** Returns true if the native core left an Ed25519 signature open. */
export function lacksEd25519({ code }: InputVerdict): boolean {
  return code === 'ed25519_not_checked'
}

/**
 * Completes verdicts that lack only the Ed25519 signatures of a fulfillment, which the native core
 * does not verify. Each signature is a step.
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
  for (const [index, verdict] of verdicts.entries()) {
    const { hashType } = verdict
    if (!lacksEd25519(verdict)) continue
    const indexes = open.get(hashType!) ?? []
    open.set(hashType!, indexes)
    indexes.push(index)
  }
  return open
}

type HashOf = (index: number, tree: ConditionTree) => string

/** Stands for the output of an input that is not verified. */
const nothing: Prevout = { value: 0n, script: '' }

/**
 * Returns a function that hashes inputs; version 4 hashes all at once, because they share most of
 * the bytes.
 */
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
  // A node that has signed contains its key, not only the key's hash.
  const keys = leaves.flatMap((leaf) => ('publicKey' in leaf ? [leaf.publicKey!] : []))
  return { ...rest, ok: true, publicKeys: keys }
}

/**
 * Returns the fulfilled leaves of a tree. Prefixes are not spendable, so only thresholds have
 * members.
 */
function leavesOf(tree: ConditionTree): ConditionTree[] {
  return tree.type === 'threshold-sha-256' ? tree.subconditions.flatMap(leavesOf) : [tree]
}
