// Inputs of M of N keys that have some of their signatures. Each co-signer adds one and hands the
// transaction on.

import type { Steps } from '../primitives/steps.ts'
import { scriptHashOf } from '../script/key-script.ts'
import { pushOf } from '../script/push.ts'
import { stepsOf, templateOf } from '../script/template.ts'
import { saplingBranch, signatureHashes } from '../signing/sighash.ts'
import type { InputVerdict } from '../signing/verdict.ts'
import { verifySignature } from '../signing/verify.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import type { SignatureTask } from './signatures.ts'

/** An input that has fewer signatures than its script requires. */
interface Part {
  /** The script that lists the keys. */
  readonly script: string
  readonly isRedeemScript: boolean
  readonly keys: readonly string[]
  readonly required: number
  /** Signatures with their hash types, as they are pushed. */
  readonly signatures: readonly string[]
}

/**
 * Counts the signatures of inputs of M of N keys that lack some, with one step for each input.
 *
 * @returns `undefined` for an input unless all its signatures verify, in the order of their keys
 *   and with ALL: a co-signer must not pass another one on
 */
export function* countSignatures(
  task: SignatureTask,
  verdicts: readonly InputVerdict[],
): Steps<ReadonlyMap<number, string | undefined>> {
  const parts = new Map<number, Part>()
  for (const [index, { code }] of verdicts.entries()) {
    // The engine may run out of keys before it reads the empty item of a daemon's scriptSig.
    if (code !== 'signature_missing' && code !== 'signature_mismatch') continue
    if (task.signers[index] === undefined) continue
    const part = partOf(task.tx.inputs[index]!.scriptSig, task.prevouts[index]!.script)
    if (part !== undefined && part.signatures.length < part.required) parts.set(index, part)
  }
  if (parts.size === 0) return new Map()
  const hashes = hashesOf(task, parts)
  const counts = new Map<number, string | undefined>()
  for (const [index, part] of parts) {
    const { signatures, required } = part
    const count = `${signatures.length} of ${required} signatures`
    counts.set(index, areValid(part, hashes[index]!) ? count : undefined)
    yield
  }
  return counts
}

/** Daemons push an empty item in the place of a missing signature; signers here push none. */
function partOf(scriptSig: string, spent: string): Part | undefined {
  const items = (stepsOf(scriptSig) ?? []).map(({ data }) => data)
  const isRedeemScript = templateOf(spent).type === 'scripthash'
  const script = isRedeemScript ? (items.pop() ?? '') : spent
  if (isRedeemScript && scriptHashOf(script) !== spent) return undefined
  const template = templateOf(script)
  if (template.type !== 'multisig') return undefined
  const { keys, required } = template
  return { script, isRedeemScript, keys, required, signatures: items.filter((it) => it !== '') }
}

/** Computes the hashes in one call, which hashes the parts that inputs share once. */
function hashesOf(
  { tx, prevouts, network }: SignatureTask,
  parts: ReadonlyMap<number, Part>,
): string[] {
  const inputs = tx.inputs.map((input, index) => {
    const part = parts.get(index)
    // The hashes of other inputs are not used, so any script serves there.
    return { ...input, scriptSig: part?.isRedeemScript ? pushOf(part.script) : '' }
  })
  const spent = prevouts.map((it, index) => (parts.has(index) ? it : { ...it, script: '' }))
  return signatureHashes(encodeTransaction({ ...tx, inputs }), spent, saplingBranch(tx, network))
}

/** ALL, in a signature's last byte. */
const hashTypeAll = '01'

function areValid({ keys, signatures }: Part, hash: string): boolean {
  let next = 0
  return signatures.every((pushed) => {
    if (!pushed.endsWith(hashTypeAll)) return false
    const signature = pushed.slice(0, -2)
    while (next < keys.length) {
      const publicKey = keys[next++]!
      if (verifySignature({ hash, publicKey, signature, encoding: 'der' }).ok) return true
    }
    return false
  })
}
