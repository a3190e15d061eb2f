// Signs and verifies text messages.

import { sha256 } from '@noble/hashes/sha2.js'
import { type Network, requireNetwork } from '../chain/network.ts'
import { hash160 } from '../engine/calls.ts'
import { holdKey } from '../engine/private-keys.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import { base64OfBytes, hexFromBase64 } from '../primitives/base64.ts'
import { bytesFromHex, hexFromBytes } from '../primitives/hex.ts'
import { compressedKey } from '../primitives/hex-forms.ts'
import { utf8Bytes } from '../primitives/utf8.ts'
import { compactSizeHex } from '../primitives/wire.ts'
import { addressedScript } from '../script/addressed-script.ts'
import { scriptOfAddress } from '../script/script.ts'
import { recoverPublicKey, recoveryOf } from './recovery.ts'
import { verifySignature } from './verify.ts'
import { readPrivateKeyForm } from './wif.ts'

// The first byte of a signature: which of up to four keys recovers from it, and the form in which
// that key was hashed for the address. The daemon subtracts 27 and reads the last three bits only,
// so 32 values mean the same; `signMessage` writes 27 to 34. komodo src/pubkey.cpp,
// CPubKey::RecoverCompact
const headerBase = 27
const compressedBit = 4

/**
 * Signs a text for the address of a key, as a daemon's `signmessage` does.
 *
 * The nonce follows RFC 6979, so the signature equals the daemon's for the same text and key. A key
 * in hex signs for its compressed form; a key in wallet import format signs for the form it names.
 *
 * @param text - signed as UTF-8, so it must not contain half a surrogate pair
 * @param key - private key: wallet import format of `network`, or 32 bytes of hex
 * @returns Base64 of 65 bytes: first byte, r, s
 * @throws {AntaraError} `malformed_private_key`, without any part of the key; `text_mismatch`
 * @see komodo src/wallet/rpcwallet.cpp, signmessage; src/key.cpp, CKey::SignCompact
 * @example
 * signMessage(
 *   'hello',
 *   '0000000000000000000000000000000000000000000000000000000000000001',
 *   networks.komodo,
 * ) // 'IDsobTCb8Iou6dvkhTJKpDgScfdJklQueiP9yJSlAqAHUtl1Lw4MML+adoLtlq/LotLIBAfOdmvM4/mfIDvBp3E='
 */
export function signMessage(text: string, key: string, network: Network): string {
  requireString(text, 'text')
  requireNetwork(network, 'network')
  const { secretKey, isCompressed } = readPrivateKeyForm(key, network, 'key')
  const hash = messageHash(text, network)
  const { publicKeys, sign } = holdKey(secretKey)
  const [publicKey] = publicKeys
  const signature = sign(hash)
  const { code } = verifySignature({ hash, publicKey, signature, encoding: 'compact' })
  if (code !== undefined) throw new AntaraError(code)
  // A signature that verifies recovers its key.
  const recovery = recoveryOf(publicKey, { hash, signature })!
  const header = headerBase + recovery + (isCompressed ? compressedBit : 0)
  return base64OfBytes(Uint8Array.of(header, ...bytesFromHex(signature)))
}

/**
 * Returns whether the key of an address signed a text, as a daemon's `verifymessage` does.
 *
 * A malformed signature, including malformed Base64, gives `false`, because the signature comes
 * from a person who claims to own the address. As with the daemon, several encodings of one
 * signature verify, since only the last three bits of the first byte count. Do not treat another
 * encoding as another signature.
 *
 * @param text - the signed text, which is hashed as UTF-8
 * @param signature - Base64 of 65 bytes
 * @param address - of a key; scripts and conditions sign no messages
 * @returns true only if the signature is valid
 * @throws {AntaraError} `unknown_address` for malformed text, an address of another network, or one
 *   that pays a script; `text_mismatch` for half a surrogate pair, which UTF-8 cannot encode
 * @see komodo src/rpc/misc.cpp, verifymessage; src/pubkey.cpp, CPubKey::RecoverCompact
 * @example
 * verifyMessage(
 *   'hello',
 *   'IKF/9lIeCjemV9H+tjFpDLlW9UtIWJiR5QQTg0XPLHWMbZ2RKY7zQfuJVow496npV2EhYwQnylJ0o5EGXfZsxS8=',
 *   'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb',
 *   networks.komodo,
 * ) // true
 */
export function verifyMessage(
  text: string,
  signature: string,
  address: string,
  network: Network,
): boolean {
  requireString(text, 'text')
  requireString(signature, 'signature')
  const keyHash = keyHashOf(address, network)
  const bytes = signatureOf(signature)
  if (bytes === undefined) return false
  const header = bytes[0]! - headerBase
  const publicKey = recoverPublicKey({
    hash: messageHash(text, network),
    signature: hexFromBytes(bytes.subarray(1)),
    recovery: header & 3,
  })
  if (publicKey === undefined) return false
  const isCompressed = (header & compressedBit) !== 0
  return hash160(isCompressed ? compressedKey(publicKey) : publicKey) === keyHash
}

/** Hashes the network's magic and the text, each after its CompactSize, with double SHA-256. */
function messageHash(text: string, network: Network): string {
  const parts = [utf8Bytes(network.messageMagic, 'network.messageMagic'), utf8Bytes(text, 'text')]
  const preimage = parts.flatMap((part) => [bytesFromHex(compactSizeHex(part.length)), part])
  const hasher = sha256.create()
  for (const part of preimage) hasher.update(part)
  return hexFromBytes(sha256(hasher.digest()))
}

function keyHashOf(address: string, network: Network): string {
  const script = scriptOfAddress(address, network)
  const paid = addressedScript(script)
  if (paid?.type === 'pubkeyhash') return paid.hash
  throw new AntaraError('unknown_address', {
    path: 'address',
    expected: 'the address of a key',
    actual: 'the address of a script',
  })
}

/** Returns whether a text has the form of Base64 of 65 bytes. */
export function hasSignatureForm(text: string): boolean {
  return /^[A-Za-z0-9+/]{87}=$/.test(text)
}

/**
 * Decodes a signature. Only one Base64 spelling is accepted: neither one that daemons refuse nor
 * one that would encode differently.
 */
function signatureOf(text: string): Uint8Array | undefined {
  if (!hasSignatureForm(text)) return undefined
  const bytes = bytesFromHex(hexFromBase64(text)!)
  return base64OfBytes(bytes) === text ? bytes : undefined
}
