// A request is copied when a function is called, and each member of it is read once: what the
// caller changes afterwards changes nothing.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as library from '../../src/index.ts'
import { type Case, type Evidence, networks, signCase, verifyMany } from '../../src/index.ts'
import { snapshot, snapshotOptions } from '../../src/primitives/snapshot.ts'
import { parametersOf } from '../../src/rpc/daemon/methods.ts'
import * as rpc from '../../src/rpc/index.ts'
import {
  createDaemonClient,
  createFrameworkClient,
  createToken,
  type DaemonClient,
  type FrameworkClient,
  payCoins,
  tradeToken,
  transferToken,
  type WaitOptions,
  waitForTransaction,
  withdrawAndSend,
} from '../../src/rpc/index.ts'
import { verifyCaseAsync } from '../../src/verification/case.ts'
import { verifyWithdrawAsync } from '../../src/verification/withdraw.ts'
import { previousTransactions, tipHeightOf } from '../support/komodod.ts'
import { createHex, createIntent, transferHex, transferIntent } from '../support/resigned.ts'
import { startDaemon } from './support/daemon.ts'
import { errorText, reply, startServer, type TestServer } from './support/server.ts'

type Members = Record<string, unknown>
/** Calls a function with the request; everything else of the call is as it always is. */
type Call = (request: never) => unknown

let server: TestServer

beforeEach(async () => {
  server = await startServer((request, response) =>
    reply(response, 500, request.body === '' ? '' : errorText(request, -1, 'refused')),
  )
})
afterEach(() => server.close())

/** A call whose request is several arguments. */
const each =
  (use: (first: never, second: never, third: never) => unknown): Call =>
  (request) =>
    use(...(request as [never, never, never]))

const key = transferIntent.from
const { tokenid, destination } = transferIntent
const evidenceOf = (hex: string): Evidence => ({
  previousTransactions: previousTransactions(hex),
  tipHeight: tipHeightOf(hex),
  heights: { [tokenid]: 3 },
})
const evidence = evidenceOf(transferHex)

const daemon = (): DaemonClient =>
  createDaemonClient({ url: server.url, user: 'user', password: 'pass', retry: false })
const framework = (): FrameworkClient =>
  createFrameworkClient({ url: server.url, userpass: 'pass', retry: false })

/** A value of each parameter of the daemon's methods, by its name. */
const samples: Members = {
  pubkey: key,
  tokenid,
  name: 'T',
  supply: 1n,
  description: 'd',
  destpubkey: destination,
  destination,
  amount: 7n,
  evalcode: 'f2',
  numtokens: 2n,
  price: '0.5',
  asktxid: tokenid,
  bidtxid: tokenid,
  fillunits: 1n,
  fillamount: 1n,
  unitPrice: '0.5',
  expiryHeight: 9,
  hex: transferHex,
  hextx: transferHex,
  allowhighfees: true,
  txid: tokenid,
  verbose: 1,
  n: 1,
  includemempool: true,
  addresses: ['RA', 'RB'],
  chainInfo: true,
  ccvout: true,
  minconf: 1,
  maxconf: 2,
  address: 'RA',
  command: 'help',
  tokenids: [tokenid],
  ccaddressMofN: 'RA',
  destpubkeys: [key, destination],
  M: 2,
  remove: false,
  beginHeight: 1,
  endHeight: 2,
  conditions: [{ a: { b: [1, 2] } }],
  start: 1,
  end: 2,
  index: 1,
  block: 1,
  verbosity: 2,
  hash: tokenid,
  nblocks: 1,
  blockhash: tokenid,
  txids: [tokenid],
  proof: 'ab',
  height: 1,
  checklevel: 3,
  numblocks: 1,
  generate: true,
  genproclimit: 1,
  blocks: 2,
  scriptPubKey: '6a',
  inputs: [{ txid: tokenid, vout: 0, sequence: 1 }],
  outputs: { RA: 5n },
  locktime: 1,
  expiryheight: 9,
  prevtxs: [{ txid: tokenid, vout: 0, scriptPubKey: '51', amount: 5n }],
  privkeys: ['K'],
  sighashtype: 'ALL',
  nrequired: 1,
  keys: [key],
  rawtxs: [transferHex],
  account: '*',
  includeWatchonly: true,
  includeempty: true,
  count: 3,
  from: 1,
  targetconfirmations: 2,
  unlock: true,
  comment: 'c',
  comment_to: 't',
  subtractfeefromamount: true,
  amounts: { RA: 5n },
  subtractfeefrom: ['RA'],
  label: 'l',
  rescan: false,
  privkey: 'K',
  message: 'm',
  signature: 's',
  high: 2,
  low: 1,
  noOrphans: true,
  logicalTimes: true,
  hexdata: 'ab',
  fee_delta: 1n,
  node: '127.0.0.1',
  dns: true,
  ip: '127.0.0.1',
  bantime: 1,
  absolute: true,
  newsize: 1,
  method: 'm',
  params: 'p',
  status: 'success',
  operationids: ['o'],
}

function paramsOf(method: string): Members {
  const entries = Object.entries(parametersOf(method as never)).map(([name, { form }]) => {
    if (name === 'priority_delta') return [name, 0.5]
    if (name === 'command' && method !== 'help') return [name, 'add']
    if (form === 'json' || (name === 'data' && method === 'tokenv2createtokel')) {
      return [name, name === 'data' ? { id: 1, url: 'u' } : samples.conditions]
    }
    if (name === 'data') return [name, 'ab']
    if (name === 'verbose' && form === 'flag') return [name, true]
    if (name === 'outputs' && method === 'lockunspent') return [name, [{ txid: tokenid, vout: 0 }]]
    expect(samples, `a sample of ${name} of ${method}`).toHaveProperty(name)
    return [name, samples[name]]
  })
  return Object.fromEntries(entries)
}

const daemonCalls = (): [string, Call, unknown][] =>
  Object.keys(daemon()).map((method) => {
    if (method === 'call') {
      const params = ['R', { deep: [1, { er: 2 }] }]
      return [method, (request) => daemon().call('sendmany', request), params]
    }
    if (method === 'batch') {
      const calls = [
        { method: 'getblockcount', params: {} },
        { method: 'sendmany', params: ['', { R: 1 }] },
        { method: 'tokeninfo', params: { tokenid } },
      ]
      return [method, (request) => daemon().batch(request as never), calls]
    }
    const call: Call = (request) => (daemon() as never as Record<string, Call>)[method]!(request)
    return [method, call, paramsOf(method)]
  })

const activation = { required_confirmations: 2, priv_key_policy: { type: 'ContextPrivKey' } }
const withdrawal = { coin: 'KMD', to: 'R', amount: '1', fee: { type: 'UtxoFixed', amount: '0.1' } }
const bch = {
  ticker: 'BCH',
  bchd_urls: ['https://a'],
  mode: { rpc: 'Electrum', rpc_data: { servers: [{ url: 'a:1' }] } },
  slp_tokens_requests: [{ ticker: 'S', required_confirmations: 1 }],
}
const device = { action_type: 'TrezorPin', pin: '1234' }

/** Parameters of the framework client's methods, and how each is called with them. */
const frameworkSamples: { readonly [name: string]: unknown } = {
  enableTendermintWithAssets: { ticker: 'A', nodes: [{ url: 'a' }], tokens_params: [{ t: 1 }] },
  enableBchWithTokens: bch,
  enableSlp: { ticker: 'S', activation_params: activation },
  enableTendermintToken: { ticker: 'S', activation_params: activation },
  getEnabledCoins: {},
  myBalance: { coin: 'KMD' },
  myTxHistory: { coin: 'KMD', target: { type: 'account_id', account_id: 1 } },
  version: {},
  withdraw: withdrawal,
  sendRawTransaction: { coin: 'KMD', tx_hex: 'ab' },
  getRawTransaction: { coin: 'KMD', tx_hash: tokenid },
  enableBch: { ticker: 'BCH', activation_params: { mode: bch.mode, bchd_urls: bch.bchd_urls } },
  withdrawTask: withdrawal,
  startTask: { ticker: 'A', activation_params: activation },
  taskStatus: { task_id: 3, forget_if_finished: false },
  taskUserAction: { task_id: 3, user_action: device },
  taskCancel: { task_id: 3 },
  call: { deep: { er: [1] } },
  callLegacy: { deep: { er: [1] } },
  batch: [{ method: 'a', params: { deep: [1] } }, { method: 'b' }],
}
/** These take the request behind a name. */
const named = new Set(['startTask', 'taskStatus', 'taskUserAction', 'taskCancel'])
/** It takes a number, not an object. */
const withoutRequest = new Set(['followTask'])

const frameworkCalls = (): [string, Call, unknown][] =>
  Object.keys(framework())
    .filter((name) => !withoutRequest.has(name))
    .map((name) => {
      expect(frameworkSamples, name).toHaveProperty(name)
      const method = (client: FrameworkClient) =>
        (client as never as Record<string, (...args: unknown[]) => unknown>)[name]!
      const isNamed = named.has(name) || name.startsWith('call')
      const call: Call = (request) =>
        isNamed ? method(framework())('enable_bch', request) : method(framework())(request)
      return [name, call, frameworkSamples[name]]
    })

const order = { kind: 'ask', tokenid, units: 4n, price: 400n, from: key } as const
const intents: { readonly [name: string]: unknown } = {
  transferToken: { ...transferIntent, ownKeys: [key], network: { ...networks.assetChain } },
  createToken: { ...createIntent, network: { ...networks.assetChain } },
  tradeToken: order,
  withdrawAndSend: { coin: 'TOKTEST', to: destination, amount: 5n, own: [key] },
}
const address = library.addressOf(destination, networks.assetChain)
const payment = { recipients: [{ address, amount: 1000n }], own: [key] }
const prevouts = library.decodeTransaction(transferHex).inputs.map(({ txid, vout }) => {
  const previous = evidence.previousTransactions.map((hex) => library.decodeTransaction(hex))
  return previous.find((tx) => tx.txid === txid)!.outputs[vout]!
})
const asCase = { operation: 'tokentransfer', hex: transferHex, intent: transferIntent, evidence }

/** Every function of the library that answers later, with the requests that it takes. */
const libraryCalls: { readonly [name: string]: readonly [Call, unknown] } = {
  transferToken: [(request) => transferToken(daemon(), request), intents.transferToken],
  createToken: [(request) => createToken(daemon(), request), intents.createToken],
  tradeToken: [(request) => tradeToken(daemon(), request), intents.tradeToken],
  payCoins: [
    (request) => payCoins(daemon(), { ...(request as object), from: key } as never),
    { recipients: [{ address, amount: 7n }], own: [address] },
  ],
  waitForTransaction: [
    (request) => waitForTransaction(daemon(), tokenid, request as WaitOptions),
    { confirmations: 3, timeoutMs: 500, pollMs: 1 },
  ],
  withdrawAndSend: [
    (request) => withdrawAndSend(framework(), { ...(request as object), to: address } as never),
    intents.withdrawAndSend,
  ],
  verifyTokenTransferAsync: [
    each((intent, given) => library.verifyTokenTransferAsync(transferHex, intent, given)),
    [transferIntent, evidence],
  ],
  verifyTokenCreateAsync: [
    each((intent, given) => library.verifyTokenCreateAsync(createHex, intent, given)),
    [createIntent, evidenceOf(createHex)],
  ],
  verifyTokenOrderAsync: [
    each((intent, given) => library.verifyTokenOrderAsync(transferHex, intent, given)),
    [order, evidence],
  ],
  verifyPaymentAsync: [
    each((intent, given) => library.verifyPaymentAsync(transferHex, intent, given)),
    [payment, evidence],
  ],
  verifyInputsAsync: [
    each((outputs, network) => library.verifyInputsAsync(transferHex, outputs, network)),
    [prevouts, { ...networks.assetChain }],
  ],
  verifyTransactionsAsync: [
    (request) => library.verifyTransactionsAsync(request),
    [{ source: transferHex, prevouts }],
  ],
}

const further: [string, Call, unknown][] = [
  [
    'verifyWithdrawAsync',
    each((response, intent, given) => verifyWithdrawAsync(response, intent, given)),
    [
      { tx_hex: transferHex, to: [address] },
      { coin: 'TOKTEST', to: address, amount: 1n, own: [key] },
      evidence,
    ],
  ],
  ['verifyCaseAsync', (request) => verifyCaseAsync(request, {}), asCase],
  ['verifyCase', (request) => library.verifyCase(request), asCase],
  ['signCase', (request) => signCase(request, []), asCase],
  [
    'verifyWithdraw',
    each((response, intent, given) => library.verifyWithdraw(response, intent, given)),
    [
      { tx_hex: transferHex, to: [address] },
      { coin: 'TOKTEST', to: address, amount: 1n, own: [key] },
      evidence,
    ],
  ],
  [
    'verifyTokenTransfer',
    each((intent, given) => library.verifyTokenTransfer(transferHex, intent, given)),
    [transferIntent, evidence],
  ],
  ['act of a task', (request) => framework().followTask('enable_bch', 3).act(request), device],
  [
    'options of a safe flow',
    (request) => transferToken(daemon(), transferIntent, request),
    { earlier: [createHex], dryRun: true, retry: { attempts: 1 } },
  ],
  [
    'options of a call',
    (request) => daemon().sendrawtransaction({ hex: transferHex }, request),
    { expectedTxid: tokenid, timeoutMs: 5_000, retry: { attempts: 1 } },
  ],
  [
    'options of the daemon client',
    (request) => createDaemonClient(request).getblockcount(),
    () => ({ url: server.url, user: 'user', password: 'pass', retry: { attempts: 1 } }),
  ],
  [
    'options of the framework client',
    (request) => createFrameworkClient(request).version(),
    () => ({ url: server.url, userpass: 'pass', retry: { attempts: 1 } }),
  ],
]

/** Members that can be read once; what asks a second time is told so. */
function readOnce(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy: object = Array.isArray(value) ? [] : {}
  for (const [name, item] of Object.entries(value)) {
    let isRead = false
    Object.defineProperty(copy, name, {
      enumerable: true,
      configurable: true,
      get() {
        if (isRead) throw new Error(`${name} is read twice`)
        isRead = true
        return readOnce(item)
      },
    })
  }
  return copy
}

/** Changes all that is in `value`, however deep. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) {
    spoil(item)
    ;(value as Members)[name] = 'spoiled'
  }
  if (Array.isArray(value)) value.length = 0
}

interface Outcome {
  readonly bodies: readonly string[]
  readonly answer: unknown
}

/** Returns the result of a call, and what the server received for it. */
async function outcomeOf(work: () => unknown, afterwards: () => void): Promise<Outcome> {
  server.received.length = 0
  let answer: unknown
  try {
    const promise = work()
    afterwards()
    answer = { value: await promise }
  } catch (error) {
    answer = { error: `${error}` }
  }
  // A task that is followed beside it is asked for its status, sooner or later.
  const bodies = server.received.map(({ body }) => body)
  return { bodies: bodies.filter((body) => !/::status".*"id":1\}$/.test(body)), answer }
}

const calls = (): [string, Call, unknown][] => [
  ...daemonCalls().map((it): [string, Call, unknown] => [`daemon.${it[0]}`, it[1], it[2]]),
  ...frameworkCalls().map((it): [string, Call, unknown] => [`framework.${it[0]}`, it[1], it[2]]),
  ...Object.entries(libraryCalls).map(([name, it]): [string, Call, unknown] => [name, ...it]),
  ...further,
]

test('no call is affected by what the caller changes after it', async () => {
  for (const [name, call, sample] of calls()) {
    const fresh = () => structuredClone(typeof sample === 'function' ? sample() : sample)
    const untouched = await outcomeOf(
      () => call(fresh() as never),
      () => undefined,
    )
    const request = fresh()
    const changed = await outcomeOf(
      () =>
        call(
          (Array.isArray(request) && name.startsWith('verify') ? [...request] : request) as never,
        ),
      () => spoil(request),
    )
    expect(changed, name).toEqual(untouched)
    if (!name.startsWith('verify') && name !== 'signCase') {
      expect(untouched.bodies.length, name).toBeGreaterThan(0)
    }
  }
})

test('no call reads a member twice', async () => {
  for (const [name, call, sample] of calls()) {
    const fresh = () => (typeof sample === 'function' ? sample() : sample)
    const untouched = await outcomeOf(
      () => call(structuredClone(fresh()) as never),
      () => undefined,
    )
    const read = await outcomeOf(
      () => call(readOnce(fresh()) as never),
      () => undefined,
    )
    expect(read, name).toEqual(untouched)
  }
})

test('every function that answers later is in the table', () => {
  const later = Object.entries({ ...library, ...rpc }).flatMap(([name, value]) =>
    typeof value === 'function' && value.constructor.name === 'AsyncFunction' ? [name] : [],
  )
  // They take a journal, which is an object at work, and no request.
  const ofJournals = ['forgetPayment', 'listPayments', 'resumePayments']
  expect(later.sort()).toEqual([...Object.keys(libraryCalls), ...ofJournals].sort())
})

describe('calls over one object that changes', () => {
  test('transfer what each was called with', async () => {
    const intent = { ...transferIntent }
    const asked: bigint[] = []
    const amounts = [100n, 200n, 300n]
    const client = daemon()
    const outcomes = amounts.map((amount) => {
      intent.amount = amount
      return transferToken(client, intent).catch(() => undefined)
    })
    await Promise.all(outcomes)
    for (const { body } of server.received) {
      const { method, params } = JSON.parse(body)
      if (method === 'tokentransfer') asked.push(BigInt(params[2]))
    }
    expect(asked.sort()).toEqual(amounts)
  })

  test('broadcast nothing but what was asked, and repeat what was sent', async () => {
    const honest = await startDaemon({ hex: [transferHex] })
    const client = createDaemonClient({ url: honest.url, user: 'user', password: 'pass' })
    const intent = { ...transferIntent }
    const options = { dryRun: true }
    const call = transferToken(client, intent, options)
    intent.amount = 1n
    options.dryRun = false
    expect(await call).toMatchObject({ held: 'dry-run', report: { ok: true } })
    expect(honest.broadcasts).toEqual([])
    await honest.close()
  })

  test('verify each case as it was taken', async () => {
    const taken: Case = structuredClone(asCase) as never
    function* cases() {
      yield taken
      spoil(taken)
    }
    const reports = []
    for await (const report of verifyMany(cases())) reports.push(report)
    expect(reports).toMatchObject([{ ok: true }])
  })
})

describe('a snapshot', () => {
  test('has lists, bytes, and members of every name', () => {
    const bytes = new Uint8Array([1, 2])
    const given = JSON.parse('{"__proto__":{"a":1},"list":[1,[2]],"none":null}')
    const copy = snapshot({ ...given, bytes, un: undefined }, 'request')
    expect(copy).toEqual({ ...given, bytes, un: undefined })
    expect(Object.keys(snapshot(given, 'request'))).toEqual(['__proto__', 'list', 'none'])
    expect(copy.bytes).not.toBe(bytes)
    expect(copy.list).not.toBe(given.list)
  })

  test('has the getters of a class once, and its methods', () => {
    let reads = 0
    class Request {
      readonly #secret = 7
      member = { deep: true }
      get secret() {
        reads += 1
        return this.#secret
      }
      name() {
        return `name ${this.secret}`
      }
    }
    const copy = snapshot(new Request(), 'request')
    expect([copy.secret, copy.secret, copy.name(), reads]).toEqual([7, 7, 'name 7', 1])
    expect(Object.keys(copy)).toEqual(['member'])
  })

  test('keeps functions, signals and maps, and takes dates as they are sent', () => {
    const own = () => true
    const { signal } = new AbortController()
    const map = new Map()
    const date = new Date(0)
    const copy = snapshot({ own, signal, map, date }, 'request')
    expect(copy.own).toBe(own)
    expect(copy.signal).toBe(signal)
    expect(copy.map).toBe(map)
    expect(copy.date).toBe('1970-01-01T00:00:00.000Z')
  })

  test('leaves the signal of options alone, whatever it is', () => {
    const signal = { aborted: false }
    const copy = snapshotOptions({ signal, retry: { attempts: 2 } }, 'options')
    expect(copy).toEqual({ signal: { aborted: false }, retry: { attempts: 2 } })
    expect(copy.signal).toBe(signal)
    expect(snapshotOptions(null as never, 'options')).toBe(null)
  })

  test('refuses what holds itself, and keeps a hole for the check of arguments', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(() => snapshot(circle, 'params')).toThrow(
      new TypeError('params: nested deeper than 128'),
    )
    const holed = new Array(4_000_000_000)
    expect(snapshot(holed, 'params')).toHaveLength(4_000_000_000)
  })
})
