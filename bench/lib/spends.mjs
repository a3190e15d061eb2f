/**
 * Transactions that spend pay-to-public-key-hash outputs, together with those outputs.
 *
 * @typedef {import('../shapes.mjs').RandomSource} RandomSource
 * @typedef {import('./sighash.mjs').Prevout} Prevout
 * @typedef {{ hex: string, fields: import('./wire.mjs').Fields, prevouts: Prevout[] }} Spend
 * @typedef {Spend & { isSigned: boolean[] }} SignedSpend `isSigned`: which inputs are rightly signed
 */
import { createHash } from 'node:crypto'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { getPublicKey, hashes, sign } from '@noble/secp256k1'
import { payment } from '../shapes.mjs'
import { hashesToSign } from './sighash.mjs'
import { wireHex } from './wire.mjs'

hashes.sha256 = sha256
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

const bytes = (/** @type {string} */ hex) => Buffer.from(hex, 'hex')
const hexOf = (/** @type {Uint8Array} */ content) => Buffer.from(content).toString('hex')

/** @param {string} hash160 */
const paymentTo = (hash160) => `76a914${hash160}88ac`

/** @param {string} publicKey */
export const hash160 = (publicKey) =>
  createHash('ripemd160')
    .update(createHash('sha256').update(publicKey, 'hex').digest())
    .digest('hex')

const outputs = 2

/**
 * @param {RandomSource} random
 * @param {{ inputs: number, version: 1 | 4 }} form
 * @returns {Spend} its signatures have the right form and nothing else
 */
export function unsignedSpend(random, { inputs, version }) {
  const { hex, fields } = payment(random, { inputs, outputs, version })
  const prevouts = fields.inputs.map(() => ({
    value: BigInt(random.below(1_000_000_000_000)),
    script: paymentTo(random.hex(20)),
  }))
  return { hex, fields, prevouts }
}

/** @param {string} digits 32 bytes @returns {string} the shortest DER integer that is not negative */
function derInteger(digits) {
  const shortest = digits.replace(/^(?:00)+(?=..)/, '')
  const content = /^[89a-f]/.test(shortest) ? `00${shortest}` : shortest
  return pushed(content, '02')
}

/** @param {string} content @param {string} [identifier] as a push of a script, or a DER element */
const pushed = (content, identifier = '') =>
  `${identifier}${(content.length / 2).toString(16).padStart(2, '0')}${content}`

/**
 * A library that signs: r and s of a hash, and the compressed public key.
 *
 * @typedef {{ sign: (hash: Buffer, key: Buffer) => Uint8Array, publicKeyOf: (key: Buffer) => Uint8Array }} Signer
 */

/** @type {Signer} */
const noble = {
  sign: (hash, key) => sign(hash, key, { prehash: false }),
  publicKeyOf: (key) => getPublicKey(key),
}

/** @param {string} hash @param {string} key private @param {Signer} signer @returns {string} DER and the hash type ALL */
function signatureOf(hash, key, signer) {
  const compact = hexOf(signer.sign(bytes(hash), bytes(key)))
  const integers = derInteger(compact.slice(0, 64)) + derInteger(compact.slice(64))
  return `${pushed(integers, '30')}01`
}

/** @param {string} key private */
const publicKeyOf = (key) => hexOf(getPublicKey(bytes(key)))

/** Signs every input with one of the throw-away keys. @param {Pick<Spend, 'fields' | 'prevouts'>} spend @param {string[]} keys @param {Signer} [signer] */
export function signedWith({ fields, prevouts }, keys, signer = noble) {
  const hashesOfInputs = hashesToSign(fields, prevouts)
  const inputs = fields.inputs.map((input, index) => ({
    ...input,
    scriptSig:
      pushed(signatureOf(hashesOfInputs[index], keys[index], signer)) +
      pushed(hexOf(signer.publicKeyOf(bytes(keys[index])))),
  }))
  return { ...fields, inputs }
}

/** @param {import('./wire.mjs').Fields} fields @param {Prevout[]} prevouts @param {boolean[]} isSigned */
const spendOf = (fields, prevouts, isSigned) => ({
  hex: wireHex(fields),
  fields,
  prevouts,
  isSigned,
})

/**
 * A transaction without signatures, the private keys of its inputs in order, and the same signed.
 *
 * @param {RandomSource} random
 * @param {number} inputs
 * @returns {{ hex: string, fields: import('./wire.mjs').Fields, prevouts: Prevout[], keys: string[], signed: string }}
 */
export function spendToSign(random, inputs) {
  const keys = Array.from({ length: inputs }, () => random.hex(32))
  const { fields: filled, prevouts: anyone } = unsignedSpend(random, { inputs, version: 4 })
  const prevouts = anyone.map(({ value }, index) => ({
    value,
    script: paymentTo(hash160(publicKeyOf(keys[index]))),
  }))
  const fields = {
    ...filled,
    inputs: filled.inputs.map((input) => ({ ...input, scriptSig: '' })),
  }
  const signed = wireHex(signedWith({ fields, prevouts }, keys))
  return { hex: wireHex(fields), fields, prevouts, keys, signed }
}

/**
 * @param {RandomSource} random
 * @param {number} inputs
 * @returns {{ signed: SignedSpend, tampered: SignedSpend[] }} each of `tampered` has one fault, in
 *   or about its last input
 */
export function signedSpend(random, inputs) {
  const keys = Array.from({ length: inputs }, () => random.hex(32))
  const { fields: unsigned, prevouts: anyone } = unsignedSpend(random, { inputs, version: 4 })
  const prevouts = anyone.map(({ value }, index) => ({
    value,
    script: paymentTo(hash160(publicKeyOf(keys[index]))),
  }))
  const fields = signedWith({ fields: unsigned, prevouts }, keys)
  const all = fields.inputs.map(() => true)
  const none = all.map(() => false)
  const allButLast = all.with(-1, false)

  const last = fields.inputs.at(-1)
  const withScriptSig = (/** @type {string} */ scriptSig) => ({
    ...fields,
    inputs: fields.inputs.with(-1, { ...last, scriptSig }),
  })
  // The last digit of S, which the push of a key, its own length and the hash type follow.
  const end = last.scriptSig.length - 2 * (33 + 1 + 1) - 1
  const flipped = (Number.parseInt(last.scriptSig[end], 16) ^ 1).toString(16)
  const otherSignature = last.scriptSig.slice(0, end) + flipped + last.scriptSig.slice(end + 1)

  const stranger = keys.with(-1, random.hex(32))
  const { inputs: strangers } = signedWith({ fields: unsigned, prevouts }, stranger)
  const [paid, ...otherOutputs] = fields.outputs
  const paidMore = { ...fields, outputs: [{ ...paid, value: paid.value + 1n }, ...otherOutputs] }
  const spentMore = prevouts.with(-1, {
    ...prevouts.at(-1),
    value: (prevouts.at(-1)?.value ?? 0n) + 1n,
  })
  return {
    signed: spendOf(fields, prevouts, all),
    tampered: [
      spendOf(withScriptSig(otherSignature), prevouts, allButLast),
      spendOf(withScriptSig(strangers.at(-1).scriptSig), prevouts, allButLast),
      spendOf(fields, spentMore, allButLast),
      spendOf(paidMore, prevouts, none),
    ],
  }
}
