import { decodeFulfillment } from '../condition/codec.ts'
import { ed25519Verifies } from '../condition/keys.ts'
import type { ConditionTree } from '../condition/types.ts'
import { bytesFromHex } from '../primitives/hex.ts'
import { conditionScript } from '../script/condition-script.ts'
import { signatureHash } from './sighash.ts'
import type { InputVerdict } from './verdict.ts'

interface SettledInput {
  readonly source: string | Uint8Array
  readonly index: number
  /** Of the output that it spends. */
  readonly value: bigint
  readonly branchId: number | undefined
}

/**
 * Completes a verdict to which only the Ed25519 signatures of a fulfillment are missing.
 *
 * @see komodo src/cryptoconditions/src/ed25519.c, ed25519Verify: the hash itself is the message
 */
export function settleEd25519(
  verdict: InputVerdict,
  { source, index, value, branchId }: SettledInput,
): InputVerdict {
  const tree = decodeFulfillment(verdict.fulfillment!)
  const scriptCode = conditionScript(tree)
  const hash = signatureHash(source, index, {
    scriptCode,
    value,
    hashType: verdict.hashType!,
    ...(branchId !== undefined && { branchId }),
  })
  const message = bytesFromHex(hash)
  const leaves = leavesOf(tree)
  const isSigned = leaves.every(
    (leaf) =>
      leaf.type !== 'ed25519-sha-256' ||
      ed25519Verifies(leaf.publicKey, leaf.signature ?? '', message),
  )
  if (!isSigned) return { ...verdict, code: 'signature_mismatch' }
  const { code: _, ...rest } = verdict
  const publicKeys = leaves.flatMap((leaf) =>
    'publicKey' in leaf && leaf.publicKey !== undefined ? [leaf.publicKey] : [],
  )
  return { ...rest, ok: true, publicKeys }
}

/** What a fulfillment fulfills: prefixes are not spendable, so thresholds are all there is. */
function leavesOf(tree: ConditionTree): ConditionTree[] {
  return tree.type === 'threshold-sha-256' ? tree.subconditions.flatMap(leavesOf) : [tree]
}
