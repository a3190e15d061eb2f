import bitcoinjs from 'bitcoinjs-lib'
import { fieldsOfBuffers, noSapling } from './common.mjs'

/** @param {string} hex */
export const fromHex = (hex) => bitcoinjs.Transaction.fromHex(hex)

/** @param {any} tx @returns {import('../lib/wire.mjs').Fields} */
export const fields = (tx) => fieldsOfBuffers(tx, noSapling)
