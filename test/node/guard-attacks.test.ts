// Every attack of the threat model, made by a daemon behind a guard: the daemon answers a transfer
// with the attack's bytes, and serves the evidence that belongs to it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createGuard,
  type DecisionEntry,
  type Guard,
  type GuardOptions,
} from '../../src/guard/index.ts'
import { transactionId } from '../../src/index.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { reply, startServer, type TestServer } from '../contract/support/server.ts'
import { base, hex, intent, rejected, tipHeight } from '../support/attacks.ts'
import { previousTransactions } from '../support/komodod.ts'
import { chain } from '../support/vectors.ts'
import { callText } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'

let node: DevNode
let daemon: TestServer
let guard: Guard
let built = ''
const known = new Map<string, string>()

beforeAll(async () => {
  node = await createDevNode({ time: 1_800_000_000 })
  daemon = await startServer(async ({ body }, response) => {
    const { method, params, id } = JSON.parse(body)
    const answer = (result: unknown) =>
      reply(response, 200, JSON.stringify({ result, error: null, id }))
    if (method === 'tokentransfer') return answer({ result: 'success', hex: built })
    if (method === 'getblockcount') return answer(tipHeight)
    const found = method === 'getrawtransaction' ? known.get(params[0]) : undefined
    if (found !== undefined) return answer(found)
    if (method === 'getinfo' || method === 'getblockhash') {
      return answer(await node.request(method, params))
    }
    const error = { code: -5, message: 'No information available about transaction' }
    return reply(response, 500, JSON.stringify({ result: null, error, id }))
  })
  guard = await fresh()
})
afterAll(async () => {
  for (const one of guards) await one.close()
  await daemon.close()
  await node.close()
})

const guards: Guard[] = []

async function fresh(given: Partial<GuardOptions> = {}): Promise<Guard> {
  const credentials = () => ({ user: 'user', password: 'password' })
  const { from: pubkey } = intent
  const options = { daemon: { url: daemon.url, credentials }, pubkey, journal: memoryJournal() }
  const started = await createGuard({ ...options, ...given })
  guards.push(started)
  return started
}

async function call(method: string, params: readonly unknown[]) {
  const { body } = await rawRequest(guard.url, {
    headers: { authorization: basic('user', 'password') },
    body: callText(method, params),
  })
  return { text: body, ...JSON.parse(body) }
}

const transfer = () =>
  call('tokentransfer', [intent.tokenid, intent.destination, String(intent.amount)])

/** Serves the chain, and what an attack brings instead of it. */
function serve(evidence?: readonly string[]): void {
  known.clear()
  for (const one of chain) known.set(one.txid, one.hex)
  if (evidence === undefined) return
  const spent = previousTransactions(hex)
  for (const one of spent) known.delete(transactionId(one))
  for (const [at, one] of evidence.entries()) {
    try {
      known.set(transactionId(one), one)
    } catch {
      // Bytes that are not a transaction have no id of their own.
    }
    if (evidence.length === spent.length) known.set(transactionId(spent[at]!), one)
  }
}

// Another request or another network is the caller's, so those attacks are tested elsewhere.
const attacks = rejected
  .map(([id, attack, given]) => ({ id, attack, given }))
  .filter(({ given }) => given().intent === undefined)

test('nearly all attacks of the model can come from a daemon', () => {
  expect(rejected.length).toBeGreaterThan(100)
  expect(attacks.length).toBeGreaterThan(rejected.length - 20)
})

test.each(attacks)('$id, $attack: is not handed over, and not sent', async ({ given }) => {
  const { hex: attackHex, evidence } = given()
  // A guard keeps true bytes, so false evidence meets one that has none.
  if (evidence !== undefined) guard = await fresh()
  serve(evidence?.previousTransactions)
  built = attackHex
  const { text, result } = await transfer()
  expect(result?.hex).toBeUndefined()
  expect(text).toMatch(/guard: rejected: |in another form/)
  expect(text).not.toMatch(/[0-9a-f]{170,}/i)
  const { error } = await call('sendrawtransaction', [attackHex])
  expect(error?.code).toBeLessThan(0)
  expect(daemon.received.some(({ body }) => body.includes('"sendrawtransaction"'))).toBe(false)
})

test('the transfer itself is handed over', async () => {
  guard = await fresh()
  // False bytes for its evidence do not stay.
  serve(previousTransactions(hex).map(() => chain[0]!.hex))
  built = hex
  expect((await transfer()).result.error).toMatch(/^guard: rejected: /)
  serve()
  built = hex
  const answer = await transfer()
  expect(answer.error).toBeNull()
  expect(answer.result).toEqual({ result: 'success', hex })
  expect(base.txid).toBe(transactionId(hex))
})

test('missing evidence is named, is not a verdict, and the next call asks for that alone', async () => {
  serve()
  built = hex
  const [missing] = [...new Set(base.inputs.map(({ txid }) => txid))]
  guard = await fresh()
  known.delete(missing!)
  const asked = () =>
    daemon.received
      .map(({ body }) => JSON.parse(body))
      .filter(({ method }) => method === 'getrawtransaction')
      .map(({ params }) => params[0])
  const { result } = await transfer()
  expect(result.error).toMatch(/^guard: rejected: /)
  expect(result.error).toContain(missing)
  serve()
  const before = asked().length
  expect((await transfer()).result).toEqual({ result: 'success', hex })
  const later = asked().slice(before)
  expect(later[0]).toBe(missing)
  // The payment itself is looked up each time.
  const again = asked().length
  expect((await transfer()).result).toEqual({ result: 'success', hex })
  expect(asked().slice(again)).toContain(base.txid)
  expect(new Set(asked().slice(again))).toEqual(new Set([base.txid]))
})

test('tokens whose ancestor the daemon withholds are held, unless the operator allows it', async () => {
  const decisions: DecisionEntry[] = []
  guard = await fresh({ onDecision: (entry) => decisions.push(entry) })
  serve()
  built = hex
  const spent = new Set(base.inputs.map(({ txid }) => txid))
  for (const { txid } of chain) {
    if (!spent.has(txid) && txid !== intent.tokenid) known.delete(txid)
  }
  const { result, text } = await transfer()
  expect(result.error).toMatch(/^guard: held, as a warning could cost money: token_parent_unproven/)
  expect(text).not.toMatch(/[0-9a-f]{170,}/i)
  expect(decisions.at(-1)).toMatchObject({ decision: 'refused', reason: 'token_parent_unproven' })
  expect((await call('sendrawtransaction', [hex])).error.message).toContain('not handed over')
  const lenient = await fresh({ allow: ['token_parent_unproven'] })
  const strict = guard
  guard = lenient
  expect((await transfer()).result).toEqual({ result: 'success', hex })
  guard = strict
  // The journal has no attempt, so the payment goes through once the daemon gives all evidence.
  serve()
  expect((await transfer()).result).toEqual({ result: 'success', hex })
})
