/**
 * Payments to build, sign and verify: coins of one key, all of which are spent.
 *
 * @typedef {{
 *   request: any, key: string, fields: import('./wire.mjs').Fields,
 *   prevouts: import('./sighash.mjs').Prevout[], signed: string,
 * }} Sending
 *   `request` is what our builder takes; `fields` is the same transaction for libraries that are told
 *   its inputs and outputs; `signed` is the answer
 */
import { getPublicKey } from '@noble/secp256k1'
import { randomSource } from './random.mjs'
import { hash160, signedWith } from './spends.mjs'
import { txidOf, wireHex } from './wire.mjs'

const header = {
  version: 4,
  overwintered: true,
  versionGroupId: 0x892f2085,
  lockTime: 0,
  valueBalance: 0n,
}
const sequence = 0xffffffff
const value = 1_000_000n
const amount = 1000n
const fee = 10_000n
const tipHeight = 10

/** @param {string} hash */
const paymentTo = (hash) => `76a914${hash}88ac`

/** @param {number} inputs @returns {Sending} */
export function sendingOf(inputs) {
  const random = randomSource(`send-payment/${inputs}`)
  const key = random.hex(32)
  const own = Buffer.from(getPublicKey(Buffer.from(key, 'hex'))).toString('hex')
  const script = paymentTo(hash160(own))
  const payee = paymentTo(random.hex(20))
  const parents = Array.from({ length: inputs }, (_, at) =>
    wireHex({
      ...header,
      inputs: [{ txid: random.hex(32), vout: at, scriptSig: '00'.repeat(107), sequence }],
      outputs: [{ value, script }],
      expiryHeight: 0,
    }),
  )
  const coins = parents.map((hex) => ({ txid: txidOf(hex), vout: 0 }))
  const fields = {
    ...header,
    inputs: coins.map((coin) => ({ ...coin, scriptSig: '', sequence })),
    outputs: [
      { value: amount, script: payee },
      { value: BigInt(inputs) * value - amount - fee, script },
    ],
    // komodo src/main.h, DEFAULT_TX_EXPIRY_DELTA, after the next block
    expiryHeight: tipHeight + 1 + 200,
  }
  const prevouts = coins.map(() => ({ value, script }))
  const keys = coins.map(() => key)
  return {
    request: {
      recipients: [{ script: payee, amount }],
      own: [script],
      coins,
      previousTransactions: parents,
      spend: 'all',
      fee,
      maxFee: fee,
      tipHeight,
    },
    key,
    fields,
    prevouts,
    signed: wireHex(signedWith({ fields, prevouts }, keys)),
  }
}
