// Each member of each operation's intent, as a case file has it: what it may be, what it may not,
// and what is said then.

import { describe, expect, test } from 'vitest'

import {
  defineNetwork,
  formatCase,
  isAntaraError,
  networks,
  parseCase,
} from '../../../src/index.ts'

const id = '11'.repeat(32)
const pubkey = `02${'22'.repeat(32)}`

const transfer = { tokenid: id, destination: pubkey, amount: '5', from: pubkey }
const create = { name: 'N', supply: '7', description: 'd', owner: pubkey }
const payment = { recipients: [{ address: 'R', amount: '1' }], own: [pubkey] }
const offer = { tokenid: id, units: '3', price: '9', from: pubkey }
const fill = { tokenid: id, order: id, units: '3', price: '9', from: pubkey }
const cancel = { tokenid: id, order: id, from: pubkey }

/** The least that each operation is asked with. */
const least: Readonly<Record<string, object>> = {
  tokentransfer: transfer,
  tokencreate: create,
  payment,
  tokenask: offer,
  tokenbid: offer,
  tokenfillask: fill,
  tokenfillbid: fill,
  tokencancelask: cancel,
  tokencancelbid: cancel,
}

const fileOf = (operation: string, intent: object, more: object = {}) => ({
  operation,
  intent: { ...least[operation], ...intent },
  hex: '00',
  previousTransactions: [],
  ...more,
})
const read = (operation: string, intent: object, more: object = {}) =>
  parseCase(JSON.stringify(fileOf(operation, intent, more)))

function reported(run: () => unknown): object {
  try {
    run()
  } catch (error) {
    if (isAntaraError(error)) return { code: error.code, ...error.context }
    throw error
  }
  throw new Error('nothing was thrown')
}

const orderKinds = {
  tokenask: 'ask',
  tokenbid: 'bid',
  tokenfillask: 'fillAsk',
  tokenfillbid: 'fillBid',
  tokencancelask: 'cancelAsk',
  tokencancelbid: 'cancelBid',
} as const

describe('members that may be absent', () => {
  const network = networks.assetChain
  const exact = (given: object) =>
    JSON.parse(
      JSON.stringify(given, (_, it: unknown) => (typeof it === 'bigint' ? `${it}` : it)),
    ) as object
  test.each(Object.entries(least))('leaves out optional members of %s', (operation, intent) => {
    const { intent: got } = read(operation, {})
    const kind = orderKinds[operation as keyof typeof orderKinds]
    expect(got.network).toBe(network)
    const expected = { ...intent, ...(kind !== undefined && { kind }), network }
    expect(Object.keys(got).toSorted()).toEqual(Object.keys(expected).toSorted())
    expect(exact(got)).toEqual(exact(expected))
  })

  test('leaves out optional members of a file', () => {
    const { previousTransactions: _, ...bare } = fileOf('payment', {})
    expect(parseCase(JSON.stringify(bare)).evidence).toEqual({ previousTransactions: [] })
  })
})

describe('members that are given', () => {
  const terms = {
    fee: '1',
    maxFee: '2',
    ownKeys: [pubkey],
    spendable: [{ txid: id, vout: 3 }],
    onChain: [id],
    reportedBy: 'a daemon',
    expiryBlocksMax: 7,
  }
  const termsRead = { ...terms, fee: 1n, maxFee: 2n }
  test.each(Object.keys(least))('keeps the terms of %s', (operation) => {
    expect(read(operation, terms).intent).toMatchObject(termsRead)
  })

  test.each<[operation: string, given: object, got: object]>([
    ['tokentransfer', { burn: true }, { burn: true }],
    ['tokentransfer', { burn: false }, { burn: false }],
    ['tokentransfer', { amount: '0' }, { amount: 0n }],
    ['tokentransfer', { amount: '9'.repeat(20) }, { amount: 10n ** 20n - 1n }],
    [
      'tokentransfer',
      { recipients: [{ pubkey, amount: '5' }] },
      { recipients: [{ pubkey, amount: 5n }] },
    ],
    [
      'tokentransfer',
      { destinationKeys: { required: 1, pubkeys: [pubkey] }, tokenids: [id] },
      { destinationKeys: { required: 1, pubkeys: [pubkey] }, tokenids: [id] },
    ],
    [
      'tokentransfer',
      { fromKeys: { required: 2, pubkeys: [] } },
      { fromKeys: { required: 2, pubkeys: [] } },
    ],
    ['tokencreate', { data: '00', version: 1 }, { data: '00', version: 1 }],
    ['tokencreate', { version: 2 }, { version: 2 }],
    ['tokencreate', { properties: {} }, { properties: {} }],
    [
      'tokencreate',
      { properties: { id: 1, url: 'u', royalty: 0, arbitrary: '00' } },
      { properties: { id: 1, url: 'u', royalty: 0, arbitrary: '00' } },
    ],
    [
      'payment',
      { recipients: [{ script: '51', amount: 'max' }] },
      { recipients: [{ script: '51', amount: 'max' }] },
    ],
    [
      'payment',
      { recipients: [{ address: 'R', script: '51', amount: '4' }] },
      { recipients: [{ address: 'R', script: '51', amount: 4n }] },
    ],
    [
      'payment',
      { redeemScripts: ['51'], nulldata: '00', feeRate: '8', lockTime: 0, expiryHeight: 9 },
      { redeemScripts: ['51'], nulldata: '00', feeRate: 8n, lockTime: 0, expiryHeight: 9 },
    ],
    ['payment', { lockTime: 2 ** 32 - 1 }, { lockTime: 2 ** 32 - 1 }],
    ['tokenask', { kind: 'ask', expiryHeight: 6 }, { kind: 'ask', expiryHeight: 6 }],
    ['tokenfillbid', { price: '2' }, { price: 2n, kind: 'fillBid' }],
  ])('keeps the members of %s in %o', (operation, given, got) => {
    const { intent } = read(operation, given)
    expect(intent).toMatchObject(got)
    for (const [member, value] of Object.entries(got)) {
      expect((intent as unknown as Record<string, unknown>)[member]).toEqual(value)
    }
  })

  test('keeps the members of the evidence', () => {
    const evidence = {
      previousTransactions: ['00', ''],
      tokenCreate: '',
      tipHeight: 0,
      tipTime: 5,
      medianTime: 4,
      heights: { [id]: 0 },
      amounts: [{ txid: id, vout: 0, value: '6' }],
    }
    const got = { ...evidence, amounts: [{ txid: id, vout: 0, value: 6n }] }
    expect(read('payment', {}, evidence).evidence).toEqual(got)
  })
})

describe('values of members: what is refused', () => {
  const anAmount = 'a string of 1 to 20 decimal digits'
  const aHeight = 'a whole number from 0 to 4294967295'
  const aString = 'a string'
  const aKey = 'what may be a private key'
  type Row = [operation: string, given: object, path: string, expected: string, actual: unknown]
  test.each<Row>([
    ['tokentransfer', { amount: 5 }, 'intent.amount', anAmount, 5],
    ['tokentransfer', { amount: '5.0' }, 'intent.amount', anAmount, '5.0'],
    ['tokentransfer', { amount: '-5' }, 'intent.amount', anAmount, '-5'],
    ['tokentransfer', { amount: '' }, 'intent.amount', anAmount, ''],
    ['tokentransfer', { amount: '1'.repeat(21) }, 'intent.amount', anAmount, '1'.repeat(21)],
    ['tokentransfer', { amount: undefined }, 'intent.amount', anAmount, 'nothing'],
    ['tokentransfer', { amount: null }, 'intent.amount', anAmount, null],
    ['tokentransfer', { tokenid: 1 }, 'intent.tokenid', aString, 1],
    ['tokentransfer', { from: [] }, 'intent.from', aString, 'an array'],
    ['tokentransfer', { burn: 'true' }, 'intent.burn', 'true or false', 'true'],
    ['tokentransfer', { burn: null }, 'intent.burn', 'true or false', null],
    ['tokentransfer', { tokenids: id }, 'intent.tokenids', 'an array of strings', aKey],
    ['tokentransfer', { tokenids: [id, 1] }, 'intent.tokenids[1]', aString, 1],
    ['tokentransfer', { recipients: 1 }, 'intent.recipients', 'an array of recipients', 1],
    ['tokentransfer', { recipients: [1] }, 'intent.recipients[0]', 'an object', 1],
    ['tokentransfer', { recipients: [[]] }, 'intent.recipients[0]', 'an object', 'an array'],
    [
      'tokentransfer',
      { recipients: [{ pubkey, amount: '1' }, { amount: '1' }] },
      'intent.recipients[1].pubkey',
      aString,
      'nothing',
    ],
    [
      'tokentransfer',
      { recipients: [{ pubkey }] },
      'intent.recipients[0].amount',
      anAmount,
      'nothing',
    ],
    [
      'tokentransfer',
      { recipients: [{ pubkey, amount: '1', vout: 1 }] },
      'intent.recipients[0].vout',
      'pubkey, amount',
      'vout',
    ],
    ['tokentransfer', { fromKeys: [pubkey] }, 'intent.fromKeys', 'an object', 'an array'],
    [
      'tokentransfer',
      { fromKeys: { required: '1', pubkeys: [] } },
      'intent.fromKeys.required',
      aHeight,
      '1',
    ],
    [
      'tokentransfer',
      { fromKeys: { required: 1, pubkeys: pubkey } },
      'intent.fromKeys.pubkeys',
      'an array of strings',
      pubkey,
    ],
    [
      'tokentransfer',
      { destinationKeys: { required: 1, pubkeys: [], of: 2 } },
      'intent.destinationKeys.of',
      'required, pubkeys',
      'of',
    ],
    ['tokencreate', { version: 3 }, 'intent.version', '1 or 2', 3],
    ['tokencreate', { version: '2' }, 'intent.version', '1 or 2', '2'],
    ['tokencreate', { properties: 1 }, 'intent.properties', 'an object', 1],
    [
      'tokencreate',
      { properties: { name: 'x' } },
      'intent.properties.name',
      'id, url, royalty, arbitrary',
      'name',
    ],
    ['tokencreate', { properties: { id: '1' } }, 'intent.properties.id', aHeight, '1'],
    ['tokencreate', { properties: { url: 1 } }, 'intent.properties.url', aString, 1],
    ['tokencreate', { properties: { royalty: 0.5 } }, 'intent.properties.royalty', aHeight, 0.5],
    ['tokencreate', { properties: { arbitrary: 0 } }, 'intent.properties.arbitrary', aString, 0],
    ['payment', { recipients: {} }, 'intent.recipients', 'an array of recipients', 'Object'],
    ['payment', { recipients: ['R'] }, 'intent.recipients[0]', 'an object', 'R'],
    [
      'payment',
      { recipients: [{ amount: 'all' }] },
      'intent.recipients[0].amount',
      anAmount,
      'all',
    ],
    [
      'payment',
      { recipients: [{ address: 1, amount: '1' }] },
      'intent.recipients[0].address',
      aString,
      1,
    ],
    [
      'payment',
      { recipients: [{ script: 1, amount: '1' }] },
      'intent.recipients[0].script',
      aString,
      1,
    ],
    [
      'payment',
      { recipients: [{ pubkey, amount: '1' }] },
      'intent.recipients[0].pubkey',
      'address, script, amount',
      'pubkey',
    ],
    ['payment', { own: pubkey }, 'intent.own', 'an array of strings', pubkey],
    ['payment', { redeemScripts: [1] }, 'intent.redeemScripts[0]', 'hex of at least one byte', 1],
    [
      'payment',
      { redeemScripts: ['51', 'x'] },
      'intent.redeemScripts[1]',
      'hex of at least one byte',
      'x',
    ],
    ['payment', { redeemScripts: [''] }, 'intent.redeemScripts[0]', 'hex of at least one byte', ''],
    ['payment', { lockTime: -1 }, 'intent.lockTime', aHeight, -1],
    ['payment', { lockTime: 2 ** 32 }, 'intent.lockTime', aHeight, 2 ** 32],
    ['payment', { expiryHeight: '9' }, 'intent.expiryHeight', aHeight, '9'],
    ['tokenask', { kind: 'bid' }, 'intent.kind', 'ask', 'bid'],
    ['tokenfillask', { kind: 1 }, 'intent.kind', 'fillAsk', 1],
    ['payment', { fee: 1 }, 'intent.fee', anAmount, 1],
    ['payment', { maxFee: 1 }, 'intent.maxFee', anAmount, 1],
    ['payment', { ownKeys: pubkey }, 'intent.ownKeys', 'an array of strings', pubkey],
    ['payment', { spendable: id }, 'intent.spendable', 'an array of outpoints', aKey],
    ['payment', { spendable: [id] }, 'intent.spendable[0]', 'an object', aKey],
    ['payment', { spendable: [{ vout: 0 }] }, 'intent.spendable[0].txid', aString, 'nothing'],
    ['payment', { spendable: [{ txid: id }] }, 'intent.spendable[0].vout', aHeight, 'nothing'],
    [
      'payment',
      { spendable: [{ txid: id, vout: 0, n: 0 }] },
      'intent.spendable[0].n',
      'txid, vout',
      'n',
    ],
    ['payment', { onChain: id }, 'intent.onChain', 'an array of strings', aKey],
    ['payment', { reportedBy: 1 }, 'intent.reportedBy', aString, 1],
    ['payment', { expiryBlocksMax: '7' }, 'intent.expiryBlocksMax', aHeight, '7'],
  ])('refuses %s with %o', (operation, given, path, expected, actual) => {
    expect(reported(() => read(operation, given))).toEqual({
      code: 'malformed_case',
      path,
      expected,
      actual,
    })
  })

  test.each<[more: object, path: string, expected: string, actual: unknown]>([
    [{ heights: [] }, 'heights', 'an object', 'an array'],
    [{ heights: 1 }, 'heights', 'an object', 1],
    [{ heights: null }, 'heights', 'an object', null],
    [{ heights: { [id]: '1' } }, `heights.${id}`, aHeight, '1'],
    [{ amounts: {} }, 'amounts', 'an array of amounts', 'Object'],
    [{ amounts: [1] }, 'amounts[0]', 'an object', 1],
    [{ amounts: [{ vout: 0, value: '1' }] }, 'amounts[0].txid', aString, 'nothing'],
    [{ amounts: [{ txid: id, value: '1' }] }, 'amounts[0].vout', aHeight, 'nothing'],
    [{ amounts: [{ txid: id, vout: 0, value: 1 }] }, 'amounts[0].value', anAmount, 1],
    [
      { amounts: [{ txid: id, vout: 0, value: '1', by: 'x' }] },
      'amounts[0].by',
      'txid, vout, value',
      'by',
    ],
    [{ network: 'bitcoin' }, 'network', Object.keys(networks).join(', '), 'bitcoin'],
    [{ network: 'toString' }, 'network', Object.keys(networks).join(', '), 'toString'],
    [{ network: 1 }, 'network', 'an object', 1],
    [{ network: { maxMoney: 1 } }, 'network.maxMoney', anAmount, 1],
    // The reader of a name relies on its meaning.
    [
      { network: { name: 'assetChain', pubKeyHashPrefix: 85, scriptHashPrefix: 61 } },
      'network.pubKeyHashPrefix',
      '60, or another name: assetChain is known',
      '85',
    ],
    [
      { network: { name: 'assetChain', conditions: 'tokel' } },
      'network.conditions',
      'komodo, or another name: assetChain is known',
      'tokel',
    ],
    [
      { network: { name: 'komodo' } },
      'network.conditions',
      'none, or another name: komodo is known',
      'komodo',
    ],
    [
      { network: { name: 'tokel', conditions: 'tokel', conditionPrefix: 28 } },
      'network.nulldataBytesMax',
      '8192, or another name: tokel is known',
      '208',
    ],
    [
      { network: { pubKeyHashPrefix: '60' } },
      'network',
      'overrides of assetChain',
      'pubKeyHashPrefix: expected a number, got a string',
    ],
  ])('refuses a file with %o', (more, path, expected, actual) => {
    expect(reported(() => read('payment', {}, more))).toEqual({
      code: 'malformed_case',
      path,
      expected,
      actual,
    })
  })

  test('refuses members that no operation has', () => {
    for (const operation of Object.keys(least)) {
      const { path, expected } = reported(() => read(operation, { spare: 1 })) as Record<
        string,
        string
      >
      expect(path).toBe('intent.spare')
      const known = expected!.split(', ')
      const terms = ['fee', 'maxFee', 'ownKeys', 'spendable', 'onChain', 'reportedBy']
      expect(known).toEqual(expect.arrayContaining([...terms, 'expiryBlocksMax']))
      expect(known).toEqual(expect.arrayContaining(Object.keys(least[operation]!)))
      expect(known).not.toContain('network')
    }
  })
})

describe('members that are written', () => {
  test('is read again as it was', () => {
    const text = JSON.stringify(
      fileOf(
        'payment',
        { fee: '1', spendable: [{ txid: id, vout: 3 }] },
        {
          network: 'tokel',
          previousTransactions: ['00'],
          tokenCreate: '01',
          tipHeight: 7,
          tipTime: 8,
          medianTime: 8,
          heights: { [id]: 9 },
          amounts: [{ txid: id, vout: 0, value: '6' }],
        },
      ),
    )
    const given = parseCase(text)
    expect(JSON.parse(formatCase(given))).toEqual(JSON.parse(text))
    const { evidence, ...asked } = given
    // as builders give it
    expect(formatCase({ ...asked, ...evidence } as never)).toBe(formatCase(given))
    expect(Object.keys(JSON.parse(formatCase(read('payment', {}))))).toEqual([
      'operation',
      'network',
      'intent',
      'hex',
      'previousTransactions',
    ])
  })

  test('writes a network by its name, or by its differences', () => {
    const written = (network: unknown) =>
      JSON.parse(formatCase(read('payment', {}, { network }))).network
    for (const name of Object.keys(networks)) expect(written(name)).toBe(name)
    expect(written({ name: 'TOK', maxMoney: '5' })).toEqual({ name: 'TOK', maxMoney: '5' })
    const { intent, ...rest } = read('payment', {})
    const bare = { ...rest, intent: { ...intent } }
    delete (bare.intent as { network?: unknown }).network
    expect(JSON.parse(formatCase(bare as never)).network).toBe('assetChain')
    const same = { ...rest, intent: { ...intent, network: defineNetwork({}) } }
    expect(JSON.parse(formatCase(same as never)).network).toBe('assetChain')
  })

  // {"name":"tokel"} with other members would be refused, and a wallet may have such a network
  test.each([
    ['of its own name', { name: 'TOK', pubKeyHashPrefix: 86, conditions: 'tokel' as const }, {}],
    ['of no name', { pubKeyHashPrefix: 86, maxMoney: 5n }, {}],
    ['of a known name', { ...networks.tokel, maxMoney: 5n }, { name: 'assetChain' }],
    ['of a known one, copied', { ...networks.tokel }, {}],
  ])('reads a network that was written %s', (_, overrides, renamed) => {
    const network = defineNetwork(overrides)
    const { intent, ...rest } = read('payment', {})
    const text = formatCase({ ...rest, intent: { ...intent, network } } as never)
    expect(parseCase(text).intent.network).toEqual({ ...network, ...renamed })
  })

  test('is not a function', () => {
    const { intent, ...rest } = read('payment', {})
    const given = { ...rest, intent: { ...intent, own: () => true } }
    expect(() => formatCase(given as never)).toThrow(
      'intent.own: expected keys, addresses or scripts, for a file holds no function, got a function',
    )
  })
})
