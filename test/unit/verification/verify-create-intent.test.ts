// These tests cover which creations an intent may request, and the findings for the others: a row
// for each side of each limit. Only the last test verifies a transaction: in the others the hex is
// empty.

import { describe, expect, test } from 'vitest'

import {
  type CreateIntent,
  encodeTransaction,
  networks,
  verifyTokenCreate,
} from '../../../src/index.ts'
import { tokenCreate } from '../../../src/verification/operations/create.ts'
import {
  a,
  b,
  create,
  createHex,
  createIntent,
  evidenceFor,
  moduleKey,
} from '../../support/resigned.ts'

const intent: CreateIntent = { name: 'GOLD', supply: 5n, description: 'a token', owner: a }
const { tokel } = networks
const none = { previousTransactions: [] }

const check = (changed: object) =>
  verifyTokenCreate('', { ...intent, ...changed } as CreateIntent, none).findings.filter(
    ({ code }) => code !== 'empty_input',
  )
const reported = (changed: object) => check(changed).map(({ code, path }) => [code, path])

const version = [['intent_version', 'intent.version']]

describe('of the wrong type, told by its place', () => {
  test.each<[string, object | null]>([
    ['intent', null],
    ['intent.name', { name: 7 }],
    ['intent.supply', { supply: 7 }],
    ['intent.description', { description: 7 }],
    ['intent.description', { description: null }],
    ['intent.data', { data: 7 }],
    ['intent.data', { data: null }],
    ['intent.owner', { owner: 7 }],
    ['intent.version', { version: 0 }],
    ['intent.version', { version: 3 }],
    ['intent.version', { version: '1' }],
    ['intent.version', { version: null }],
    ['intent.properties', { properties: 'x' }],
    ['intent.properties', { properties: null }],
    ['intent.properties', { properties: { ID: 1 } }],
    ['intent.properties', { properties: { urlHex: '00' } }],
    ['intent.properties.id', { properties: { id: '1' } }],
    ['intent.properties.royalty', { properties: { id: 1, royalty: '1' } }],
    ['intent.properties.url', { properties: { url: 1 } }],
    ['intent.properties.arbitrary', { properties: { arbitrary: 1 } }],
  ])('%s', (path, changed) => {
    const given = changed === null ? null : { ...intent, ...changed }
    const call = () => verifyTokenCreate('', given as never, none)
    expect(call).toThrow(TypeError)
    expect(call).toThrow(new RegExp(`^${path.replace(/[.]/g, '\\.')}:? `))
  })

  test.each([1, 2] as const)('versions that tokeld has: %i', (version) => {
    expect(reported({ network: tokel, version })).toEqual([])
  })

  test('a missing member has no type', () => {
    const absent = {
      description: undefined,
      data: undefined,
      version: undefined,
      properties: undefined,
    }
    expect(reported(absent)).toEqual([])
    const properties = { id: undefined, url: undefined, royalty: 1, arbitrary: undefined }
    expect(reported({ network: tokel, properties })).toEqual([])
  })
})

// komodo src/wallet/rpcwallet.cpp, tokencreate
describe('texts', () => {
  const name = [['intent_name', 'intent.name']]
  const description = [['intent_description', 'intent.description']]
  test.each<[string, object, string[][], string?]>([
    ['no name', { name: '' }, name, '0 bytes'],
    ['a name of one byte', { name: 'G' }, []],
    ['a name of 32 bytes', { name: 'G'.repeat(32) }, []],
    ['a name of 33 bytes', { name: 'G'.repeat(33) }, name, '33 bytes'],
    ['a name of 16 letters of two bytes', { name: 'é'.repeat(16) }, []],
    ['a name of 17 letters of two bytes', { name: 'é'.repeat(17) }, name, '34 bytes'],
    ['a whole character of two surrogates', { name: '\u{1f600}' }, []],
    ['the first half of one', { name: 'G\ud83d' }, name, 'half of a character'],
    ['the second half of one', { name: '\ude00G' }, name, 'half of a character'],
    ['what half of a character becomes', { name: '\ufffd' }, []],
    ['no description', { description: '' }, []],
    ['a description of 4096 bytes', { description: 'd'.repeat(4096) }, []],
    ['one of 4097 bytes', { description: 'd'.repeat(4097) }, description, '4097 bytes'],
    ['one with half a character', { description: 'a \ud83d' }, description, 'half of a character'],
  ])('%s', (_, changed, expected, actual) => {
    expect(reported(changed)).toEqual(expected)
    expect(check(changed).map((it) => it.actual)).toEqual(actual === undefined ? [] : [actual])
  })
})

// komodo src/wallet/rpcwallet.cpp, tokencreate: at most 10001 bytes, of which there is one unit on
// komodod's chains
describe('data', () => {
  const bad = [['intent_data', 'intent.data']]
  test.each<[string, object, string[][]]>([
    ['no bytes', { data: '' }, bad],
    ['a byte', { data: 'f1' }, []],
    ['a byte in upper case', { data: 'F1' }, []],
    ['half a byte', { data: 'f1f' }, bad],
    ['no hex', { data: 'f1gg' }, bad],
    ['hex and more', { data: 'f1 ' }, bad],
    ['more and hex', { data: ' f1' }, bad],
    ['10001 bytes', { data: 'f1'.repeat(10_001) }, []],
    ['10002 bytes', { data: 'f1'.repeat(10_002) }, bad],
    ['of two units', { data: 'f1', supply: 2n }, [['intent_nft_supply', 'intent.supply']]],
    ['of two units on tokeld’s chains', { data: 'f7', supply: 2n, network: tokel }, []],
  ])('%s', (_, changed, expected) => {
    expect(reported({ supply: 1n, ...changed })).toEqual(expected)
  })

  test('are reported in brief', () => {
    const { actual } = check({ supply: 1n, data: 'f1'.repeat(10_002) })[0]!
    expect(actual).toBe('f1'.repeat(50))
    expect(check({ data: 'f1', supply: 2n })[0]).toMatchObject({ expected: 1n, actual: 2n })
  })
})

test.each<[string, object, string[][]]>([
  ['no unit', { supply: 0n }, [['intent_amount', 'intent.supply']]],
  ['the most units', { supply: 2n ** 63n - 1n }, []],
  ['one more than that', { supply: 2n ** 63n }, [['intent_amount', 'intent.supply']]],
  ['an owner in upper case', { owner: a.toUpperCase() }, []],
  ['an owner that is not a key', { owner: '02' }, [['intent_pubkey', 'intent.owner']]],
  // komodo src/cc/CCtokens.cpp, IsTokensvout: a module's key cannot own tokens
  ['a module as owner', { owner: moduleKey }, [['intent_module_key', 'intent.owner']]],
  [
    'a module as owner, in upper case, on tokeld’s chains',
    { owner: moduleKey.toUpperCase(), network: tokel },
    [['intent_module_key', 'intent.owner']],
  ],
])('%s', (_, changed, expected) => {
  expect(reported(changed)).toEqual(expected)
})

// komodod has one kind of tokens: a version in the intent means another chain
test.each<[string, object, string[][]]>([
  ['1 on komodod', { version: 1, network: networks.assetChain }, version],
  ['2 on komodod', { version: 2, network: networks.assetChain }, version],
  ['2 on a network that is not named', { version: 2 }, version],
  ['none on komodod', { version: undefined, network: networks.assetChain }, []],
  ['1 on tokeld’s chains', { version: 1, network: tokel }, []],
  ['2 on tokeld’s chains', { version: 2, network: tokel }, []],
])('a version, %s', (_, changed, expected) => {
  expect(reported(changed)).toEqual(expected)
  const details = { expected: 'none, on this network' }
  expect(check(changed)).toMatchObject(expected.map(() => ({ severity: 'reject', ...details })))
})

// tokel src/cc/CCTokelData.cpp: tokencreatetokel and tokenv2createtokel
describe('properties', () => {
  test.each<[string, object, object]>([
    ['on komodod', { network: networks.assetChain }, { expected: 'a chain that tokeld runs' }],
    ['on a network that is not named', {}, { expected: 'a chain that tokeld runs' }],
    ['beside data', { network: tokel, data: 'f701' }, { expected: 'no data beside them' }],
    [
      'that no bytes can say',
      { network: tokel, properties: { royalty: 1000 } },
      { actual: expect.stringContaining('royalty') },
    ],
  ])('%s', (_, changed, details) => {
    const found = check({ properties: { id: 1 }, ...changed })
    expect(found).toMatchObject([
      { code: 'intent_properties', path: 'intent.properties', ...details },
    ])
  })

  test('properties are accepted on tokeld’s chains', () => {
    const properties = { id: 0, url: 'https://example.org', royalty: 999, arbitrary: '00FF' }
    expect(reported({ network: tokel, properties })).toEqual([])
    expect(reported({ network: tokel, properties: {} })).toEqual([])
  })
})

test('a validated intent leaves nothing to defaults', () => {
  const ready = (changed: object) => tokenCreate.validate({ ...intent, ...changed }).intent
  expect(ready({})).toMatchObject({ ...intent, data: '', version: 2 })
  expect(ready({})).not.toHaveProperty('properties')
  expect(ready({ description: undefined })).toMatchObject({ description: '' })
  const spelled = { owner: a.toUpperCase(), data: 'F1AB', version: 1, supply: 1n }
  expect(ready(spelled)).toMatchObject({ owner: a, data: 'f1ab', version: 1, supply: 1n })
  expect(ready({ properties: { id: 1 } })).toMatchObject({ properties: { id: 1 } })
})

test('people see what was asked for, and what was not does not take a line', () => {
  const whole = [
    ['create', '5 units of "GOLD"'],
    ['saying', '"a token"'],
    ['owner', a],
  ]
  expect(tokenCreate.lines(intent, none)).toEqual(whole)
  const more = { data: 'f1', version: 1 as const, properties: { id: 7, url: 'https://x.org' } }
  expect(tokenCreate.lines({ ...intent, ...more }, none)).toEqual([
    ...whole,
    ['data', 'f1'],
    ['with', 'id 7'],
    ['with', 'url https://x.org'],
    ['as', 'tokens v1'],
  ])
  const key = '11'.repeat(32)
  expect(JSON.stringify(tokenCreate.lines({ ...intent, owner: key }, none))).not.toContain(key)
})

test.each([
  ['name', { name: 'TESTCOIM' }, 'TESTCOIM', 'TESTCOIN'],
  ['description', { description: 'A test' }, 'A test', 'A test token'],
  ['description', { description: undefined }, '', 'A test token'],
  ['owner', { owner: b }, b, a],
  ['data', { data: 'f1', supply: 1n }, 'f1', ''],
])(
  'another %s in the payload is reported with what it should be',
  (code, changed, expected, actual) => {
    const asked = { ...createIntent, ...changed } as CreateIntent
    const { findings } = verifyTokenCreate(createHex, asked, evidenceFor(create, 5))
    expect(findings.filter((it) => it.code === code)).toMatchObject([
      { path: 'outputs[3].script', expected, actual },
    ])
  },
)

// tokens.md section 2, layout C; tokel src/cc/CCTokelData.h: f7, 01, then id, url, royalty,
// arbitrary
describe('properties in a payload', () => {
  const vector = (hex: string) => `${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`
  const textOf = (text: string) => vector(Buffer.from(text).toString('hex'))
  const right = { id: 7, url: 'x.org', royalty: 5, arbitrary: '00FF' }
  const bytes = (url = textOf('x.org')) => `f7010107${`02${url}`}0305${`04${vector('00ff')}`}`

  function reported(data: string, properties: object) {
    const blob = `f56301${vector(a)}${textOf('GOLD')}${textOf('a token')}${data && vector(data)}`
    const outputs = [{ value: 0n, script: `6a4c${vector(blob)}` }]
    const hex = encodeTransaction({ ...create, outputs })
    const asked = { ...intent, network: tokel, properties }
    return verifyTokenCreate(hex, asked, none)
      .findings.filter(({ code }) => code === 'property' || code === 'data')
      .map(({ code, path, expected, actual }) => [code, path, expected, actual])
  }

  const where = 'outputs[0].script'
  test.each<[string, string, object, unknown[][]]>([
    ['are as they were asked for', bytes(), right, []],
    ['name another id', bytes(), { ...right, id: 8 }, [['property', `${where}.id`, 8, 7]]],
    [
      'nobody asked for',
      bytes(),
      { id: 7, url: 'x.org', royalty: 5 },
      [['property', `${where}.arbitrary`, 'none', '00ff']],
    ],
    ['lack one', 'f7010107', { id: 7, royalty: 5 }, [['property', `${where}.royalty`, 5, 'none']]],
    [
      'have a url that is not text',
      bytes(vector('ff')),
      { ...right, url: '\ufffd' },
      [['property', `${where}.url`, '\ufffd', '\ufffd']],
    ],
    ['are not there', '', { id: 7 }, [['data', where, 'f7010107', '']]],
    ['are none', 'f700', { id: 7 }, [['data', where, 'f7010107', 'f700']]],
  ])('%s', (_, data, properties, expected) => {
    expect(reported(data, properties)).toEqual(expected)
  })
})
