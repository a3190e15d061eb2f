// Builds the creation of a token from your own coins, signs it and verifies the result.
//
//   node examples/create.mjs

import { readFileSync } from 'node:fs'
import { buildTokenCreate, decodeTransaction, signTransaction, verifyTokenCreate } from 'antara-tx'

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
const { note: _, ...request } = JSON.parse(read('create-request.json'))
const key = read('throw-away-key.txt').trim()

const unsigned = buildTokenCreate(request)
const prevouts = unsigned.coins // value and script of each, read from the previous transactions
const { hex, txid } = signTransaction(unsigned.hex, [key], prevouts, unsigned.intent.network)

const report = verifyTokenCreate(hex, unsigned.intent, unsigned)
console.log(`${decodeTransaction(hex).outputs.length} outputs, fee ${report.fee} satoshis`)
const isSafe = report.broadcast === 'yes'
console.log(isSafe ? `agrees: the new token's id is ${txid}` : `broadcast: ${report.broadcast}`)
