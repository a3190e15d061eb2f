// `antara-tx verify` with evidence from a server: a daemon and an Electrum server of a development
// node over loopback, honest and not.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inputsMax } from '../../src/chain/limits.ts'
import { createCaseCompleter } from '../../src/chain-source/case-evidence.ts'
import {
  type Case,
  decodeTransaction,
  formatCase,
  type Report,
  verifyCase,
} from '../../src/index.ts'
import type { DevNode } from '../../src/node/index.ts'
import { createTransactionCache } from '../../src/rpc/safe-flow/transaction-cache.ts'
import type { ChainSource } from '../../src/wallet/index.ts'
import { runCommand } from '../support/cli.ts'
import { fundedNode, sentPayment } from '../support/funded-node.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-verify-evidence-'))
let node: DevNode
let chain: ChainSource
let daemon: readonly string[]
/** A transfer of a token that moved before, and a payment; neither has evidence. */
let transfer: Case<'tokentransfer'>
let payment: Case<'payment'>

beforeAll(async () => {
  const funded = await fundedNode(folder, { electrum: true })
  ;({ node, chain, daemon } = funded)
  const { alice, bob } = funded
  const [one, two] = node.identities
  const made = await alice.createToken({ name: 'GOLD', supply: 1000n })
  node.mine()
  const tokenid = made.txid!
  await alice.transfer({ tokenid, to: two!.pubkey, amount: 400n })
  node.mine()
  const sent = await bob.transfer({ tokenid, to: one!.pubkey, amount: 300n })
  transfer = {
    operation: 'tokentransfer',
    intent: { tokenid, destination: one!.pubkey, amount: 300n, from: two!.pubkey },
    hex: await hexOf(sent.txid!),
    evidence: { previousTransactions: [] },
  }
  payment = await sentPayment(funded)
  return () => node.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => node.faults.clear())

async function hexOf(txid: string): Promise<string> {
  const [hex] = await chain.transactions([txid])
  return hex!
}

const lineOf = (given: Case) => JSON.stringify(JSON.parse(formatCase(given)))
const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Report & { missing?: unknown; error?: { code: string } })
const codesOf = ({ findings }: Report) => findings.map(({ code }) => code)
const electrum = () => ['--electrum', node.electrumUrl]
const verify = (args: readonly string[], text: string) => runCommand(['verify', ...args, '-'], text)

describe.each([
  ['a daemon', () => daemon],
  ['an Electrum server', electrum],
])('evidence from %s', (_, server) => {
  test('lets a transfer with a history and a payment agree, which they do not without', async () => {
    const lines = `${lineOf(transfer)}\n${lineOf(payment)}\n`
    const alone = await verify(['--lines'], lines)
    expect(linesOf(alone.output).map(({ ok }) => ok)).toEqual([false, false])
    const { status, output, errors } = await verify(['--lines', ...server()], lines)
    expect([status, errors]).toEqual([0, ''])
    const reports = linesOf(output)
    expect(reports.map(({ ok, operation }) => [ok, operation])).toEqual([
      [true, 'tokentransfer'],
      [true, 'payment'],
    ])
    expect(codesOf(reports[0]!)).not.toContain('token_ancestry_incomplete')
  })

  test('also serves a single case, and a request for another amount is still rejected', async () => {
    const agrees = await verify(server(), formatCase(transfer))
    expect([agrees.status, agrees.output.split(/\W/)[0]]).toEqual([0, 'AGREES'])
    const [recipient] = payment.intent.recipients
    const intent = { ...payment.intent, recipients: [{ ...recipient!, amount: 1_000_001n }] }
    const other = await verify(server(), formatCase({ ...payment, intent }))
    expect([other.status, other.output.split(/\W/)[0]]).toEqual([1, 'REJECTED'])
  })

  test('answers malformed lines as without a server, in order', async () => {
    const malformed = ['{}', '', 'zz', '{"operation":"payment"}']
    const lines = [malformed[0], lineOf(payment), ...malformed.slice(1), lineOf(transfer)]
    const text = `${lines.join('\n')}\n`
    const alone = linesOf((await verify(['--lines'], text)).output)
    const { status, output } = await verify(['--lines', ...server()], text)
    const answers = linesOf(output)
    expect(status).toBe(2)
    expect(answers.map(({ ok }) => ok)).toEqual([undefined, true, ...Array(3), true])
    expect(answers.map(({ error }) => error)).toEqual(alone.map(({ error }) => error))
  })
})

describe('a server that does not give the evidence', () => {
  const withAnswer = (answer: (hex: string | undefined) => string | undefined): ChainSource => ({
    ...chain,
    transactions: async (txids, options) =>
      (await chain.transactions(txids, options)).map((hex) => answer(hex)),
  })

  test('is named for a transaction that it leaves out, and the case does not agree', async () => {
    const { given, missing } = await createCaseCompleter(withAnswer(() => undefined))(payment)
    expect(missing).toMatchObject([{ reason: 'unknown' }])
    expect(verifyCase(given).ok).toBe(false)
  })

  test('is named for other bytes, which are neither used nor kept', async () => {
    let isHonest = false
    const liar = withAnswer((hex) => (isHonest ? hex : payment.hex))
    const complete = createCaseCompleter(liar)
    const first = await complete(payment)
    expect(first.missing).toMatchObject([{ reason: 'other-transaction' }])
    expect(first.given.evidence.previousTransactions).toEqual([])
    expect(verifyCase(first.given).ok).toBe(false)
    isHonest = true
    const second = await complete(payment)
    expect([second.missing, verifyCase(second.given).ok]).toEqual([[], true])
  })

  test('names in a line what is missing', async () => {
    const stranger = { ...payment, hex: payment.hex.replace(/^(.{20})../, '$1ff') }
    const { status, output } = await verify(['--lines', ...daemon], `${lineOf(stranger)}\n`)
    const [report] = linesOf(output)
    expect([status, report!.ok]).toEqual([1, false])
    expect(report!.missing).toMatchObject([{ reason: 'unknown' }])
  })

  test('leaves out heights that the server does not tell', async () => {
    const silent = { ...chain, heights: async () => new Map<string, number>() }
    const { given } = await createCaseCompleter(silent)(payment)
    expect(given.evidence.heights).toEqual({})
  })

  test('ends the run with 69 and whole answers, and --resume answers the rest once', async () => {
    const resume = join(folder, 'checkpoint')
    const args = ['--lines', '--resume', resume, ...daemon]
    node.faults.add({
      kind: 'error',
      code: -1,
      message: 'out of order',
      method: 'getbestblockhash',
    })
    const failed = await verify(args, `${lineOf(payment)}\n`)
    expect([failed.status, failed.output]).toEqual([69, ''])
    expect(failed.errors).toContain('out of order')
    expect(failed.errors).toContain('no verdict')
    node.faults.clear()
    const again = await verify(args, `${lineOf(payment)}\n`)
    expect([again.status, linesOf(again.output).map(({ ok }) => ok)]).toEqual([0, [true]])
    const other = await verify(['--lines', '--resume', resume], `${lineOf(payment)}\n`)
    expect([other.status, readFileSync(resume, 'utf8').includes('"daemon"')]).toEqual([64, true])
  })

  test.each(['lost_reply', 'reset', 'queue_full', 'warm_up'] as const)(
    '%s ends with 69 within --timeout, and gives no verdict',
    async (kind) => {
      node.faults.add({ kind, method: 'getrawtransaction' })
      const lines = `${lineOf(payment)}\n${lineOf(transfer)}\n`
      const { status, output } = await verify(['--lines', ...daemon, '--timeout', '0.3'], lines)
      expect([status, output]).toEqual([69, ''])
    },
  )

  test('a refusal of the server is not taken for a finding of a single case', async () => {
    node.faults.add({ kind: 'error', code: -1, message: 'no', method: 'getbestblockhash' })
    const { status, output } = await verify([...daemon, '--json'], formatCase(payment))
    expect([status, JSON.parse(output)]).toMatchObject([69, { error: { code: 'daemon' } }])
  })
})

describe('a hostile line', () => {
  /** Counts the transactions that a source is asked for. */
  function counted() {
    const asked: string[] = []
    const source: ChainSource = {
      ...chain,
      transactions: (txids, options) => {
        asked.push(...txids)
        return chain.transactions(txids, options)
      },
    }
    return { asked, complete: createCaseCompleter(source) }
  }

  test('cannot send a text to the server as a tokenid', async () => {
    const { asked, complete } = counted()
    const tokenid = `"],"method":"stop`
    const { given } = await complete({ ...transfer, intent: { ...transfer.intent, tokenid } })
    expect(asked.every((txid) => /^[0-9a-f]{64}$/.test(txid))).toBe(true)
    expect(verifyCase(given).ok).toBe(false)
  })

  test('cannot make the server be asked twice for a transaction', async () => {
    const { asked, complete } = counted()
    await complete(transfer)
    const once = asked.length
    for (const given of [transfer, transfer, { ...transfer, hex: transfer.hex.toUpperCase() }]) {
      expect(verifyCase((await complete(given)).given).ok).toBe(true)
    }
    expect([once, asked.length]).toEqual([new Set(asked).size, once])
  })

  test('cannot ask for the parents of more inputs than a chain accepts', async () => {
    const { asked, complete } = counted()
    const input = `${'ab'.repeat(32)}0000000000ffffffff`
    const count = inputsMax + 1
    const inputs = Array.from({ length: count }, (_, at) =>
      input.replace(/^.{8}/, at.toString(16).padStart(8, '0')),
    )
    const size = count.toString(16).padStart(4, '0').match(/../g)!.reverse().join('')
    const hex = `01000000fd${size}${inputs.join('')}0000000000`
    expect(decodeTransaction(hex).inputs).toHaveLength(count)
    const { given } = await complete({ ...payment, hex })
    expect(asked).toEqual([])
    expect(verifyCase(given).ok).toBe(false)
  })

  test('asks for no token, if its hex is not a transaction', async () => {
    const { asked, complete } = counted()
    const { given, missing } = await complete({ ...transfer, hex: '00' })
    expect([asked, missing]).toEqual([[], []])
    expect(verifyCase(given).ok).toBe(false)
  })

  test('cannot put its own heights, times and last block in place of the server', async () => {
    const { complete } = counted()
    const evidence = {
      previousTransactions: [],
      tipHeight: 1,
      tipTime: 1,
      medianTime: 1,
      heights: { ['11'.repeat(32)]: 1 },
    }
    const { given } = await complete({ ...payment, evidence })
    const honest = await complete(payment)
    expect(given.evidence).toEqual(honest.given.evidence)
    expect(given.evidence.tipHeight).toBe(node.height)
  })

  test('may bring transactions, of which the server is not asked, and false ones do not help', async () => {
    const { evidence } = (await createCaseCompleter(chain)(payment)).given
    const { previousTransactions } = evidence
    const own = counted()
    const brought = { ...payment, evidence: { previousTransactions } }
    expect(verifyCase((await own.complete(brought)).given).ok).toBe(true)
    expect(own.asked).toEqual([])
    const others = counted()
    const false_ = { ...payment, evidence: { previousTransactions: [transfer.hex, 'zz', '00'] } }
    await others.complete(false_)
    expect(others.asked).not.toEqual([])
  })
})

test('the cache forgets the transaction that was not used for the longest time', async () => {
  const [one, two, three] = [transfer.hex, payment.hex, await hexOf(transfer.intent.tokenid)]
  const idOf = async (hex: string) =>
    ((await node.request('decoderawtransaction', [hex])) as { txid: string }).txid
  const ids = await Promise.all([one, two, three].map(idOf))
  const cache = createTransactionCache(one.length + two.length + three.length - 1)
  await cache.add(ids[0]!, one)
  await cache.add(ids[1]!, two)
  expect(cache.get(ids[0]!)).toBe(one)
  await cache.add(ids[2]!, three)
  expect(ids.map((id) => cache.get(id))).toEqual([one, undefined, three])
  await cache.add(ids[1]!, three)
  expect(cache.get(ids[1]!)).toBeUndefined()
})

test('proofs are fetched for the blocks that a request names', async () => {
  const hash = (await node.request('getblockhash', [node.height])) as string
  const intent = { ...payment.intent, chain: { checkpoints: [{ height: node.height, hash }] } }
  const { output } = await verify([...daemon, '--json'], formatCase({ ...payment, intent }))
  expect(codesOf(JSON.parse(output))).toContain('inclusion_linked')
})

test.each([
  [['--electrum', 'tcp://127.0.0.1:1', '--daemon']],
  [['--url', 'http://127.0.0.1:1']],
  [['--lines', '--jobs', '2', '--daemon']],
])('refuses %j', async (args) => {
  expect((await verify(args, '')).status).toBe(64)
})
