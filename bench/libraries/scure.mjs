import { hex as hexCoder } from '@scure/base'
import { RawOldTx } from '@scure/btc-signer/script.js'
import { noSapling } from './common.mjs'

/** Its raw coder; its `Transaction.fromRaw` prepares for signing and takes ten times as long. */
export const fromHex = (/** @type {string} */ hex) => RawOldTx.decode(hexCoder.decode(hex))
export const toHex = (/** @type {any} */ tx) => hexCoder.encode(RawOldTx.encode(tx))

/** @param {any} tx @returns {import('../lib/wire.mjs').Fields} */
export const fields = (tx) => ({
  version: tx.version,
  inputs: tx.inputs.map(({ txid, index, finalScriptSig, sequence }) => ({
    txid: hexCoder.encode(txid),
    vout: index,
    scriptSig: hexCoder.encode(finalScriptSig),
    sequence,
  })),
  outputs: tx.outputs.map(({ amount, script }) => ({
    value: amount,
    script: hexCoder.encode(script),
  })),
  lockTime: tx.lockTime,
  ...noSapling,
})

/** Reads every field once, so that a lazy answer has to pay. @param {any} tx */
export function readEveryField(tx) {
  let present = tx.version + tx.lockTime
  for (const { txid, index, finalScriptSig, sequence } of tx.inputs) {
    present += index + sequence + (txid !== undefined) + (finalScriptSig !== undefined)
  }
  for (const { amount, script } of tx.outputs) {
    present += (amount !== undefined) + (script !== undefined)
  }
  return present
}
