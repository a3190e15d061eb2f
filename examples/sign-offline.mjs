// Carries an unsigned transfer to a machine without a connection, as one file. There it is
// verified, signed only if it agrees with the request, and verified again. The same as
//
//   antara-tx transfer transfer-request.json > case.json
//   chmod 600 throw-away-key.txt
//   antara-tx sign case.json --key-file throw-away-key.txt > signed.json
//   antara-tx verify signed.json
//
//   node examples/sign-offline.mjs

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const antaraTx = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const file = (name) => fileURLToPath(new URL(name, import.meta.url))
const key = readFileSync(file('throw-away-key.txt'), 'utf8')
const env = { ...process.env, ANTARA_TX_KEY: key }
const run = (args, input) =>
  execFileSync(process.execPath, [antaraTx, ...args], { input, encoding: 'utf8', env })

const unsigned = run(['transfer', file('transfer-request.json')])
const signed = run(['sign', '-'], unsigned)
console.log(run(['verify', '-'], signed).split('\n')[0])
