// The questions of a guard before it hands a new transaction over, and daemons that answer otherwise.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createGuard, type Guard } from '../../src/guard/index.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { reply, startServer, type TestServer } from '../contract/support/server.ts'
import { callerOf, guardOfNode } from './support/guarded.ts'

interface Row {
  readonly result: unknown
  readonly error: unknown
  readonly id: unknown
}

let node: DevNode
let relay: TestServer
let tokenid: string
/** Changes the answers to a batch, or the whole reply. */
let change: (rows: Row[]) => Row[] | string
const open: { close(): Promise<void> }[] = []

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  change = (rows) => rows
  relay = await startServer(async ({ body }, response) => {
    const asked = JSON.parse(body)
    const rows = await Promise.all([asked].flat().map(answered))
    if (!Array.isArray(asked)) return reply(response, 200, JSON.stringify(rows[0]))
    const changed = change(rows)
    reply(response, 200, typeof changed === 'string' ? changed : JSON.stringify(changed))
  })
  open.push(relay)
  const first = await guardOfNode(node)
  open.push(first)
  tokenid = await sent(first, await built(first, 'tokencreate', ['GOLD', '0.00001']))
  node.mine()
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  await node.close()
})

async function answered({ method, params, id }: { method: string; params: []; id: unknown }) {
  const result = await node.request(method, params).catch((error: unknown) => error)
  if (!(result instanceof Error)) return { result, error: null, id }
  return { result: null, error: { code: -5, message: result.message }, id }
}

/** A guard whose first payments were made, so that it asks in one request. */
async function started(journal: Journal = memoryJournal()): Promise<Guard> {
  const { user, password, pubkey } = node.identities[0]!
  const daemon = { url: relay.url, credentials: () => ({ user, password }) }
  const guard = await createGuard({ daemon, pubkey, journal })
  open.push(guard)
  await sent(guard, await built(guard, 'tokentransfer', transferOf('1'), 'first'))
  node.mine()
  relay.received.length = 0
  return guard
}

const call = callerOf(() => node)

async function built(guard: Guard, method: string, params: readonly unknown[], key?: string) {
  const answer = await call(guard, method, params, key)
  expect(JSON.stringify(answer)).toMatch(/"hex":"[0-9a-f]{100,}"/)
  return answer.result.hex as string
}
const sent = async (guard: Guard, hex: string): Promise<string> =>
  (await call(guard, 'sendrawtransaction', [hex])).result
const transferOf = (amount: string) => [tokenid, node.identities[1]!.pubkey, amount]

/** The methods of each request that the daemon got. */
const requests = () =>
  relay.received.map(({ body }) =>
    [JSON.parse(body)].flat().map(({ method }: { method: string }) => method),
  )

test('a build takes two requests, and spends the change of the build before', async () => {
  const guard = await started()
  await built(guard, 'tokentransfer', transferOf('2'), 'second')
  expect(requests()).toHaveLength(2)
  expect(requests()).toContainEqual(['tokentransfer'])
  expect(requests()).toContainEqual([
    'getblockhash',
    ...Array(3).fill('getaddressmempool'),
    'getblockcount',
    ...Array(2).fill('getaddressdeltas'),
    'getblockchaininfo',
  ])
})

describe('a payment that another guard made is held, although the daemon', () => {
  test.each<[string, (rows: Row[]) => Row[] | string]>([
    ['answers in order', (rows) => rows],
    ['answers in another order', (rows) => rows.toReversed()],
    ['leaves an answer out', (rows) => rows.slice(1)],
    [
      'gives all answers one id',
      ([first, ...more]) => more.map((it) => ({ ...it, id: first!.id })),
    ],
    ['answers no batch', () => '{"result":null,"error":{"code":-32700,"message":"x"},"id":null}'],
    ['answers a batch with a page', () => '<html></html>'],
    ['answers a batch with two mebibytes', () => ' '.repeat(1 << 21)],
  ])('%s', async (_, changed) => {
    const guard = await started()
    const other = await guardOfNode(node, { journal: memoryJournal() })
    open.push(other)
    const txid = await sent(other, await built(other, 'tokentransfer', transferOf('7'), 'other'))
    node.mine()
    change = changed
    const { result } = await call(guard, 'tokentransfer', transferOf('7'))
    expect(result.error).toContain(`the journal has not: ${txid}`)
    await built(guard, 'tokentransfer', transferOf('8'))
  })
})

describe('the hex of a build', () => {
  /** A journal in which a record of some kind never ends. */
  function hangingAt(kind: string): Journal {
    const journal = memoryJournal()
    const hangs = (text: string) => text.includes(`"${kind}"`) && text.includes('"id never"')
    return {
      ...journal,
      append: (position, text) =>
        hangs(text) ? new Promise(() => undefined) : journal.append(position, text),
    }
  }
  const isAnswered = (guard: Guard) =>
    Promise.race([
      built(guard, 'tokentransfer', transferOf('3'), 'never').then(() => true),
      new Promise((done) => setTimeout(done, 500, false)),
    ])

  test('is not handed over before it is recorded', async () => {
    expect(await isAnswered(await started(hangingAt('handed-over')))).toBe(false)
  })
})

test('a daemon that redirects the questions gets them at no other place', async () => {
  const guard = await started()
  const other = await startServer((_, response) => reply(response, 200, '[]'))
  open.push(other)
  relay.answer((_, response) => {
    response.writeHead(307, { location: other.url })
    response.end()
  })
  const { error } = await call(guard, 'tokentransfer', transferOf('4'))
  expect(error).not.toBeNull()
  expect(other.received).toEqual([])
})

test('tokens with a longer history than a safe flow fetches are proven', async () => {
  const { pubkey } = node.identities[0]!
  for (let at = 0; at < 310; at += 1) {
    const made = await node.request('tokentransfer', [tokenid, pubkey, '1000'])
    await node.request('sendrawtransaction', [(made as { hex: string }).hex])
    node.mine()
  }
  const guard = await guardOfNode(node)
  open.push(guard)
  await built(guard, 'tokentransfer', [tokenid, node.identities[1]!.pubkey, '7'])
})
