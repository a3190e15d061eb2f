// Clients that nobody here wrote do a whole token life through a guard, and everything comes out as
// without it. Only the URL differs.

import { spawn, spawnSync } from 'node:child_process'
import { afterEach, expect } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { testUnless } from '../support/skip.ts'
import { callText, guardOfNode } from './support/guarded.ts'

/** A call; `{NAME}` stands for the txid of an earlier one. What returns hex is sent at once. */
type Step = readonly [name: string, method: string, ...params: readonly string[]]

const life = (payee: string): readonly Step[] => [
  ['gold', 'tokencreate', 'GOLD', '0.00001', 'a token'],
  ['transfer', 'tokentransfer', '{gold}', payee, '70'],
  ['ask', 'tokenask', '100', '{gold}', '0.0001'],
  ['fill', 'tokenfillask', '{gold}', '{ask}', '30'],
  ['cancel', 'tokencancelask', '{gold}', '{fill}'],
  ['bid', 'tokenbid', '1', '{gold}', '0.001'],
  ['refund', 'tokencancelbid', '{gold}', '{bid}'],
  ['last', 'tokenbid', '1', '{gold}', '0.002'],
  ['sold', 'tokenfillbid', '{gold}', '{last}', '1'],
  ['balance', 'tokenbalance', '{gold}'],
  ['orders', 'tokenorders', '{gold}'],
]

type Client = (server: Server, steps: readonly Step[]) => Promise<Record<string, unknown>>

interface Server {
  readonly url: string
  readonly user: string
  readonly password: string
}

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** Each node makes the same keys and blocks, so the same calls make the same transactions. */
async function newNode(): Promise<DevNode> {
  const node = await createDevNode({ seed: 'a life', time: 1_800_000_000 })
  open.push(node)
  return node
}

async function expectSameLife(client: Client): Promise<void> {
  const direct = await newNode()
  const [own, other] = direct.identities
  const steps = life(other!.pubkey)
  const without = await client(own!, steps)
  expect(JSON.stringify(without)).not.toContain('error')
  expect(without.balance).toMatchObject({ balance: 930 })

  const node = await newNode()
  const guard = await guardOfNode(node)
  open.push(guard)
  const { user, password } = node.identities[0]!
  const server = { url: guard.url, user, password }
  expect(await client(server, steps)).toEqual(without)
  const { balance } = (await node.request('tokenbalance', [without.gold], {
    identity: 1,
  })) as { balance: number }
  expect(balance).toBe(70)
  const refused = await client(server, [['stopped', 'stop']])
  expect(refused.stopped).toContain('guard: stop is refused')
}

/** Runs a program that gets the server and the steps as JSON, and prints results by name. */
async function runClient(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): Promise<Record<string, unknown>> {
  const child = spawn(command, args, options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  await new Promise((resolve) => child.on('close', resolve))
  const last = output.trim().split('\n').at(-1)!
  expect(last, output).toMatch(/^{/)
  return JSON.parse(last)
}

const python = `
import json, re, sys, bitcoin, bitcoin.rpc
proxy = bitcoin.rpc.RawProxy(service_url=sys.argv[1])
results = {}
for name, method, *params in json.loads(sys.argv[2]):
    params = [re.sub('{(.*)}', lambda m: results[m[1]], param) for param in params]
    try:
        answer = proxy._call(method, *params)
        sends = isinstance(answer, dict) and 'hex' in answer
        results[name] = proxy._call('sendrawtransaction', answer['hex']) if sends else answer
    except Exception as error:
        results[name] = 'error: ' + str(error)
print(json.dumps(results, default=float))
`
// Packages of Debian are for its own interpreter.
const interpreter = ['/usr/bin/python3', 'python3'].find(
  (name) => spawnSync(name, ['-c', 'import bitcoin.rpc']).status === 0,
)

testUnless(interpreter === undefined && 'python3-bitcoinlib is not installed')(
  'python-bitcoinlib does a whole token life through the guard',
  () =>
    expectSameLife(({ url, user, password }, steps) => {
      const service = url.replace('http://', `http://${user}:${password}@`)
      return runClient(interpreter!, ['-c', python, service, JSON.stringify(steps)])
    }),
)

testUnless(spawnSync('curl', ['--version']).status !== 0 && 'curl is not installed')(
  'curl does a whole token life through the guard',
  () =>
    expectSameLife(async ({ url, user, password }, steps) => {
      const results: Record<string, unknown> = {}
      const call = async (method: string, params: readonly unknown[]) => {
        const data = ['--data-binary', callText(method, params), '-H', 'content-type: text/plain;']
        const args = ['--silent', '--user', `${user}:${password}`, ...data, url]
        const { result, error } = await runClient('curl', args)
        return error === null ? result : `error: ${(error as Error).message}`
      }
      for (const [name, method, ...given] of steps) {
        const params = given.map((it) => it.replace(/{(.*)}/, (_, id) => String(results[id])))
        const answer = (await call(method, params)) as { hex?: string } | string
        const hex = typeof answer === 'object' ? answer.hex : undefined
        results[name] = hex === undefined ? answer : await call('sendrawtransaction', [hex])
      }
      return results
    }),
)

const clients = process.env.ANTARA_GUARD_CLIENTS
const scriptOf = (callOfClient: string) => `
const [, url, user, password, steps] = process.argv
const { port } = new URL(url)
const call = ${callOfClient}
;(async () => {
  const results = {}
  for (const [name, method, ...given] of JSON.parse(steps)) {
    const params = given.map((it) => it.replace(/{(.*)}/, (_, id) => results[id]))
    try {
      const answer = await call(method, params)
      results[name] =
        answer?.hex === undefined ? answer : await call('sendrawtransaction', [answer.hex])
    } catch (error) {
      results[name] = 'error: ' + error.message
    }
  }
  console.log(JSON.stringify(results))
})()
`
const npmClients = {
  'bitcoin-core': `(() => {
    const Client = require('bitcoin-core')
    const client = new Client({ host: '127.0.0.1', port, username: user, password })
    return (method, params) => client.command(method, ...params)
  })()`,
  // It has no methods for tokens, but what stands in its batch is sent as it is.
  'bitcoind-rpc': `(() => {
    const Client = require('bitcoind-rpc')
    const client = new Client({ protocol: 'http', host: '127.0.0.1', port, user, pass: password })
    return (method, params) =>
      new Promise((resolve, reject) => {
        const own = Object.keys(Client.callspec).find((name) => name.toLowerCase() === method)
        const done = (error, answer) => (error ? reject(error) : resolve(answer.result))
        if (own !== undefined) client[own](...params, done)
        else client.batch(() => {
          client.batchedCalls = { jsonrpc: '2.0', method, params, id: 1 }
        }, done)
      })
  })()`,
}

for (const [name, callOfClient] of Object.entries(npmClients)) {
  testUnless(clients === undefined && 'ANTARA_GUARD_CLIENTS names no folder of npm clients')(
    `${name} of npm does a whole token life through the guard`,
    () =>
      expectSameLife(({ url, user, password }, steps) =>
        runClient(
          process.execPath,
          ['-e', scriptOf(callOfClient), url, user, password, JSON.stringify(steps)],
          { cwd: clients! },
        ),
      ),
  )
}
