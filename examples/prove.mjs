// Proves that an output holds tokens: walks back to the token's creation and applies the chain's
// own rules at every step.
//
//   node examples/prove.mjs

import { readFileSync } from 'node:fs'
import { decodeTransaction, proveTokenOutput, transactionId } from 'antara-tx'

const { intent, hex, previousTransactions, tokenCreate } = JSON.parse(
  readFileSync(new URL('transfer.json', import.meta.url), 'utf8'),
)
const given = [hex, ...previousTransactions, tokenCreate]
console.log(
  'from what the case file has:',
  proveTokenOutput(transactionId(hex), 0, intent.tokenid, given).verdict,
)

// The funding of the creation is missing here; the file of the creation has it.
const funding = JSON.parse(readFileSync(new URL('create.json', import.meta.url), 'utf8'))
const all = [...given, ...funding.previousTransactions]
for (const vout of decodeTransaction(hex).outputs.keys()) {
  const proof = proveTokenOutput(transactionId(hex), vout, intent.tokenid, all)
  const details = proof.verdict === 'proven' ? `${proof.amount} units` : (proof.rule ?? '')
  console.log(`output ${vout}: ${proof.verdict} ${details}`)
}
