// The forms of which requests are made: what a case file may say, what an argument must be, and how
// documentation shows it.

import { describe, expect, test } from 'vitest'

import { networks } from '../../../src/index.ts'
import { commonForms, tokenForms } from '../../../src/request/common.ts'
import { createForms, createRequestForms } from '../../../src/request/create.ts'
import { evidenceForms, evidenceIn, evidenceTable } from '../../../src/request/evidence.ts'
import {
  type Form,
  formTable,
  mayLackArgument,
  member,
  optional,
  orElse,
  readMembers,
  requireMembers,
  unless,
} from '../../../src/request/form-table.ts'
import {
  count,
  flag,
  heights,
  hex,
  keySet,
  list,
  listed,
  oneOf,
  only,
  outpoints,
  record,
  text,
  texts,
  units,
  unitsOrText,
  words,
} from '../../../src/request/forms.ts'
import { inclusion } from '../../../src/request/inclusion.ts'
import { chainTerms } from '../../../src/request/known-chain.ts'
import { network, readNetwork } from '../../../src/request/network.ts'
import { paymentForms, paymentRequestForms, satsOrMax } from '../../../src/request/payment.ts'
import { namedKeys, recipientsOf, type TransferIntent } from '../../../src/request/transfer.ts'

const txid = 'ab'.repeat(32)

/** Returns what a read of a file found wrong. */
function faultIn(read: () => unknown): object {
  try {
    read()
  } catch (error) {
    const { code, context } = error as { code?: string; context: object }
    if (code !== 'malformed_case') throw error
    return context
  }
  throw new Error('nothing was refused')
}
/** Returns the message about an argument of the wrong type. */
function messageOf(check: () => unknown): string {
  try {
    check()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return error.message
  }
  return 'accepted'
}
const argument = (form: Pick<Form<never>, 'requireType'>, value: unknown) =>
  messageOf(() => form.requireType(value, 'it'))

describe('a form', () => {
  const outpoint = { txid, vout: 0 }

  test.each<[string, Form<never>, string, unknown, unknown]>([
    ['a text', text('HEX') as Form<never>, '"HEX"', 'x', 'x'],
    ['texts', texts('A', 'B') as Form<never>, '["A", "B"]', ['x'], ['x']],
    ['units', units as Form<never>, '"100"', '7', 7n],
    ['a number', count as Form<never>, '2', 7, 7],
    ['a flag', flag as Form<never>, 'true', false, false],
    ['one of some numbers', oneOf(1, 2) as Form<never>, '1', 2, 2],
    ['one of some words', words('a', 'b') as Form<never>, '"a"', 'b', 'b'],
    ['a word that is implied', only('a') as Form<never>, '"a"', 'a', 'a'],
    ['a list', list('flags', flag) as Form<never>, '[true]', [true, false], [true, false]],
    [
      'an object',
      record({ a: units, b: optional(flag) } as never) as Form<never>,
      '{ "a": "100", "b": true }',
      { a: '1' },
      { a: 1n },
    ],
    [
      'keys that sign together',
      keySet as Form<never>,
      '{ "required": 2, "pubkeys": ["PUBKEY", "PUBKEY"] }',
      { required: 1, pubkeys: ['x'] },
      { required: 1, pubkeys: ['x'] },
    ],
    [
      'outpoints',
      outpoints as Form<never>,
      '[{ "txid": "TXID", "vout": 0 }]',
      [outpoint],
      [outpoint],
    ],
    ['heights', heights as Form<never>, '{ "TXID": 223 }', { x: 5 }, { x: 5 }],
    ['satoshis or all', satsOrMax as Form<never>, '"100"', 'max', 'max'],
    ['satoshis', satsOrMax as Form<never>, '"100"', '5', 5n],
    [
      'payees',
      paymentForms.recipients as unknown as Form<never>,
      '[{ "address": "ADDRESS", "amount": "100" }]',
      [{ script: '51', amount: '5' }],
      [{ script: '51', amount: 5n }],
    ],
    ['scripts', paymentForms.redeemScripts as unknown as Form<never>, '["HEX"]', ['aB'], ['aB']],
    [
      'properties',
      createForms.properties as unknown as Form<never>,
      '{ "id": 1, "url": "https://a.b/c", "royalty": 25, "arbitrary": "HEX" }',
      { id: 1, url: 'u' },
      { id: 1, url: 'u' },
    ],
  ])('shows and reads %s', (_, form, shown, given, value) => {
    expect(form.shown).toBe(shown)
    expect(form.read(given, 'it')).toEqual(value)
  })

  test.each<[string, Form<never>, unknown, object]>([
    ['a text', text('A') as Form<never>, 5, { path: 'it', expected: 'a string', actual: 5 }],
    ['texts', texts('A') as Form<never>, ['a', 5], { path: 'it[1]', expected: 'a string' }],
    ['texts', texts('A') as Form<never>, 'a', { path: 'it', expected: 'an array of strings' }],
    ['a list', list('flags', flag) as Form<never>, 5, { expected: 'an array of flags' }],
    [
      'a list',
      list('flags', flag) as Form<never>,
      [1],
      { path: 'it[0]', expected: 'true or false' },
    ],
    [
      'a flag',
      flag as Form<never>,
      'true',
      { path: 'it', expected: 'true or false', actual: 'true' },
    ],
    ['a number', oneOf(1, 2) as Form<never>, 3, { path: 'it', expected: '1 or 2', actual: 3 }],
    ['a word', words('a', 'b', 'c') as Form<never>, 'd', { path: 'it', expected: 'a, b or c' }],
    ['an implied word', only('a') as Form<never>, 'b', { path: 'it', expected: 'a', actual: 'b' }],
    ['an object', record({ a: flag } as never) as Form<never>, { a: 1 }, { path: 'it.a' }],
    ['an object', record({ a: flag } as never) as Form<never>, { b: 1 }, { path: 'it.b' }],
    [
      'an object',
      record({ a: flag } as never) as Form<never>,
      {},
      { path: 'it.a', actual: 'nothing' },
    ],
    ['outpoints', outpoints as Form<never>, [{ txid }], { path: 'it[0].vout' }],
    [
      'heights',
      heights as Form<never>,
      { x: -1 },
      { path: 'it.x', expected: 'a whole number from 0 to 4294967295' },
    ],
    ['heights', heights as Form<never>, null, { path: 'it', expected: 'an object' }],
    ['satoshis', satsOrMax as Form<never>, 'all', { path: 'it', actual: 'all' }],
    [
      'scripts',
      paymentForms.redeemScripts as unknown as Form<never>,
      ['a'],
      { path: 'it[0]', expected: 'hex of at least one byte' },
    ],
    [
      'scripts',
      paymentForms.redeemScripts as unknown as Form<never>,
      'ab',
      { path: 'it', expected: 'an array of strings of hex' },
    ],
  ])('refuses other values in a file: %s', (_, form, given, fault) => {
    expect(faultIn(() => form.read(given, 'it'))).toMatchObject(fault)
  })

  test.each<[string, Pick<Form<never>, 'requireType'>, unknown[], [unknown, string][]]>([
    ['a text', hex, [''], [[5, 'it: expected a string, got a number']]],
    ['texts', texts('A'), [[], ['a']], [[['a', 5], 'it[1]: expected a string, got a number']]],
    ['units', units, [5n], [['5', 'it: expected a bigint, got a string']]],
    ['units or text', unitsOrText, [5n, '5'], [[5, 'it: expected a bigint, got a number']]],
    ['a flag', flag, [true], [[1, 'it: expected true or false, got a number']]],
    ['a number', oneOf(1, 2), [1, 2], [[3, 'it: expected 1 or 2, got a number']]],
    ['a word', words('a', 'b'), ['a', 'b'], [['c', "it: expected 'a' or 'b', got a string"]]],
    ['an implied word', only('a'), ['a'], [['b', 'it: expected a, got a string']]],
    [
      'a list',
      list('flags', flag),
      [[], [true]],
      [
        [{}, 'it: expected an array, got Object'],
        [[true, 1], 'it[1]: expected true or false, got a number'],
      ],
    ],
    [
      'an object',
      record({ a: flag, b: optional(flag) } as never),
      [{ a: true }, { a: true, b: undefined }],
      [
        [5, 'it: expected an object, got a number'],
        [{ a: true, c: 1 }, 'it: unknown member c; did you mean a?'],
        [{ a: 1 }, 'it.a: expected true or false, got a number'],
        [{}, 'it.a: expected true or false, got undefined'],
      ],
    ],
    [
      'outpoints',
      outpoints,
      [[], [{ txid, vout: 2 ** 32 - 1, value: 5n }]],
      [
        [5, 'it: expected an array, got a number'],
        [[null], 'it[0]: expected an object, got null'],
        [
          [
            { txid, vout: 0 },
            { txid: 5, vout: 0 },
          ],
          'it[1].txid: expected a string, got a number',
        ],
        [[{ txid }], 'it[0].vout: expected a number, got undefined'],
        [[{ txid, vout: -1 }], 'it[0].vout: expected an integer from 0 to 2^32 - 1, got -1'],
      ],
    ],
    [
      'heights',
      heights,
      [{}, { x: 5 }],
      [
        [5, 'it: expected an object, got a number'],
        [{ x: '5' }, 'it.x: expected a number, got a string'],
      ],
    ],
    ['satoshis or all', satsOrMax, [5n, 'max'], [['all', 'it: expected a bigint, got a string']]],
    [
      'own names or a function',
      paymentForms.own,
      [[], ['a'], () => true],
      [['a', 'it: expected an array, got a string']],
    ],
    [
      'scripts',
      paymentForms.redeemScripts,
      [[], ['ab']],
      [
        [['a'], 'it[0]: expected hex, got a string'],
        [[5], 'it[0]: expected a string, got a number'],
      ],
    ],
    [
      'names of a request',
      paymentRequestForms.own,
      [['a']],
      [[() => true, 'it: expected an array, got a function']],
    ],
    [
      'scripts of a request',
      paymentRequestForms.redeemScripts,
      [['a']],
      [[[5], 'it[0]: expected a string, got a number']],
    ],
    [
      'properties of an intent',
      createForms.properties,
      [{}, { id: -1 }, { royalty: 0.5 }],
      [[{ id: '1' }, 'it.id: expected a number, got a string']],
    ],
    [
      'properties of a request',
      createRequestForms.properties,
      [{ id: '1' }],
      [[5, 'it: expected an object, got a number']],
    ],
    [
      'eval codes',
      tokenForms.dataCodes,
      [[], [0, 255]],
      [[[256], 'it[0]: expected an integer from 0 to 255, got 256']],
    ],
    [
      'claimed amounts',
      evidenceForms.amounts,
      [[], [{ txid, vout: 0, value: 5n, more: true }]],
      [
        [5, 'it: expected an array, got a number'],
        [[5], 'it[0]: expected an object, got a number'],
        [[{}], 'it[0].txid: expected a string, got undefined'],
        [[{ txid }], 'it[0].vout: expected a number, got undefined'],
        [[{ txid, vout: 0, value: 5 }], 'it[0].value: expected a bigint, got a number'],
      ],
    ],
    [
      'a network',
      network,
      [networks.tokel],
      [[5, 'it: expected a network, such as networks.komodo, got a number']],
    ],
  ])('refuses arguments of the wrong type: %s', (_, form, right, wrong) => {
    for (const value of right) expect(argument(form, value)).toBe('accepted')
    for (const [value, message] of wrong) expect(argument(form, value)).toBe(message)
  })

  test('shows the proofs and the chain that a case may have', () => {
    expect(inclusion.shown).toBe(
      '[{ "headers": ["HEX"], "proofs": [{ "txid": "TXID", "height": 223, "pos": 1, ' +
        '"merkle": ["HASH"], "coinbase": { "transaction": "HEX", "merkle": ["HASH"] } }], ' +
        '"sources": ["SERVER"] }]',
    )
    expect(chainTerms.shown).toBe(
      '{ "checkpoints": [{ "height": 223, "hash": "HASH" }], "workMin": "1000000000000", ' +
        '"equihash": { "n": 200, "k": 9, "acNk": true }, "limitBits": 537857807, ' +
        '"allowsEasyBlocks": true }',
    )
  })
})

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 2, 'c'], 'a, 2 or c'],
])('alternatives are listed for a message: %j', (given, expected) => {
  expect(listed(given)).toBe(expected)
})

describe('the members of a request', () => {
  const table = formTable({
    a: member('needed', flag),
    b: member('optional', optional(flag)),
    c: member('with a default', optional(flag, true)),
    d: member('for programs', { ...optional(flag), isArgument: true }),
  })

  test('are in its table, and those that programs alone may give are not in files', () => {
    expect(table.members).toEqual(['a', 'b', 'c', 'd'])
    expect(table.names).toEqual(['a', 'b', 'c'])
    expect(member('words', flag).about).toBe('words')
    expect('absent' in optional(flag)).toBe(false)
  })

  test('are read from a file, with their defaults', () => {
    expect(readMembers({ a: true }, table)).toEqual({ a: true, c: true })
    expect(readMembers({ a: true, b: false, c: false, d: true }, table)).toEqual({
      a: true,
      b: false,
      c: false,
    })
    expect(faultIn(() => readMembers({}, table, 'intent.'))).toMatchObject({ path: 'intent.a' })
    expect(faultIn(() => readMembers({ a: true, b: 5 }, table))).toMatchObject({ path: 'b' })
  })

  test('may lack an optional one as arguments, and a default is for files', () => {
    const check = (given: object, mayLack?: typeof mayLackArgument) =>
      messageOf(() => requireMembers(given, table, 'intent.', mayLack))
    expect(check({ a: true })).toBe('accepted')
    expect(check({ a: true, d: 5 })).toBe('intent.d: expected true or false, got a number')
    expect(check({ a: true }, mayLackArgument)).toBe(
      'intent.c: expected true or false, got undefined',
    )
    expect(check({ a: true, c: true }, mayLackArgument)).toBe('accepted')
    expect(check({ c: true }, mayLackArgument)).toBe(
      'intent.a: expected true or false, got undefined',
    )
    expect(messageOf(() => requireMembers({}, table))).toMatch(/^a: /)
  })

  test.each<[string, (form: Form<boolean>) => Form<boolean>, boolean]>([
    ['in place of another', (form) => unless('b', form), false],
    ['in place of another, or beside it', (form) => orElse('b', form), true],
  ])('may stand %s', (_, form, isBoth) => {
    const either = formTable({ a: form(flag), b: optional(flag) })
    const both = { a: true, b: false }
    expect(readMembers({ a: true }, either)).toEqual({ a: true })
    expect(readMembers({ b: true }, either)).toEqual({ b: true })
    const expected = isBoth ? 'a or b' : 'either a or b'
    expect(faultIn(() => readMembers({}, either, 'x.'))).toMatchObject({ path: 'x.a', expected })
    const check = (given: object) => messageOf(() => requireMembers(given, either, 'x.'))
    expect(check({ a: true })).toBe('accepted')
    expect(check({ b: true })).toBe('accepted')
    expect(check({})).toBe('x.a: expected a or b, got undefined')
    expect(check({ a: 5 })).toBe('x.a: expected true or false, got a number')
    if (isBoth) {
      expect(readMembers(both, either)).toEqual(both)
      expect(check(both)).toBe('accepted')
    } else {
      expect(faultIn(() => readMembers(both, either))).toMatchObject({ path: 'a', expected })
      expect(check(both)).toBe('x.a: expected a or b, not both')
    }
  })

  test('members of each kind say what they are for', () => {
    for (const forms of [commonForms, tokenForms, createRequestForms, paymentRequestForms]) {
      for (const { about } of Object.values(forms)) expect(about).toMatch(/^\w.+\w$/)
    }
  })
})

test('evidence is what its table names, and nothing else of an object', () => {
  const given = { previousTransactions: [], tipHeight: 5, tipTime: undefined, hex: '00' }
  expect(evidenceIn(given as never)).toEqual({ previousTransactions: [], tipHeight: 5 })
  expect('tipTime' in evidenceIn(given as never)).toBe(false)
  expect(evidenceTable.names).toContain('inclusion')
})

describe('the network of a file', () => {
  test('is a known one by its name, and assetChain if there is none', () => {
    expect(readNetwork(undefined)).toBe(networks.assetChain)
    for (const known of Object.values(networks)) expect(readNetwork(known.name)).toBe(known)
    expect(faultIn(() => readNetwork('nowhere'))).toEqual({
      path: 'network',
      expected: 'komodo, assetChain, tokel, komodoTestnet',
      actual: 'nowhere',
    })
  })

  test('has members that differ from those of assetChain', () => {
    const own = readNetwork({ name: 'OWN', pubKeyHashPrefix: 61, maxMoney: '5' } as never)
    expect(own).toMatchObject({ name: 'OWN', maxMoney: 5n, branchId: networks.assetChain.branchId })
    expect(readNetwork({ name: 'OWN' })).toMatchObject({ maxMoney: networks.assetChain.maxMoney })
  })

  test('has no branch of its own, and no amount that is a number', () => {
    expect(faultIn(() => readNetwork({ branchId: 5 }))).toMatchObject({ path: 'network.branchId' })
    expect(faultIn(() => readNetwork({ maxMoney: 5 }))).toMatchObject({ path: 'network.maxMoney' })
    expect(faultIn(() => readNetwork({ pubKeyHashPrefix: 999 } as never))).toMatchObject({
      path: 'network',
    })
  })

  test('with the name of a known one is that one, and never another', () => {
    const { branchId: _, maxMoney, ...members } = networks.tokel
    const tokel = { ...members, maxMoney: `${maxMoney}` }
    expect(readNetwork(tokel)).toBe(networks.tokel)
    expect(faultIn(() => readNetwork({ ...tokel, conditions: 'none' }))).toEqual({
      path: 'network.conditions',
      expected: 'tokel, or another name: tokel is known',
      actual: 'none',
    })
    expect(readNetwork({ ...tokel, name: 'OWN' })).toMatchObject({ name: 'OWN' })
    const { name: __, ...nameless } = tokel
    expect(readNetwork({ ...nameless, conditions: 'none' }).conditions).toBe('none')
  })
})

describe('the recipients of a transfer', () => {
  const transfer = { destination: 'b', amount: 5n } as TransferIntent

  test('are the listed ones, or the destination', () => {
    expect(recipientsOf(transfer)).toEqual([{ pubkey: 'b', amount: 5n }])
    const recipients = [{ pubkey: 'c', amount: 1n }]
    expect(recipientsOf({ ...transfer, recipients })).toBe(recipients)
  })

  test('are named in its payload, and the sender only where nobody else is', () => {
    const to = (...keys: string[]) => keys.map((pubkey) => ({ pubkey, amount: 1n }))
    expect(namedKeys(to('b'), 'a')).toEqual(['b'])
    expect(namedKeys(to('a'), 'a')).toEqual(['a'])
    expect(namedKeys(to('a', 'a'), 'a')).toEqual(['a'])
    expect(namedKeys(to('a', 'b'), 'a')).toEqual(['b'])
    expect(namedKeys(to('b', 'c', 'b'), 'a')).toEqual(['b', 'c'])
  })
})
