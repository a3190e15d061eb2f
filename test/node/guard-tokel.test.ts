// Builds of tokeld's tokens through a guard: several tokens, several keys, burns and properties. The
// daemon before it may build something else.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { explainMethod } from '../../src/guard/explain.ts'
import { createGuard, type Guard, type GuardOptions } from '../../src/guard/index.ts'
import { Limits } from '../../src/guard/policy/limits.ts'
import { FilePolicy } from '../../src/guard/policy/policy.ts'
import { networks, publicKeyOf } from '../../src/index.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { createDevNode, type DevNode, type Tamper } from '../../src/node/index.ts'
import { reply, startServer } from '../contract/support/server.ts'
import { callText } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'
import { sentBy } from './support/tokel-calls.ts'

let node: DevNode
let guard: Guard
let gold: string
let silver: string
/** An ask of 100 units. */
let order: string
const open: { close(): Promise<void> }[] = []

interface Rewritten {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Starts a guard whose daemon answers other calls than those that it gets. */
async function start(
  options: Partial<GuardOptions> = {},
  rewrite: (call: Rewritten) => Rewritten = (call) => call,
): Promise<void> {
  const { url, user, password, pubkey } = node.identities[0]!
  const daemon = await startServer(async ({ body }, response) => {
    const call = JSON.parse(body)
    const text = JSON.stringify({ ...call, ...rewrite(call) })
    const headers = { authorization: basic(user, password) }
    const answer = await rawRequest(url, { headers, body: text })
    reply(response, answer.status, answer.body)
  })
  guard = await createGuard({
    daemon: { url: daemon.url, credentials: () => ({ user, password }) },
    pubkey,
    network: networks.tokel,
    ...options,
  })
  open.push(guard, daemon)
}

interface Answered {
  readonly text: string
  readonly result: { readonly hex?: string; readonly error?: string } | string | null
  readonly error: { readonly code: number; readonly message: string } | null
}

async function call(method: string, params: readonly unknown[]): Promise<Answered> {
  const { user, password } = node.identities[0]!
  const headers = { authorization: basic(user, password) }
  const { body } = await rawRequest(guard.url, { headers, body: callText(method, params) })
  return { text: body, ...JSON.parse(body) }
}

/** Builds and sends. @returns the txid */
async function sent(method: string, params: readonly unknown[]): Promise<string> {
  const { text, result } = await call(method, params)
  const hex = (result as { hex?: string } | null)?.hex
  expect(hex, text).toMatch(/^[0-9a-f]{100,}$/)
  const { result: txid, error } = await call('sendrawtransaction', [hex])
  expect(error).toBeNull()
  return txid as string
}

/** The reason why a build was not handed over. */
async function reasonOf(method: string, params: readonly unknown[]): Promise<string> {
  const { text, result } = await call(method, params)
  expect(text).not.toMatch(/[0-9a-f]{170,}/)
  return (result as { error: string }).error
}

async function units(identity: number, tokenid: string): Promise<number> {
  const answer = await node.request('tokenv2balance', [tokenid], { identity })
  return (answer as { balance: number }).balance
}

/** A key that no identity of the node has. */
const stranger = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const keyOf = (identity: number): string => node.identities[identity]!.pubkey

function together(more: object = {}): string {
  const query = { tokenid: gold, destpubkeys: [keyOf(0), keyOf(1)], M: 2, amount: 20 }
  return JSON.stringify({ ...query, ...more })
}

async function policyOf(rules: object): Promise<FilePolicy> {
  const anything = { recipients: 'any', coins: 'any', tokens: 'any' }
  return new FilePolicy(
    JSON.stringify({ ...anything, ...rules }),
    await Limits.open(memoryJournal()),
  )
}

/** The chain as each test begins: a guard with a journal of its own holds what others paid. */
let beginning: string

beforeAll(async () => {
  node = await createDevNode({ network: networks.tokel, time: 1_800_000_000 })
  gold = await sentBy(node, 0, 'tokenv2create', 'GOLD', '0.00001')
  silver = await sentBy(node, 0, 'tokenv2create', 'SILVER', '0.00001')
  order = await sentBy(node, 0, 'tokenv2ask', '100', gold, '0.0001')
  beginning = node.snapshot()
})
afterAll(() => node.close())

beforeEach(async () => {
  node.revert(beginning)
  await start()
})
afterEach(async () => {
  node.faults.clear()
  for (const one of open.splice(0)) await one.close()
})

test('several tokens move at once, and a repetition gives the same bytes', async () => {
  const before = [await units(1, gold), await units(1, silver)]
  const params = [gold, silver, keyOf(1), '7']
  const { text, result } = await call('tokenv2transfermany', params)
  const { hex } = result as { hex: string }
  expect((await call('tokenv2transfermany', params)).text).toBe(text)
  expect(text).toBe(`{"result":{"hex":"${hex}"},"error":null,"id":1}\n`)
  await call('sendrawtransaction', [hex])
  const after = [await units(1, gold), await units(1, silver)]
  expect(after).toEqual(before.map((it) => it + 7))
})

test('keys get tokens together, by a text of JSON or by an object', async () => {
  const before = [await units(0, gold), await units(1, gold)]
  await sent('tokenv2transferMofN', [together()])
  await sent('tokenv2transferMofN', [{ tokenid: gold, destpubkeys: [keyOf(1)], M: 1, amount: 5 }])
  const after = [await units(0, gold), await units(1, gold)]
  expect(after).toEqual([before[0]! - 25, before[1]! + 5])
})

// komodo src/main.cpp, AreInputsStandard: a push of at most 520 bytes
test('units for so many keys that no node relays their spend are held', async () => {
  const destpubkeys = Array.from({ length: 5 }, (_, at) =>
    publicKeyOf(`${at + 11}`.padStart(64, '0')),
  )
  const params = [together({ destpubkeys, M: 5 })]
  expect(await reasonOf('tokenv2transferMofN', params)).toContain('spend_nonstandard')
})

test('tokens of both modules are burned', async () => {
  const before = await units(0, gold)
  await sent('tokenv2burn', [gold, '10', 'false'])
  expect(await units(0, gold)).toBe(before - 10)
  const old = await sent('tokencreate', ['OLD', '0.00001'])
  await sent('tokenburn', [old, '10', 'false'])
  expect(await node.request('tokenbalance', [old])).toMatchObject({ balance: 990 })
})

test('tokens with properties are created, of both modules', async () => {
  const properties = { url: 'https://example.org', id: 7, royalty: 50, arbitrary: 'DEad' }
  const given = ['ART', '0.00000001', 'a picture']
  const art = await sent('tokenv2createtokel', [...given, JSON.stringify(properties)])
  const dataAsJson = { ...properties, arbitrary: 'dead' }
  expect(await node.request('tokenv2infotokel', [art])).toMatchObject({ dataAsJson })
  const old = await sent('tokencreatetokel', [...given, JSON.stringify(properties)])
  expect(await node.request('tokeninfotokel', [old])).toMatchObject({ dataAsJson })
  await sent('tokenv2createtokel', given.slice(0, 2))
  await sent('tokenv2createtokel', [...given, '{}'])
})

describe('parameters that two readers could read differently', () => {
  test.each<[string, string, readonly unknown[]]>([
    ['no destination', 'tokenv2transfermany', ['{gold}', '5']],
    ['an address for several tokens', 'tokenv2transfermany', ['{gold}', '{address}', '5']],
    ['an exponent', 'tokenv2transfermany', ['{gold}', '{key}', '1e3']],
    ['a list of tokens', 'tokenv2transfermany', [['{gold}'], '{key}', '5']],
    ['a burn without its third parameter', 'tokenv2burn', ['{gold}', '5']],
    ['a burn with another word', 'tokenv2burn', ['{gold}', '5', 'no']],
    ['a number in place of a word', 'tokenv2burn', ['{gold}', '5', 0]],
    ['no JSON', 'tokenv2transferMofN', ['x']],
    ['a list of JSON', 'tokenv2transferMofN', ['[]']],
    ['nothing in the JSON', 'tokenv2transferMofN', ['{}']],
    ['a member twice', 'tokenv2transferMofN', ['{"M":1,"M":2}']],
    ['two documents', 'tokenv2transferMofN', ['{} {}']],
    ['an unknown member', 'tokenv2transferMofN', ['+{"destpubkey":"x"}']],
    ['an address of several keys', 'tokenv2transferMofN', ['+{"ccaddressMofN":"x"}']],
    ['no address of several keys', 'tokenv2transferMofN', ['+{"ccaddressMofN":null}']],
    ['an amount as text', 'tokenv2transferMofN', ['+{"amount":"5"}']],
    ['an amount with a fraction', 'tokenv2transferMofN', ['+{"amount":5.5}']],
    ['a number of keys as text', 'tokenv2transferMofN', ['+{"M":"2"}']],
    ['a negative number of keys', 'tokenv2transferMofN', ['+{"M":-1}']],
    ['a key as its address', 'tokenv2transferMofN', ['+{"destpubkeys":["{address}"]}']],
    ['no keys', 'tokenv2transferMofN', ['+{"destpubkeys":[]}']],
    ['keys as text', 'tokenv2transferMofN', ['+{"destpubkeys":"{key}"}']],
    ['hex in place of properties', 'tokenv2createtokel', ['A', '1', 'b', 'f701']],
    ['a property twice', 'tokenv2createtokel', ['A', '1', 'b', '{"id":1,"id":2}']],
    ['an unknown property', 'tokenv2createtokel', ['A', '1', 'b', '{"Royalty":5}']],
    ['a royalty as text', 'tokenv2createtokel', ['A', '1', 'b', '{"royalty":"5"}']],
    ['a royalty with an exponent', 'tokenv2createtokel', ['A', '1', 'b', '{"royalty":1e2}']],
    ['half of a byte', 'tokenv2createtokel', ['A', '1', 'b', '{"arbitrary":"abc"}']],
    ['a number as URL', 'tokenv2createtokel', ['A', '1', 'b', '{"url":5}']],
    ['a list as properties', 'tokenv2createtokel', ['A', '1', 'b', []]],
  ])('%s in %s is refused, and nothing is built', async (_, method, given) => {
    const { pubkey, address } = node.identities[1]!
    const params = JSON.parse(
      JSON.stringify(given)
        .replaceAll('{gold}', gold)
        .replaceAll('{key}', pubkey)
        .replaceAll('{address}', address),
    ).map((it: unknown) =>
      typeof it === 'string' && it.startsWith('+') ? together(JSON.parse(it.slice(1))) : it,
    )
    node.faults.add({ kind: 'error', method, code: -1, message: 'was asked' })
    expect(await reasonOf(method, params)).toMatch(/^guard: params/)
  })
})

// tokel src/cc/CCtokens_impl.h, CheckMarkerSpending: only a token of one unit may lose its marker.
test.each(['tokenv2burn', 'tokenburn'])(
  '%s that would spend the marker is refused in words, and nothing is built',
  async (method) => {
    node.faults.add({ kind: 'error', method, code: -1, message: 'was asked' })
    expect(await reasonOf(method, [gold, '1', 'true'])).toMatch(
      /^guard: params\[2\].*false: the guard cannot verify a burn that spends the marker/,
    )
    expect(await reasonOf(method, [gold, '1', true])).toContain('params[2]')
  },
)

describe('a daemon that builds something else', () => {
  test.each<[string, (call: Rewritten) => Rewritten, string, string]>([
    [
      'fewer keys that sign',
      ({ method }) => ({ method, params: [together({ M: 1 })] }),
      'tokenv2transferMofN',
      'destination',
    ],
    [
      'another key among several',
      ({ method }) => ({ method, params: [together({ destpubkeys: [keyOf(0), stranger] })] }),
      'tokenv2transferMofN',
      'destination',
    ],
    [
      'a transfer in place of a burn',
      () => ({ method: 'tokenv2transfer', params: [gold, keyOf(1), '10'] }),
      'tokenv2burn',
      'destination',
    ],
    [
      'a burn in place of a transfer',
      () => ({ method: 'tokenv2burn', params: [gold, '5', 'false'] }),
      'tokenv2transfer',
      'destination',
    ],
    [
      'a fill of fewer units than the order has',
      () => ({ method: 'tokenv2fillask', params: [gold, order, '50'] }),
      'tokenv2fillask',
      'order_',
    ],
    [
      'one token of two',
      () => ({ method: 'tokenv2transfermany', params: [gold, keyOf(1), '7'] }),
      'tokenv2transfermany',
      'destination',
    ],
    [
      'another recipient of several tokens',
      () => ({ method: 'tokenv2transfermany', params: [gold, silver, keyOf(0), '7'] }),
      'tokenv2transfermany',
      'destination',
    ],
    [
      'more units of each token',
      () => ({ method: 'tokenv2transfermany', params: [gold, silver, keyOf(1), '70'] }),
      'tokenv2transfermany',
      'amount',
    ],
    [
      'another royalty',
      ({ method }) => ({ method, params: ['ART', '0.00000001', 'a', '{"royalty":999}'] }),
      'tokenv2createtokel',
      'property',
    ],
    [
      'a property that nobody asked for',
      ({ method }) => ({ method, params: ['ART', '0.00000001', 'a', '{"royalty":5,"id":1}'] }),
      'tokenv2createtokel',
      'property',
    ],
    [
      'no properties',
      () => ({ method: 'tokenv2create', params: ['ART', '0.00000001', 'a'] }),
      'tokenv2createtokel',
      'data',
    ],
    [
      'the other module',
      () => ({ method: 'tokencreatetokel', params: ['ART', '0.00000001', 'a', '{"royalty":5}'] }),
      'tokenv2createtokel',
      'marker|issuance|nulldata',
    ],
  ])('%s is rejected, and its hex is nowhere', async (_, rewrite, asked, code) => {
    const paramsOf: Record<string, readonly unknown[]> = {
      tokenv2transferMofN: [together()],
      tokenv2burn: [gold, '10', 'false'],
      tokenv2fillask: [gold, order, '777'],
      tokenv2transfer: [gold, keyOf(1), '5'],
      tokenv2transfermany: [gold, silver, keyOf(1), '7'],
      tokenv2createtokel: ['ART', '0.00000001', 'a', '{"royalty":5}'],
    }
    await start({}, (made) => (made.method === asked ? rewrite(made) : made))
    const waiting = await node.request('getrawmempool', [])
    const reason = await reasonOf(asked, paramsOf[asked]!)
    expect(reason).toMatch(new RegExp(`^guard: rejected: .*(${code})`))
    expect(await node.request('getrawmempool', [])).toEqual(waiting)
  })

  test.each<[Tamper, string]>([
    ['stolen_change', 'native_change_destination'],
    ['wrong_destination', 'destination'],
    ['stolen_token_change', 'token_change_destination'],
    ['raised_fee', 'fee_too_high'],
  ])('%s is rejected in every method that moves tokens', async (tamper, code) => {
    node.faults.add({ kind: 'tampered_hex', tamper })
    // The node tampers with tokens by the payload, which a transfer of several tokens lacks.
    const isOfTokens = /destination|token/.test(tamper)
    for (const [method, params] of [
      ...(isOfTokens ? [] : ([['tokenv2transfermany', [gold, silver, keyOf(1), '7']]] as const)),
      ['tokenv2transferMofN', [together()]],
      ['tokenv2burn', [gold, '10', 'false']],
    ] as const) {
      expect(await reasonOf(method, params), method).toMatch(
        new RegExp(`^guard: rejected: .*${code}`),
      )
    }
  })
})

describe('limits', () => {
  test('limits of each token hold for several at once, and none is left unnamed', async () => {
    const tokens = { [gold]: 'any', [silver]: { perPayment: '5' } }
    await start({ policy: await policyOf({ tokens }) })
    const many = ['tokenv2transfermany', [gold, silver, keyOf(1), '7']] as const
    expect(await reasonOf(...many)).toContain(`tokens.${silver}.perPayment`)
    await start({ policy: await policyOf({ tokens: { [gold]: 'any' } }) })
    expect(await reasonOf(...many)).toContain('(tokens): a token that the policy does not name')
    await start({ policy: await policyOf({ tokens: { [gold]: 'any', [silver]: 'any' } }) })
    await sent(...many)
  })

  test('limits of each token hold in a case of guard_submit too', async () => {
    const { hex } = (await node.request('tokenv2transfermany', [gold, silver, keyOf(1), '7'])) as {
      hex: string
    }
    const intent = { tokenid: gold, tokenids: [gold, silver], from: keyOf(0), amount: '7' }
    const given = {
      operation: 'tokentransfer',
      network: 'tokel',
      intent: { ...intent, destination: keyOf(1) },
    }
    const tokens = { [gold]: 'any', [silver]: { perPayment: '5' } }
    await start({ policy: await policyOf({ tokens }) })
    expect((await call('guard_submit', [hex, given])).error!.message).toContain(silver)
    await start()
    expect((await call('guard_submit', [hex, given])).result).toMatch(/^[0-9a-f]{64}$/)
  })

  test('a denied key is denied among several keys, and a burn needs leave', async () => {
    await start({
      policy: await policyOf({ recipients: { deny: [keyOf(1)] } }),
    })
    expect(await reasonOf('tokenv2transferMofN', [together()])).toContain('recipients.deny')
    expect(await reasonOf('tokenv2burn', [gold, '10', 'false'])).toContain('(burn)')
  })
})

test('methods that the guard cannot verify are refused by name, with what helps', async () => {
  for (const [method, help] of [
    ['tokentransfermany', 'Transfer each token by tokentransfer.'],
    ['tokenv2addccinputs', 'Submit the signed transaction by guard_submit HEX CASE.'],
    ['addccv2signature', 'guard_submit HEX CASE, with fromKeys in its intent.'],
    ['createccevaltx', ''],
    ['tokenswapask', ''],
  ] as const) {
    const { error } = await call(method, [])
    expect(error, method).toMatchObject({ code: -2 })
    expect(error!.message).toContain(`guard: ${method} is refused`)
    expect(error!.message).toContain(help)
    expect(explainMethod(method)).toContain(help)
  }
  expect(explainMethod('tokenv2burn')).toContain('`remove`')
  expect(explainMethod('tokenv2transferMofN')).toContain('`ccaddressMofN`')
})

describe('guard_submit', () => {
  test('guard_submit sends what two keys signed, one after the other', async () => {
    const pubkeys = [keyOf(0), keyOf(1)]
    const txid = await sent('tokenv2transferMofN', [together()])
    const paid = (await node.request('getrawtransaction', [txid, 1])) as {
      vout: { scriptPubKey: { addresses: string[] } }[]
    }
    const [ccaddressMofN] = paid.vout[0]!.scriptPubKey.addresses
    const back = { tokenid: gold, ccaddressMofN, destpubkeys: [keyOf(1)], M: 1, amount: 8 }
    const half = (await node.request('tokenv2transferMofN', [JSON.stringify(back)])) as {
      hex: string
      PartiallySigned: object
    }
    const signed = [half.hex, JSON.stringify(half.PartiallySigned)]
    const whole = (await node.request('addccv2signature', signed, { identity: 1 })) as {
      hex: string
    }
    const given = (amount: string) => ({
      operation: 'tokentransfer',
      network: 'tokel',
      intent: {
        tokenid: gold,
        from: keyOf(0),
        destination: keyOf(1),
        destinationKeys: { required: 1, pubkeys: [keyOf(1)] },
        amount,
        fromKeys: { required: 2, pubkeys },
      },
    })
    expect((await call('guard_submit', [half.hex, given('8')])).error!.message).toMatch(
      /^guard: rejected: .*signature/,
    )
    expect((await call('guard_submit', [whole.hex, given('7')])).error!.message).toMatch(
      /^guard: rejected: amount/,
    )
    expect((await call('guard_submit', [whole.hex, given('8')])).result).toMatch(/^[0-9a-f]{64}$/)
  })

  test('pays nobody whom the policy denies, in upper case neither', async () => {
    await start({ policy: await policyOf({ recipients: { deny: [keyOf(1)] } }) })
    const { hex } = (await node.request('tokenv2transfer', [gold, keyOf(1), '5'])) as {
      hex: string
    }
    for (const destination of [keyOf(1), keyOf(1).toUpperCase(), node.identities[1]!.address]) {
      const intent = { tokenid: gold, from: keyOf(0), destination, amount: '5' }
      const given = { operation: 'tokentransfer', network: 'tokel', intent }
      const { error } = await call('guard_submit', [hex, given])
      expect(error!.message, destination).toContain('recipients.deny')
    }
  })
})
