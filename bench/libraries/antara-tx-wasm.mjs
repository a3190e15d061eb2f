/** The library under test once more, in a folder where it finds no addon: on WebAssembly. */

import { cpSync, rmSync } from 'node:fs'

const repository = new URL('../../', import.meta.url)
const folder = new URL('out/bench-wasm/', repository)
rmSync(folder, { recursive: true, force: true })
for (const part of ['dist', 'package.json', 'native/wasm/antara_tx.wasm']) {
  cpSync(new URL(part, repository), new URL(part, folder), { recursive: true })
}

export const {
  buildPayment,
  buildTokenTransfer,
  createCoinIndex,
  decodeFulfillment,
  decodeRawTransaction,
  decodeTransaction,
  decodeTransactions,
  encodeCondition,
  encodeFulfillment,
  encodeTransaction,
  networks,
  selectCoins,
  signatureHashes,
  signCase,
  signTransaction,
  transactionId,
  transactionIds,
  verifyInputs,
  verifyMessage,
  verifyPayment,
  verifyTokenTransfer,
} = await import(new URL('dist/index.js', folder).href)

/** The name of a peer on this engine. */
export const named = { name: 'antara-tx, WebAssembly', package: 'antara-tx' }
