import bs58check from 'bs58check'

import { AntaraError } from '../errors/antara-error.ts'
import type { Network } from '../network/network.ts'
import { bytesFromHex, hexFromBytes } from '../primitives/hex.ts'
import { requireString } from '../primitives/misuse.ts'
import { isPrivateKey } from '../primitives/secp256k1.ts'

/** A private key as wallets exchange it. */
export interface PrivateKeyForm {
  /** 32 bytes, hex. */
  readonly privateKey: string
  /** Whether its public key is written in 33 bytes, as all wallets now do, or in 65. */
  readonly isCompressed: boolean
}

const compressedMark = 0x01

/**
 * Reads a private key in wallet import format.
 *
 * No error says anything of the key.
 *
 * @throws {AntaraError} `malformed_private_key`: no Base58Check, another network's prefix, not 32
 *   bytes with or without the mark of a compressed key, or no key of the curve
 * @see komodo src/key_io.cpp, DecodeSecret
 * @example
 * decodeWif('Up1YVLk7uuErCHVQyFCtfinZngmdwfyfc47WCQ8oJxgowjVzNeqs', networks.komodo)
 * // { privateKey: '0000…0001', isCompressed: true }
 */
export function decodeWif(wif: string, network: Network): PrivateKeyForm {
  requireString(wif, 'wif')
  const payload = bs58check.decodeUnsafe(wif)
  if (payload === undefined || payload[0] !== network.privateKeyPrefix) throw malformed('wif')
  const isCompressed = payload.length === 34 && payload[33] === compressedMark
  if (!isCompressed && payload.length !== 33) throw malformed('wif')
  const secretKey = payload.subarray(1, 33)
  if (!isPrivateKey(secretKey)) throw malformed('wif')
  return { privateKey: hexFromBytes(secretKey), isCompressed }
}

/**
 * Writes a private key in wallet import format.
 *
 * @param privateKey - 32 bytes, hex
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
  const { isCompressed = true } = options
  const secretKey = secretKeyOfHex(privateKey, 'privateKey')
  const mark = isCompressed ? [compressedMark] : []
  return bs58check.encode(Uint8Array.of(network.privateKeyPrefix, ...secretKey, ...mark))
}

/**
 * The bytes of a private key in hex or wallet import format.
 *
 * @throws {AntaraError} `malformed_private_key`, naming the path and nothing of the key
 */
export function readPrivateKey(text: unknown, network: Network, path: string): Uint8Array {
  requireString(text, path)
  if (/^[0-9a-f]{64}$/i.test(text)) return secretKeyOfHex(text, path)
  try {
    return bytesFromHex(decodeWif(text, network).privateKey)
  } catch {
    // Not the cause either: only that it is malformed, and where.
    throw malformed(path)
  }
}

function secretKeyOfHex(text: unknown, path: string): Uint8Array {
  requireString(text, path)
  if (!/^[0-9a-f]{64}$/i.test(text)) throw malformed(path)
  const secretKey = bytesFromHex(text)
  if (!isPrivateKey(secretKey)) throw malformed(path)
  return secretKey
}

function malformed(path: string): AntaraError {
  return new AntaraError('malformed_private_key', { path })
}
