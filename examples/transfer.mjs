// Builds a token transfer from your own coins, signs it and verifies the result.
//
//   node examples/transfer.mjs

import { readFileSync } from 'node:fs'
import { buildTokenTransfer, signTransaction, verifyTokenTransfer } from 'antara-tx'

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
const { note: _, ...request } = JSON.parse(read('transfer-request.json'))
const key = read('throw-away-key.txt').trim()

const unsigned = buildTokenTransfer(request)
const { hex, txid } = signTransaction(unsigned.hex, [key], unsigned.coins, unsigned.intent.network)

const report = verifyTokenTransfer(hex, unsigned.intent, unsigned)
for (const { output, role, value } of report.effects)
  console.log(`output ${output}: ${value} ${role}`)
for (const { severity, message } of report.findings) console.log(`${severity}: ${message}`)
const advice = {
  yes: `agrees: broadcast ${txid}`,
  no: 'rejected: do not broadcast',
  // A finding leaves something open that could cost money: here, the history of the tokens.
  'your-decision': `agrees, but read the findings before you broadcast ${txid}`,
}
console.log(advice[report.broadcast])
