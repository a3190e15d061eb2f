// `antara-tx wallet` in this process, against a development node over loopback.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { decodeTransaction, networks, publicKeyOf } from '../../src/index.ts'
import { createDevNode, type DevIdentity, type DevNode } from '../../src/node/index.ts'
import { pubkeyHashScript, scriptHashOf } from '../../src/script/key-script.ts'
import { addressOfScript } from '../../src/script/script.ts'
import { encodeWif } from '../../src/signing/wif.ts'
import { electrumServer } from '../contract/support/electrum-server.ts'
import { reply, startServer } from '../contract/support/server.ts'
import { runCommand } from '../support/cli.ts'
import { confOf } from '../support/funded-node.ts'
import { publicBlocks } from '../support/headers.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-wallet-cli-'))
const journal = join(folder, 'journal')
let node: DevNode

beforeAll(async () => {
  node = await createDevNode({ mine: 'manual', electrum: true })
  node.mine(101)
  const [, two] = node.identities
  writeFileSync(join(folder, 'node.conf'), confOf(two!))
  writeFileSync(join(folder, 'key'), `${two!.wif}\n`, { mode: 0o600 })
  return () => node.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => rmSync(journal, { recursive: true, force: true }))

function walletCommand(...args: readonly string[]) {
  const connection = ['--conf', join(folder, 'node.conf')]
  const isWatching = args.includes('--watch')
  const key = isWatching ? [] : ['--key-file', join(folder, 'key')]
  const isSending = !/^(?:receive|balance|tokens|coins|orders|history|watch)$/.test(args[0] ?? '')
  const recorded = isSending ? ['--journal', journal] : []
  return runCommand(['wallet', ...args, ...connection, ...key, ...recorded])
}

test('prints addresses and the balance that the daemon has', async () => {
  const { address, pubkey } = node.identities[1]!
  expect((await walletCommand('receive')).output).toContain(`coins   ${address}\n`)
  const { balance } = (await node.request('getaddressbalance', [{ addresses: [address] }])) as {
    balance: number
  }
  const own = await walletCommand('balance', '--json')
  expect(JSON.parse(own.output)).toMatchObject({ total: String(balance) })
  const watched = await walletCommand('balance', '--json', '--watch', pubkey)
  expect(watched.output).toBe(own.output)
  const named = await walletCommand('balance', '--json', '--watch', pubkey, '--daemon')
  expect(named.output).toBe(own.output)
})

test('reads Electrum servers in place of a daemon, and sends through them', async () => {
  const { address, pubkey } = node.identities[1]!
  const electrum = (...args: readonly string[]) =>
    runCommand(['wallet', ...args, '--electrum', node.electrumUrl])
  const daemon = await walletCommand('coins', '--json', '--watch', pubkey)
  const read = await electrum('coins', '--json', '--watch', pubkey)
  const outpoints = ({ output }: { output: string }) =>
    JSON.parse(output)
      .map(({ txid, vout }: { txid: string; vout: number }) => `${txid}:${vout}`)
      .sort()
  expect(outpoints(read)).toEqual(outpoints(daemon))
  const key = ['--key-file', join(folder, 'key'), '--journal', journal]
  const sent = await electrum('send', '--to', address, '--coins', '0.5', '--yes', ...key)
  expect(sent).toMatchObject({ status: 0 })
  expect(await node.request('getrawmempool')).toEqual([sent.output.trim()])
  node.mine()
  const mixed = await electrum('balance', '--watch', pubkey, '--url', 'http://127.0.0.1:1')
  expect(mixed).toMatchObject({ status: 64 })
  expect(mixed.errors).toContain('--url cannot be combined with --electrum')
  const both = await electrum('balance', '--watch', pubkey, '--daemon')
  expect(both).toMatchObject({ status: 64 })
  expect(both.errors).toContain('--electrum cannot be combined with --daemon')
})

test('uses no server of another chain than --first-block names', async () => {
  const { address } = node.identities[0]!
  const own = String(await node.request('getblockhash', [1]))
  const other = ['--first-block', 'ab'.repeat(32)]
  const send = ['send', '--to', address, '--coins', '0.26', '--yes', '--id', 'first block']
  expect(await walletCommand('balance', '--first-block', own)).toMatchObject({ status: 0 })
  for (const args of [['balance'], send]) {
    const refused = await walletCommand(...args, ...other)
    expect(refused).toMatchObject({ status: 1, output: '' })
    expect(refused.errors).toContain('another chain than firstBlock names')
  }
  expect(await node.request('getrawmempool')).toEqual([])
  const wrong = await walletCommand('balance', '--first-block', '12')
  expect(wrong.errors).toContain('--first-block: expected a hash of 64 hex digits, got 12')
  expect(await walletCommand(...send, '--first-block', own)).toMatchObject({ status: 0 })
  node.mine()
})

test('reads no more entries and bytes than its options name', async () => {
  const read = (...args: readonly string[]) => walletCommand('balance', ...args)
  expect(await read('--entries-max', '1000', '--bytes-max', '1000000')).toMatchObject({ status: 0 })
  for (const option of ['--entries-max', '--bytes-max']) {
    const refused = await read(option, '1')
    expect(refused).toMatchObject({ status: 1, output: '' })
    expect(refused.errors).toContain(`(${option})`)
  }
  expect((await read('--entries-max', 'many')).errors).toContain('--entries-max needs a whole')
})

test('refuses an amount without a unit, and sends one that has it', async () => {
  const { address } = node.identities[0]!
  const refused = await walletCommand('send', '--to', address, '--yes')
  expect(refused).toMatchObject({ status: 64 })
  expect(refused.errors).toContain('one of --coins N, --satoshis N, --max')
  const sent = await walletCommand('send', '--to', address, '--coins', '0.25', '--id', 'a', '--yes')
  expect(sent).toMatchObject({ status: 0 })
  const again = await walletCommand(
    'send',
    '--to',
    address,
    '--coins',
    '0.25',
    '--id',
    'a',
    '--yes',
  )
  expect(again).toMatchObject({ status: 0, output: sent.output })
  expect(again.errors).toContain('This payment was made before')
  expect(await node.request('getrawmempool')).toEqual([sent.output.trim()])
})

/** Writes a file of payees, and returns its path. */
function listOf(text: string): string {
  const path = join(folder, 'payees')
  writeFileSync(path, text)
  return path
}

test('pays a payroll from a table or a list, once for each id', async () => {
  node.mine()
  const first = node.identities[0]!.address
  const second = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
  const csv = `name,to,coins\nAnn,${first},0.25\r\nBob,${second},1.5\n\nAnn,${first},0.00001\n`
  const json = JSON.stringify([
    { to: first, amount: '25000000' },
    { to: second, amount: '150000000' },
    { to: first, amount: '1000' },
  ])
  const pay = (text: string, id: string, ...rest: readonly string[]) =>
    walletCommand('send', '--recipients', listOf(text), '--id', id, '--yes', ...rest)
  const sent = await pay(csv, 'payroll 1')
  expect(sent).toMatchObject({ status: 0 })
  const { vout } = (await node.request('getrawtransaction', [sent.output.trim(), 1])) as {
    vout: { value: number; scriptPubKey: { addresses: string[] } }[]
  }
  const paid = vout.map(({ value, scriptPubKey }) => [scriptPubKey.addresses[0], value])
  expect(paid.slice(0, 3)).toEqual([
    [first, 0.25],
    [second, 1.5],
    [first, 0.00001],
  ])
  // The same payees in another form are the same payment.
  const again = await pay(json, 'payroll 1')
  expect(again).toMatchObject({ status: 0, output: sent.output })
  const inSatoshis = csv.replace('coins', 'satoshis').replaceAll(/,(\d\.\d+)/g, ',1000')
  const other = await pay(inSatoshis, 'payroll 1')
  expect([other.status, other.output]).toEqual([2, ''])
  expect(other.errors).toContain('id_conflict')
  expect(await node.request('getrawmempool')).toEqual([sent.output.trim()])
  node.mine()
})

test.each([
  ['an amount without a unit', 'to,amount\nR,1', 'line 1'],
  ['two units', 'to,coins,satoshis\nR,1,1', 'line 1'],
  ['a column that is there twice', 'to,coins,coins\nR,1,2', 'line 1'],
  ['no names of columns', 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb,1', 'line 1'],
  ['a quoted value', 'to,coins\n"R",1', 'line 2'],
  ['a decimal comma', 'to,coins\nR,1,5', 'line 2'],
  ['an amount that is no number', 'to,coins\n\nR,1e3', 'line 3, coins'],
  ['a part of a satoshi', 'to,satoshis\nR,1.5', 'line 2, satoshis'],
  ['no payee', 'to,coins\n', 'recipients'],
  ['an empty list', '[]', 'recipients'],
  ['a mistyped member', '[{ "to": "R", "amout": "1" }]', 'recipients[0].amout'],
  ['a number, which loses digits', '[{ "to": "R", "amount": 1 }]', 'recipients[0].amount'],
  ['an amount of nothing', `to,satoshis\nREjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb,0`, 'recipients[0]'],
  ['a mistyped address', 'to,coins\nREjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhc,1', 'recipients[0].to'],
  ['a payment request', '{ "recipients": [], "own": [] }', 'antara-tx pay accepts'],
])('a list of recipients with %s pays nobody', async (_, text, place) => {
  const { status, output, errors } = await walletCommand(
    ...['send', '--recipients', listOf(text), '--yes'],
  )
  expect(output).toBe('')
  expect([2, 64]).toContain(status)
  expect(errors).toContain(place)
  expect(await node.request('getrawmempool')).toEqual([])
})

test.each([
  ['a table that lost its last digit', 'to,coins\nREjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb,9', '98'],
  [
    'a list that lost a payee',
    '[{ "to": "REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb", "amount": "900000000" }]',
    '9.00000001',
  ],
  [
    'a payee of everything',
    '[{ "to": "REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb", "amount": "max" }]',
    '9',
  ],
])('pays nothing of %s, if --total names another sum', async (_, text, total) => {
  const { status, output, errors } = await walletCommand(
    ...['send', '--recipients', listOf(text), '--total', total, '--yes'],
  )
  expect([status, output]).toEqual([64, ''])
  expect(errors).toContain('--total: ')
  expect(await node.request('getrawmempool')).toEqual([])
})

test('pays a table whose sum --total names, and takes the option for a file only', async () => {
  const to = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
  const path = listOf(`to,satoshis\n${to},25000\n${to},5000\n`)
  const total = ['--total', '0.0003']
  const { status, output } = await walletCommand('send', '--recipients', path, ...total, '--yes')
  expect(status).toBe(0)
  expect(await node.request('getrawmempool')).toEqual([output.trim()])
  node.mine()
  const single = await walletCommand('send', '--to', to, '--coins', '1', ...total, '--yes')
  expect([single.status, single.errors]).toEqual([
    64,
    expect.stringContaining('--total needs --recipients'),
  ])
})

test.each(['to', 'coins', 'satoshis'])('--%s does not go with --recipients', async (name) => {
  const path = listOf('to,coins\nREjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb,1\n')
  const { status, errors } = await walletCommand(
    ...['send', '--recipients', path, '--yes', `--${name}`, '1'],
  )
  expect([status, errors]).toEqual([
    64,
    expect.stringContaining(`--${name} cannot be combined with --recipients`),
  ])
})

test('on a new development node, the error for missing coins says how they mature', async () => {
  const fresh = await createDevNode()
  onTestFinished(() => fresh.close())
  const [own, other] = fresh.identities
  vi.stubEnv('ANTARA_RPC_USER', own!.user)
  vi.stubEnv('ANTARA_RPC_PASSWORD', own!.password)
  vi.stubEnv('ANTARA_TX_KEY', own!.wif)
  onTestFinished(() => void vi.unstubAllEnvs())
  const send = () =>
    runCommand([
      ...['wallet', 'send', '--to', other!.address, '--coins', '0.5', '--yes'],
      ...['--url', own!.url, '--no-journal'],
    ])
  const refused = await send()
  expect(refused.errors).toMatch(/^[\d.]+ coins are newly mined: .*once 100 blocks follow\.$/m)
  const [, command] = /On a development node: antara-tx (.*)\n/.exec(refused.errors)!
  await runCommand([...command!.split(' '), '--url', own!.url])
  expect(await send()).toMatchObject({ status: 0 })
})

test('a shortage says what waits for a block, after which the same command succeeds', async () => {
  const fresh = await createDevNode({ mine: 'manual' })
  onTestFinished(() => fresh.close())
  fresh.mine(101)
  const [rich, poor] = fresh.identities
  const wif = encodeWif('07'.repeat(32), networks.assetChain)
  const own = publicKeyOf(wif)!
  const wallet = (key: string, ...args: readonly string[]) => {
    vi.stubEnv('ANTARA_RPC_USER', rich!.user)
    vi.stubEnv('ANTARA_RPC_PASSWORD', rich!.password)
    vi.stubEnv('ANTARA_TX_KEY', key)
    return runCommand(['wallet', ...args, '--yes', '--url', rich!.url, '--no-journal'])
  }
  onTestFinished(() => void vi.unstubAllEnvs())
  const created = await wallet(rich!.wif!, 'create', '--name', 'GOLD', '--units', '9')
  fresh.mine()
  const token = ['--token', created.output.trim()]
  await wallet(rich!.wif!, 'transfer', ...token, '--to', own, '--units', '5')
  const address = addressOfScript(pubkeyHashScript(own), networks.assetChain)
  await wallet(rich!.wif!, 'send', '--to', address!, '--coins', '1')
  const waits = /^(\S+ \w+) are in transactions that wait for a block\.$/m
  for (const [what, args] of [
    ['5 units', ['transfer', ...token, '--to', poor!.pubkey, '--units', '3']],
    ['1.00000000 coins', ['send', '--to', poor!.address, '--coins', '0.5']],
  ] as const) {
    const refused = await wallet(wif, ...args)
    expect([refused.status, refused.output]).toEqual([2, ''])
    expect(waits.exec(refused.errors)?.[1]).toBe(what)
  }
  fresh.mine()
  const sent = await wallet(wif, 'transfer', ...token, '--to', poor!.pubkey, '--units', '3')
  expect(sent).toMatchObject({ status: 0 })
  const short = await wallet(wif, 'transfer', ...token, '--to', poor!.pubkey, '--units', '9')
  expect(short.status).toBe(2)
})

test('spends newly mined coins as early as the chain allows', async () => {
  await using fresh = await createDevNode({ mine: 'manual', profile: { maturity: 50 } })
  fresh.mine(50 - ((await fresh.request('getblockcount')) as number))
  const [rich, poor] = fresh.identities
  writeFileSync(join(folder, 'fresh.conf'), confOf(rich!))
  writeFileSync(join(folder, 'fresh.key'), `${rich!.wif}\n`, { mode: 0o600 })
  const connection = ['--conf', join(folder, 'fresh.conf'), '--key-file', join(folder, 'fresh.key')]
  const run = (...args: readonly string[]) => runCommand(['wallet', ...args, ...connection])
  const send = ['send', '--to', poor!.address, '--satoshis', '7000', '--yes', '--journal', journal]
  const early = await run(...send, '--maturity', '51')
  expect(early.errors).toMatch(/ can be spent once 51 blocks follow\.$/m)
  const { output } = await run('balance', '--json', '--maturity', '50')
  expect(BigInt(JSON.parse(output).confirmed)).toBeGreaterThan(0n)
  expect(await run(...send, '--maturity', '50')).toMatchObject({ status: 0 })
  const wrong = await run('balance', '--maturity', '4294967296')
  expect(wrong).toMatchObject({ status: 64 })
  expect(wrong.errors).toContain('--maturity needs a number below 2^32')
})

test('shows a dry run, and sends nothing', async () => {
  const before = await node.request('getrawmempool')
  const { address } = node.identities[0]!
  const shown = await walletCommand('send', '--to', address, '--satoshis', '7000', '--dry-run')
  expect(shown).toMatchObject({ status: 0 })
  expect(shown.output).toContain('NOT sent: dry-run')
  expect(await node.request('getrawmempool')).toEqual(before)
})

interface DaemonAnswer {
  result: object
  error?: unknown
}

/** Starts a daemon that changes answers of the node, and returns the options of a command. */
async function throughDaemon(
  change: (call: { readonly method: string }, answer: DaemonAnswer) => void,
): Promise<string[]> {
  const own = node.identities[1] as DevIdentity
  const daemon = await startServer(async ({ body, headers }, response) => {
    const { authorization = '' } = headers
    const given = await fetch(own.url, { method: 'POST', headers: { authorization }, body })
    const answer = JSON.parse(await given.text())
    change(JSON.parse(body), answer)
    reply(response, given.status, JSON.stringify(answer))
  })
  onTestFinished(() => daemon.close())
  const conf = join(folder, 'other.conf')
  writeFileSync(conf, confOf({ ...own, url: daemon.url }))
  return ['--key-file', join(folder, 'key'), '--journal', journal, '--conf', conf]
}

test.each([
  [
    'a daemon of KMD',
    { name: 'KMD', interest: 0 },
    'the coins of the daemon earn a reward',
    'komodo',
  ],
  ['tokeld', { TokelVersion: '1' }, 'the daemon is tokeld', 'tokel'],
  ['a daemon without a name', { name: '' }, 'does not say which chain it runs', undefined],
])('pays nothing through %s with another network', async (_, facts, words, other) => {
  const key = await throughDaemon(({ method }, answer) => {
    if (method === 'getinfo') Object.assign(answer.result, facts)
  })
  const before = await node.request('getrawmempool')
  const send = ['wallet', 'send', '--to', node.identities[0]!.address, '--max', '--yes']
  const { status, errors } = await runCommand([...send, ...key])
  expect(status).toBe(64)
  expect(errors).toContain(words)
  if (other !== undefined) expect(errors).toContain(`such as ${other}`)
  expect(await node.request('getrawmempool')).toEqual(before)
})

test('pays nothing through Electrum servers of KMD without its network', async () => {
  const header = publicBlocks.find(({ chain }) => chain === 'komodo_mainnet')!
  await using server = await electrumServer((request, peer) => {
    const isAsked = request.method === 'blockchain.block.headers'
    if (!isAsked || request.params[0] !== header.height) return peer.answer(request, [])
    peer.answer(request, { count: 1, hex: header.header, max: 2016 })
  })
  const { status, errors } = await runCommand([
    ...['wallet', 'send', '--to', node.identities[0]!.address, '--max', '--yes'],
    ...['--electrum', server.url, '--key-file', join(folder, 'key'), '--journal', journal],
  ])
  expect(status).toBe(64)
  expect(errors).toContain('the servers are of KMD, and the network is assetChain')
  expect(server.requests.map(({ method }) => method)).not.toContain(
    'blockchain.transaction.broadcast',
  )
})

test('creates a token, sends units of it, and lists both', async () => {
  const created = await walletCommand('create', '--name', 'GOLD', '--units', '1000', '--yes')
  expect(created).toMatchObject({ status: 0 })
  const tokenid = created.output.trim()
  node.mine()
  const { pubkey } = node.identities[0]!
  const args = ['transfer', '--token', tokenid, '--to', pubkey, '--units', '40', '--yes']
  const moved = await walletCommand(...args)
  expect(moved).toMatchObject({ status: 0 })
  node.mine()
  expect((await walletCommand('tokens')).output).toBe(`${tokenid} 960 proven GOLD\n`)
  const { output } = await walletCommand('history', '--limit', '2', '--json')
  expect(JSON.parse(output)).toMatchObject([
    { txid: moved.output.trim(), operation: 'tokentransfer', units: { [tokenid]: '-40' } },
    { txid: tokenid, operation: 'tokencreate' },
  ])
  const resumed = await walletCommand('resume', '--yes')
  expect(resumed).toMatchObject({ status: 0 })
  expect(resumed.output).toContain(`accepted ${tokenid}`)
})

test('refuses to send without a key, or with nobody to ask', async () => {
  const { address, pubkey } = node.identities[0]!
  const send = ['send', '--to', address, '--coins', '1']
  expect(await walletCommand(...send, '--watch', pubkey, '--yes')).toMatchObject({ status: 64 })
  const unasked = await walletCommand(...send)
  expect(unasked).toMatchObject({ status: 64 })
  expect(unasked.errors).toContain('no terminal for your consent')
})

test('pay --send signs what a request builds, and sends it once', async () => {
  const [alice, bob] = node.identities
  const { output } = await walletCommand('coins', '--json')
  const coins = JSON.parse(output) as {
    txid: string
    vout: number
    value: string
    height: number
  }[]
  const coin = coins.find(({ value, height }) => BigInt(value) > 2_000_000n && height > 0)!
  const hex = await node.request('getrawtransaction', [coin.txid])
  const request = {
    recipients: [{ address: alice!.address, amount: '1234567' }],
    own: [bob!.pubkey],
    coins: [{ txid: coin.txid, vout: coin.vout }],
    previousTransactions: [hex],
    tipHeight: node.height,
  }
  const run = (...more: readonly string[]) =>
    runCommand(
      [
        ...['pay', '-', '--send', '--conf', join(folder, 'node.conf'), '--journal', journal],
        ...['--key-file', join(folder, 'key'), '--id', 'bill', ...more],
      ],
      JSON.stringify(request),
    )
  const sent = await run('--yes')
  expect(sent).toMatchObject({ status: 0 })
  expect(await node.request('getrawmempool')).toContain(sent.output.trim())
  const again = await run('--yes')
  expect(again).toMatchObject({ status: 0, output: sent.output })
  expect(await run()).toMatchObject({ status: 64 })
  const unsent = await runCommand(['pay', '-', '--id', 'x'], JSON.stringify(request))
  expect(unsent.errors).toContain('--id needs --send')
  node.mine()
})

test('pay --send spends shared coins if own names the keys, and redeemScripts the script', async () => {
  const [alice, bob] = node.identities
  const redeemScript = `5121${alice!.pubkey}21${bob!.pubkey}52ae`
  const shared = scriptHashOf(redeemScript)
  const txid = node.fund(shared, 1_000_000_000n)
  const hex = (await node.request('getrawtransaction', [txid])) as string
  const vout = decodeTransaction(hex).outputs.findIndex(({ script }) => script === shared)
  node.mine(101)
  const request = {
    recipients: [{ address: alice!.address, amount: '100000000' }],
    own: [bob!.pubkey],
    redeemScripts: [redeemScript.toUpperCase()],
    coins: [{ txid, vout }],
    previousTransactions: [hex],
    tipHeight: node.height,
  }
  const run = (change: object, ...more: readonly string[]) =>
    runCommand(
      [
        ...['pay', '-', '--send', '--yes', '--conf', join(folder, 'node.conf')],
        ...['--key-file', join(folder, 'key'), '--journal', journal, ...more],
      ],
      JSON.stringify({ ...request, ...change }),
    )
  expect(await run({ change: shared }, '--dry-run')).toMatchObject({ status: 0 })
  const sent = await run({})
  expect(sent).toMatchObject({ status: 0 })
  expect(await node.request('getrawmempool')).toContain(sent.output.trim())
  node.mine()
})

test('an order is made, listed and taken back, at a price for each unit', async () => {
  const created = await walletCommand('create', '--name', 'TIN', '--units', '100', '--yes')
  const tokenid = created.output.trim()
  node.mine()
  const offer = ['--token', tokenid, '--units', '10', '--price', '500', '--yes']
  const ask = await walletCommand('ask', ...offer)
  expect(ask).toMatchObject({ status: 0 })
  node.mine()
  const order = ask.output.trim()
  const { output } = await walletCommand('orders')
  expect(output).toBe(`${order} ask 10 units for 5000 satoshis, 500 satoshis each ${tokenid}\n`)
  expect(await walletCommand('cancel', '--order', order, '--yes')).toMatchObject({ status: 0 })
  node.mine()
  expect((await walletCommand('orders')).output).toBe('')
})

test('merges in steps, and names what a payment with too many inputs needs', async () => {
  const { address } = node.identities[1]!
  for (const option of [['--dry-run'], ['--id', 'a']]) {
    const refused = await walletCommand('merge', '--all', '--yes', ...option)
    expect(refused).toMatchObject({ status: 64 })
    expect(refused.errors).toContain('cannot be combined with a merge in several transactions')
  }
  // Another amount than that of a test before, whose journal is gone.
  for (let count = 0; count < 3; count += 1) {
    const paid = ['send', '--to', address, '--coins', '0.6', '--id', `${count}`, '--yes']
    expect(await walletCommand(...paid)).toMatchObject({ status: 0 })
  }
  node.mine(101)
  const merged = await walletCommand('merge', '--all', '--yes')
  expect(merged).toMatchObject({ status: 0 })
  expect(merged.output).toMatch(/^[0-9a-f]{64}\n$/)
  expect(merged.errors).toContain('1 transactions sent; 1 coins are left')
})

test('a refused payment is not over, because resume sends what the journal has of it', async () => {
  const { address } = node.identities[0]!
  const refusing = await throughDaemon(({ method }, answer) => {
    if (method !== 'sendrawtransaction') return
    Object.assign(answer, { result: null, error: { code: -26, message: 'no' } })
  })
  const send = ['wallet', 'send', '--to', address, '--satoshis', '4321', '--yes', '--json']
  const refused = await runCommand([...send, '--id', 'refused', ...refusing])
  expect(refused.status).toBe(75)
  const { error } = JSON.parse(refused.output)
  expect(error).toMatchObject({ code: 'daemon', daemonCode: -26, uncertain: true })
  expect(refused.errors).toContain(`${error.txid} is in the journal`)
  expect(refused.errors).toContain('and so does antara-tx wallet resume')
  const resumed = await walletCommand('resume', '--json')
  expect(JSON.parse(resumed.output)).toMatchObject([
    { name: 'id refused', result: { txid: error.txid, status: 'accepted' } },
  ])
  node.mine()
  const lost = await runCommand([...send, ...refusing.toSpliced(2, 2), '--no-journal'])
  expect(lost.status).toBe(1)
  node.mine()
})

test('prints one object where a later step of a merge is refused', async () => {
  for (let count = 0; count < 4; count += 1) node.fund(node.identities[1]!.address, 1_000_000n)
  node.mine(101)
  let sends = 0
  const options = await throughDaemon(({ method }, answer) => {
    if (method !== 'sendrawtransaction') return
    sends += 1
    if (sends > 1) Object.assign(answer, { result: null, error: { code: -26, message: 'no' } })
  })
  const merge = ['wallet', 'merge', '--all', '--max-inputs', '2', '--yes', '--json']
  const { status, output, errors } = await runCommand([...merge, ...options])
  expect(status).toBe(75)
  expect(JSON.parse(output)).toMatchObject({ status: 'stopped', sent: [{}], error: { code: -26 } })
  expect(errors).toContain('sendrawtransaction: no (-26')
})

test('prints its progress to standard error while it reads many transactions', async () => {
  const pubkey = publicKeyOf('7'.padStart(64, '0'))
  const address = addressOfScript(pubkeyHashScript(pubkey), networks.assetChain)!
  for (let count = 0; count < 120; count += 1) node.fund(address, 1000n)
  node.mine()
  const { output, errors, status } = await walletCommand('balance', '--json', '--watch', pubkey)
  expect(status).toBe(0)
  expect(errors).toMatch(/^reading transactions: (\d{3}) of \1$/m)
  expect(JSON.parse(output)).toMatchObject({ confirmed: expect.any(String) })
  const few = await walletCommand('balance', '--watch', publicKeyOf('8'.padStart(64, '0')))
  expect(few.errors).toBe('')
})
