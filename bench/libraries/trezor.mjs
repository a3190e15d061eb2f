import trezor from '@trezor/utxo-lib'
import { fieldsOfBuffers } from './common.mjs'

const { komodo } = trezor.networks

/** Its komodo network reads every version. @param {string} hex */
export const fromHex = (hex) => trezor.Transaction.fromHex(hex, { network: komodo })

/** @param {any} tx @returns {import('../lib/wire.mjs').Fields} */
export const fields = (tx) =>
  fieldsOfBuffers(tx, {
    overwintered: tx.specific.overwintered === 1,
    versionGroupId: tx.specific.versionGroupId,
    expiryHeight: tx.expiry,
    valueBalance: BigInt(tx.specific.valueBalance),
  })
