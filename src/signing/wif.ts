// Private keys in wallet import format.

import { type Network, requireNetwork } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import { decodeBase58Check, encodeBase58Check } from '../primitives/base58check.ts'
import { bytesFromHex, hexFromBytes } from '../primitives/hex.ts'
import { isPublicKey } from '../primitives/hex-forms.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { isPrivateKey } from '../primitives/secp256k1.ts'

/** A private key as wallets exchange it. */
export interface PrivateKeyForm {
  /** 32 bytes, hex. */
  readonly privateKey: string
  /** Tells whether its public key has 33 bytes, as in all current wallets, or 65. */
  readonly isCompressed: boolean
}

/** The same in bytes, which the caller may overwrite. */
interface SecretKeyForm {
  readonly secretKey: Uint8Array
  readonly isCompressed: boolean
}

const compressionFlag = 0x01
/** Characters of 38 bytes: prefix, key, compression flag, checksum. */
const wifLengthMax = 52

/**
 * Reads a private key in wallet import format.
 *
 * Errors contain no part of the key, only the reason: a blank, a length, a mistyped character, or
 * another network's prefix.
 *
 * @param wif - Base58Check of a prefix, 32 bytes, and a flag for the compressed form
 * @returns 32 bytes of hex, and the form of the public key
 * @throws {AntaraError} `malformed_private_key`: no Base58Check, another network's prefix, not 32
 *   bytes with or without the compression flag, or no key of the curve
 * @see komodo src/key_io.cpp, DecodeSecret
 * @example
 * decodeWif('Up1YVLk7uuErCHVQyFCtfinZngmdwfyfc47WCQ8oJxgowjVzNeqs', networks.komodo)
 * // { privateKey: '0000…0001', isCompressed: true }
 */
export function decodeWif(wif: string, network: Network): PrivateKeyForm {
  requireString(wif, 'wif')
  requireNetwork(network, 'network')
  const { secretKey, isCompressed } = readWif(wif, network, 'wif')
  return { privateKey: hexFromBytes(secretKey), isCompressed }
}

function readWif(wif: string, network: Network, path: string): SecretKeyForm {
  // Decoding takes time that grows with the square of the length.
  const payload = wif.length > wifLengthMax ? undefined : decodeBase58Check(wif)
  if (payload === undefined) throw malformed(path, whyNoKey(wif))
  const isCompressed = payload.length === 34 && payload[33] === compressionFlag
  if (!isCompressed && payload.length !== 33) {
    throw malformed(path, payload.length === 21 ? 'an address' : 'Base58Check of something else')
  }
  const { name, privateKeyPrefix } = network
  if (payload[0] !== privateKeyPrefix) {
    const expected = `prefix ${privateKeyPrefix} of ${name}`
    throw malformed(path, `prefix ${payload[0]}, of another network`, expected)
  }
  const secretKey = payload.slice(1, 33)
  payload.fill(0)
  if (!isPrivateKey(secretKey)) throw malformed(path, 'a number that the curve does not have')
  return { secretKey, isCompressed }
}

/** Returns why a text is not a key, in words that contain no part of it. */
function whyNoKey(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== text) return trimmed === '' ? 'blanks' : 'blanks around it'
  if (isPublicKey(text.toLowerCase())) return 'a public key'
  const { length } = text
  if (/^[0-9a-f]*$/i.test(text) && length !== 51 && length !== 52) return `${length} digits of hex`
  if (!/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) return 'a character that Base58 does not have'
  if (length !== 51 && length !== 52) return `${length} characters`
  return 'a checksum that does not match: a character is mistyped'
}

/**
 * Writes a private key in wallet import format.
 *
 * @param privateKey - 32 bytes, hex
 * @param options - `isCompressed`: the form of the public key; default true
 * @returns Base58Check
 * @throws {AntaraError} `malformed_private_key`
 * @see komodo src/key_io.cpp, EncodeSecret
 * @example
 * encodeWif('0000000000000000000000000000000000000000000000000000000000000001', networks.komodo)
 * // 'Up1YVLk7uuErCHVQyFCtfinZngmdwfyfc47WCQ8oJxgowjVzNeqs'
 */
export function encodeWif(
  privateKey: string,
  network: Network,
  options: { readonly isCompressed?: boolean } = {},
): string {
  requireNetwork(network, 'network')
  requireKnownMembers(options, ['isCompressed'], 'options')
  const { isCompressed = true } = options
  const secretKey = secretKeyOfHex(privateKey, 'privateKey')
  const flag = isCompressed ? [compressionFlag] : []
  return encodeBase58Check(Uint8Array.of(network.privateKeyPrefix, ...secretKey, ...flag))
}

/**
 * Returns the bytes of a private key in hex or wallet import format.
 *
 * @throws {AntaraError} `malformed_private_key`, with the path and without any part of the key
 */
export function readPrivateKey(text: unknown, network: Network, path: string): Uint8Array {
  return readPrivateKeyForm(text, network, path).secretKey
}

/** Reads a private key with the form of its public key: compressed, unless a WIF says otherwise. */
export function readPrivateKeyForm(text: unknown, network: Network, path: string): SecretKeyForm {
  requireString(text, path)
  if (isHexKey(text)) return { secretKey: secretKeyOfHex(text, path), isCompressed: true }
  return readWif(text, network, path)
}

const isHexKey = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text)

function secretKeyOfHex(text: unknown, path: string): Uint8Array {
  requireString(text, path)
  if (!isHexKey(text)) throw malformed(path, whyNoKey(text))
  const secretKey = bytesFromHex(text)
  if (!isPrivateKey(secretKey)) throw malformed(path, 'a number that the curve does not have')
  return secretKey
}

function malformed(path: string, actual: string, expected?: string): AntaraError {
  return new AntaraError('malformed_private_key', {
    path,
    ...(expected !== undefined && { expected }),
    actual,
  })
}
