// The command on its own: killed in the middle, started again, and called by clients that nobody
// here wrote.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../../src/guard/operator.ts'
import { fileJournal } from '../../src/journal/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, createToken } from '../../src/rpc/index.ts'
import { root } from '../support/built.ts'
import { confOf } from '../support/funded-node.ts'
import { testUnless } from '../support/skip.ts'
import { callText } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-guard-cli-'))
const running = new Set<ChildProcess>()
let node: DevNode
let tokenid: string
let runs = 0

beforeAll(async () => {
  node = await createDevNode()
  const [one] = node.identities
  const { url, user, password, pubkey } = one!
  const client = createDaemonClient({ url, user, password })
  const creation = { name: 'GOLD', supply: 1_000_000n, description: '', owner: pubkey }
  ;({ txid: tokenid } = (await createToken(client, creation)) as { txid: string })
  writeFileSync(join(folder, 'node.conf'), confOf(one!), { mode: 0o600 })
  return () => node.close()
})
afterEach(() => {
  node.faults.clear()
  for (const child of running) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Running {
  readonly url: string
  readonly child: ChildProcess
  end(signal: NodeJS.Signals): Promise<void>
}

const ofDaemon = (): readonly string[] => [
  '--conf',
  join(folder, 'node.conf'),
  '--pubkey',
  node.identities[0]!.pubkey,
]

/** Begins the state of a guard in its usual folder, unless it is there. */
async function beginState(home: string): Promise<void> {
  const state = join(home, 'antara-tx')
  if (existsSync(state)) return
  const journal = fileJournal(join(state, 'journal'))
  await journal.read(0)
  await journal.close()
  await (await openOperator({ folder: join(state, 'guard') })).close()
}

/** Starts the built command, and waits until it listens. */
async function start(home: string, options = ofDaemon()): Promise<Running> {
  await beginState(home)
  const args = [join(root, 'dist/cli/main.js'), 'guard', '--json', ...options]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, HOME: home, XDG_STATE_HOME: home, ANTARA_RPC_USERPASS: 'secret' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      running.delete(child)
      resolve()
    })
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const line = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
      if (output.includes('\n')) resolve(output)
    })
    child.on('close', () => reject(new Error(errors)))
  })
  const { url } = JSON.parse(line)
  // A guard that cannot start prints its error as one object.
  if (url === undefined) throw new Error(line)
  return {
    url,
    child,
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}

const newHome = () => join(folder, `state-${++runs}`)

async function call(url: string, method: string, params: readonly unknown[] = []) {
  const { user, password } = node.identities[0]!
  const headers = { authorization: basic(user, password) }
  const { body } = await rawRequest(url, { headers, body: callText(method, params) })
  return JSON.parse(body)
}

const transferOf = (amount: number) => [tokenid, node.identities[1]!.pubkey, `${amount}`]

async function received(): Promise<bigint> {
  const { pubkey } = node.identities[1]!
  const answer = await node.request('tokenbalance', [tokenid, pubkey], { identity: 1 })
  return BigInt(String((answer as { balance: unknown }).balance))
}

test('a guard that is killed gives the same hex again, and sends it once', async () => {
  const home = newHome()
  const before = await received()
  const first = await start(home)
  const { hex } = (await call(first.url, 'tokentransfer', transferOf(11))).result
  await first.end('SIGKILL')
  const second = await start(home)
  expect((await call(second.url, 'tokentransfer', transferOf(11))).result.hex).toBe(hex)
  // The second dies while the daemon carries the send out.
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
  const lost = call(second.url, 'sendrawtransaction', [hex]).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await second.end('SIGKILL')
  await lost
  node.faults.clear()
  const third = await start(home)
  const { result } = await call(third.url, 'sendrawtransaction', [hex])
  expect(result).toMatch(/^[0-9a-f]{64}$/)
  expect((await call(third.url, 'sendrawtransaction', [hex])).result).toBe(result)
  expect((await received()) - before).toBe(11n)
  await third.end('SIGTERM')
})

test('a payment without a name is a new one with --repeat 0, once the first is in a block', async () => {
  const home = newHome()
  const payment = [node.identities[1]!.address, 0.25]
  const first = await start(home)
  const { result: paid } = await call(first.url, 'sendtoaddress', payment)
  expect((await call(first.url, 'sendtoaddress', payment)).error.message).toContain(paid)
  await first.end('SIGTERM')
  const { url } = await start(home, [...ofDaemon(), '--repeat', '0'])
  const { result: again } = await call(url, 'sendtoaddress', payment)
  expect(again).toMatch(/^[0-9a-f]{64}$/)
  expect(again).not.toBe(paid)
})

test('another guard cannot have the same journal', async () => {
  const home = newHome()
  const first = await start(home)
  await call(first.url, 'tokentransfer', transferOf(12))
  const second = await start(home).catch((error: Error) => error)
  if (second instanceof Error) expect(second.message).toMatch(/journal|locked|record/)
  else {
    const { result, error } = await call(second.url, 'tokentransfer', transferOf(13))
    expect(JSON.stringify(result ?? error)).toContain('journal_locked')
  }
})

test('a guard of a framework starts with its options, and says what it refuses', async () => {
  const own = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
  const args = ['--framework', 'http://127.0.0.1:1', '--coin', 'TOKTEST', '--own', own]
  const { url } = await start(newHome(), args)
  const post = async (body: object) =>
    JSON.parse((await rawRequest(url, { body: JSON.stringify(body) })).body)
  const call = { userpass: 'secret', mmrpc: '2.0', id: 1 }
  expect(await post({ ...call, method: 'get_mnemonic' })).toMatchObject({
    error_type: 'GuardRefused',
  })
  expect(await post({ ...call, userpass: 'x', method: 'withdraw' })).toMatchObject({
    error_type: 'UserpassIsInvalid',
  })
  const params = { coin: 'TOKTEST', to: own, amount: '1' }
  expect(await post({ ...call, method: 'withdraw', params })).toMatchObject({
    error: expect.stringContaining('no connection'),
  })
  for (const wrong of [
    ['--framework', 'http://127.0.0.1:1', '--coin', 'KMD'],
    ['--framework', 'http://127.0.0.1:1', '--pubkey', own],
    ['--framework', 'http://127.0.0.1:1', '--coin', 'KMD', '--own', 'nobody'],
  ]) {
    await expect(start(newHome(), wrong)).rejects.toThrow(/--coin|--pubkey|own/)
  }
})

const hasCurl = spawnSync('curl', ['--version']).status === 0

testUnless(!hasCurl && 'curl is not installed')(
  'curl does a token transfer through the guard',
  async () => {
    const { url } = await start(newHome())
    const { user, password } = node.identities[0]!
    const before = await received()
    const curl = async (method: string, params: readonly unknown[]) => {
      const child = spawn('curl', [
        '--silent',
        '--user',
        `${user}:${password}`,
        '--data-binary',
        callText(method, params),
        '-H',
        'content-type: text/plain;',
        url,
      ])
      let output = ''
      child.stdout.on('data', (text) => {
        output += text
      })
      await new Promise((resolve) => child.on('close', resolve))
      return JSON.parse(output)
    }
    const { result } = await curl('tokentransfer', transferOf(14))
    expect((await curl('sendrawtransaction', [result.hex])).error).toBeNull()
    expect((await received()) - before).toBe(14n)
    expect((await curl('dumpprivkey', [node.identities[0]!.address])).error.code).toBe(-2)
  },
)

const python = `
import json, sys, bitcoin, bitcoin.rpc
proxy = bitcoin.rpc.RawProxy(service_url=sys.argv[1])
hex = proxy._call('tokentransfer', *json.loads(sys.argv[2]))['hex']
txid = proxy._call('sendrawtransaction', hex)
try:
    proxy._call('stop')
    refused = False
except Exception as error:
    refused = 'guard' in str(error)
print(json.dumps([txid, proxy._call('getblockcount') >= 0, refused]))
`
// Packages of Debian are for its own interpreter.
const interpreter = ['/usr/bin/python3', 'python3'].find(
  (name) => spawnSync(name, ['-c', 'import bitcoin.rpc']).status === 0,
)

testUnless(interpreter === undefined && 'python3-bitcoinlib is not installed')(
  'python-bitcoinlib does a token transfer through the guard',
  async () => {
    const { url } = await start(newHome())
    const { user, password } = node.identities[0]!
    const before = await received()
    const service = url.replace('http://', `http://${user}:${password}@`)
    const child = spawn(interpreter!, ['-c', python, service, JSON.stringify(transferOf(15))])
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.stderr.on('data', (text) => {
      output += text
    })
    await new Promise((resolve) => child.on('close', resolve))
    expect(JSON.parse(output)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), true, true])
    expect((await received()) - before).toBe(15n)
  },
)

const clients = process.env.ANTARA_GUARD_CLIENTS
const script = `
const [, url, user, password, params] = process.argv
const { port } = new URL(url)
const Client = require('bitcoin-core')
const Rpc = require('bitcoind-rpc')
const core = new Client({ host: '127.0.0.1', port, username: user, password })
const rpc = new Rpc({ protocol: 'http', host: '127.0.0.1', port, user, pass: password })
const ask = (name, ...rest) =>
  new Promise((resolve) => rpc[name](...rest, (error, answer) => resolve(error ?? answer)))
;(async () => {
  const { hex } = await core.command('tokentransfer', ...JSON.parse(params))
  const txid = await core.command('sendrawtransaction', hex)
  const refused = await core.command('dumpprivkey', 'R').catch((error) => error.message)
  const { result } = await ask('getBlockCount')
  const again = await ask('sendRawTransaction', hex)
  console.log(JSON.stringify([txid, refused, typeof result, again.result]))
})()
`

testUnless(clients === undefined && 'ANTARA_GUARD_CLIENTS names no folder of npm clients')(
  'bitcoin-core and bitcoind-rpc of npm do a token transfer through the guard',
  async () => {
    const { url } = await start(newHome())
    const { user, password } = node.identities[0]!
    const before = await received()
    const args = ['-e', script, url, user, password, JSON.stringify(transferOf(16))]
    const child = spawn(process.execPath, args, { cwd: clients })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.stderr.on('data', (text) => {
      output += text
    })
    await new Promise((resolve) => child.on('close', resolve))
    const lines = output.trim().split('\n')
    expect(output).toContain('["')
    const [txid, refused, kind, again] = JSON.parse(lines.at(-1)!)
    expect(txid).toMatch(/^[0-9a-f]{64}$/)
    expect(refused).toContain('guard: dumpprivkey is refused')
    expect([kind, again]).toEqual(['number', txid])
    expect((await received()) - before).toBe(16n)
  },
)
