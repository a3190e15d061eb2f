import { type Network, networks, requireNetwork } from '../chain/network.ts'
import { hash160 } from '../engine/calls.ts'
import { publicKeyFormsOf } from '../engine/private-keys.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import { isPoint } from '../primitives/curve-point.ts'
import { isPublicKey } from '../primitives/hex-forms.ts'
import { redactPublicKey } from '../primitives/redact-key.ts'
import { encodeAddress } from '../script/base58.ts'
import { readPrivateKeyForm } from './wif.ts'

/**
 * Returns the public key of a private key, in the form in which the key is used: 33 bytes, or 65 if
 * its wallet import format marks an uncompressed key.
 *
 * @param key - private key: wallet import format of `network`, or 32 bytes of hex
 * @param network - determines the key's prefix; default `assetChain`, as on every main chain
 * @returns hex
 * @throws {AntaraError} `malformed_private_key`, without any part of the key
 * @see SEC 1, section 2.3.3
 * @example
 * publicKeyOf('0000000000000000000000000000000000000000000000000000000000000001')
 * // '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
 */
export function publicKeyOf(key: string, network: Network = networks.assetChain): string {
  requireNetwork(network, 'network')
  const { secretKey, isCompressed } = readPrivateKeyForm(key, network, 'key')
  const [compressed, uncompressed] = publicKeyFormsOf(secretKey)
  return isCompressed ? compressed : uncompressed
}

/**
 * Returns the address that pays the hash of a public key. The two forms of one key have different
 * addresses.
 *
 * @param publicKey - hex of 33 or 65 bytes, a point of the curve
 * @returns Base58Check of the network's prefix for keys and 20 bytes
 * @throws {AntaraError} `malformed_public_key`, `public_key_off_curve`
 * @see komodo src/key_io.cpp, EncodeDestination
 * @example
 * addressOf('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', networks.komodo)
 * // 'RKxTdfmtxtfLDKZBgx6SvNkBtNu9jRYnLh'
 */
export function addressOf(publicKey: string, network: Network): string {
  requireString(publicKey, 'publicKey')
  requireNetwork(network, 'network')
  const path = 'publicKey'
  if (!isPublicKey(publicKey.toLowerCase())) {
    throw new AntaraError('malformed_public_key', { path, actual: redactPublicKey(publicKey) })
  }
  if (!isPoint(publicKey)) throw new AntaraError('public_key_off_curve', { path })
  return encodeAddress(network.pubKeyHashPrefix, hash160(publicKey))
}
