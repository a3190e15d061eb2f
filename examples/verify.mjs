// Verifies a transfer that a daemon returned, before it is broadcast.
//
//   node examples/verify.mjs

import { readFileSync } from 'node:fs'
import { verifyTokenTransfer } from 'antara-tx'

// The data of a wallet: its request, the answer, and the transactions that are spent.
const { intent, hex, previousTransactions, tokenCreate, tipHeight } = JSON.parse(
  readFileSync(new URL('transfer.json', import.meta.url), 'utf8'),
)

const report = verifyTokenTransfer(
  hex,
  { ...intent, amount: BigInt(intent.amount) },
  { previousTransactions, tokenCreate, tipHeight },
)

for (const { severity, code, path, message } of report.findings) {
  console.log(`${severity} ${code} at ${path}: ${message}`)
}
const advice = {
  yes: `agrees: broadcast ${report.txid}`,
  no: 'rejected: do not broadcast',
  // A finding leaves something open that could cost money: show it to the user, who decides.
  'your-decision': `agrees, but read the findings before you broadcast ${report.txid}`,
}
console.log(advice[report.broadcast])
