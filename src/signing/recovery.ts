import { recoverPublicKey as recoverInEngine } from '../engine/calls.ts'
import { compressedKey } from '../primitives/hex-forms.ts'

/** A signature from which the public key can be recovered. */
interface RecoverableSignature {
  /** The signed hash, 32 bytes of hex. */
  readonly hash: string
  /** r and s, 64 bytes of hex. */
  readonly signature: string
  /** The number of the key among up to four with which the signature verifies: 0 to 3. */
  readonly recovery: number
}

/** Returns the 65 bytes of the public key that made a signature, as hex; `undefined` if none did. */
export function recoverPublicKey({
  hash,
  signature,
  recovery,
}: RecoverableSignature): string | undefined {
  const publicKey = recoverInEngine(hash + signature, { number: recovery })
  return publicKey === '' ? undefined : publicKey
}

/**
 * Returns the number of a 33-byte public key among those with which a signature verifies, 0 to 3;
 * `undefined` if it is not among them.
 */
export function recoveryOf(
  publicKey: string,
  signed: Omit<RecoverableSignature, 'recovery'>,
): number | undefined {
  return [0, 1, 2, 3].find((recovery) => {
    const found = recoverPublicKey({ ...signed, recovery })
    return found !== undefined && compressedKey(found) === publicKey
  })
}
