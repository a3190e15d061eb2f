// Sends a guard calls of many kinds from several connections, and prints the memory of its process as
// it goes. At the end it verifies the record. Needs a build: npm run build
//
//   node test/soak/guard.mjs [CALLS, default 20000] [MINUTES, default 30]

import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createDevNode } from '../../dist/node/index.js'

const [calls = 20_000, minutes = 30] = process.argv.slice(2).map(Number)
const connections = 8
const home = mkdtempSync(join(tmpdir(), 'guard-soak-'))
const node = await createDevNode({ time: 1_800_000_000 })
const [alice, bob] = node.identities
const policy = join(home, 'policy.json')
const limits = { perPayment: '100' }
writeFileSync(policy, JSON.stringify({ recipients: 'any', coins: limits, tokens: 'any' }))
const guard = spawn(
  process.execPath,
  [
    ...['dist/cli/main.js', 'guard', '--daemon', alice.url, '--network', 'assetChain', '--json'],
    ...['--pubkey', alice.pubkey, '--state', home, '--policy', policy],
  ],
  {
    env: { ...process.env, ANTARA_RPC_USER: alice.user, ANTARA_RPC_PASSWORD: alice.password },
    stdio: ['ignore', 'pipe', 'ignore'],
  },
)
const { url } = JSON.parse(
  await new Promise((done) => createInterface(guard.stdout).once('line', done)),
)
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const authorization = `Basic ${Buffer.from(`${alice.user}:${alice.password}`).toString('base64')}`

function call(method, params = []) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { authorization } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => (text += piece))
      response.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }))
  })
}

/** Megabytes that the process of the guard has in memory. */
function memory() {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${guard.pid}/status`, 'utf8'))
  return Math.round(Number(kilobytes) / 1024)
}

const created = JSON.parse(await call('tokencreate', ['GOLD', '0.00001']))
const tokenid = JSON.parse(await call('sendrawtransaction', [created.result.hex])).result
node.mine()
const transfer = [tokenid, bob.pubkey, '3']
const { hex } = JSON.parse(await call('tokentransfer', transfer)).result
await call('sendrawtransaction', [hex])

/** In a hundred calls: 90 read, 6 are refused, 2 repeat a build, 2 repeat a send. */
const kinds = [
  ...Array.from({ length: 45 }, () => ['"blocks"', 'getinfo']),
  ...Array.from({ length: 45 }, () => ['"balance":', 'tokenbalance', [tokenid, bob.pubkey]]),
  ...Array.from({ length: 2 }, () => ['guard: dumpprivkey', 'dumpprivkey', ['x']]),
  ...Array.from({ length: 2 }, () => ['guard: this method', 'nosuch']),
  ...Array.from({ length: 2 }, () => ['guard: params', 'tokentransfer', [tokenid, 'x', '1']]),
  ...Array.from({ length: 2 }, () => [hex, 'tokentransfer', transfer]),
  ...Array.from({ length: 2 }, () => ['"error":null', 'sendrawtransaction', [hex]]),
]
const end = Date.now() + minutes * 60_000
let made = 0
let wrong = 0
const show = () => console.log(`${made} calls, ${memory()} MB, ${wrong} wrong answers`)

async function client() {
  while (made < calls && Date.now() < end) {
    made += 1
    const number = made
    const [expected, method, params] = kinds[(number * 37) % kinds.length]
    const text = await call(method, params)
    if (!text.includes(expected)) {
      wrong += 1
      if (wrong < 5) console.log(method, text.slice(0, 200))
    }
    if (number % Math.ceil(calls / 50) === 0) show()
  }
}

await Promise.all(Array.from({ length: connections }, client))
show()
agent.destroy()
guard.kill('SIGTERM')
await new Promise((done) => guard.once('exit', done))
await node.close()
const record = join(home, 'record.ndjson')
const args = ['dist/cli/main.js', 'guard', '--verify-log', record]
execFile(process.execPath, args, (error, output, errors) => {
  console.log(`${output}${errors}`.trim())
  process.exitCode = error === null && wrong === 0 ? 0 : 1
})
