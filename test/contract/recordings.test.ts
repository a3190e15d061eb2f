import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAntaraError } from '../../src/errors/antara-error.ts'
import { isTypedMethod } from '../../src/rpc/daemon/methods.ts'
import { createDaemonClient, type DaemonClient, replyText } from '../../src/rpc/index.ts'
import { check, expectationOf, outcomeOf } from './support/expectation.ts'
import { namedParams } from './support/named-params.ts'
import { type Recorded, recordings, withId } from './support/recordings.ts'
import { reply, startServer, type TestServer } from './support/server.ts'

// Every HTTP exchange of the two recorded daemons goes through the client again. The server checks
// that the client sends the recorded bytes, except for the id, and sends the recorded answer.

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

let server: TestServer
let client: DaemonClient
/** The exchange on stage. */
let exchange: Recorded

beforeAll(async () => {
  server = await startServer((request, response) => {
    const sent: Call | Call[] = JSON.parse(request.body)
    if (Array.isArray(sent)) return reply(response, exchange.status, batchAnswer(sent))
    const wanted = recordedCall(exchange)
    const isSame = wanted === undefined || meaningOf(sent) === meaningOf(wanted)
    // A client that sends something else gets no recorded answer.
    if (!isSame) return reply(response, 418, `${meaningOf(sent)} is not ${meaningOf(wanted)}`)
    reply(response, exchange.status, withId(exchange.response, JSON.stringify(sent.id)))
  })
  client = createDaemonClient({ url: server.url, user: 'user', password: 'pass', retry: false })
})
afterAll(() => server.close())

function recordedCall({ request }: Recorded): Call | undefined {
  try {
    const { id, method, params = [] } = JSON.parse(request)
    return typeof method === 'string' && Array.isArray(params) ? { id, method, params } : undefined
  } catch {
    return undefined
  }
}

/** Method and parameters as text; spellings that mean the same to the daemon made one. */
function meaningOf({ method, params }: Call): string {
  const [first, second] = params
  if (
    /^token(v2)?create/.test(method) &&
    typeof second === 'string' &&
    /^\d+(\.\d{1,8})?$/.test(second)
  ) {
    const [whole = '', fraction = ''] = second.split('.')
    return hexFolded([method, first, `${whole}.${fraction.padEnd(8, '0')}`, ...params.slice(2)])
  }
  if (method === 'tokenv2list' && first === '{}') return hexFolded([method])
  if (method === 'getaddressutxos' && params.length > 1) return hexFolded([method, first, 'cc'])
  return hexFolded([method, ...params])
}

/** JSON in a text means the same whatever stands between its members. */
function withoutBlanks(part: unknown): unknown {
  if (typeof part !== 'string' || !part.startsWith('{')) return part
  try {
    return JSON.parse(part)
  } catch {
    return part
  }
}

function hexFolded(parts: readonly unknown[]): string {
  return JSON.stringify(parts.map(withoutBlanks)).replace(/"[0-9A-Fa-f]{8,}"/g, (hex) =>
    hex.toLowerCase(),
  )
}

function batchAnswer(sent: readonly Call[]): string {
  const answers: { id: unknown }[] = JSON.parse(exchange.response)
  return JSON.stringify(answers.map((answer, at) => ({ ...answer, id: sent[at]?.id ?? null })))
}

function counter() {
  const counts: Record<string, number> = {}
  return {
    counts,
    add: (name: string): void => {
      counts[name] = (counts[name] ?? 0) + 1
    },
  }
}

describe.each([
  ['komodod', 818],
  ['tokeld', 403],
] as const)('%s', (daemon, total) => {
  test('each exchange, called by name, gives its result or its error', async () => {
    const rows = recordings(daemon)
    const { counts, add } = counter()
    for (exchange of rows) {
      if (exchange.request.startsWith('[')) continue
      const at = `${exchange.at}: ${exchange.request}`
      const { method, params } = recordedCall(exchange) ?? { method: 'getblockcount', params: [] }
      const expected = expectationOf(exchange)
      add(expected.kind)
      const outcome = await outcomeOf(client.call(method, params))
      check(outcome, expected, isTypedMethod(method) ? method : undefined, at)
      if ('value' in outcome && typeof outcome.value === 'object' && outcome.value !== null) {
        const sent = JSON.parse(server.received.at(-1)?.body ?? '')
        expect(replyText(outcome.value), at).toBe(
          withId(exchange.response, JSON.stringify(sent.id)),
        )
      }
    }
    expect(rows.length).toBe(total)
    expect(counts).toMatchSnapshot()
  })

  test('each exchange whose method has a type, called with named parameters', async () => {
    const { counts, add } = counter()
    for (exchange of recordings(daemon)) {
      const call = recordedCall(exchange)
      if (call === undefined || !isTypedMethod(call.method) || exchange.raw !== undefined) continue
      const at = `${exchange.at}: ${exchange.request}`
      const named = namedParams(call)
      if (named === undefined) {
        add(`${call.method}: no such parameters in the types`)
        continue
      }
      const expected = expectationOf(exchange)
      const before = server.received.length
      const outcome = await outcomeOf(
        (client[call.method] as (params: object) => Promise<unknown>)(named),
      )
      if ('error' in outcome && isAntaraError(outcome.error)) {
        // Refused before it was sent, whatever the daemon would have made of it.
        expect(server.received.length, at).toBe(before)
        add(`${call.method}: refused for ${outcome.error.code}, daemon: ${expected.kind}`)
        continue
      }
      check(outcome, expected, call.method, at)
      add(`${call.method}: ${expected.kind}`)
    }
    expect(counts).toMatchSnapshot()
  })
})

test('recorded batches settle each call by itself', async () => {
  const [mixed, good] = recordings('komodod').filter(
    ({ request }) => request.startsWith('[') && request !== '[]',
  )
  exchange = mixed as Recorded
  // The recorded fourth element is not a call at all, which no client can send.
  const settled = await client.batch([
    { method: 'getblockcount', params: [] },
    { method: 'nosuch', params: [] },
    { method: 'tokenlist', params: ['x'] },
  ])
  expect(settled[0]).toEqual({ status: 'fulfilled', value: 39 })
  expect(settled[1]).toMatchObject({
    status: 'rejected',
    reason: { kind: 'daemon', code: -32601, codeName: 'RPC_METHOD_NOT_FOUND', method: 'nosuch' },
  })
  expect(settled[2]).toMatchObject({ status: 'rejected', reason: { kind: 'daemon', code: -1 } })

  exchange = good as Recorded
  const [tip, tokens] = await client.batch([
    { method: 'getblockcount', params: {} },
    { method: 'tokenlist', params: {} },
  ])
  expect(tip).toEqual({ status: 'fulfilled', value: 39 })
  expect(tokens.status === 'fulfilled' && tokens.value).toHaveLength(6)
  expect(await client.batch([])).toEqual([])
})
