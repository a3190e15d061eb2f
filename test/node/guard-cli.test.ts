// The command on its own: killed in the middle, and started again.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../../src/guard/operator.ts'
import { fileJournal } from '../../src/journal/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, createToken } from '../../src/rpc/index.ts'
import { reply, startServer } from '../contract/support/server.ts'
import { root } from '../support/built.ts'
import { confOf } from '../support/funded-node.ts'
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

test('a guard pays on no other chain than --first-block names', async () => {
  const payment = [node.identities[1]!.address, 0.125]
  const own = String(await node.request('getblockhash', [1]))
  const other = await start(newHome(), [...ofDaemon(), '--first-block', 'ab'.repeat(32)])
  const { error } = await call(other.url, 'sendtoaddress', payment)
  expect(error.message).toContain(`the daemon shows block 1 ${own}`)
  await other.end('SIGTERM')
  const { url, end } = await start(newHome(), [...ofDaemon(), '--first-block', own])
  expect((await call(url, 'sendtoaddress', payment)).result).toMatch(/^[0-9a-f]{64}$/)
  await end('SIGTERM')
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

test('a guard of a framework warns once that it compares nothing without a history', async () => {
  const framework = await startServer(({ body }, response) => {
    const where = { error_path: '', error_trace: '', id: JSON.parse(body).id }
    const error = { mmrpc: '2.0', error: 'off', error_type: 'StorageIsNotInitialized', ...where }
    reply(response, 500, JSON.stringify(error))
  })
  const own = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
  const args = ['--framework', framework.url, '--coin', 'TOKTEST', '--own', own]
  const { url, child } = await start(newHome(), args)
  let errors = ''
  child.stderr!.on('data', (text) => {
    errors += text
  })
  const params = { coin: 'TOKTEST', to: own, amount: '1' }
  const call = { userpass: 'secret', mmrpc: '2.0', method: 'withdraw', params, id: 1 }
  for (let round = 0; round < 2; round += 1) {
    await rawRequest(url, { body: JSON.stringify(call) })
  }
  await framework.close()
  await rawRequest(url, { body: JSON.stringify(call) })
  await expect.poll(() => errors).toContain('failed:')
  const warning =
    'warning: the server does not list all that the wallet spent, so a payment that the journal lacks is\nnot noticed.'
  expect(errors.split(warning)).toHaveLength(2)
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
  const claims = ['--paid-by', `${'ab'.repeat(32)}=rent`, '--acknowledge', 'cd'.repeat(32)]
  await start(newHome(), [...args, ...claims])
  for (const wrong of [
    ['--framework', 'http://127.0.0.1:1', '--coin', 'KMD'],
    ['--framework', 'http://127.0.0.1:1', '--pubkey', own],
    ['--framework', 'http://127.0.0.1:1', '--coin', 'KMD', '--own', 'nobody'],
  ]) {
    await expect(start(newHome(), wrong)).rejects.toThrow(/--coin|--pubkey|--own\[0\]: expected/)
  }
})
