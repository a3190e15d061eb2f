import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createDevNode } from '../../src/node/index.ts'
import { root } from '../support/built.ts'
import { chain, readVectors } from '../support/vectors.ts'

const program = `${root}dist/cli/main.js`
const folder = mkdtempSync(`${tmpdir()}/antara-tx-node-`)
const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Facts {
  url: string
  user: string
  password: string
  network: string
  chain: string
  height: number
  identities: Omit<Facts, 'network' | 'chain' | 'height' | 'identities'>[]
}

interface Started {
  child: ChildProcess
  facts: Facts
  ended: Promise<number | null>
  log: () => string
}

function start(...args: string[]): Promise<Started> {
  const child = spawn(process.execPath, [program, 'node', '--json', ...args])
  running.add(child)
  let output = ''
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const end = output.indexOf('\n')
      // An error is an object of several lines.
      if (end > 0 && output[end - 1] === '}')
        resolve({ child, facts: JSON.parse(output.slice(0, end)), ended, log: () => log })
    })
    void ended.then((status) => reject(new Error(`ended with ${status}: ${log}`)))
  })
}

async function call(
  { url, user, password }: Facts | Facts['identities'][0],
  method: string,
  params: unknown[] = [],
) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${user}:${password}`)}` },
    body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: unknown }).result
}

test('the first line is one object, and each identity has a daemon', {
  timeout: 60_000,
}, async () => {
  const { facts, child, ended, log } = await start()
  expect(Object.keys(facts)).toEqual([
    'url',
    'user',
    'password',
    'network',
    'chain',
    'height',
    'identities',
  ])
  expect(Object.keys(facts.identities[0]!)).toEqual([
    'url',
    'user',
    'password',
    'pubkey',
    'wif',
    'address',
  ])
  expect(facts.identities).toHaveLength(2)
  expect(await call(facts, 'getblockcount')).toBe(facts.height)
  expect(await call(facts.identities[1]!, 'getblockcount')).toBe(facts.height)
  expect(new URL(facts.url).hostname).toBe('127.0.0.1')
  expect(log()).toMatch(/0 getblockcount \d+\.\d ms ok/)
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})

test.each([
  ['write', `${folder}/missing/x.json`, 'ENOENT'],
  ['read', folder, 'EISDIR'],
])(
  'a state that it cannot %s is a usage error, and the node ends',
  {
    timeout: 60_000,
  },
  async (verb, path, code) => {
    await expect(start('--state', path)).rejects.toThrow(
      new RegExp(`^ended with 64: [^]*--state: cannot ${verb} ${path}: ${code}`),
    )
  },
)

test.each([
  'network',
  'identities',
  'pubkey',
  'seed',
  'user',
  'password',
  'fund',
  'mine',
  'state',
  'load',
  'fault',
])('a framework takes no --%s', { timeout: 60_000 }, async (name) => {
  await expect(start('--framework', '3.0.0', `--${name}`, '1')).rejects.toThrow(
    new RegExp(`^ended with 64: [^]*--${name} cannot be combined with --framework`),
  )
})

test('a fork of a running daemon decides about a payment, and leaves it alone', {
  timeout: 60_000,
}, async () => {
  const { facts: daemon } = await start('--mine', 'manual')
  const conf = `${folder}/fork.conf`
  writeFileSync(conf, `rpcuser=${daemon.user}\nrpcpassword=${daemon.password}\nrpcport=1\n`)
  const { address } = daemon.identities[1] as unknown as { address: string }
  const unsigned = await call(daemon, 'createrawtransaction', [[], { [address]: 1 }])
  const funded = (await call(daemon, 'fundrawtransaction', [unsigned])) as { hex: string }
  const signed = (await call(daemon, 'signrawtransaction', [funded.hex])) as { hex: string }
  const { facts: fork } = await start('--fork', daemon.url, '--conf', conf)
  expect([fork.chain, fork.height]).toEqual([daemon.chain, daemon.height])
  expect(await call(fork, 'testmempoolaccept', [signed.hex])).toMatchObject({ allowed: true })
  expect(await call(fork, 'sendrawtransaction', [signed.hex])).toMatch(/^[0-9a-f]{64}$/)
  expect(await call(fork, 'getblockcount')).toBe(daemon.height + 1)
  expect(await call(daemon, 'getrawmempool')).toEqual([])
  expect(await call(daemon, 'getblockcount')).toBe(daemon.height)
})

test('a fork has the maturity of its chain, which no daemon tells', {
  timeout: 60_000,
}, async () => {
  const { facts: daemon } = await start('--mine', 'manual', '--maturity', '1')
  const conf = `${folder}/mature.conf`
  writeFileSync(conf, `rpcuser=${daemon.user}\nrpcpassword=${daemon.password}\nrpcport=1\n`)
  const { address } = daemon.identities[1] as unknown as { address: string }
  const unsigned = await call(daemon, 'createrawtransaction', [[], { [address]: 1 }])
  const { hex } = (await call(daemon, 'fundrawtransaction', [unsigned])) as { hex: string }
  const signed = (await call(daemon, 'signrawtransaction', [hex])) as { hex: string }
  const { facts: fork } = await start('--fork', daemon.url, '--conf', conf, '--maturity', '500')
  expect(await call(fork, 'testmempoolaccept', [signed.hex])).toMatchObject({
    allowed: false,
    'reject-reason': expect.stringContaining('bad-txns-premature-spend-of-coinbase'),
  })
})

test.each([
  [
    'a maturity that is no number',
    ['--fork', 'http://127.0.0.1:1', '--maturity', 'x'],
    64,
    '--maturity: a number from 1 expected',
  ],
  ['a fork of nothing', ['--fork', 'http://127.0.0.1:1'], 69, 'no connection'],
  [
    'a fork with a state',
    ['--fork', 'http://127.0.0.1:1', '--state', 'x'],
    64,
    '--state cannot be combined with --fork',
  ],
  ['a configuration without a fork', ['--conf', 'x'], 64, '--conf needs --fork'],
  ['a fork on another machine', ['--fork', 'http://example.com:1'], 64, '--allow-host'],
])('%s ends with a reason', { timeout: 60_000 }, async (_, args, status, words) => {
  const conf = `${folder}/nothing.conf`
  writeFileSync(conf, 'rpcuser=a\nrpcpassword=b\nrpcport=1\n')
  const given = args[0] === '--conf' ? args : [...args, '--conf', conf]
  await expect(start(...given)).rejects.toThrow(new RegExp(`^ended with ${status}: [^]*(${words})`))
})

test('a folder that vanishes is reported once, and the node goes on', {
  timeout: 60_000,
}, async () => {
  const inner = mkdtempSync(`${folder}/vanishing-`)
  const { facts, ended, log } = await start('--state', `${inner}/x.json`)
  rmSync(inner, { recursive: true })
  await call(facts, 'generate', [1])
  while (!log().includes('--state')) await new Promise((resolve) => setTimeout(resolve, 100))
  expect(log()).toMatch(/--state: cannot write .*: ENOENT; the node goes on/)
  for (const identity of facts.identities) await call(identity, 'stop')
  expect(await ended).toBe(64)
})

test('serves a tokeld, goes on as one, and refuses its state for a node of the other network', {
  timeout: 60_000,
}, async () => {
  const state = `${folder}/tokel.json`
  const first = await start('--network', 'tokel', '--state', state)
  expect(first.facts.network).toBe('tokel')
  expect(await call(first.facts, 'tokenv2create', ['GOLD', '1'])).toMatchObject({
    result: 'success',
  })
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  const second = await start('--state', state)
  expect(second.facts.network).toBe('tokel')
  second.child.kill('SIGINT')
  expect(await second.ended).toBe(0)
  await expect(start('--state', state, '--network', 'assetChain')).rejects.toThrow(
    '--network: the loaded state is of a chain like networks.tokel',
  )
})

test.each([
  ['a network without tokens', ['--network', 'komodo'], '--network: expected networks.assetChain'],
  ['an unknown network', ['--network', 'token'], '--network: '],
  [
    'a fault that only komodod has',
    ['--network', 'tokel', '--fault', 'nft_order_poisoning'],
    '--fault: nft_order_poisoning is a defect of komodod',
  ],
])('refuses %s', { timeout: 60_000 }, async (_, args, words) => {
  const refused = await start(...args).catch(({ message }) => message)
  expect(refused).toContain('ended with 64: ')
  expect(refused).toContain(words)
})

test('a recorded chain can be loaded, and the state goes on from its file', {
  timeout: 60_000,
}, async () => {
  const path = `${folder}/chain.json`
  writeFileSync(path, JSON.stringify(chain))
  const state = `${folder}/state.json`
  const first = await start('--load', path, '--state', state, '--mine', 'manual')
  expect(first.facts.height).toBe(103)
  await call(first.facts, 'generate', [2])
  const [tip, hash] = [
    await call(first.facts, 'getblockcount'),
    await call(first.facts, 'getblockhash', [105]),
  ]
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  const second = await start('--state', state)
  expect([second.facts.height, tip]).toEqual([105, 105])
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  second.child.kill('SIGINT')
  await second.ended
})

test('ends in order when every identity was stopped', { timeout: 60_000 }, async () => {
  const state = `${folder}/stopped.json`
  const { facts, ended } = await start('--state', state)
  await call(facts, 'generate', [3])
  await call(facts, 'stop')
  await call(facts.identities[1]!, 'stop')
  expect(await ended).toBe(0)
  expect(JSON.parse(readFileSync(state, 'utf8')).blocks).toHaveLength(4)
})

test('a daemon can be given the -pubkey and key of a recorded one', {
  timeout: 60_000,
}, async () => {
  const { A } = readVectors<{ A: { pubkey: string; wif: string; address: string } }>(
    'komodod/keys.json',
  )
  const path = `${folder}/recorded.json`
  writeFileSync(path, JSON.stringify({ transactions: chain }))
  const { facts } = await start('--load', path, '--pubkey', A.pubkey)
  expect(facts.identities).toMatchObject([{ pubkey: A.pubkey, address: A.address }])
  expect(await call(facts, 'importprivkey', [A.wif])).toBe(A.address)
  const built = await call(facts, 'tokencreate', ['GOLD', '0.00001'])
  const { hex } = built as { hex: string }
  expect(await call(facts, 'sendrawtransaction', [hex])).toMatch(/^[0-9a-f]{64}$/)
})

test.each([
  ['--mine', 'sometimes'],
  ['--port', '70000'],
  ['--identities', '0'],
  ['--fund', 'nobody=1'],
  ['--host', '0.0.0.0'],
  ['--fault', 'nonsense'],
])('refuses %s %s', { timeout: 60_000 }, async (...args) => {
  await expect(start(...args)).rejects.toThrow(/ended with 64/)
})

test('whenever the process is killed, its state is whole, and what was last written is there', {
  timeout: 240_000,
}, async () => {
  const script = `${folder}/writer.mjs`
  writeFileSync(
    script,
    `import { writeSync } from 'node:fs'
import { createDevNode } from ${JSON.stringify(`${root}dist/node/index.js`)}
import { keepState } from ${JSON.stringify(`${root}dist/inside/node/state-file.js`)}
const node = await createDevNode({ listen: false })
const state = keepState(node, process.argv[2], 3_600_000)
for (;;) { node.mine(); state.save(); writeSync(1, node.height + '\\n'); await null }
`,
  )
  const heights: number[] = []
  const kill = async (name: string, milliseconds: number) => {
    const path = `${folder}/${name}.json`
    const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    running.add(child)
    let reported = ''
    child.stdout!.on('data', (text) => {
      reported += text
    })
    await new Promise((resolve) => child.stdout!.once('data', resolve))
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    const ended = new Promise((resolve) => child.on('close', resolve))
    child.kill('SIGKILL')
    await ended
    running.delete(child)
    const { blocks, format } = JSON.parse(readFileSync(path, 'utf8'))
    expect(format).toBe('antara-tx-node')
    const lastWritten = Number(reported.split('\n').at(-2))
    expect(blocks.length).toBeGreaterThanOrEqual(lastWritten)
    heights.push(lastWritten)
  }
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([0, 1, 2, 3, 4].map((at) => kill(`${round}-${at}`, 7 * round + 3 * at)))
  }
  expect(heights).toHaveLength(50)
  expect(Math.max(...heights)).toBeGreaterThan(1)
  expect(readdirSync(folder).filter((name) => /^\d+-\d+\.json$/.test(name))).toHaveLength(50)
})

/** On a port that no system gives to who asks for any, as other tests do. */
async function listening(): Promise<{ taken: Server; port: number }> {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const taken = createServer().listen(port, '127.0.0.1')
  return once(taken, 'listening').then(
    () => ({ taken, port }),
    () => listening(),
  )
}

test.each([
  [['--proof-of-work'], true],
  [[], false],
] as const)('whether a block is solved with %j: %s', async (args, isSolved) => {
  const { facts, child } = await start(...args)
  const hash = await call(facts, 'getblockhash', [facts.height])
  const { solution } = (await call(facts, 'getblockheader', [hash])) as { solution: string }
  expect(/[1-9a-f]/.test(solution)).toBe(isSolved)
  expect(solution).toHaveLength(72)
  expect(await call(facts, 'getblockhash', [0])).toBe(
    '027e3758c3a65b12aa1046462b486d0a63bfa1beae327897f56c5cfb7daaae71',
  )
  child.kill('SIGINT')
})

test('a port that is taken is reported as such, and nothing goes on listening', async () => {
  const { taken, port } = await listening()
  const reported = 'antara-tx node: --port: something listens there already'
  // The second of two identities cannot listen.
  await expect(start('--port', String(port - 1))).rejects.toThrow(`ended with 64: ${reported}`)
  await expect(start('--port', String(port))).rejects.toThrow(`ended with 64: ${reported}`)
  await expect(start('--port', '65535')).rejects.toThrow('ended with 64: antara-tx node: --port')
  const listen = { port: port - 1 }
  await expect(createDevNode({ listen })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await once(taken.close(), 'close')
  const node = await createDevNode({ listen })
  expect(node.identities.map(({ url }) => new URL(url).port)).toEqual([`${port - 1}`, `${port}`])
  await node.close()
})

test('more coins than there may be are reported as such', async () => {
  await expect(start('--fund', 'RNYuPekegLgPANq3vBuYKZeC2ReiR7oSfL=999999999')).rejects.toThrow(
    'ended with 64: antara-tx node: --fund: value: 99999999900000000 satoshis',
  )
})

test('port, name and password of a state stay the same after a restart', {
  timeout: 60_000,
}, async () => {
  const state = `${folder}/reached.json`
  const { taken, port } = await listening()
  await once(taken.close(), 'close')
  const one = ['--state', state, '--identities', '1']
  const first = await start(...one, '--port', String(port), '--user', 'alice')
  const { url, user, password } = first.facts
  expect(user).toBe('alice')
  expect(await call(first.facts, 'getblockcount')).toBe(1)
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  const second = await start('--state', state)
  expect(second.facts).toMatchObject({ url, user, password })
  expect(await call(second.facts, 'getblockcount')).toBe(1)
  second.child.kill('SIGINT')
  await second.ended
  const third = await start('--state', state, '--port', '0', '--password', 'another one')
  expect(third.facts).toMatchObject({ user, password: 'another one' })
  expect(await call(third.facts, 'getblockcount')).toBe(1)
})

test('the port of an earlier run that is taken is named, and another one is used', {
  timeout: 60_000,
}, async () => {
  const state = `${folder}/moved.json`
  const { taken, port } = await listening()
  await once(taken.close(), 'close')
  const one = ['--state', state, '--identities', '1']
  const first = await start(...one, '--port', String(port))
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  const second = await start('--state', state)
  expect(second.facts.url).not.toBe(first.facts.url)
  expect(second.log()).toContain(`port ${port} of the earlier run is taken`)
  expect(await call(second.facts, 'getblockcount')).toBe(1)
  await once(other.close(), 'close')
})

test('the password of a file opens the node, and --quiet logs no calls', {
  timeout: 60_000,
}, async () => {
  const path = `${folder}/password.txt`
  writeFileSync(path, 'from a file\n', { mode: 0o600 })
  const { facts, log } = await start('--password', `@${path}`, '--quiet', '--seed', 'mine')
  expect(facts.password).toBe('from a file')
  expect(await call(facts, 'getblockcount')).toBe(1)
  expect(log()).toBe('')
})

test.each([
  ['a name with a colon', ['--user', 'a:b'], '--user: expected'],
  ['a password that HTTP cannot carry', ['--password', 'é'], '--password: expected'],
  [
    'a password in the arguments of an exposed node',
    ['--password', 'x', '--host', '0.0.0.0', '--expose'],
    '--password: with --expose, give it as @FILE',
  ],
])('%s is refused', { timeout: 60_000 }, async (_, args, message) => {
  await expect(start(...args)).rejects.toThrow(message)
})
