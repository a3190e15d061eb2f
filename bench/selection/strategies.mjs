// Ways to choose coins for a payment, ours and others'. Each takes the values of a wallet's coins
// and the terms of a payment, and returns positions and change (0 for none), or nothing.

import bitcoinerlab from '@bitcoinerlab/coinselect'
import { DescriptorsFactory } from '@bitcoinerlab/descriptors'
import * as btc from '@scure/btc-signer'
import trezor from '@trezor/utxo-lib/lib/coinselect/index.js'
import BN from 'bn.js'
import coinselect from 'coinselect'
import * as curve from 'tiny-secp256k1'

import { selectCoins } from '../../dist/index.js'
import { randomSource, selectLikeCore } from './core-model.mjs'

/**
 * @typedef {{ target: number, feeRate: number, longTermFeeRate: number, inputBytes: number,
 *   baseBytes: number, changeBytes: number, changeSpendBytes: number, dust: number }} Terms
 *   Satoshis, and satoshis per 1000 bytes.
 * @typedef {{ picked: number[], change: number }} Picked
 * @typedef {(pool: number[], terms: Terms) => Picked | undefined} Strategy
 */

const feeOf = (rate, bytes) => Math.ceil((rate * bytes) / 1000)
const sumAt = (pool, positions) => positions.reduce((sum, at) => sum + pool[at], 0)

/** Change, or none where it would be dust. */
function withChange(pool, picked, { target, feeRate, inputBytes, baseBytes, changeBytes, dust }) {
  const bytes = baseBytes + inputBytes * picked.length
  const rest = sumAt(pool, picked) - target - feeOf(feeRate, bytes + changeBytes)
  return { picked, change: rest >= dust ? rest : 0 }
}

/** @type {Strategy} */
export function ours(pool, { target, inputBytes, dust, ...terms }) {
  const values = BigInt64Array.from(pool, BigInt)
  const selection = selectCoins(
    { values, inputBytes },
    { ...terms, target: BigInt(target), dust: BigInt(dust) },
  )
  if (!selection.ok) return undefined
  return { picked: [...selection.picked], change: Number(selection.change) }
}

/** @param {string[]} algorithms @returns {() => Strategy} */
const core = (algorithms) => () => {
  const random = randomSource(1)
  return (pool, terms) => selectLikeCore(pool, terms, random, algorithms)
}

/** @param {(a: number, b: number) => number} order of values @returns {Strategy} */
const inOrder = (order) => (pool, terms) => {
  const { target, feeRate, inputBytes, baseBytes } = terms
  const inputFee = (feeRate * inputBytes) / 1000
  const positions = [...pool.keys()]
    .filter((at) => pool[at] > inputFee)
    .sort((a, b) => order(pool[a], pool[b]))
  let sum = 0
  for (let count = 1; count <= positions.length; count++) {
    sum += pool[positions[count - 1]]
    if (sum >= target + feeOf(feeRate, baseBytes + count * inputBytes)) {
      return withChange(pool, positions.slice(0, count), terms)
    }
  }
  return undefined
}

const komodoInputsMax = 60

/**
 * The order in which komodod comes upon coins: by txid, which is to say none.
 *
 * @param {number[]} pool @returns {number[]} positions
 */
export function walletOrder(pool) {
  const rank = pool.map(
    (value, at) => Math.imul(value ^ Math.imul(at, 0x9e3779b1), 0x85ebca6b) >>> 0,
  )
  return [...pool.keys()].sort((a, b) => rank[a] - rank[b] || a - b)
}

/**
 * komodod's rule, src/cc/CCtx.cpp, AddNormalinputs: it takes coins of a sixtieth of the amount or
 * more, in the wallet's order, until they suffice. Of these it picks the least one above the
 * missing amount, or else the largest below. The fee is added until it is right; komodod's has no
 * rate.
 *
 * @type {Strategy}
 */
function komodod(pool, terms) {
  const { target, feeRate, inputBytes, baseBytes, changeBytes } = terms
  for (let inputs = 1; inputs <= komodoInputsMax; inputs++) {
    const total = target + feeOf(feeRate, baseBytes + changeBytes + inputs * inputBytes)
    const picked = nearest(gathered(pool, total), pool, total)
    if (picked === undefined) return undefined
    if (picked.length <= inputs) return withChange(pool, picked, terms)
  }
  return undefined
}

function gathered(pool, total) {
  const positions = []
  let sum = 0
  for (const at of walletOrder(pool)) {
    if (pool[at] < Math.floor(total / komodoInputsMax)) continue
    positions.push(at)
    sum += pool[at]
    if (sum >= total || positions.length === komodoInputsMax) break
  }
  return positions
}

/** src/cc/CCtx.cpp, CC_vinselect, until the amount is reached. */
function nearest(positions, pool, total) {
  const picked = []
  let missing = total
  while (missing > 0 && positions.length > 0) {
    let above
    let below
    positions.forEach((at, index) => {
      const value = pool[at]
      if (value >= missing && (above === undefined || value < pool[positions[above]])) above = index
      if (value < missing && (below === undefined || value > pool[positions[below]])) below = index
    })
    const [at] = positions.splice(above ?? below, 1)
    picked.push(at)
    missing -= pool[at]
  }
  return missing > 0 ? undefined : picked
}

/** npm coinselect reads whole satoshis per byte, and sizes from the length of a script. @type {Strategy} */
function npmCoinselect(pool, { target, feeRate, inputBytes, baseBytes }) {
  const script = { length: inputBytes - 41 }
  const coins = pool.map((value, at) => ({ value, at, script }))
  const payment = { value: target, script: { length: baseBytes - 10 - 9 } }
  const { inputs, outputs } = coinselect(coins, [payment], Math.ceil(feeRate / 1000))
  if (inputs === undefined) return undefined
  return { picked: inputs.map(({ at }) => at), change: outputs[1]?.value ?? 0 }
}

const paidTo = btc.p2wpkh(new Uint8Array(33).fill(2))
const txid = '11'.repeat(32)

/** @scure/btc-signer's default strategy; it knows its own sizes. @type {Strategy} */
function scure(pool, { target, feeRate }) {
  const coins = pool.map((value, index) => ({
    txid,
    index,
    witnessUtxo: { script: paidTo.script, amount: BigInt(value) },
  }))
  const selected = btc.selectUTXO(
    coins,
    [{ address: paidTo.address, amount: BigInt(target) }],
    'default',
    {
      changeAddress: paidTo.address,
      feePerByte: BigInt(Math.ceil(feeRate / 1000)),
      bip69: false,
      createTx: false,
    },
  )
  if (selected === undefined) return undefined
  const picked = selected.inputs.map(({ index }) => index)
  const change = sumAt(pool, picked) - target - Number(selected.fee)
  return { picked, change: selected.change ? change : 0 }
}

const output = new (DescriptorsFactory(curve).Output)({ descriptor: `addr(${paidTo.address})` })

/** @bitcoinerlab/coinselect knows its own sizes, and refuses payments that are dust. @type {Strategy} */
function bitcoinerlabs(pool, { target, feeRate, dust }) {
  if (target < dust) return undefined
  const utxos = pool.map((value, at) => ({ output, value, at }))
  const targets = [{ output, value: target }]
  const selected = bitcoinerlab.coinselect({
    ...{ utxos, targets, remainder: output },
    feeRate: feeRate / 1000,
  })
  if (selected === undefined) return undefined
  return { picked: selected.utxos.map(({ at }) => at), change: selected.targets[1]?.value ?? 0 }
}

/**
 * The function that Trezor's wallet calls; it derives sizes from the types of outputs.
 * @type {Strategy}
 */
function trezors(pool, { target, feeRate, longTermFeeRate, dust }) {
  const type = 'p2wpkh'
  const script = { length: paidTo.script.length }
  const { inputs, outputs } = trezor.coinselect({
    ...{ txType: type, dustThreshold: dust, sendMaxOutputIndex: -1, feePolicy: 'bitcoin' },
    ...{ feeRate: feeRate / 1000, longTermFeeRate: longTermFeeRate / 1000 },
    sortingStrategy: 'bip69',
    inputs: pool.map((value, i) => ({
      ...{ type, i, value: new BN(value), confirmations: 100 },
      script: { length: 107 },
    })),
    outputs: [{ script, value: new BN(target) }],
    changeOutput: { script },
  })
  if (inputs === undefined) return undefined
  return { picked: inputs.map(({ i }) => i), change: outputs[1]?.value.toNumber() ?? 0 }
}

/**
 * By the name that the report gives them. Some draw at random, so each run gets a fresh one.
 *
 * @type {Record<string, () => Strategy>}
 */
export const strategies = {
  'antara-tx': () => ours,
  'Core model': core(['bnb', 'knapsack', 'srd', 'coingrinder']),
  'Core model, before CoinGrinder': core(['bnb', 'knapsack', 'srd']),
  komodod: () => komodod,
  'largest first': () => inOrder((a, b) => b - a),
  'smallest first': () => inOrder((a, b) => a - b),
  'npm coinselect': () => npmCoinselect,
  '@scure/btc-signer': () => scure,
  '@bitcoinerlab/coinselect': () => bitcoinerlabs,
  '@trezor/utxo-lib': () => trezors,
}
