import { createRequire } from 'node:module'
import { noSapling } from './common.mjs'

// Not its ES module, which imports a .wasm file: Node 20 takes none.
const { Transaction, ZcashTransaction } = createRequire(import.meta.url)('@bitgo/wasm-utxo')

/** @param {string} hex */
export const fromHex = (hex) =>
  (hex.startsWith('04000080') ? ZcashTransaction : Transaction).fromBytes(Buffer.from(hex, 'hex'))

/**
 * Returns the result of `take` for a transaction, and frees its memory at once, because nothing
 * collects it between the runs of a benchmark.
 *
 * @template Answer
 * @param {string} hex @param {(tx: any) => Answer} take
 */
export function withTransaction(hex, take) {
  const tx = fromHex(hex)
  const answer = take(tx)
  tx.wasm.free()
  return answer
}

/** @param {any} tx */
export const parts = (tx) => ({
  version: tx.version(),
  lockTime: tx.lockTime(),
  inputs: tx.getInputs(),
  outputs: tx.getOutputs(),
})

/** @param {ReturnType<typeof parts>} parts @returns {import('../lib/wire.mjs').Fields} */
export const fields = ({ version, lockTime, inputs, outputs }) => ({
  version,
  inputs: inputs.map(({ previousOutput: { txid, vout }, scriptSig, sequence }) => ({
    txid,
    vout,
    scriptSig: Buffer.from(scriptSig).toString('hex'),
    sequence,
  })),
  outputs: outputs.map(({ value, script }) => ({
    value,
    script: Buffer.from(script).toString('hex'),
  })),
  lockTime,
  ...noSapling,
})

/** For `cannot`. @param {import('../shapes.mjs').Specimen} specimen */
export const noHeaderOfSapling = ({ fields: { overwintered } }) =>
  overwintered ? 'tells neither the version group nor the expiry height' : undefined
