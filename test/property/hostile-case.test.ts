// Case files are made to end the program that reads them. After `parseCase` returned, a report is
// the only answer, whatever the members contain.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  formatCase,
  formatReport,
  isAntaraError,
  networks,
  parseCase,
  reportToJson,
  signCase,
  verifyCase,
} from '../../src/index.ts'
import { evidenceTable } from '../../src/request/evidence.ts'
import { termForms } from '../../src/request/terms.ts'
import { operations } from '../../src/verification/operations/catalogue.ts'
import { reportLine } from '../../src/verification/report-json.ts'
import { textOf } from '../support/files.ts'
import { share, shareOf } from '../support/share.ts'

type Json = null | boolean | number | string | Json[] | { [member: string]: Json }

/** A private key that owns no coin here: it signs nothing, and contains no prefix of a network. */
const key = '11'.repeat(32)

/** The first case of each operation that agrees, and the file of it. */
const seeds = Object.keys(operations).map((name): { [member: string]: Json } => {
  const { cases } = JSON.parse(textOf(`test/operations/${name}.json`))
  const found = cases.find(({ rejects }: { rejects: string[] }) => rejects.length === 0).case
  return typeof found === 'string' ? JSON.parse(textOf(`examples/${found}`)) : found
})

const pubkey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const id = '11'.repeat(32)
const names = ['__proto__', 'constructor', 'prototype', 'toString', 'length', 'hasOwnProperty']

/**
 * Values that a member may be given, of every type, and those that are right for some other one.
 */
const values: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  1e300,
  '',
  'x',
  '0',
  '00',
  '-1',
  '1'.repeat(20),
  '9'.repeat(20),
  '9'.repeat(400),
  '\u0131',
  '\u{1f600}',
  '\u0000',
  'max',
  ...names,
  'komodo',
  'tokel',
  id,
  pubkey,
  pubkey.toUpperCase(),
  `04${'79be'.repeat(32)}`,
  `21${pubkey}ac`,
  'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2',
  '5'.repeat(100_000),
  '5z'.repeat(10_000),
  [],
  [[]],
  [null],
  [''],
  ['x'],
  ['\u0131'],
  ['51'],
  ['5zae'],
  [pubkey, pubkey],
  [[[[[['x']]]]]],
  names,
  {},
  { constructor: 1 },
  { toString: 'x' },
  { length: 3 },
  { [id]: 5 },
  { [id.replaceAll('1', 'A')]: 4294967295, [id.replaceAll('1', 'a')]: 0 },
  { x: 1 },
  [{}],
  [{ txid: id, vout: 0 }],
  [{ txid: 'x', vout: 4294967295 }],
  [{ txid: id, vout: 0, value: '9'.repeat(20) }],
  [{ pubkey, amount: '5' }],
  [{ pubkey: 'x', amount: '99999999999999999999' }],
  [{ address: 'x', amount: 'max' }],
  [{ script: 'x', amount: '1' }],
  [{ script: '6a', address: 'x', amount: '0' }],
  [{ amount: 'max' }],
  { required: 0, pubkeys: [] },
  { required: 4294967295, pubkeys: ['x', 'x'] },
  { required: 1, pubkeys: [pubkey] },
  { id: 4294967295, url: '\u{1f600}'.repeat(200), royalty: 4294967295, arbitrary: 'zz' },
  { id: 0, url: '', royalty: 0, arbitrary: '' },
  { name: 'komodo' },
  { name: '', maxMoney: '0' },
  { nulldataBytesMax: -1 },
  { nulldataBytesMax: 1e300, maxMoney: '9'.repeat(20) },
  { name: 'x', conditions: 'none' },
  { name: 'x', conditions: 'tokel', messageMagic: '' },
]

/** Members of a network, which the value of a member of it may be. */
const networkMembers = Object.keys(networks.komodo).filter((name) => name !== 'branchId')

/** Members that hold others, each of which may hold anything. */
const nested: Readonly<Record<string, Json>> = {
  own: [pubkey],
  redeemScripts: ['51'],
  destinationKeys: { required: 1, pubkeys: [pubkey] },
  fromKeys: { required: 1, pubkeys: [pubkey] },
  properties: { id: 1, url: 'u', royalty: 1, arbitrary: '00' },
  spendable: [{ txid: id, vout: 0 }],
}

const recipients: Readonly<Record<string, Json>> = {
  tokentransfer: [{ pubkey, amount: '5' }],
  payment: [{ address: 'R', script: '51', amount: '5' }],
}

/** Every copy of `value` in which one value inside it is another one. */
function* replacements(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  for (const name of [...Object.keys(value), 'x']) {
    const put = (other: Json) =>
      (Array.isArray(value) ? value.with(0, other) : { ...value, [name]: other }) as Json
    for (const other of shareOf(values)) yield put(other)
    const inside = (value as { [member: string]: Json })[name]
    if (inside !== undefined) for (const other of replacements(inside)) yield put(other)
  }
}

/** Answers a case file the way that every reader of one does; what it throws fails the test. */
function answer(text: string): 'refused' | 'reported' {
  let given: ReturnType<typeof parseCase>
  try {
    given = parseCase(text)
  } catch (error) {
    if (isAntaraError(error, 'malformed_case')) return 'refused'
    throw error
  }
  const report = verifyCase(given)
  expect(report.ok).toBe(report.findings.every(({ severity }) => severity !== 'reject'))
  expect(JSON.parse(reportLine(report))).toEqual(reportToJson(report))
  expect(formatReport(report, { given })).toContain('\n')
  expect(formatCase(given)).toContain(given.operation)
  expect(signCase(given, [key]).operation).toBe(given.operation)
  return 'reported'
}

function checked(file: Json): 'refused' | 'reported' {
  const text = JSON.stringify(file)
  try {
    return answer(text)
  } catch (error) {
    throw new Error(`${text.slice(0, 2000)}: ${(error as Error).stack}`)
  }
}

const described = Object.values(operations).map((operation, turn) => ({ ...operation, turn }))

describe.each(described)('a case of $name', ({ name, members, turn }) => {
  const seed = seeds.find(({ operation }) => operation === name)!
  const intent = seed.intent as { [member: string]: Json }

  test.each(shareOf([...Object.keys(members), ...Object.keys(termForms), ...names], turn))(
    'a case with any intent.%s is refused or reported',
    (member) => {
      const answers = shareOf(values).map((value) =>
        checked({ ...seed, intent: { ...intent, [member]: value } }),
      )
      expect(answers).toContain('refused')
    },
  )

  const inside = name in recipients ? { ...nested, recipients: recipients[name]! } : nested
  test.each(Object.keys(inside).filter((it) => it in members || it === 'spendable'))(
    'a case with anything inside intent.%s is refused or reported',
    (member) => {
      const answers = [...replacements(inside[member]!)].map((value) =>
        checked({ ...seed, intent: { ...intent, [member]: value } }),
      )
      expect(new Set(answers)).toEqual(new Set(['refused', 'reported']))
    },
  )

  const beside = ['hex', 'intent', 'operation', 'network', 'note', ...evidenceTable.names, ...names]
  test.each(shareOf(beside, turn))('a case with any %s is refused or reported', (member) => {
    const answers = shareOf(values).map((value) => checked({ ...seed, [member]: value }))
    expect(answers.every((it) => it === 'refused' || it === 'reported')).toBe(true)
  })

  test.each(shareOf(networkMembers, turn))(
    'a case on a network with any %s is refused or reported',
    (member) => {
      const answers = shareOf(values).map((value) =>
        checked({ ...seed, network: { name: 'another', [member]: value } }),
      )
      expect(answers).toContain('refused')
    },
  )

  test('a case with several such members is refused or reported', () => {
    const value = fc.oneof(fc.constantFrom(...values), fc.jsonValue() as fc.Arbitrary<Json>)
    const record = (known: readonly string[]) =>
      fc.dictionary(fc.constantFrom(...known), value, { maxKeys: 4 })
    fc.assert(
      fc.property(
        record([...Object.keys(members), ...Object.keys(termForms)]),
        record(evidenceTable.names),
        record(networkMembers),
        (ofIntent, ofEvidence, ofNetwork) => {
          const file = { ...seed, ...ofEvidence, intent: { ...intent, ...ofIntent } }
          const isOfNetwork = Object.keys(ofNetwork).length > 0
          const answered = checked(isOfNetwork ? { ...file, network: ofNetwork } : file)
          expect(['refused', 'reported']).toContain(answered)
        },
      ),
      { numRuns: share(150) },
    )
  })
})
