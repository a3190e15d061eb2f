/**
 * Signed payments to verify, of as many coins as transactions that brought them.
 *
 * @typedef {{ hex: string, intent: any, evidence: any, prevouts: { value: bigint, script: string }[] }} Payment
 */
import { readFileSync } from 'node:fs'
import {
  decodeTransaction,
  encodeTransaction,
  networks,
  scriptOfAddress,
  signTransaction,
} from '../libraries/antara-tx.mjs'

const { A, B } = JSON.parse(
  readFileSync(new URL('../../test/vectors/komodod/keys.json', import.meta.url), 'utf8'),
)
const header = { version: 4, overwintered: true, versionGroupId: 0x892f2085, lockTime: 0 }
const own = scriptOfAddress(A.address, networks.assetChain)
const sequence = 0xffffffff
const value = 1_000_000n
const amount = 1000n
const fee = 10_000n

/**
 * A payment of `count` coins of one address, each of its own transaction of two outputs.
 *
 * @param {number} count
 * @returns {Payment}
 */
export function paymentOfCoins(count) {
  const parents = Array.from({ length: count }, (_, at) =>
    encodeTransaction({
      ...header,
      inputs: [{ txid: '11'.repeat(32), vout: at, scriptSig: '00'.repeat(107), sequence }],
      outputs: [
        { value, script: own },
        { value: 5000n, script: scriptOfAddress(B.address, networks.assetChain) },
      ],
      expiryHeight: 0,
    }),
  )
  const inputs = parents.map((hex) => ({
    txid: decodeTransaction(hex).txid,
    vout: 0,
    scriptSig: '',
    sequence,
  }))
  const rest = BigInt(count) * value - amount - fee
  const unsigned = {
    ...header,
    inputs,
    outputs: [
      { value: amount, script: scriptOfAddress(B.address, networks.assetChain) },
      { value: rest, script: own },
    ],
    expiryHeight: 200,
  }
  const prevouts = parents.map(() => ({ value, script: own }))
  const { hex } = signTransaction(unsigned, [A.privkey], prevouts)
  return {
    hex,
    intent: {
      recipients: [{ address: B.address, amount }],
      own: [A.address],
      fee,
      spendable: inputs.map(({ txid, vout }) => ({ txid, vout })),
    },
    evidence: { previousTransactions: parents, tipHeight: 10 },
    prevouts,
  }
}
