import { type Network, networks } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { argumentError, requireObject, requireString } from '../primitives/arguments.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { isCompressedPoint } from '../script/public-key.ts'
import { publicKeyOf } from '../signing/key.ts'
import { readSigner } from '../signing/signer.ts'
import type { KeySigner } from '../verification/on-demand.ts'

/** Signs for one key of the wallet: made by `privateKeySigner`, or anything that signs a hash. */
export type WalletSigner = KeySigner

/**
 * Makes a signer of a private key that this process holds.
 *
 * @param key - wallet import format of `network`, or 32 bytes of hex
 * @param network - determines the prefix of the key; default `assetChain`
 * @returns the public key in hex, and a function that signs a hash
 * @throws {AntaraError} `malformed_private_key`, also for a key of uncompressed form: it has another
 *   address, and no wallet of this family finds its tokens
 * @example
 * privateKeySigner('0000000000000000000000000000000000000000000000000000000000000001').publicKey
 * // '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
 */
export function privateKeySigner(
  key: string,
  network: Network = networks.assetChain,
): WalletSigner {
  const publicKey = publicKeyOf(key, network)
  if (!isCompressedKey(publicKey)) {
    const [expected, actual] = ['a key of compressed form', 'a key of uncompressed form']
    throw new AntaraError('malformed_private_key', { path: 'key', expected, actual })
  }
  const signer = readSigner(key, network, 'key')
  // A closure alone holds the key: who prints or copies this object sees the public key.
  return Object.freeze({ publicKey, sign: async (hash: string) => signer.sign(hash) })
}

/** Takes the signers as they are now: one that changes its key later signs for none. */
export function readSigners(signers: readonly WalletSigner[]): readonly WalletSigner[] {
  return signers.map((signer, at) => {
    const path = `signers[${at}]`
    requireObject(signer, path)
    const { publicKey } = signer
    requireString(publicKey, `${path}.publicKey`)
    if (typeof signer.sign !== 'function') {
      throw argumentError(`${path}.sign`, 'a function that signs a hash', signer.sign)
    }
    const key = publicKey.toLowerCase()
    if (!isCompressedPoint(key)) {
      const expected = 'a compressed public key, 66 hexadecimal digits'
      throw argumentError(`${path}.publicKey`, expected, publicKey)
    }
    return { publicKey: key, sign: (hash, context) => signer.sign(hash, context) }
  })
}
