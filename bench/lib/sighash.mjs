/**
 * Hashes to sign under SIGHASH_ALL, written from ZIP 243 and the original rules: the reference, and
 * the JavaScript half of the peers that have to bring their own hashing. What all inputs share is
 * hashed once.
 *
 * @typedef {{ value: bigint, script: string }} Prevout the output that an input spends, script as hex
 * @typedef {{ beginning: Buffer, prevouts: Buffer, sequences: Buffer, outputs: Buffer, spent: Buffer[] }} Parts
 *   of what ZIP 243 hashes; `beginning` has room for the three hashes, `spent` is one for each input
 */
import { blake2b } from '@noble/hashes/blake2.js'
import { compactSize, doubleSha256, littleEndian, reversed, sized, wireHex } from './wire.mjs'

/** ZIP 243: Sapling's, in which the Komodo family has stayed. */
export const saplingBranchId = 0x76b809bb

const hashTypeAll = 1
const noHash = '00'.repeat(32)
const bytes = (/** @type {string} */ hex) => Buffer.from(hex, 'hex')

/** ZIP 243: "ZcashSigHash" and the branch id. */
const personalization = Buffer.from(
  `${Buffer.from('ZcashSigHash').toString('hex')}${littleEndian(saplingBranchId, 4)}`,
  'hex',
)

/** @param {Buffer} content @param {string} name of the hash, 16 characters */
const blake2b256 = (content, name) =>
  blake2b(content, { dkLen: 32, personalization: Buffer.from(name) })

/** Where the three hashes go: after the header and the version group id. */
const hashesStart = 8

/**
 * @param {import('./wire.mjs').Fields} fields of a version 4 transaction without shielded parts
 * @param {readonly Prevout[]} prevouts
 * @returns {Parts}
 */
export function zip243Parts({ inputs, outputs, ...header }, prevouts) {
  const outpoints = inputs.map(({ txid, vout }) => reversed(txid) + littleEndian(vout, 4))
  const sequences = inputs.map(({ sequence }) => littleEndian(sequence, 4))
  return {
    beginning: bytes(
      littleEndian(0x80000000 + header.version, 4) +
        littleEndian(header.versionGroupId, 4) +
        noHash.repeat(6) +
        littleEndian(header.lockTime, 4) +
        littleEndian(header.expiryHeight, 4) +
        littleEndian(header.valueBalance, 8) +
        littleEndian(hashTypeAll, 4),
    ),
    prevouts: bytes(outpoints.join('')),
    sequences: bytes(sequences.join('')),
    outputs: bytes(
      outputs.map(({ value, script }) => littleEndian(value, 8) + sized(script)).join(''),
    ),
    spent: prevouts.map(({ value, script }, index) =>
      bytes(outpoints[index] + sized(script) + littleEndian(value, 8) + sequences[index]),
    ),
  }
}

/** @param {Parts} parts @returns {Uint8Array[]} of each input, in the order of signing */
export function zip243Hashes({ beginning, prevouts, sequences, outputs, spent }) {
  beginning.set(blake2b256(prevouts, 'ZcashPrevoutHash'), hashesStart)
  beginning.set(blake2b256(sequences, 'ZcashSequencHash'), hashesStart + 32)
  beginning.set(blake2b256(outputs, 'ZcashOutputsHash'), hashesStart + 64)
  const shared = blake2b.create({ dkLen: 32, personalization }).update(beginning)
  return spent.map((part) => shared.clone().update(part).digest())
}

/**
 * Bitcoin's first form: for each input the transaction with all scripts empty but its own.
 *
 * @param {import('./wire.mjs').Fields} fields
 * @param {readonly Prevout[]} prevouts
 * @returns {string[]} in the order of signing
 */
function legacyHashes({ inputs, outputs, version, lockTime }, prevouts) {
  const starts = inputs.map(({ txid, vout }) => reversed(txid) + littleEndian(vout, 4))
  const ends = inputs.map(({ sequence }) => littleEndian(sequence, 4))
  const blanks = starts.map((start, index) => `${start}00${ends[index]}`)
  const before = littleEndian(version, 4) + compactSize(inputs.length)
  const after = wireHex({ version, inputs: [], outputs, lockTime }).slice(10)
  return prevouts.map(({ script }, index) => {
    const signed = blanks.with(index, starts[index] + sized(script) + ends[index])
    return doubleSha256(`${before}${signed.join('')}${after}${littleEndian(hashTypeAll, 4)}`)
  })
}

/**
 * @param {import('./wire.mjs').Fields} fields
 * @param {readonly Prevout[]} prevouts
 * @returns {string[]} the hash that the signature of each input signs, hex in the order of signing
 */
export const hashesToSign = (fields, prevouts) =>
  fields.overwintered
    ? zip243Hashes(zip243Parts(fields, prevouts)).map((hash) => Buffer.from(hash).toString('hex'))
    : legacyHashes(fields, prevouts)
