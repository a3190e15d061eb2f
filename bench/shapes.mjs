/**
 * The transactions that tasks are measured on: seeded, so that every run and every machine sees
 * the same bytes, and each with the answers that any library must give.
 *
 * @typedef {import('./lib/wire.mjs').Fields} Fields
 * @typedef {{ hex: string, fields: Fields, txid: string, decoded?: string }} Specimen
 *   `decoded` is the daemon's decoderawtransaction text, where it is known
 * @typedef {{ name: string, description: string, bytes: number, version: number, specimens: Specimen[] }} Shape
 */
import { readFileSync } from 'node:fs'
import { daemonText, fieldsOfDaemonText } from './lib/daemon-text.mjs'
import { randomSource } from './lib/random.mjs'
import { txidOf, wireHex } from './lib/wire.mjs'

/** @typedef {ReturnType<typeof randomSource>} RandomSource */

/** First digit cleared to 0-7 and set to at least 1: a positive DER integer without padding. */
const derInteger = (/** @type {RandomSource} */ random) =>
  `0220${1 + random.below(7)}${random.hex(32).slice(1)}`

/** A push of a well-formed DER signature with hash type ALL, then of a compressed public key. */
const scriptSig = (/** @type {RandomSource} */ random) =>
  `473044${derInteger(random)}${derInteger(random)}0121${random.below(2) ? '02' : '03'}${random.hex(32)}`

/**
 * @param {RandomSource} random
 * @param {{ inputs: number, outputs: number, version: 1 | 4 }} form
 * @returns {Specimen}
 */
export function payment(random, { inputs, outputs, version }) {
  const sapling = version === 4
  const fields = {
    version,
    overwintered: sapling,
    versionGroupId: sapling ? 0x892f2085 : 0,
    inputs: Array.from({ length: inputs }, () => ({
      txid: random.hex(32),
      vout: random.below(20),
      scriptSig: scriptSig(random),
      sequence: 0xfffffffe,
    })),
    outputs: Array.from({ length: outputs }, () => ({
      value: BigInt(random.below(1_000_000_000_000)),
      script: `76a914${random.hex(20)}88ac`,
    })),
    lockTime: 1_700_000_000 + random.below(1_000_000),
    expiryHeight: sapling ? 4_000_000 + random.below(100_000) : 0,
    valueBalance: 0n,
  }
  const hex = wireHex(fields)
  const txid = txidOf(hex)
  return {
    hex,
    fields,
    txid,
    get decoded() {
      return sapling ? daemonText(fields, txid) : undefined
    },
  }
}

/** The transfer of 100 of 1000 tokens that a real komodod built and accepted. */
function recordedTransfer() {
  const file = new URL('./vectors/token-transfer.json', import.meta.url)
  const { hex, decoded } = JSON.parse(readFileSync(file, 'utf8'))
  return { hex, fields: fieldsOfDaemonText(decoded), txid: JSON.parse(decoded).txid, decoded }
}

/** The recorded transfer as if it spent another coin: same layout, other bytes, other txid. */
function transferOfAnotherCoin(/** @type {RandomSource} */ random) {
  const { fields } = recordedTransfer()
  const [first, ...others] = fields.inputs
  const moved = { ...fields, inputs: [{ ...first, txid: random.hex(32) }, ...others] }
  const hex = wireHex(moved)
  return { hex, fields: moved, txid: txidOf(hex) }
}

/** @param {string} name @param {string} description @param {Specimen[]} specimens @returns {Shape} */
const shape = (name, description, specimens) => ({
  name,
  description,
  bytes: Math.round(specimens.reduce((sum, { hex }) => sum + hex.length / 2, 0) / specimens.length),
  version: specimens[0].fields.version,
  specimens,
})

/**
 * @param {string} name
 * @param {string} description
 * @param {number} count how many different transactions; one alone would suit branch predictors
 * @param {{ inputs: number, outputs: number, version: 1 | 4 }} form
 */
const payments = (name, description, count, form) => () => {
  const random = randomSource(name)
  const specimens = Array.from({ length: count }, () => payment(random, form))
  return shape(name, description, specimens)
}

/**
 * Transactions as a wallet of this chain sees them: cumulative share in thousandths, inputs,
 * outputs.
 */
const mixture = [
  { upTo: 550, inputs: 1, outputs: 2 },
  { upTo: 790, inputs: 2, outputs: 2 },
  { upTo: 830, inputs: 10, outputs: 2 },
  { upTo: 834, inputs: 100, outputs: 1 },
  { upTo: 836, inputs: 2, outputs: 500 },
]

function mixed() {
  const random = randomSource('mixed')
  const specimens = Array.from({ length: 10_000 }, () => {
    const draw = random.below(1000)
    const form = mixture.find(({ upTo }) => draw < upTo)
    return form ? payment(random, { ...form, version: 4 }) : transferOfAnotherCoin(random)
  })
  return shape('mixed', '10,000 transactions, 84 % payments, 16 % token transfers', specimens)
}

const makers = {
  payment: payments('payment', '1 input, 2 outputs, v4', 64, { inputs: 1, outputs: 2, version: 4 }),
  token: () => shape('token', 'token transfer of a real komodod, v4', [recordedTransfer()]),
  'inputs-100': payments('inputs-100', '100 inputs, 1 output, v4', 4, {
    inputs: 100,
    outputs: 1,
    version: 4,
  }),
  'outputs-500': payments('outputs-500', '2 inputs, 500 outputs, v4', 4, {
    inputs: 2,
    outputs: 500,
    version: 4,
  }),
  'payment-v1': payments('payment-v1', '1 input, 2 outputs, v1', 64, {
    inputs: 1,
    outputs: 2,
    version: 1,
  }),
  'inputs-100-v1': payments('inputs-100-v1', '100 inputs, 1 output, v1', 4, {
    inputs: 100,
    outputs: 1,
    version: 1,
  }),
  'outputs-500-v1': payments('outputs-500-v1', '2 inputs, 500 outputs, v1', 4, {
    inputs: 2,
    outputs: 500,
    version: 1,
  }),
  mixed,
}

/** The shapes most tasks use; the v1 twins are there for the libraries that read Bitcoin only. */
export const codecShapes = [
  'payment',
  'token',
  'inputs-100',
  'outputs-500',
  'payment-v1',
  'inputs-100-v1',
  'outputs-500-v1',
]

/** @param {keyof typeof makers} name @returns {Shape} */
export const shapeOf = (name) => makers[name]()
