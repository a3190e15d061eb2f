import utxolib from '@bitgo/utxo-lib'
import { fieldsOfBuffers, noSapling } from './common.mjs'

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
