// `antara-tx cases` against a development node over loopback: what it writes, and what the server,
// the disk and an interrupt can do to it.

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { makeCases } from '../../src/cli/cases/make.ts'
import { networks, parseCase, verifyCase } from '../../src/index.ts'
import type { DevNode } from '../../src/node/index.ts'
import type { ChainSource } from '../../src/wallet/index.ts'
import { runCommand } from '../support/cli.ts'
import { fundedNode } from '../support/funded-node.ts'
import { testUnless } from '../support/skip.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-cases-'))
let node: DevNode
let chain: ChainSource
let daemon: readonly string[]
/** Txids of a creation, a payment, steps of an order, and a transfer, which is in no block yet. */
let created: string
let paid: string
let steps: readonly string[]
let moved: string
let calls: string[] = []
let out: string
let outs = 0

beforeAll(async () => {
  const funded = await fundedNode(folder, {
    electrum: true,
    onCall: ({ method }) => calls.push(method),
  })
  ;({ node, chain, daemon } = funded)
  const { alice, bob } = funded
  const [, two] = node.identities
  created = (await alice.createToken({ name: 'GOLD', supply: 1000n })).txid!
  node.mine()
  paid = (await alice.pay({ to: two!.address, amount: 1_000_000n })).txid!
  node.mine()
  const ask = await alice.ask({ tokenid: created, amount: 100n, price: 500n })
  node.mine()
  const bought = await bob.fill({ order: ask.txid!, amount: 40n, price: 500n })
  node.mine()
  const back = await alice.cancel({ order: bought.txid! })
  node.mine()
  steps = [ask.txid!, bought.txid!, back.txid!]
  moved = (await alice.transfer({ tokenid: created, to: two!.pubkey, amount: 400n })).txid!
  return () => node.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  out = join(folder, `out-${++outs}`)
  calls = []
})
afterEach(() => node.faults.clear())

const cases = (from: string, ...more: string[]) =>
  runCommand(['cases', '--from', from, '--out', out, ...daemon, ...more])
const fileOf = (txid: string) => join(out, `${txid}.json`)
const textOf = (txid: string) => readFileSync(fileOf(txid), 'utf8')
const verify = (txid: string) => runCommand(['verify', fileOf(txid)])

describe.each([
  ['reading a daemon', () => daemon],
  ['reading an Electrum server', () => ['--electrum', node.electrumUrl]],
])('%s', (_, server) => {
  test('makes a case of each transaction, which verifies without the server', async () => {
    const txids = [created, paid, ...steps, moved]
    const from = txids.join(',')
    const { status, output, errors } = await runCommand([
      ...['cases', '--from', from, '--out', out],
      ...server(),
    ])
    expect([status, errors]).toEqual([0, ''])
    expect(output.split('\n')).toEqual([
      `${created} tokencreate AGREES`,
      `${paid} payment AGREES`,
      `${steps[0]} tokenask AGREES`,
      `${steps[1]} tokenfillask AGREES`,
      `${steps[2]} tokencancelask AGREES`,
      `${moved} tokentransfer AGREES`,
      '',
    ])
    for (const txid of txids) expect((await verify(txid)).status).toBe(0)
    expect(readdirSync(out).sort()).toEqual(txids.map((it) => `${it}.json`).sort())
  })
})

test('names the block before the transaction as the last, and says what the case shows', async () => {
  await cases([paid, moved].join())
  const height = (await chain.heights!([{ txid: paid, script: '' }])).get(paid)!
  const { tipHeight, tipTime, heights, note } = JSON.parse(textOf(paid))
  const hash = await node.request('getblockhash', [height - 1])
  const { time } = (await node.request('getblockheader', [hash])) as { time: number }
  expect([tipHeight, tipTime]).toEqual([height - 1, time])
  expect(Object.values<number>(heights).every((at) => at < height)).toBe(true)
  expect(note).toContain('agrees by construction')
  // The last block is the tip for a transaction that is in none.
  expect(JSON.parse(textOf(moved)).tipHeight).toBe(node.height)
})

test('another amount in a case that was made is rejected', async () => {
  await cases(paid)
  const given = parseCase(textOf(paid))
  expect(verifyCase(given).ok).toBe(true)
  const intent = { ...given.intent, recipients: [{ address: 'x', amount: 1n }] }
  expect(verifyCase({ ...given, intent } as typeof given).ok).toBe(false)
})

test('reads txids from a file and from standard input, each once, in either case of letters', async () => {
  const list = join(folder, 'list')
  writeFileSync(list, `${paid.toUpperCase()}\r\n\n${paid}\n`)
  const { status, output } = await cases(list)
  expect([status, output]).toEqual([0, `${paid} payment AGREES\n`])
  const piped = await runCommand(['cases', '--from', '-', '--out', out, ...daemon], `${created}\n`)
  expect([piped.status, piped.output]).toEqual([0, `${created} tokencreate AGREES\n`])
})

describe('from a hostile server', () => {
  const from = (answer: (hex: string | undefined, txid: string) => string | undefined) => ({
    chain: {
      ...chain,
      transactions: async (txids: readonly string[]) =>
        (await chain.transactions(txids)).map((hex, at) => answer(hex, txids[at]!)),
    },
    network: networks.assetChain,
    folder: out,
  })
  const errors: string[] = []
  const terminal = {
    print: () => undefined,
    printError: (text: string) => errors.push(text),
    readStdin: async () => '',
    isInteractive: false,
    hasColor: false,
  }
  beforeEach(() => {
    mkdirSync(out)
    errors.length = 0
  })

  test('another transaction is named, and nothing is written', async () => {
    const [other] = await chain.transactions([created])
    expect(
      await makeCases(
        [paid],
        from(() => other),
        terminal,
      ),
    ).toBe(false)
    expect(errors).toEqual([
      `antara-tx cases: ${paid}: no case: the server gave another transaction\n`,
    ])
    expect(readdirSync(out)).toEqual([])
  })

  test.each([
    ['leaves out what is spent', () => undefined, 'unknown'],
    [
      'gives other bytes for what is spent',
      (hex: string) => hex.replace(/.$/, '1'),
      'other-transaction',
    ],
  ])('the run names a server that %s, and writes nothing', async (_, answer, reason) => {
    const tampered = from((hex, txid) => (txid === paid ? hex : answer(hex!)))
    expect(await makeCases([paid], tampered, terminal)).toBe(false)
    expect(errors.join()).toMatch(new RegExp(`no case: evidence missing: [0-9a-f]{64}: ${reason}`))
    expect(readdirSync(out)).toEqual([])
  })

  test('text in place of a transaction is named', async () => {
    expect(
      await makeCases(
        [paid],
        from(() => '\u001b[2Jhex'),
        terminal,
      ),
    ).toBe(false)
    expect(errors.join()).not.toContain('\u001b')
    expect(readdirSync(out)).toEqual([])
  })

  test('a false height changes no amount, and the case says who claimed it', async () => {
    const { chain: honest, ...place } = from((hex) => hex)
    const heights = async () => new Map([[paid, 7]])
    expect(
      await makeCases([paid], { ...place, chain: { ...honest, heights } }, terminal),
    ).toBeDefined()
    const { tipHeight, note, intent } = JSON.parse(textOf(paid))
    expect(tipHeight).toBe(6)
    expect(note).toContain('what a server claims')
    expect(intent.recipients).toMatchObject([{ amount: '1000000' }])
  })
})

test.each(['lost_reply', 'reset', 'queue_full', 'warm_up'] as const)(
  '%s ends the run with 69, and a further run makes the rest',
  async (kind) => {
    expect((await cases(created)).status).toBe(0)
    node.faults.add({ kind, method: 'getrawtransaction' })
    const failed = await cases([created, paid].join(), '--timeout', '0.3')
    expect([failed.status, failed.output]).toEqual([69, `${created} kept: the file is there\n`])
    expect(failed.errors).toContain('run the command again to continue')
    expect(readdirSync(out)).toEqual([`${created}.json`])
    node.faults.clear()
    calls = []
    const again = await cases([created, paid].join())
    expect([again.status, again.output]).toEqual([
      0,
      `${created} kept: the file is there\n${paid} payment AGREES\n`,
    ])
  },
)

test('an interrupt ends the run between two files, and leaves no part of one', async () => {
  node.faults.add({ kind: 'latency', milliseconds: 20_000, method: 'getrawtransaction', times: 1 })
  const listeners = process.listenerCount('SIGHUP')
  const running = cases([paid, created].join())
  await expect.poll(() => process.listenerCount('SIGHUP')).toBeGreaterThan(listeners)
  process.emit('SIGHUP')
  expect((await running).status).toBe(69)
  expect(readdirSync(out)).toEqual([])
})

test('a process that was killed leaves a draft, which is not a case and harms no further run', async () => {
  mkdirSync(out)
  writeFileSync(join(out, `.${paid}.json.0123456789abcdef`), '{ "opera')
  expect((await cases(paid)).status).toBe(0)
  expect((await verify(paid)).status).toBe(0)
})

describe('a file that is there', () => {
  test('is kept as it is, and its transaction is not fetched', async () => {
    mkdirSync(out)
    writeFileSync(fileOf(paid), 'mine')
    const { status, output, errors } = await cases(paid)
    expect(errors).toContain(`${paid}: kept: the file has no case of this transaction; remove it`)
    expect([status, output]).toEqual([1, ''])
    expect([textOf(paid), calls]).toEqual(['mine', []])
  })

  test('with a case that is rejected, or of another transaction, keeps the exit status 1', async () => {
    expect((await cases([paid, created].join())).status).toBe(0)
    const { intent, ...rest } = JSON.parse(textOf(paid))
    const [first, ...others] = intent.recipients
    const recipients = [{ ...first, amount: `${first.amount}0` }, ...others]
    writeFileSync(fileOf(paid), JSON.stringify({ ...rest, intent: { ...intent, recipients } }))
    const rejected = await cases([paid, created].join())
    expect(rejected.status).toBe(1)
    expect(rejected.output).toMatch(
      new RegExp(`^${paid} kept: REJECTED [a-z_]+.*\n${created} kept: the file is there\n$`),
    )
    writeFileSync(fileOf(paid), textOf(created))
    const exchanged = await cases(paid)
    expect([exchanged.status, exchanged.output]).toEqual([1, ''])
  })

  testUnless(process.platform === 'win32' && 'links need rights on Windows')(
    'is not followed if it is a link, to a file or to nowhere',
    async () => {
      mkdirSync(out)
      const target = join(folder, 'target')
      writeFileSync(target, 'mine')
      symlinkSync(target, fileOf(paid))
      symlinkSync(join(folder, 'nowhere'), fileOf(created))
      const { status } = await cases([paid, created].join())
      expect([status, readFileSync(target, 'utf8')]).toEqual([1, 'mine'])
      expect(existsSync(join(folder, 'nowhere'))).toBe(false)
    },
  )
})

describe('on a disk', () => {
  const mounted = join(folder, 'mounted')
  const mountProblem = (() => {
    mkdirSync(mounted)
    const options = 'size=8k,mode=0700'
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', mounted])
    return status === 0 ? false : 'a file system of its own needs root'
  })()
  afterAll(() => {
    if (mountProblem === false) spawnSync('umount', [mounted])
  })

  testUnless(mountProblem)(
    'without room the run ends with an error, and leaves no part',
    async () => {
      writeFileSync(join(mounted, 'ballast'), 'x'.repeat(8192))
      out = mounted
      const full = await cases(paid)
      expect([full.status, full.output]).toEqual([64, ''])
      expect(full.errors).toMatch(/^antara-tx cases: --out: cannot write .*: ENOSPC\n/)
      expect(readdirSync(mounted)).toEqual(['ballast'])
      rmSync(join(mounted, 'ballast'))
      expect((await cases(paid)).status).toBe(0)
    },
  )

  test('a file in place of the folder is a usage error, and nothing is fetched', async () => {
    writeFileSync(out, '')
    const { status, errors } = await cases(paid)
    expect(status).toBe(64)
    expect(errors).toContain('--out: cannot make')
    expect(calls).toEqual([])
  })
})

test.each([
  ['no txid', 'zz', /no such file/],
  ['a line of another form', '-', /line 2 is not a txid of 64 hex digits/],
  ['too many', '-', /more than 100000 txids/],
])('refuses %s before it fetches anything', async (what, from, message) => {
  const many = () =>
    Array.from({ length: 100_001 }, (_, at) => at.toString(16).padStart(64, '0')).join('\n')
  const stdin = what === 'too many' ? many() : `${paid}\n../${paid}\n`
  const args = ['cases', '--from', from, '--out', out, ...daemon]
  const { status, errors } = await runCommand(args, stdin)
  expect([status, calls]).toEqual([64, []])
  expect(errors).toMatch(message)
  expect(existsSync(out)).toBe(false)
})

test.each([
  [['--out', 'x', '--daemon'], /--from is missing/],
  [['--from', 'ab'.repeat(32), '--daemon'], /--out is missing/],
  [['--from', 'ab'.repeat(32), '--out', 'x'], /either --daemon or --electrum/],
  [['ab'.repeat(32), '--out', 'x', '--daemon'], /pass txids by --from/],
])('refuses %j', async (args, message) => {
  const { status, errors } = await runCommand(['cases', ...args])
  expect(status).toBe(64)
  expect(errors).toMatch(message)
})
