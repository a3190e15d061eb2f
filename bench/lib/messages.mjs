/**
 * Signed messages, each by a key of its own, and what must be refused.
 *
 * @typedef {{ text: string, signature: string, address: string, isSigned: boolean }} SignedMessage
 *   `signature` is Base64
 */
import { createHash } from 'node:crypto'
import { getPublicKey, sign } from '@noble/secp256k1'
import { createBase58check } from '@scure/base'
import { hash160 } from './spends.mjs'
import { compactSize, doubleSha256 } from './wire.mjs'

/** komodo src/main.cpp, strMessageMagic */
const magic = 'Komodo Signed Message:\n'
const pubKeyHashPrefix = 60
const base58check = createBase58check((bytes) => createHash('sha256').update(bytes).digest())
const textBytes = 100

/** @param {string} text @returns {string} hex */
const sizedText = (text) => {
  const bytes = Buffer.from(text)
  return compactSize(bytes.length) + bytes.toString('hex')
}

/** @param {string} text @returns {Buffer} the hash that is signed */
export const messageHash = (text) =>
  Buffer.from(doubleSha256(sizedText(magic) + sizedText(text)), 'hex')

/** @param {string} address @returns {Buffer} hash160 of its key */
export const keyHashOf = (address) => Buffer.from(base58check.decode(address)).subarray(1)

/**
 * Returns a verifier over a library that recovers keys.
 *
 * @param {(hash: Buffer, signature: Buffer, recovery: number) => Uint8Array} recover
 * @returns {(message: SignedMessage) => boolean}
 */
export const messageVerifierOver =
  (recover) =>
  ({ text, signature, address }) => {
    const bytes = Buffer.from(signature, 'base64')
    const recovery = (bytes[0] - 27) & 3
    const key = recover(messageHash(text), bytes.subarray(1), recovery)
    return keyHashOf(address).equals(Buffer.from(hash160(Buffer.from(key).toString('hex')), 'hex'))
  }

/** @param {ReturnType<typeof import('./random.mjs').randomSource>} random @returns {SignedMessage} */
function signedMessage(random) {
  const key = Buffer.from(random.hex(32), 'hex')
  const text = random.hex(textBytes / 2)
  const publicKey = Buffer.from(getPublicKey(key)).toString('hex')
  const payload = Buffer.from([pubKeyHashPrefix, ...Buffer.from(hash160(publicKey), 'hex')])
  const [recovery, ...signature] = sign(messageHash(text), key, {
    prehash: false,
    format: 'recovered',
  })
  return {
    text,
    signature: Buffer.from([27 + 4 + recovery, ...signature]).toString('base64'),
    address: base58check.encode(payload),
    isSigned: true,
  }
}

/** @param {ReturnType<typeof import('./random.mjs').randomSource>} random @param {number} count */
export function signedMessages(random, count) {
  const messages = Array.from({ length: count }, () => signedMessage(random))
  const [one, other] = messages
  return {
    messages,
    refused: [
      { ...one, text: other.text, isSigned: false },
      { ...one, address: other.address, isSigned: false },
    ],
  }
}
