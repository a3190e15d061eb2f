/**
 * The bench's own crypto-conditions, written from the RFC draft's ASN.1 and the daemon's costs: it
 * makes trees and the encodings that every library must give.
 *
 * @typedef {{ type: string, [member: string]: any }} Tree in the form that this library documents
 * @typedef {{ tree: Tree, fulfillment: string, condition: string }} Specimen encodings as hex
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { randomSource } from './random.mjs'

/** ASN.1 tags of the types: the RFC draft, section 8; the last two are Komodo's. */
const typeNumbers = {
  'preimage-sha-256': 0,
  'prefix-sha-256': 1,
  'threshold-sha-256': 2,
  'ed25519-sha-256': 4,
  'secp256k1-sha-256': 5,
  'eval-sha-256': 15,
}
const isCompound = (/** @type {string} */ type) => type.startsWith('prefix') || type.startsWith('t')

/** komodo src/cryptoconditions/src/: secp256k1.c, ed25519.c, eval.c, threshold.c, prefix.c */
const keyCost = 131_072n
const evalCost = 1_048_576n
const compoundCost = 1024n

const sha256 = (/** @type {string} */ hex) => createHash('sha256').update(hex, 'hex').digest('hex')

/** @param {number | bigint} value @returns {string} big-endian, whole bytes, at least one */
function bigEndian(value) {
  const digits = value.toString(16)
  return digits.padStart(digits.length + (digits.length % 2), '0')
}

/** @param {number} tag @param {string} content @returns {string} DER */
function element(tag, content) {
  const size = bigEndian(content.length / 2)
  const length = content.length < 256 ? size : bigEndian(0x80 + size.length / 2) + size
  return bigEndian(tag) + length + content
}

const primitive = (/** @type {number} */ tag, /** @type {string} */ content) =>
  element(0x80 + tag, content)
const constructed = (/** @type {number} */ tag, /** @type {string} */ content) =>
  element(0xa0 + tag, content)
const setOf = (/** @type {number} */ tag, /** @type {string[]} */ members) =>
  constructed(tag, members.toSorted().join(''))

/** @param {number} tag @param {number | bigint} value not negative */
function integer(tag, value) {
  const digits = bigEndian(value)
  return primitive(tag, /^[89a-f]/.test(digits) ? `00${digits}` : digits)
}

/** @param {Iterable<string>} types @returns {string} BIT STRING without trailing zeros, as DER has it */
function bitString(types) {
  const bits = [...types].map((type) => typeNumbers[type])
  const count = 1 + Math.max(-1, ...bits)
  const bytes = Array.from({ length: Math.ceil(count / 8) }, (_, byte) =>
    bits.filter((bit) => bit >> 3 === byte).reduce((sum, bit) => sum | (0x80 >> (bit & 7)), 0),
  )
  return bigEndian(8 * bytes.length - count) + bytes.map(bigEndian).join('')
}

/** @param {Tree} tree @returns {Set<string>} all types inside, its own not */
function subtypesOf(tree) {
  const members = tree.subconditions ?? (tree.subcondition ? [tree.subcondition] : [])
  const inside = members.flatMap((/** @type {Tree} */ member) => [
    member.type,
    ...subtypesOf(member),
  ])
  return new Set(inside.filter((/** @type {string} */ type) => type !== tree.type))
}

/** @param {Tree} tree @returns {{ fingerprint: string, cost: bigint }} */
function essence(tree) {
  switch (tree.type) {
    case 'preimage-sha-256':
      return { fingerprint: sha256(tree.preimage), cost: BigInt(tree.preimage.length / 2) }
    case 'eval-sha-256':
      return { fingerprint: sha256(tree.code), cost: evalCost }
    case 'prefix-sha-256': {
      const { prefix, maxMessageLength, subcondition } = tree
      const content =
        primitive(0, prefix) +
        integer(1, maxMessageLength) +
        constructed(2, conditionOf(subcondition))
      const own = BigInt(prefix.length / 2 + maxMessageLength) + compoundCost
      return {
        fingerprint: sha256(element(0x30, content)),
        cost: own + essence(subcondition).cost,
      }
    }
    case 'threshold-sha-256': {
      const { threshold, subconditions } = tree
      const content = integer(0, threshold) + setOf(1, subconditions.map(conditionOf))
      const costs = subconditions
        .map((/** @type {Tree} */ member) => essence(member).cost)
        .sort((/** @type {bigint} */ a, /** @type {bigint} */ b) => Number(b - a))
      return {
        fingerprint: sha256(element(0x30, content)),
        cost: costs
          .slice(0, threshold)
          .reduce(
            (/** @type {bigint} */ sum, /** @type {bigint} */ cost) => sum + cost,
            compoundCost * BigInt(subconditions.length),
          ),
      }
    }
    default:
      return { fingerprint: sha256(element(0x30, primitive(0, tree.publicKey))), cost: keyCost }
  }
}

/** @param {Tree} tree @returns {string} hex */
export function conditionOf(tree) {
  const { fingerprint, cost } = essence(tree)
  const subtypes = isCompound(tree.type) ? primitive(2, bitString(subtypesOf(tree))) : ''
  return constructed(
    typeNumbers[tree.type],
    primitive(0, fingerprint) + integer(1, cost) + subtypes,
  )
}

/** @param {Tree} tree everything in it fulfilled @returns {string} hex */
export function fulfillmentOf(tree) {
  const content = {
    'preimage-sha-256': () => primitive(0, tree.preimage),
    'eval-sha-256': () => primitive(0, tree.code),
    'prefix-sha-256': () =>
      primitive(0, tree.prefix) +
      integer(1, tree.maxMessageLength) +
      constructed(2, fulfillmentOf(tree.subcondition)),
    'threshold-sha-256': () => setOf(0, tree.subconditions.map(fulfillmentOf)) + setOf(1, []),
    'ed25519-sha-256': () => primitive(0, tree.publicKey) + primitive(1, tree.signature),
    'secp256k1-sha-256': () => primitive(0, tree.publicKey) + primitive(1, tree.signature),
  }[tree.type]
  return constructed(typeNumbers[tree.type], content())
}

/** Members as their encodings are ordered, as a decoder finds them. @param {Tree} tree @returns {Tree} */
function inOrder(tree) {
  if (tree.subcondition) return { ...tree, subcondition: inOrder(tree.subcondition) }
  if (!tree.subconditions) return tree
  const members = tree.subconditions.map(inOrder)
  members.sort((/** @type {Tree} */ a, /** @type {Tree} */ b) =>
    fulfillmentOf(a) < fulfillmentOf(b) ? -1 : 1,
  )
  return { ...tree, subconditions: members }
}

/** @param {Tree} tree @returns {Specimen} */
function specimenOf(tree) {
  const ordered = inOrder(tree)
  return {
    tree: ordered,
    fulfillment: fulfillmentOf(ordered),
    condition: conditionOf(ordered),
  }
}

/** Returns the fulfillment of the second input of the recorded transfer. */
export function recordedFulfillment() {
  const file = new URL('../vectors/token-transfer.json', import.meta.url)
  const { decoded } = JSON.parse(readFileSync(file, 'utf8'))
  // A push of up to 255 bytes; a hash type at the end.
  return JSON.parse(decoded).vin[1].scriptSig.hex.slice(4, -2)
}

/** Any one of the keys signs, and the module of tokens decides. */
function tokenSpecimen() {
  const fulfillment = recordedFulfillment()
  const key = fulfillment.indexOf('8021') + 4
  const signature = key + 2 * 33 + 4
  return specimenOf({
    type: 'threshold-sha-256',
    threshold: 2,
    subconditions: [
      {
        type: 'threshold-sha-256',
        threshold: 1,
        subconditions: [
          {
            type: 'secp256k1-sha-256',
            publicKey: fulfillment.slice(key, key + 2 * 33),
            signature: fulfillment.slice(signature, signature + 2 * 64),
          },
        ],
      },
      { type: 'eval-sha-256', code: 'f2' },
    ],
  })
}

/** @typedef {ReturnType<typeof randomSource>} RandomSource */

const makers = {
  preimage: (/** @type {RandomSource} */ random) => ({
    type: 'preimage-sha-256',
    preimage: random.hex(32),
  }),
  ed25519: (/** @type {RandomSource} */ random) => ({
    type: 'ed25519-sha-256',
    publicKey: random.hex(32),
    signature: random.hex(64),
  }),
  prefix: (/** @type {RandomSource} */ random) => ({
    type: 'prefix-sha-256',
    prefix: random.hex(16),
    maxMessageLength: 256,
    subcondition: makers.ed25519(random),
  }),
  threshold: (/** @type {RandomSource} */ random) => ({
    type: 'threshold-sha-256',
    threshold: 3,
    subconditions: [makers.ed25519(random), makers.ed25519(random), makers.preimage(random)],
  }),
}

const descriptions = {
  preimage: 'a preimage of 32 bytes',
  ed25519: 'an Ed25519 key and its signature',
  prefix: 'a prefix before an Ed25519 key',
  threshold: 'three of three: two Ed25519 keys and a preimage',
}

const specimensOfEach = 16

/** @returns {import('./define.mjs').Case<Specimen>[]} */
export const conditionCases = () => [
  {
    name: 'token',
    description: 'what the recorded token transfer spends its tokens with',
    bytes: recordedFulfillment().length / 2,
    items: [tokenSpecimen()],
  },
  ...Object.entries(makers).map(([name, make]) => {
    const random = randomSource(`condition/${name}`)
    const items = Array.from({ length: specimensOfEach }, () => specimenOf(make(random)))
    const bytes = items[0].fulfillment.length / 2
    return { name, description: descriptions[name], bytes, items }
  }),
]
