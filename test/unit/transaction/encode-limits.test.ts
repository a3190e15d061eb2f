// An encoder refuses wrong members with their place, and takes numbers up to each limit.

import { describe, expect, test } from 'vitest'

import {
  type AntaraError,
  decodeTransaction,
  decodeTransactions,
  describeTransaction,
  encodeTransaction,
  type TransactionFields,
  transactionIds,
} from '../../../src/index.ts'
import { decodeWithTxid } from '../../../src/transaction/decode.ts'
import { isMalleatedCopy } from '../../../src/transaction/malleated-copy.ts'
import { readVectors } from '../../support/vectors.ts'

const fields: TransactionFields = {
  version: 4,
  overwintered: true,
  versionGroupId: 0x892f2085,
  inputs: [{ txid: '11'.repeat(32), vout: 1, scriptSig: '51', sequence: 7 }],
  outputs: [{ value: 5n, script: '51' }],
  lockTime: 3,
  expiryHeight: 9,
}
const [input] = fields.inputs
const [output] = fields.outputs

// komodo's authors made these: src/test/data/sighash.json
const { rows } = readVectors<{ rows: [hex: string][] }>('signing/komodo-sighash.json')
const made = rows.map(([hex]) => ({ hex, tx: decodeTransaction(hex) }))
const firstWith = (overwintered: boolean, name: 'joinSplits' | 'shieldedSpends') =>
  made.find(({ tx }) => tx.overwintered === overwintered && tx[name].length > 1)!

function errorOf(more: object): Partial<AntaraError> & { readonly name: string } {
  try {
    encodeTransaction({ ...fields, ...more })
  } catch (error) {
    return error as AntaraError
  }
  throw new Error('nothing was refused')
}

const [least, most] = [-(1n << 63n), (1n << 63n) - 1n]

describe('an amount', () => {
  const { tx } = firstWith(false, 'joinSplits')
  const [joinSplit] = tx.joinSplits
  const places: [string, (value: unknown) => object][] = [
    ['valueBalance', (value) => ({ valueBalance: value })],
    ['outputs[0].value', (value) => ({ outputs: [{ ...output, value }] })],
    ['joinSplits[0].vpubOld', (vpubOld) => ({ ...tx, joinSplits: [{ ...joinSplit, vpubOld }] })],
    ['joinSplits[0].vpubNew', (vpubNew) => ({ ...tx, joinSplits: [{ ...joinSplit, vpubNew }] })],
  ]

  test.each(places)('%s has 64 bits with a sign', (path, more) => {
    for (const value of [least, most]) {
      expect(() => encodeTransaction({ ...fields, ...more(value) })).not.toThrow()
    }
    for (const value of [least - 1n, most + 1n]) {
      expect(errorOf(more(value))).toMatchObject({
        code: 'amount_out_of_range',
        context: { path, actual: value },
      })
    }
    expect(errorOf(more(5))).toMatchObject({ name: 'TypeError' })
    expect(String(errorOf(more(5)))).toContain(`${path}: expected a bigint`)
  })
})

describe('a signature without the parts that it signs', () => {
  const split = firstWith(false, 'joinSplits').tx
  const spend = firstWith(true, 'shieldedSpends').tx
  const { joinSplitPubKey, joinSplitSig } = split
  const { bindingSig } = spend

  test.each<[string, string, object]>([
    ['bindingSig', 'shielded spends or outputs', { bindingSig }],
    ['bindingSig', 'shielded spends or outputs', { ...split, bindingSig }],
    ['bindingSig', 'shielded spends or outputs', { shieldedSpends: [], bindingSig }],
    ['joinSplitPubKey', 'JoinSplits', { joinSplitPubKey }],
    ['joinSplitPubKey', 'JoinSplits', { joinSplitPubKey: '00' }],
    ['joinSplitSig', 'JoinSplits', { joinSplitSig }],
    ['joinSplitSig', 'JoinSplits', { ...spend, joinSplits: [], joinSplitSig }],
  ])('%s is refused without %s, and not dropped', (path, parts, more) => {
    expect(errorOf(more)).toMatchObject({
      code: 'field_not_in_version',
      context: { path, expected: `no ${path} without ${parts}` },
    })
  })
})

test('a malformed proof of a JoinSplit is left to the decoder', () => {
  const { tx } = firstWith(false, 'joinSplits')
  const joinSplits = tx.joinSplits.map((it) => ({ ...it, proof: '00'.repeat(296) }))
  const hex = encodeTransaction({ ...tx, joinSplits })
  expect(() => decodeTransaction(hex)).toThrow(/malformed_proof/)
})

describe('a member of the wrong type', () => {
  test.each<[string, object]>([
    ['joinSplits: expected an array', { joinSplits: null }],
    ['shieldedSpends: expected an array', { shieldedSpends: null }],
    ['inputs[0]: expected an object', { inputs: [undefined] }],
    ['joinSplits[0]: expected an object', { joinSplits: [null] }],
    ['shieldedSpends[0]: expected an object', { shieldedSpends: [null] }],
    ['shieldedOutputs[0]: expected an object', { shieldedOutputs: [undefined] }],
    ['inputs[0].scriptSig: expected a string', { inputs: [{ ...input, scriptSig: 5 }] }],
    ['outputs[0].script: expected a string', { outputs: [{ ...output, script: 5 }] }],
  ])('is named: %s', (words, more) => {
    expect(errorOf(more).name).toBe('TypeError')
    expect(String(errorOf(more))).toContain(words)
  })

  test('is named before malformed hex', () => {
    const inputs = [{ ...input, scriptSig: 'zz' }]
    expect(errorOf({ inputs, outputs: [{ ...output, value: 5 }] }).name).toBe('TypeError')
  })
})

test.each([62, 66, 0])('a txid of %i digits is refused, because it has 32 bytes', (digits) => {
  const inputs = [{ ...input, txid: '1'.repeat(digits), scriptSig: '51'.repeat(9) }]
  expect(errorOf({ inputs })).toMatchObject({
    code: 'wrong_length',
    context: { path: 'inputs[0].txid', expected: '32 bytes', actual: `${digits / 2} bytes` },
  })
})

describe('text of odd length', () => {
  const odd = { ...input, scriptSig: '515' }

  test('is named before a later member of the wrong type', () => {
    const more = { inputs: [odd], outputs: [{ ...output, value: 5 }] }
    expect(errorOf(more)).toMatchObject({
      code: 'odd_length_hex',
      context: { path: 'inputs[0].scriptSig' },
    })
  })

  test('makes no whole byte with a second one', () => {
    const more = { inputs: [odd], outputs: [{ ...output, script: '5' }] }
    expect(errorOf(more)).toMatchObject({
      code: 'odd_length_hex',
      context: { path: 'inputs[0].scriptSig' },
    })
  })
})

describe('malformed hex', () => {
  const spend = firstWith(true, 'shieldedSpends').tx
  const split = firstWith(false, 'joinSplits').tx
  const wrong = (hex: string) => `zz${hex.slice(2)}`
  const second = <Item>(items: readonly Item[], change: (item: Item) => Item): Item[] =>
    items.map((item, index) => (index === 1 ? change(item) : item))

  test.each<[string, string, object]>([
    ['malformed_hex', 'inputs[0].txid', { inputs: [{ ...input, txid: wrong(input!.txid) }] }],
    ['malformed_hex', 'inputs[0].scriptSig', { inputs: [{ ...input, scriptSig: 'zz' }] }],
    ['odd_length_hex', 'inputs[0].scriptSig', { inputs: [{ ...input, scriptSig: '515' }] }],
    ['malformed_hex', 'outputs[0].script', { outputs: [{ ...output, script: '5z' }] }],
    ['odd_length_hex', 'outputs[0].script', { outputs: [{ ...output, script: '5' }] }],
    [
      'malformed_hex',
      'shieldedSpends[1].cv',
      {
        ...spend,
        shieldedSpends: second(spend.shieldedSpends, (it) => ({ ...it, cv: wrong(it.cv) })),
      },
    ],
    ['malformed_hex', 'bindingSig', { ...spend, bindingSig: wrong(spend.bindingSig!) }],
    [
      'malformed_hex',
      'joinSplits[1].macs',
      {
        ...split,
        joinSplits: second(split.joinSplits, (it) => ({
          ...it,
          macs: [it.macs[0], wrong(it.macs[1])] as const,
        })),
      },
    ],
    [
      'malformed_hex',
      'joinSplitPubKey',
      { ...split, joinSplitPubKey: wrong(split.joinSplitPubKey!) },
    ],
    ['malformed_hex', 'joinSplitSig', { ...split, joinSplitSig: wrong(split.joinSplitSig!) }],
  ])('is %s at %s', (code, path, more) => {
    expect(errorOf(more)).toMatchObject({ code, context: { path } })
  })
})

test.each(['joinSplits', 'shieldedSpends'] as const)('several %s keep their bytes', (name) => {
  for (const overwintered of [false, true]) {
    if (name === 'shieldedSpends' && !overwintered) continue
    const { hex, tx } = firstWith(overwintered, name)
    expect(encodeTransaction(tx)).toBe(hex)
    expect(encodeTransaction({ ...tx })).toBe(hex)
  }
})

test('two thousand joinsplits keep their amounts', () => {
  const { tx } = firstWith(false, 'joinSplits')
  const [first] = tx.joinSplits
  const joinSplits = Array.from({ length: 2000 }, (_, at) => ({ ...first!, vpubOld: BigInt(at) }))
  const read = decodeTransaction(encodeTransaction({ ...tx, joinSplits }))
  expect(read.joinSplits.map(({ vpubOld }) => vpubOld)).toEqual(
    joinSplits.map(({ vpubOld }) => vpubOld),
  )
})

test.each([decodeTransactions, transactionIds])(
  'one of several that is malformed is named by its place: %s',
  (read) => {
    const { hex } = made[0]!
    let error: unknown
    try {
      read([hex, hex.slice(0, -2)])
    } catch (it) {
      error = it
    }
    expect(error).toMatchObject({ code: 'truncated', context: { path: 'sources[1]' } })
  },
)

test('a transaction is read with its txid from text in capitals and from bytes', () => {
  const { hex, tx } = firstWith(true, 'shieldedSpends')
  const { txid } = tx
  for (const source of [hex, hex.toUpperCase(), Buffer.from(hex, 'hex')]) {
    expect(decodeWithTxid(source)).toEqual(tx)
    expect(decodeWithTxid(source).txid).toBe(txid)
    expect(decodeTransaction(source)).toEqual(tx)
    expect(decodeTransaction(source).txid).toBe(txid)
  }
})

test('a description counts bytes, and has what the script tells', () => {
  const hex = encodeTransaction({
    ...fields,
    outputs: [
      { value: 5n, script: '51' },
      { value: 5n, script: `76a914${'22'.repeat(20)}88ac` },
    ],
  })
  const described = describeTransaction(hex)
  expect(described.size).toBe(hex.length / 2)
  expect(describeTransaction(Buffer.from(hex, 'hex'))).toEqual(described)
  const [nonstandard, paid] = described.vout.map(({ scriptPubKey }) => Object.keys(scriptPubKey))
  expect(nonstandard).toEqual(['asm', 'hex', 'type'])
  expect(paid).toEqual(['asm', 'hex', 'type', 'reqSigs', 'addresses'])
  expect('bindingSig' in described).toBe(false)
})

test('a copy with fewer inputs is none', () => {
  const one = decodeTransaction(encodeTransaction(fields))
  const other = decodeTransaction(encodeTransaction({ ...fields, inputs: [] }))
  expect(isMalleatedCopy(one, other)).toBe(false)
})
