// Loads the build once more, on WebAssembly. A copy in a folder of this process has classes and an
// engine of its own; the folder is removed when the process ends.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const repository = new URL('../../', import.meta.url)
const out = fileURLToPath(new URL('out/', repository))
mkdirSync(out, { recursive: true })
const folder = pathToFileURL(`${mkdtempSync(`${out}bench-wasm-`)}/`)
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const part of ['dist', 'package.json', 'native/wasm/antara_tx.wasm']) {
  cpSync(new URL(part, repository), new URL(part, folder), { recursive: true })
}

const engineBefore = process.env.ANTARA_TX_ENGINE
process.env.ANTARA_TX_ENGINE = 'wasm'
const library = await import(new URL('dist/index.js', folder).href)
// The engine is chosen at the first call. `export *` cannot pass on a module that is imported here.
library.decodeScript('51')
if (engineBefore === undefined) delete process.env.ANTARA_TX_ENGINE
else process.env.ANTARA_TX_ENGINE = engineBefore

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
} = library

/** The name of a peer on this engine. */
export const named = { name: 'antara-tx, WebAssembly', package: 'antara-tx' }
