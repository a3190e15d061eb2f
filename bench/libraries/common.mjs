/** Helpers that several adapters share. */

/** For `cannot` of libraries that know Bitcoin's formats. @param {import('../shapes.mjs').Specimen} specimen */
export const bitcoinOnly = ({ fields }) =>
  fields.overwintered ? 'reads Bitcoin transactions only, no Sapling v4' : undefined

/** @param {Buffer} hash in wire order @returns {string} in display order */
const displayed = (hash) => Buffer.from(hash).reverse().toString('hex')

/**
 * Fields of the bitcoinjs-lib family: transactions of `ins` and `outs` that hold Buffers.
 *
 * @param {any} tx
 * @param {{ overwintered: boolean, versionGroupId: number, expiryHeight: number, valueBalance: bigint }} header
 * @returns {import('../lib/wire.mjs').Fields}
 */
export const fieldsOfBuffers = (
  tx,
  { overwintered, versionGroupId, expiryHeight, valueBalance },
) => ({
  version: tx.version,
  overwintered,
  versionGroupId,
  inputs: tx.ins.map(({ hash, index, script, sequence }) => ({
    txid: displayed(hash),
    vout: index,
    scriptSig: script.toString('hex'),
    sequence,
  })),
  outputs: tx.outs.map(({ value, script }) => ({
    value: BigInt(value),
    script: script.toString('hex'),
  })),
  lockTime: tx.locktime,
  expiryHeight,
  valueBalance,
})

/** The parts of a transaction that Bitcoin's formats lack. */
export const noSapling = {
  overwintered: false,
  versionGroupId: 0,
  expiryHeight: 0,
  valueBalance: 0n,
}

/** Reads every field once, so that a lazy answer has to pay. @param {any} tx of the same family */
export function readEveryField(tx) {
  let present = tx.version + tx.locktime
  for (const { hash, index, script, sequence } of tx.ins) {
    present += index + sequence + (hash !== undefined) + (script !== undefined)
  }
  for (const { value, script } of tx.outs) {
    present += (value !== undefined) + (script !== undefined)
  }
  return present
}

/** @param {readonly Uint8Array[]} hashes */
export const hexOfAll = (hashes) => hashes.map((hash) => Buffer.from(hash).toString('hex'))
