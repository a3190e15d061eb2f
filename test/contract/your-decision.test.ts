// If the daemon withholds an ancestor of the tokens, the report has a warning and is
// `your-decision`. A safe flow holds such a transaction unless `confirm` or `allow` lets it pass.

import { afterEach, beforeEach, expect, test } from 'vitest'

import { decodeTransaction, transactionId } from '../../src/index.ts'
import {
  createDaemonClient,
  createToken,
  type DaemonClient,
  memoryJournal,
  payCoins,
  resumePayments,
  type SafeFlowResult,
  tradeToken,
  transferToken,
  withdrawAndSend,
} from '../../src/rpc/index.ts'
import { textOf } from '../support/files.ts'
import { chainTransaction } from '../support/komodod.ts'
import { transferHex, transferIntent } from '../support/resigned.ts'
import { docstringSamples, pageSamples, runSample } from '../support/samples.ts'
import { type Daemon, startDaemon } from './support/daemon.ts'

const creation = decodeTransaction(chainTransaction(transferIntent.tokenid))
const withheld = new Set(creation.inputs.map(({ txid }) => txid))

let daemon: Daemon
let client: DaemonClient

beforeEach(async () => {
  const sent = transactionId(transferHex)
  daemon = await startDaemon({
    hex: [transferHex],
    transaction: (txid) =>
      txid === sent || withheld.has(txid) ? undefined : chainTransaction(txid),
  })
  client = createDaemonClient({ url: daemon.url, user: 'user', password: 'pass' })
})
afterEach(() => daemon.close())

const samples = ['README.md', 'docs/rpc.md', 'src/rpc/safe-flow.ts'].flatMap((path) => {
  const all = (path.endsWith('.md') ? pageSamples : docstringSamples)(path, textOf(path))
  return all.filter(({ code }) => code.includes('await transferToken('))
})

test('without confirm a warning holds the transaction, as the pages say', async () => {
  const { report, txid, held } = await transferToken(client, transferIntent)
  expect(report.broadcast).toBe('your-decision')
  expect(report.findings.map(({ code }) => code)).toContain('token_parent_unproven')
  expect({ txid, held, sent: daemon.broadcasts }).toEqual({ held: 'warned', sent: [] })
})

test('the next call is not held by the one that was warned of', async () => {
  expect(await transferToken(client, transferIntent)).toMatchObject({ held: 'warned' })
  const { txid } = await transferToken(client, transferIntent, { confirm: () => true })
  expect([txid, daemon.broadcasts]).toEqual([transactionId(transferHex), [transferHex]])
})

test('a caller whose confirm sees the warning decides', async () => {
  const seen: unknown[] = []
  const { txid } = await transferToken(client, transferIntent, {
    confirm({ findings }) {
      seen.push(...findings.map(({ code }) => code))
      return true
    },
  })
  expect(seen).toContain('token_parent_unproven')
  expect([txid, daemon.broadcasts]).toEqual([transactionId(transferHex), [transferHex]])
})

test('a caller who allows the warning sends it, and one who allows another does not', async () => {
  const other = await transferToken(client, transferIntent, { allow: ['fee_high'] })
  expect([other.held, daemon.broadcasts]).toEqual(['warned', []])
  const { txid } = await transferToken(client, transferIntent, { allow: ['token_parent_unproven'] })
  expect([txid, daemon.broadcasts]).toEqual([transactionId(transferHex), [transferHex]])
})

test('a caller who allows everything by one word is told what allow takes', async () => {
  const options = { allow: 'token_parent_unproven' } as never
  await expect(transferToken(client, transferIntent, options)).rejects.toThrow(
    new TypeError('allow: expected an array, got a string'),
  )
})

test.each([
  [
    'token_parent_unprovn',
    'allow[1]: no warning token_parent_unprovn; did you mean token_parent_unproven?',
  ],
  ['everything', 'allow[1]: no warning everything'],
  ['__proto__', 'allow[1]: no warning __proto__'],
  ['amount', 'allow[1]: expected a warning, but amount is of severity reject'],
  ['claimed_unspent', 'allow[1]: expected a warning, but claimed_unspent is of severity info'],
  [5, 'allow[1]: expected a string, got a number'],
])('a caller who allows %s is told before the daemon hears of it', async (code, message) => {
  const options = { allow: ['fee_high', code] } as never
  const expected = new TypeError(message)
  const { network, from } = transferIntent
  const terms = { network, from } as never
  const calls: Promise<unknown>[] = [
    transferToken(client, transferIntent, options),
    createToken(client, terms, options),
    tradeToken(client, terms, options),
    payCoins(client, terms, options),
    withdrawAndSend(client as never, terms, options),
    resumePayments(client, { journal: memoryJournal(), ...(options as object) }),
  ]
  for (const call of calls) await expect(call).rejects.toThrow(expected)
  expect(daemon.methods()).toEqual([])
})

test('each page and the docstring have a sample', () => {
  expect(samples.map(({ from }) => from)).toEqual([
    'README.md',
    'docs/rpc.md',
    'src/rpc/safe-flow.ts',
  ])
})

test.each(samples)('the sample of $from holds the transaction', async (sample) => {
  const results: SafeFlowResult[] = []
  await runSample(sample, {
    ...transferIntent,
    createDaemonClient: () => client,
    daemon: client,
    user: 'user',
    password: 'pass',
    console: { log: () => undefined },
    // The recorded transaction has an amount of its own.
    transferToken: async (...[to, intent, options]: Parameters<typeof transferToken>) => {
      const { amount } = transferIntent
      const result = await transferToken(to, { ...intent, amount }, options)
      results.push(result)
      return result
    },
  })
  expect(results).toMatchObject([{ held: 'declined', report: { broadcast: 'your-decision' } }])
  expect(daemon.broadcasts).toEqual([])
})
