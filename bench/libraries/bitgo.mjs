import utxolib from '@bitgo/utxo-lib'
import { saplingBranchId } from '../lib/sighash.mjs'
import { fieldsOfBuffers, noSapling } from './common.mjs'
import { paysTo } from './payments.mjs'

const { ZcashTransaction, UtxoTransaction } = utxolib.bitgo
const { zcash, bitcoin } = utxolib.networks

/** Sapling transactions; their layout is Zcash's. @param {string} hex */
const saplingFromHex = (hex) =>
  ZcashTransaction.fromBuffer(Buffer.from(hex, 'hex'), false, 'number', zcash)
/** @param {string} hex */
const bitcoinFromHex = (hex) =>
  UtxoTransaction.fromBuffer(Buffer.from(hex, 'hex'), false, 'number', bitcoin)

/** Its fastest reader for the version, amounts as numbers. @param {string} hex */
export const fromHex = (hex) =>
  hex.startsWith('04000080') ? saplingFromHex(hex) : bitcoinFromHex(hex)

/** @param {any} tx @returns {import('../lib/wire.mjs').Fields} it refuses any value balance but 0 */
export const fields = (tx) =>
  fieldsOfBuffers(
    tx,
    tx.overwintered
      ? {
          overwintered: tx.overwintered === 1,
          versionGroupId: tx.versionGroupId,
          expiryHeight: tx.expiryHeight,
          valueBalance: 0n,
        }
      : noSapling,
  )

/** As hashing and verifying take it. @param {import('../lib/spends.mjs').Spend} spend */
export function toSign({ hex, prevouts }) {
  const tx = fromHex(hex)
  // Its own branch is the newest of Zcash.
  if (tx.overwintered) tx.consensusBranchId = saplingBranchId
  return {
    tx,
    prevouts: prevouts.map(({ value, script }) => ({
      value: Number(value),
      script: Buffer.from(script, 'hex'),
    })),
  }
}

const hashTypeAll = 1

/** @param {any} tx @param {number} index @param {{ value: number, script: Buffer }} prevout @returns {Buffer} */
export const hashToSign = (tx, index, { value, script }) =>
  tx.hashForSignatureByNetwork(index, script, value, hashTypeAll)

/**
 * A P2PKH input. Its own `verifySignature` reads multisig only; these are its steps.
 *
 * @param {any} tx
 * @param {number} index
 * @param {{ value: number, script: Buffer }} prevout
 */
export function verifyPayment(tx, index, { value, script }) {
  const [encoded, key] = utxolib.script.decompile(tx.ins[index].script)
  if (!paysTo(script, key)) return false
  const { signature, hashType } = utxolib.ScriptSignature.decode(encoded)
  const hash = tx.hashForSignatureByNetwork(index, script, value, hashType)
  return utxolib.ecc.verify(hash, key, signature, true)
}
