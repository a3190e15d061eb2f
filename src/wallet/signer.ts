import { type Network, networks } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { argumentError } from '../primitives/arguments.ts'
import { publicKeyOf } from '../signing/key.ts'

/** Signs for one key of the wallet. Made by `privateKeySigner`. */
export interface WalletSigner {
  /** Compressed, hex. */
  readonly publicKey: string
}

/** Keys stay out of the signer object, so a print or copy of it shows only the public key. */
const privateKeys = new WeakMap<WalletSigner, string>()

/**
 * Makes a signer of a private key that this process holds.
 *
 * @param key - wallet import format of `network`, or 32 bytes of hex
 * @throws {AntaraError} `malformed_private_key`; for a key of uncompressed form too, whose address
 *   is another one and whose tokens no wallet of this family finds
 * @example
 * privateKeySigner('0000000000000000000000000000000000000000000000000000000000000001').publicKey
 * // '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
 */
export function privateKeySigner(
  key: string,
  network: Network = networks.assetChain,
): WalletSigner {
  const publicKey = publicKeyOf(key, network)
  if (publicKey.length !== 66) {
    const [expected, actual] = ['a key of compressed form', 'a key of uncompressed form']
    throw new AntaraError('malformed_private_key', { path: 'key', expected, actual })
  }
  const signer = Object.freeze({ publicKey })
  privateKeys.set(signer, key)
  return signer
}

/** @throws {TypeError} for an object that `privateKeySigner` did not make */
export function privateKeyOf(signer: WalletSigner, path: string): string {
  const key = privateKeys.get(signer)
  if (key === undefined) throw argumentError(path, 'a signer of privateKeySigner', signer)
  return key
}
