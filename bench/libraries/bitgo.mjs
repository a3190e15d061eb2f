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

/**
 * Signs P2PKH inputs with the steps of its own transaction builder, which reads P2PKH inputs of
 * wallets only.
 *
 * @param {{ tx: any, prevouts: readonly { value: number, script: Buffer }[], keys: readonly Buffer[] }} spend
 */
export function signPayments({ tx, prevouts, keys }) {
  for (const [index, prevout] of prevouts.entries()) {
    const signature = utxolib.ecc.sign(hashToSign(tx, index, prevout), keys[index])
    const encoded = utxolib.ScriptSignature.encode(Buffer.from(signature), hashTypeAll)
    const publicKey = Buffer.from(utxolib.ecc.pointFromScalar(keys[index], true))
    tx.setInputScript(index, utxolib.script.compile([encoded, publicKey]))
  }
  return tx
}

/** An unsigned Sapling transaction. @param {import('../lib/wire.mjs').Fields} fields */
export function saplingFrom({ inputs, outputs, lockTime, expiryHeight, versionGroupId }) {
  const tx = new ZcashTransaction(zcash)
  Object.assign(tx, {
    version: 4,
    overwintered: 1,
    versionGroupId,
    expiryHeight,
    locktime: lockTime,
  })
  tx.consensusBranchId = saplingBranchId
  for (const { txid, vout, sequence } of inputs) {
    tx.addInput(Buffer.from(txid, 'hex').reverse(), vout, sequence)
  }
  for (const { value, script } of outputs) tx.addOutput(Buffer.from(script, 'hex'), Number(value))
  return tx
}
