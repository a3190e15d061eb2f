// The rules that every transaction of a chain keeps, on both sides of each limit, called directly
// on an ancestor that is made up here. verify-ancestry.test.ts has whole payments. Source: komodo
// src/main.cpp.

import { describe, expect, test } from 'vitest'

import { networks, type Transaction } from '../../../src/index.ts'
import {
  type AncestorContext,
  checkAncestor,
  namesNoOutput,
  spendsNoOutput,
  spentBy,
} from '../../../src/verification/ancestor-rules.ts'
import { p2pkh, p2sh } from '../../support/payments.ts'
import { a, b, p2pk } from '../../support/resigned.ts'

const { assetChain, komodo } = networks
const id = (digit: string) => digit.repeat(64)
const [txid, parentId, other] = [id('a'), id('b'), id('c')]
const [final, waits] = [0xffffffff, 0xfffffffe]
const zeros = id('0')
const coin = 100_000_000n

type Input = Transaction['inputs'][number]
const input = (changes: Partial<Input> = {}): Input => ({
  txid: parentId,
  vout: 0,
  scriptSig: '51',
  sequence: final,
  ...changes,
})
const made = (changes: Partial<Transaction>): Transaction =>
  ({
    txid,
    inputs: [input()],
    outputs: [{ value: 10n, script: '51' }],
    shieldedSpends: [],
    shieldedOutputs: [],
    joinSplits: [],
    valueBalance: 0n,
    lockTime: 0,
    expiryHeight: 0,
    ...changes,
  }) as unknown as Transaction
const parent = made({ txid: parentId, outputs: [{ value: 10n, script: p2pk(a) }] })

interface Given {
  readonly heights?: { readonly [id: string]: number }
  readonly tipHeight?: number
  readonly tipTime?: number
  readonly network?: AncestorContext['network']
  readonly spent?: readonly Transaction[]
}
const contextOf = ({
  heights = {},
  tipHeight,
  tipTime,
  network = assetChain,
  spent = [parent],
}: Given = {}): AncestorContext => ({
  byTxid: new Map(spent.map((it) => [it.txid, it])),
  heightOf: (of) => heights[of],
  tipHeight,
  tipTime,
  network,
})
const check = (changes: Partial<Transaction>, given: Given = {}) =>
  checkAncestor(made(changes), 'evidence.it', contextOf(given)).map(
    ({ code, path, expected, actual }) => [
      code,
      path.replace('evidence.it', ''),
      expected,
      `${actual}`.replace(txid, 'it'),
    ],
  )
const codes = (changes: Partial<Transaction>, given: Given = {}) =>
  check(changes, given).map(([code]) => code)
const coinbase = (scriptSig = '0164') =>
  made({ inputs: [input({ txid: zeros, vout: final, scriptSig })] })
const imported = [input({ vout: 1_000_000_000 })]

test('an ancestor that keeps all rules has no finding', () => {
  expect(check({})).toEqual([])
  expect(check({}, { heights: { [txid]: 100, [parentId]: 99 }, tipHeight: 100 })).toEqual([])
})

test('an output is known if its transaction was given and has it', () => {
  const context = contextOf()
  expect(spentBy(input(), context)).toEqual({ value: 10n, script: p2pk(a) })
  expect(spentBy(input({ vout: 1 }), context)).toBeUndefined()
  expect(spentBy(input({ txid: other }), context)).toBeUndefined()
})

test('a coinbase and an import spend no output', () => {
  expect(spendsNoOutput(coinbase())).toBe(true)
  expect(spendsNoOutput(made({ inputs: imported }))).toBe(true)
  expect(spendsNoOutput(made({}))).toBe(false)
})

test('no transaction has as many outputs as a compact size can count', () => {
  expect(namesNoOutput(input({ vout: 0x02000000 }))).toBe(true)
  expect(namesNoOutput(input({ vout: 0x01ffffff }))).toBe(false)
})

describe('the form of an ancestor', () => {
  const invalid = (path: string, why: string) => [
    ['ancestor_invalid', path, undefined, `${why}, in it`],
  ]
  const shielded = {} as never

  test('has an input, a shielded spend or a JoinSplit', () => {
    const nothing = { inputs: [], outputs: [] }
    expect(check(nothing)).toEqual(invalid('.inputs', 'no inputs'))
    expect(check({ ...nothing, shieldedSpends: [shielded] })).toEqual([])
    const joinSplits = [{ vpubOld: 0n, vpubNew: 0n } as never]
    expect(check({ ...nothing, joinSplits })).toEqual([])
    expect(check({ ...nothing, joinSplits, shieldedSpends: [shielded] })).toEqual([])
  })

  test('has a balance of the shielded pool only with a shielded part', () => {
    const outputs: Transaction['outputs'] = []
    expect(check({ outputs, valueBalance: -1n })).toEqual(
      invalid('.valueBalance', '-1 without a shielded part'),
    )
    expect(check({ outputs, valueBalance: -1n, shieldedSpends: [shielded] })).toEqual([])
    const shieldedOutputs = [shielded]
    expect(check({ outputs, valueBalance: -1n, shieldedOutputs })).toEqual([])
    const both = { shieldedOutputs, shieldedSpends: [shielded] }
    expect(check({ outputs, valueBalance: -1n, ...both })).toEqual([])
  })

  test('has amounts from nothing to all coins', () => {
    const network = { ...assetChain, maxMoney: 10n }
    const paying = (...values: bigint[]) =>
      check(
        {
          outputs: values.map((value) => ({ value, script: '51' })),
          inputs: [input({ txid: other })],
        },
        { network },
      )
    expect(paying(0n, 10n)).toEqual([])
    expect(paying(10n, 11n)).toEqual(invalid('.outputs[1].value', '11'))
    expect(paying(-1n)).toEqual(invalid('.outputs[0].value', '-1'))
  })

  test('spends outputs that there are', () => {
    expect(check({ inputs: [input({ vout: 1 })] })).toEqual(
      invalid('.inputs[0].vout', 'no output 1'),
    )
    const unknown = input({ txid: other, vout: 5 })
    expect(check({ inputs: [unknown] })).toEqual([])
    expect(check({ inputs: [unknown, { ...unknown, vout: 0x02000000 }] })).toEqual(
      invalid('.inputs[1].vout', 'no output 33554432'),
    )
    const none = input({ txid: zeros, vout: final })
    expect(check({ inputs: [unknown, none] })).toEqual(invalid('.inputs[1]', 'a null outpoint'))
    expect(check({ inputs: [none] })).toEqual([])
    expect(check({ inputs: imported })).toEqual([])
  })
})

describe('the signature of an ancestor', () => {
  const unsigned = (at: number) => [
    ['ancestor_signature', `.inputs[${at}].scriptSig`, undefined, 'unsigned, in it'],
  ]
  const spending = (script: string) => [made({ txid: parentId, outputs: [{ value: 10n, script }] })]

  test('is there, unless the spent script is known to need none', () => {
    const empty = input({ scriptSig: '' })
    expect(check({ inputs: [input(), empty], outputs: [] })).toEqual(unsigned(1))
    expect(check({ inputs: [input({ scriptSig: '', txid: other })] })).toEqual(unsigned(0))
    // The first pushes the byte ae, the second asks for 0 of 0 keys, the third brings its own items.
    const satisfied = ['01ae', '000000ae', '00005101aa51ae']
    for (const script of ['51', 'ae', '', 'ac', ...satisfied]) {
      expect(check({ inputs: [empty] }, { spent: spending(script) })).toEqual([])
    }
    const twoOfTwo = `5221${a}21${b}52ae`
    const condition = '03020104cc'
    for (const script of [
      p2pk(a),
      p2pkh(a),
      p2sh('51'),
      twoOfTwo,
      '51ae',
      '51010151ae',
      condition,
    ]) {
      expect(check({ inputs: [empty] }, { spent: spending(script) })).toEqual(unsigned(0))
    }
  })

  test('is not asked of a coinbase or an import', () => {
    expect(check({ inputs: [input({ txid: zeros, vout: final, scriptSig: '' })] })).toEqual([])
    expect(check({ inputs: [input({ vout: 1_000_000_000, scriptSig: '' })] })).toEqual([])
  })
})

describe('the outputs of an ancestor', () => {
  const paying = (value: bigint, changes: Partial<Transaction> = {}, given: Given = {}) =>
    check({ outputs: [{ value, script: '51' }], ...changes }, given)
  const tooMuch = (most: bigint, paid: bigint) => [
    ['ancestor_value', '.outputs', `at most ${most}`, `${paid}, in it`],
  ]

  test('are worth no more than what it spends', () => {
    expect(paying(10n)).toEqual([])
    expect(paying(11n)).toEqual(tooMuch(10n, 11n))
    const outputs = [
      { value: 6n, script: '51' },
      { value: 5n, script: '51' },
    ]
    expect(check({ outputs })).toEqual(tooMuch(10n, 11n))
    const second = made({ txid: other, outputs: [{ value: 3n, script: p2pk(a) }] })
    const inputs = [input(), input({ txid: other })]
    expect(paying(13n, { inputs }, { spent: [parent, second] })).toEqual([])
    expect(paying(14n, { inputs }, { spent: [parent, second] })).toEqual(tooMuch(13n, 14n))
  })

  test('are not compared if a spent output is not known', () => {
    expect(paying(11n, { inputs: [input(), input({ txid: other })] })).toEqual([])
    expect(paying(11n, { inputs: [input({ txid: zeros, vout: final })] })).toEqual([])
    expect(paying(11n, { inputs: imported })).toEqual([])
  })

  test('gain nothing from an output that no transaction has', () => {
    const inputs = [input(), input({ txid: other, vout: 0x02000000 })]
    expect(paying(10n, { inputs }).map(([code]) => code)).toEqual(['ancestor_invalid'])
    expect(paying(11n, { inputs }).map(([code]) => code)).toEqual([
      'ancestor_invalid',
      'ancestor_value',
    ])
  })

  test('may have what leaves the shielded pool, and lack what enters it', () => {
    const shieldedSpends = [{} as never]
    expect(paying(15n, { valueBalance: 5n, shieldedSpends })).toEqual([])
    expect(paying(16n, { valueBalance: 5n, shieldedSpends })).toEqual(tooMuch(15n, 16n))
    const joinSplits = [
      { vpubOld: 4n, vpubNew: 7n } as never,
      { vpubOld: 1n, vpubNew: 0n } as never,
    ]
    expect(paying(12n, { joinSplits })).toEqual([])
    expect(paying(13n, { joinSplits })).toEqual(tooMuch(12n, 13n))
  })

  test('may have a twentieth more on KMD, where old coins earn a reward', () => {
    const value = 10n * coin
    const [most, more] = [value + value / 20n, value + value / 20n + 1n]
    const old = (lockTime: number, of = value) => [
      made({ txid: parentId, lockTime, outputs: [{ value: of, script: p2pk(a) }] }),
    ]
    const time = 1_600_000_000
    expect(paying(most, {}, { network: komodo, spent: old(time) })).toEqual([])
    expect(paying(more, {}, { network: komodo, spent: old(time) })).toEqual(tooMuch(most, more))
    expect(paying(most, {}, { network: assetChain, spent: old(time) })).toEqual(
      tooMuch(value, most),
    )
    expect(paying(most, {}, { network: komodo, spent: old(5) })).toEqual(tooMuch(value, most))
    const small = value - 1n
    expect(paying(value, {}, { network: komodo, spent: old(time, small) })).toEqual(
      tooMuch(small, value),
    )
  })
})

describe('the height of an ancestor', () => {
  const wrong = (height: number, expected: string) => [
    ['ancestor_height', '', expected, `${height} of it`],
  ]
  const at = (height: number, below?: number, tipHeight?: number) =>
    check(
      {},
      {
        heights: { [txid]: height, ...(below !== undefined && { [parentId]: below }) },
        ...(tipHeight !== undefined && { tipHeight }),
      },
    )

  test('is not above the tip', () => {
    expect(at(100, undefined, 100)).toEqual([])
    expect(at(101, undefined, 100)).toEqual(wrong(101, 'at most 100'))
    expect(at(101)).toEqual([])
    expect(check({}, { tipHeight: 5 })).toEqual([])
  })

  test('is not below that of what it spends', () => {
    expect(at(100, 100)).toEqual([])
    expect(at(100, 101)).toEqual(wrong(100, `at least 101 of ${parentId}`))
    expect(at(100, 0)).toEqual(wrong(100, `none, because ${parentId} is in no block`))
    expect(at(0, 0)).toEqual([])
    expect(at(0, 101)).toEqual([])
    expect(check({}, { heights: { [parentId]: 0 } })).toEqual([])
  })

  test('is that which a coinbase names, and no coinbase waits for a block', () => {
    const { inputs } = coinbase('0164')
    expect(check({ inputs }, { heights: { [txid]: 100 } })).toEqual([])
    expect(check({ inputs }, { heights: { [txid]: 101 } })).toEqual(wrong(101, '100'))
    expect(check({ inputs }, { heights: { [txid]: 0 } })).toEqual(wrong(0, '100'))
    expect(check({ inputs })).toEqual([])
    const zero = coinbase('0100').inputs
    expect(check({ inputs: zero }, { heights: { [txid]: 0 } })).toEqual(wrong(0, '0'))
    const unnamed = coinbase('').inputs
    expect(check({ inputs: unnamed }, { heights: { [txid]: 5 } })).toEqual(
      wrong(5, 'a coinbase that names its block'),
    )
  })
})

describe('a coinbase', () => {
  const mined = made({
    txid: parentId,
    inputs: coinbase('0164').inputs,
    outputs: [{ value: 10n, script: p2pk(a) }],
  })
  const given = (height: number | undefined, network = komodo) => ({
    network,
    spent: [mined],
    heights: { [parentId]: 100, ...(height !== undefined && { [txid]: height }) },
  })

  test('is spent on KMD after a hundred blocks', () => {
    expect(check({}, given(200))).toEqual([])
    expect(check({}, given(199))).toEqual([
      ['premature_coinbase', '.inputs[0]', '100 blocks', '99'],
    ])
    expect(check({}, given(199, assetChain))).toEqual([])
    expect(check({}, given(undefined))).toEqual([])
    const inputs = [input({ txid: other }), input()]
    expect(codes({ inputs, outputs: [] }, given(199))).toEqual(['premature_coinbase'])
    expect(codes({}, { ...given(50), heights: { [txid]: 50, [parentId]: 0 } })).toEqual([
      'ancestor_height',
    ])
  })

  test('is not spent by what waits for the next block too early', () => {
    expect(codes({}, { ...given(0), tipHeight: 199 })).toEqual([])
    expect(codes({}, { ...given(0), tipHeight: 198 })).toEqual(['premature_coinbase'])
    expect(codes({}, given(0))).toEqual([])
  })
})

describe('an ancestor that expires', () => {
  const at = (height: number | undefined, expiryHeight: number, tipHeight?: number) =>
    check(
      { expiryHeight },
      {
        heights: height === undefined ? {} : { [txid]: height },
        ...(tipHeight !== undefined && { tipHeight }),
      },
    )

  test('is in a block before its end, or at it', () => {
    expect(at(100, 100)).toEqual([])
    expect(at(100, 99)).toEqual([['ancestor_expired', '.expiryHeight', 'at least 100', '99 of it']])
    expect(at(100, 0)).toEqual([])
    expect(at(undefined, 99)).toEqual([])
    expect(at(undefined, 99, 500)).toEqual([])
  })

  test('can be in the next block, if it is in none', () => {
    expect(at(0, 101, 100)).toEqual([])
    expect(at(0, 100, 100)).toEqual([
      ['ancestor_expired', '.expiryHeight', 'at least 101', '100 of it'],
    ])
    expect(at(0, 100)).toEqual([])
  })

  test('is not a coinbase, whose expiry is its height by chance', () => {
    const { inputs } = coinbase('0164')
    expect(check({ inputs, expiryHeight: 99 }, { heights: { [txid]: 100 } })).toEqual([])
  })
})

describe('an ancestor with a lock time', () => {
  const locked = (
    lockTime: number,
    sequences: readonly number[],
    { height = 100, ...given }: { height?: number; tipHeight?: number; tipTime?: number } = {},
  ) =>
    check(
      { lockTime, inputs: sequences.map((sequence) => input({ sequence })) },
      { ...given, heights: { [txid]: height } },
    )
  const early = (least: number, lockTime: number) => [
    ['ancestor_locked', '.lockTime', `below ${least}`, `${lockTime} of it`],
  ]
  const relative = 5

  test('is in a block after it, unless all inputs are final', () => {
    expect(locked(99, [relative])).toEqual([])
    expect(locked(100, [relative])).toEqual(early(100, 100))
    expect(locked(100, [final, relative])).toEqual(early(100, 100))
    expect(locked(100, [final, final])).toEqual([])
    expect(locked(0, [relative])).toEqual([])
    expect(codes({ lockTime: 100, inputs: [input({ sequence: relative })] })).toEqual([])
  })

  test('may be in the block of it, or in an old one before it, as daemons make it', () => {
    expect(locked(100, [waits])).toEqual([])
    expect(locked(101, [waits])).toEqual([])
    expect(locked(101, [waits, final])).toEqual([])
    expect(locked(101, [waits, relative])).toEqual(early(100, 101))
  })

  test('waits for the next block, if it is in none', () => {
    const given = { height: 0, tipHeight: 99 }
    expect(locked(99, [relative], given)).toEqual([])
    expect(locked(100, [relative], given)).toEqual(early(100, 100))
    expect(locked(100, [waits], given)).toEqual([])
    expect(locked(101, [waits], given)).toEqual(early(100, 101))
    expect(locked(101, [waits], { height: 0 })).toEqual([])
    expect(locked(101, [final], given)).toEqual([])
  })

  test('waits until a time, of which clocks may be two hours ahead', () => {
    const tipTime = 1_700_000_000
    expect(locked(tipTime + 7199, [relative], { tipTime })).toEqual([])
    expect(locked(tipTime + 7200, [relative], { tipTime })).toEqual(
      early(tipTime + 7200, tipTime + 7200),
    )
    expect(locked(tipTime + 7200, [relative])).toEqual([])
    const lockTime = tipTime + 7200
    const inputs = [input({ sequence: relative })]
    expect(check({ lockTime, inputs }, { tipTime })).toEqual([])
    // From 500,000,000 on a lock time is a time.
    expect(locked(499_999_999, [relative], { tipTime })).toEqual(early(100, 499_999_999))
    expect(locked(500_000_000, [relative], { tipTime })).toEqual([])
  })

  test('is not a coinbase', () => {
    const inputs = [{ ...coinbase('0164').inputs[0]!, sequence: relative }]
    expect(check({ lockTime: 100, inputs }, { heights: { [txid]: 100 } })).toEqual([])
  })
})
