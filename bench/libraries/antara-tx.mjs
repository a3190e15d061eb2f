/** The library under test: the checkout's own build, so that no copy can go stale. */
export * from '../../dist/index.js'

/** @param {any} tx @returns {import('../lib/wire.mjs').Fields} without the shielded lists, all empty here */
export const fields = (tx) => ({
  version: tx.version,
  overwintered: tx.overwintered,
  versionGroupId: tx.versionGroupId,
  inputs: tx.inputs,
  outputs: tx.outputs,
  lockTime: tx.lockTime,
  expiryHeight: tx.expiryHeight,
  valueBalance: tx.valueBalance,
})

/** Reads every field once, so that a lazy answer has to pay. @param {any} tx */
export function readEveryField(tx) {
  let present = tx.version + tx.versionGroupId + tx.lockTime + tx.expiryHeight
  present += tx.overwintered + (tx.valueBalance !== undefined)
  for (const { txid, vout, scriptSig, sequence } of tx.inputs) {
    present += vout + sequence + (txid !== undefined) + (scriptSig !== undefined)
  }
  for (const { value, script } of tx.outputs) {
    present += (value !== undefined) + (script !== undefined)
  }
  return present
}
