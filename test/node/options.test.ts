// A misspelt option would leave its limit at the default, so each function that takes options
// refuses it.

import { expect, test } from 'vitest'
import { fileJournal, memoryJournal } from '../../src/journal/index.ts'
import { createDevFramework, createDevNode } from '../../src/node/index.ts'
import { createDaemonClient, createFrameworkClient, resumePayments } from '../../src/rpc/index.ts'

const url = 'http://127.0.0.1:1/'
const noFetch = () => Promise.reject(new Error('nothing is sent'))
const daemon = createDaemonClient({ url, user: 'user', password: 'x', fetch: noFetch })
const framework = createFrameworkClient({ url, userpass: 'x', fetch: noFetch })
const hex = '00'

// Type errors that the compiler would report are written as `object`.
const rows: [string, (options: object) => unknown, object, string][] = [
  [
    'createDaemonClient',
    (it) => createDaemonClient({ url, user: 'user', password: 'x', ...it }),
    { timeoutMS: 5 },
    'options: unknown member timeoutMS; did you mean timeoutMs?',
  ],
  [
    'the retries of a client',
    (it) => createDaemonClient({ url, user: 'user', password: 'x', retry: it }),
    { attempt: 1 },
    'options.retry: unknown member attempt; did you mean attempts?',
  ],
  [
    'createFrameworkClient',
    (it) => createFrameworkClient({ url, userpass: 'x', ...it }),
    { allowedHost: ['example.org'] },
    'options: unknown member allowedHost; did you mean allowedHosts?',
  ],
  [
    'a call of a method',
    (it) => daemon.getblockcount({}, it),
    { timeoutMS: 5 },
    'options: unknown member timeoutMS; did you mean timeoutMs?',
  ],
  [
    'a call that has no txid to expect',
    (it) => daemon.getblockcount({}, it),
    { expectedTxid: '00' },
    'options: unknown member expectedTxid, expected only signal, timeoutMs, attemptTimeoutMs, retry, maxResponseBytes',
  ],
  [
    'a broadcast',
    (it) => daemon.sendrawtransaction({ hex }, it),
    { expectedTxId: '00' },
    'options: unknown member expectedTxId; did you mean expectedTxid?',
  ],
  [
    'a call of any method',
    (it) => daemon.call('getinfo', [], it),
    { retry: { maxMS: 5 } },
    'options.retry: unknown member maxMS; did you mean maxMs?',
  ],
  [
    'a payment of the wallet',
    (it) => daemon.sendtoaddress({ address: 'R', amount: 1n, ...it }),
    { subtractFeeFromAmount: true },
    'sendtoaddress: unknown member subtractFeeFromAmount; did you mean subtractfeefromamount?',
  ],
  [
    'a raw transaction',
    (it) => daemon.createrawtransaction({ inputs: [], outputs: { R: 1n }, ...it }),
    { expiryHeight: 500 },
    'createrawtransaction: unknown member expiryHeight; did you mean expiryheight?',
  ],
  [
    'a broadcast with two transactions',
    (it) => daemon.sendrawtransaction({ hex, ...it }),
    { hexstring: '01' },
    'sendrawtransaction: expected hex or hexstring, received both',
  ],
  [
    'a call without parameters',
    (it) => daemon.getblockcount(it as never),
    { verbose: true },
    'getblockcount: unknown member verbose, expected none',
  ],
  [
    'a call in a batch',
    (it) => daemon.batch([{ method: 'gettxout', params: { txid: 'ab'.repeat(32), n: 0, ...it } }]),
    { includeMempool: false },
    'gettxout: unknown member includeMempool; did you mean includemempool?',
  ],
  [
    'a batch',
    (it) => daemon.batch([{ method: 'getinfo', params: {} }], it),
    { signals: undefined, attemptTimeoutMS: 5 },
    'options: unknown member attemptTimeoutMS; did you mean attemptTimeoutMs?',
  ],
  [
    'a call of the framework',
    (it) => framework.call('version', {}, it),
    { maxResponseByte: 5 },
    'options: unknown member maxResponseByte; did you mean maxResponseBytes?',
  ],
  [
    'a task that is started',
    (it) => framework.startTask('enable_utxo', {}, it),
    { event: true },
    'options: unknown member event; did you mean events?',
  ],
  [
    'a task that is followed',
    (it) => framework.followTask('enable_utxo', 1, it),
    { onUserActions: noFetch },
    'options: unknown member onUserActions; did you mean onUserAction?',
  ],
  [
    'resumePayments',
    (it) => resumePayments(daemon, { journal: memoryJournal(), ...it }),
    { trustserver: true },
    'options: unknown member trustserver; did you mean trustServer?',
  ],
  [
    'fileJournal',
    (it) => fileJournal('unused.journal', it),
    { waitMS: 5_000 },
    'options: unknown member waitMS; did you mean waitMs?',
  ],
  [
    'createDevNode',
    (it) => createDevNode(it),
    { identites: 3 },
    'options: unknown member identites; did you mean identities?',
  ],
  [
    'the profile of a node',
    (it) => createDevNode({ profile: it }),
    { premines: 1 },
    'options.profile: unknown member premines; did you mean premine?',
  ],
  [
    'the server of a node',
    (it) => createDevNode({ listen: it }),
    { allowedOrigin: ['http://localhost:5173'] },
    'options.listen: unknown member allowedOrigin; did you mean allowedOrigins?',
  ],
  [
    'an identity of a node',
    (it) => createDevNode({ identities: [{}, it] }),
    { pubKey: false },
    'options.identities[1]: unknown member pubKey; did you mean pubkey?',
  ],
  [
    'an output of a faucet',
    (it) => createDevNode({ fund: [{ to: 'R', value: 1n, ...it }] }),
    { values: 1n },
    'options.fund[0]: unknown member values; did you mean value?',
  ],
  [
    'createDevFramework',
    (it) => createDevFramework(it),
    { presets: 'docs' },
    'options: unknown member presets; did you mean preset?',
  ],
]

test.each(rows)('%s refuses an option that it does not have', async (_, call, options, message) => {
  await expect(async () => call(options)).rejects.toThrow(new TypeError(message))
})

test.each([null, 0, true, 'no'])('retries are not %s', async (retry) => {
  const wanted = /^options\.retry: expected false or an object/
  const options = { retry: retry as unknown as false }
  expect(() => createDaemonClient({ url, user: 'user', password: 'x', ...options })).toThrow(wanted)
  await expect(daemon.getinfo({}, options)).rejects.toThrow(wanted)
  await expect(daemon.getinfo({}, options)).rejects.toThrow(TypeError)
})

test('an option that is undefined counts as absent', async () => {
  const options = { url, user: 'user', password: 'x', timeoutMS: undefined }
  expect(createDaemonClient(options)).toBeDefined()
  await using node = await createDevNode({ listen: false, ...{ mined: undefined } })
  expect(node.height).toBe(1)
})

test('a client takes what a development server tells about itself', async () => {
  await using node = await createDevNode({ identities: 1 })
  const client = createDaemonClient({ ...node.identities[0], timeoutMs: 5_000 })
  expect(await client.getblockcount()).toBe(node.height)
  await using server = await createDevFramework({ preset: 'docs' })
  const other = createFrameworkClient(server)
  expect(await other.callLegacy('version')).toHaveProperty('result')
})

test('calls of a node refuse misspelt options', async () => {
  await using node = await createDevNode({ listen: false })
  expect(() => node.mine(1, { identiti: 0 } as object)).toThrow(
    new TypeError('options: unknown member identiti; did you mean identity?'),
  )
  expect(() => node.reorg(1, { drops: [] } as object)).toThrow(
    new TypeError('options: unknown member drops; did you mean drop?'),
  )
  await expect(node.request('getinfo', [], { identitys: 1 } as object)).rejects.toThrow(
    new TypeError('options: unknown member identitys; did you mean identity?'),
  )
})

test.each([0, -1, Number.NaN, 'sometimes'])(
  'a node does not make blocks every %s',
  async (mine) => {
    await expect(createDevNode({ mine } as object)).rejects.toThrow(/^options\.mine: expected auto/)
  },
)

const forms: [string, object, string][] = [
  [
    'a node that listens at a name',
    { listen: 'no' },
    'options.listen: expected false or an object, got a string',
  ],
  [
    'a node that listens at true',
    { listen: true },
    'options.listen: expected false or an object, got a boolean',
  ],
  [
    'a node that listens at null',
    { listen: null },
    'options.listen: expected false or an object, got null',
  ],
  [
    'a port beyond the last',
    { listen: { port: 70_000 } },
    'options.listen.port: expected an integer from 0 to 65535, got 70000',
  ],
  [
    'a port as text',
    { listen: { port: '80' } },
    'options.listen.port: expected a number, got a string',
  ],
  [
    'a network address with a text instead of true',
    { listen: { host: '0.0.0.0', exposeToNetwork: 'no' } },
    'exposeToNetwork: expected true or false, got a string',
  ],
  [
    'an Electrum server by name',
    { electrum: 'x' },
    'options.electrum: expected true, false or an object, got a string',
  ],
  [
    'an Electrum server of null',
    { electrum: null },
    'options.electrum: expected true, false or an object, got null',
  ],
  [
    'an Electrum server with a misspelt port',
    { electrum: { prot: 1 } },
    'options.electrum: unknown member prot; did you mean port?',
  ],
  [
    'an Electrum server at half a port',
    { electrum: { port: 1.5 } },
    'options.electrum.port: expected an integer from 0 to 65535, got 1.5',
  ],
  [
    'a time before 1970',
    { time: -5 },
    'options.time: expected an integer from 0 to 2^32 - 1, got -5',
  ],
  ['half a second', { time: 1.5 }, 'options.time: expected an integer from 0 to 2^32 - 1, got 1.5'],
  ['a time in words', { time: 'now' }, 'options.time: expected a number, got a string'],
  [
    'an observer that is a number',
    { onCall: 5 },
    'options.onCall: expected a function, got a number',
  ],
  ['a chain as an array', { load: [] }, 'options.load: expected a string, got an array'],
  [
    'a profile that is a number',
    { profile: 5 },
    'options.profile: expected an object, got a number',
  ],
  [
    'a premine as text',
    { profile: { premine: '5' } },
    'options.profile.premine: expected a number, got a string',
  ],
  [
    'a reward as a number',
    { profile: { reward: 5 } },
    'options.profile.reward: expected a bigint, got a number',
  ],
  ['coins that are a text', { fund: 'ab' }, 'options.fund: expected an array, got a string'],
  ['coins without a payee', { fund: [5] }, 'options.fund[0]: expected an object, got a number'],
  [
    'identities by name',
    { identities: 'alice' },
    'options.identities: expected a number or an array, got a string',
  ],
  [
    'an identity that is a number',
    { identities: [5] },
    'options.identities[0]: expected an object, got a number',
  ],
  [
    'a user that is a number',
    { user: 5 },
    'options.user: expected 1 to 64 ASCII characters without a colon',
  ],
  [
    'a password that is a number',
    { password: 7 },
    'options.password: expected 1 to 256 ASCII characters',
  ],
]

test.each(forms)('a node refuses %s', async (_, options, message) => {
  const started = createDevNode(options).then((node) => node.close())
  await expect(started).rejects.toThrow(new TypeError(message))
})

test('a node that makes a block after a month makes none before', async () => {
  const seconds = 30 * 24 * 60 * 60
  await using node = await createDevNode({ mine: seconds, listen: false })
  const { height } = node
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(node.height).toBe(height)
})
