import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAntaraError } from '../../src/errors/antara-error.ts'
import { isTypedMethod } from '../../src/rpc/daemon/methods.ts'
import {
  createDaemonClient,
  type DaemonClient,
  isRpcError,
  type RpcError,
  replyText,
} from '../../src/rpc/index.ts'
import { type Exact, exactJson, plain, typedValue } from './support/oracle.ts'
import { type Recorded, recordings, withId } from './support/recordings.ts'
import { reply, startServer, type TestServer } from './support/server.ts'

// Every HTTP exchange of the two recorded daemons goes through the client again: the server checks
// that the client sends what was recorded and answers what was recorded, byte for byte but the id.

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
  if (method === 'tokencreate' && typeof second === 'string' && /^\d+(\.\d{1,8})?$/.test(second)) {
    const [whole = '', fraction = ''] = second.split('.')
    return hexFolded([method, first, `${whole}.${fraction.padEnd(8, '0')}`, ...params.slice(2)])
  }
  if (method === 'getaddressutxos' && params.length > 1) return hexFolded([method, first, 'cc'])
  return hexFolded([method, ...params])
}

function hexFolded(parts: readonly unknown[]): string {
  return JSON.stringify(parts).replace(/"[0-9A-Fa-f]{8,}"/g, (hex) => hex.toLowerCase())
}

function batchAnswer(sent: readonly Call[]): string {
  const answers: { id: unknown }[] = JSON.parse(exchange.response)
  return JSON.stringify(answers.map((answer, at) => ({ ...answer, id: sent[at]?.id ?? null })))
}

interface Expectation {
  readonly kind: 'result' | 'http' | 'daemon' | 'module'
  readonly status?: number
  readonly code?: number
  readonly message?: string
  readonly result?: Exact
}

/** What the recorded answer amounts to. */
function expectationOf({ status, type, response }: Recorded): Expectation {
  if (type !== 'application/json') return { kind: 'http', status }
  const { result, error } = exactJson(response) as unknown as Answer
  if (error !== null) {
    return { kind: 'daemon', status, code: Number(error.code['#']), message: error.message.trim() }
  }
  const failure = result as { readonly result?: unknown; readonly error?: string } | null
  return failure?.result === 'error'
    ? { kind: 'module', status, message: failure.error ?? '' }
    : { kind: 'result', result }
}

interface Answer {
  readonly result: Exact
  readonly error: { readonly code: { readonly '#': string }; readonly message: string } | null
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  return call.then(
    (value) => ({ value }),
    (error) => ({ error }),
  )
}

/** Holds an outcome against what was recorded. */
function check(outcome: Outcome, expected: Expectation, method: string | undefined, at: string) {
  if (expected.kind !== 'result') {
    const { message = '', kind, ...facts } = expected
    const error = 'error' in outcome ? (outcome.error as RpcError) : undefined
    expect(isRpcError(error, kind as never), `${at} ${JSON.stringify(plain(outcome))}`).toBe(true)
    expect(error, at).toMatchObject(facts)
    expect(error?.message, at).toContain(message)
    return
  }
  if ('error' in outcome) throw new Error(at, { cause: outcome.error })
  expect(plain(outcome.value), at).toEqual(typedValue(method, expected.result as Exact))
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

/** Named parameters that stand for recorded positional ones, if the types allow any. */
function namedParams({ method, params }: Call): object | undefined {
  const names: { readonly [method: string]: readonly string[] } = {
    tokenaddress: ['pubkey'],
    tokenbalance: ['tokenid', 'pubkey'],
    tokencreate: ['name', 'supply', 'description', 'data'],
    tokeninfo: ['tokenid'],
    tokentransfer: ['tokenid', 'destpubkey', 'amount'],
    assetsaddress: ['pubkey'],
    tokenorders: ['tokenid'],
    mytokenorders: ['evalcode'],
    tokenask: ['numtokens', 'tokenid', 'price'],
    tokenbid: ['numtokens', 'tokenid', 'price'],
    tokenfillask: ['tokenid', 'asktxid', 'fillunits'],
    tokenfillbid: ['tokenid', 'bidtxid', 'fillamount'],
    tokencancelask: ['tokenid', 'asktxid'],
    tokencancelbid: ['tokenid', 'bidtxid'],
    sendrawtransaction: ['hex', 'allowhighfees'],
    decoderawtransaction: ['hex'],
    getrawtransaction: ['txid', 'verbose'],
    gettxout: ['txid', 'n', 'includemempool'],
    getaddressutxos: ['query', 'ccvout'],
    listunspent: ['minconf', 'maxconf', 'addresses'],
    validateaddress: ['address'],
    getrawmempool: ['verbose'],
    help: ['command'],
  }
  const types: { readonly [name: string]: string } = {
    amount: 'bigint',
    numtokens: 'bigint',
    fillunits: 'bigint',
    fillamount: 'bigint',
    supply: 'bigint',
    verbose: 'number',
    n: 'number',
    minconf: 'number',
    maxconf: 'number',
    allowhighfees: 'boolean',
    includemempool: 'boolean',
    addresses: 'object',
    query: 'object',
  }
  const wanted = names[method] ?? []
  if (params.length > wanted.length) return undefined
  const entries = params.map((value, at) => {
    const name = wanted[at] ?? ''
    if (name === 'ccvout') return [name, true]
    if (unitNames.has(name)) return [name, bigintOf(value, /^\d+$/)]
    if (name === 'supply') return [name, bigintOf(value, /^\d+(?:\.\d{1,8})?$/)]
    return [name, value]
  })
  const isFit = entries.every(([name, value]) => {
    const type = types[name as string] ?? (name === 'ccvout' ? 'boolean' : 'string')
    return typeof value === type
  })
  const required = { tokenbalance: 1, tokencreate: 2, tokeninfo: 1, tokentransfer: 3, gettxout: 2 }
  const least = required[method as keyof typeof required] ?? (requiresOne.has(method) ? 1 : 0)
  if (!isFit || params.length < least) return undefined
  const { query, ...rest } = Object.fromEntries(entries)
  return { ...query, ...rest }
}

const unitNames = new Set(['amount', 'numtokens', 'fillunits', 'fillamount'])

const requiresOne = new Set([
  'sendrawtransaction',
  'decoderawtransaction',
  'getrawtransaction',
  'getaddressutxos',
  'validateaddress',
])

/** Units of a canonical decimal text; anything else stays what it is. */
function bigintOf(value: unknown, form: RegExp): unknown {
  if (typeof value !== 'string' || !form.test(value)) return value
  if (!form.source.includes('\\.')) return BigInt(value)
  const [whole = '', fraction = ''] = value.split('.')
  return BigInt(whole + fraction.padEnd(8, '0'))
}

test('recorded batches settle each call by itself', async () => {
  const [mixed, good] = recordings('komodod').filter(
    ({ request }) => request.startsWith('[') && request !== '[]',
  )
  exchange = mixed as Recorded
  // The recorded fourth element is no call at all, which no client can send.
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
