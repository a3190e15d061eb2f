// These tests hold the outputs that inputs spend, how certain each amount is, and which tokens are
// false. Amounts decide the fee, so a wrong one costs money.

import { describe, expect, test } from 'vitest'

import { finish } from '../../../src/primitives/steps.ts'
import { holderOf, holderWords } from '../../../src/token/read/holder.ts'
import type { Transaction } from '../../../src/transaction/types.ts'
import type { KnownTransactions } from '../../../src/verification/evidence.ts'
import type { Tokens } from '../../../src/verification/family.ts'
import {
  knownOf,
  resolveInputs,
  type SpentOutput,
} from '../../../src/verification/previous-outputs.ts'
import {
  borrowedAt,
  disproofFinding,
  proveTokens,
  unprovenFindings,
} from '../../../src/verification/token-inputs.ts'

const one = '01'.repeat(32)
const two = '02'.repeat(32)
const parent = {
  outputs: [
    { value: 5n, script: '51' },
    { value: 0n, script: '52' },
    { value: -1n, script: '53' },
  ],
}

/** Resolves one input for each outpoint, where the first transaction alone is given. */
function resolved(
  outpoints: readonly [txid: string, vout: number][],
  claims: Readonly<Record<string, readonly bigint[]>> = {},
) {
  const tx = { inputs: outpoints.map(([txid, vout]) => ({ txid, vout })) } as unknown as Transaction
  const known = {
    byTxid: new Map([[one, parent as unknown as Transaction]]),
    claims: new Map(Object.entries(claims)),
  } as unknown as KnownTransactions
  return resolveInputs(tx, known)
}
const findingsOf = ({ findings }: { findings: readonly object[] }) =>
  findings.map((it) => {
    const { severity: _, message: __, ...rest } = it as { severity: string; message: string }
    return rest
  })

describe('an input', () => {
  test('spends an output of a whole transaction, whose amount is proven', () => {
    const { findings, prevouts, spends } = resolved([
      [one, 0],
      [one, 1],
    ])
    expect(findings).toEqual([])
    expect(prevouts).toEqual([
      {
        txid: one,
        vout: 0,
        value: 5n,
        script: '51',
        output: parent.outputs[0],
        transaction: parent,
      },
      {
        txid: one,
        vout: 1,
        value: 0n,
        script: '52',
        output: parent.outputs[1],
        transaction: parent,
      },
    ])
    expect(spends).toEqual([
      { input: 0, value: 5n, known: 'proven' },
      { input: 1, value: 0n, known: 'proven' },
    ])
  })

  test('of a transaction that is not given has no amount, or one that is only asserted', () => {
    const found = resolved(
      [
        [one, 0],
        [two, 0],
        [two, 1],
      ],
      { [`${two}:1`]: [7n] },
    )
    expect(findingsOf(found)).toEqual([
      { code: 'prevout_missing', path: 'inputs[1]', expected: two },
      { code: 'prevout_missing', path: 'inputs[2]', expected: two },
    ])
    expect(found.prevouts.map((it) => it?.value)).toEqual([5n, undefined, undefined])
    expect(found.spends.slice(1)).toEqual([
      { input: 1, known: 'missing' },
      { input: 2, value: 7n, known: 'asserted' },
    ])
  })

  test('of an output that does not exist, or holds less than nothing, is refused', () => {
    const found = resolved([
      [one, 3],
      [one, 2],
    ])
    expect(findingsOf(found)).toEqual([
      { code: 'prevout_index', path: 'inputs[0].vout', expected: 'below 3', actual: 3 },
      { code: 'value_range', path: 'inputs[1]', expected: 'at least 0', actual: -1n },
    ])
    expect(found.prevouts).toEqual([undefined, undefined])
    expect(found.spends.map(({ known }) => known)).toEqual(['missing', 'missing'])
  })

  test.each<[string, number, readonly bigint[], object, object[]]>([
    ['agrees with it', 0, [5n], { value: 5n, known: 'proven' }, []],
    [
      'differs from it',
      0,
      [6n],
      { value: 5n, known: 'contradictory' },
      [{ code: 'amount_contradicted', path: 'inputs[0]', expected: '6', actual: 5n }],
    ],
    [
      'differs from another claim',
      0,
      [5n, 6n],
      { value: 5n, known: 'contradictory' },
      [{ code: 'amount_contradicted', path: 'inputs[0]', expected: '5 and 6', actual: 5n }],
    ],
  ])('an amount that is claimed as well: the claim %s', (_, vout, claims, spend, findings) => {
    const found = resolved([[one, vout]], { [`${one}:${vout}`]: claims })
    expect(found.spends).toEqual([{ input: 0, ...spend }])
    expect(findingsOf(found)).toEqual(findings)
  })

  test('an input whose amount is claimed twice, and in no transaction, is contradictory', () => {
    const found = resolved([[two, 0]], { [`${two}:0`]: [7n, 8n] })
    expect(found.spends).toEqual([{ input: 0, value: 7n, known: 'contradictory' }])
    expect(findingsOf(found).at(-1)).toEqual({
      code: 'amount_contradicted',
      path: 'inputs[0]',
      expected: '7 and 8',
      actual: undefined,
    })
  })
})

test.each([
  [[], 'proven'],
  [['proven', 'proven'], 'proven'],
  [['proven', 'asserted'], 'asserted'],
  [['contradictory', 'asserted', 'proven'], 'contradictory'],
  [['asserted', 'missing', 'contradictory'], 'missing'],
] as const)('a fee is known as its least certain amount: %j', (known, expected) => {
  const spends = known.map((it, input) => ({ input, known: it }))
  expect(knownOf(spends as unknown as Parameters<typeof knownOf>[0])).toBe(expected)
})

describe('inputs with tokens', () => {
  const spent = (vout: number, script: string) => ({ txid: one, vout, script }) as SpentOutput
  const [gold, more, silver, coin, order] = [
    spent(0, 'gold'),
    spent(1, 'gold'),
    spent(2, 'silver'),
    spent(3, 'coin'),
    spent(4, 'gold of an order'),
  ] as const
  const borrowed = new Map([
    [`${one}:4`, { holds: 'units', signer: 'module' } as const],
    [`${one}:3`, { holds: 'coins', signer: 'module' } as const],
  ])

  function tokens() {
    const asked: string[] = []
    const historyOf = (name: string) => ({
      *prove(outputs: readonly SpentOutput[]) {
        asked.push(`${name} ${outputs.map(({ vout }) => vout)}`)
        yield
        return outputs.map(({ vout }) => `${name} ${vout}`)
      },
      *missingFor(txids: readonly string[]) {
        yield
        return name === 'gold'
          ? Array.from({ length: 7 + txids.length }, (_, at) => `m${at}`)
          : ['s']
      },
    })
    const all = {
      isOwn: (script: string) => script === 'gold' || script === 'silver',
      tokenidOf: ({ script }: SpentOutput) => script.split(' ')[0]!,
      histories: new Map(['gold', 'silver'].map((name) => [name, historyOf(name)])),
    }
    return { tokens: all as unknown as Tokens, asked }
  }

  test('are proven together for each token, and coins are not', () => {
    const { tokens: own, asked } = tokens()
    const prevouts = [gold, undefined, coin, silver, more, order]
    const proofs = finish(proveTokens(prevouts, { tokens: own, borrowed }))
    expect(asked).toEqual(['gold 0,1,4', 'silver 2'])
    expect([...proofs]).toEqual([
      [gold, 'gold 0'],
      [more, 'gold 1'],
      [order, 'gold 4'],
      [silver, 'silver 2'],
    ])
    expect([...finish(proveTokens(prevouts, { tokens: own })).keys()]).toEqual([gold, more, silver])
    expect([...finish(proveTokens([coin, gold], {}))]).toEqual([])
  })

  test('may be borrowed from an order, by their outpoint', () => {
    expect(borrowedAt(order, { borrowed })).toEqual({ holds: 'units', signer: 'module' })
    expect(borrowedAt(gold, { borrowed })).toBeUndefined()
    expect(borrowedAt(order, {})).toBeUndefined()
  })

  test.each([
    ['last_output', 'foreign_token_input'],
    ['no_payload', 'foreign_token_input'],
    ['other_token', 'foreign_token_input'],
    ['unequal_amounts', 'fake_token_input'],
  ] as const)('are of another token, or of none, by the rule that they break: %s', (rule, code) => {
    const proof = { verdict: 'disproven', rule, txid: two } as Parameters<typeof disproofFinding>[0]
    expect(disproofFinding(proof, one, 'inputs[0]')).toMatchObject({
      code,
      path: 'inputs[0]',
      expected: one,
      actual: `${rule} in ${two}`,
    })
  })

  test.each(['proven', 'unproven'])('tokens that are %s are not disproven', (verdict) => {
    const proof = { verdict } as Parameters<typeof disproofFinding>[0]
    expect(disproofFinding(proof, one, 'inputs[0]')).toBeUndefined()
  })

  test('unproven tokens name up to eight ancestors that are missing', () => {
    const { tokens: own } = tokens()
    const prevouts = [gold, silver, more]
    const actualOf = (unproven: readonly number[]) =>
      finish(unprovenFindings(unproven, prevouts, own)).map(({ code, path, actual }) => [
        code,
        path,
        actual,
      ])
    const eight = 'missing m0, m1, m2, m3, m4, m5, m6, m7'
    expect(actualOf([])).toEqual([])
    expect(actualOf([0])).toEqual([['token_parent_unproven', 'inputs[0]', eight]])
    expect(actualOf([0, 1, 2])).toEqual([
      ['token_parent_unproven', 'inputs[0]', `${eight} and 1 more`],
      ['token_parent_unproven', 'inputs[1]', 'missing s'],
      ['token_parent_unproven', 'inputs[2]', `${eight} and 1 more`],
    ])
  })
})

describe('the holder of an output', () => {
  test.each<[object, string | undefined, string | undefined]>([
    [{ pubkeys: ['a'] }, 'a', 'a'],
    [{ pubkeys: ['a', 'b', 'c'] }, 'a b c', 'a or b or c'],
    [{ pubkeys: ['a', 'b'], required: 1 }, 'a b', 'a or b'],
    [{ pubkeys: ['a', 'b', 'c'], required: 2 }, '2 of a b c', '2 of a, b, c'],
    [{}, undefined, undefined],
  ])('is one text, and another one in words: %j', (output, holder, words) => {
    expect(holderOf(output as Parameters<typeof holderOf>[0])).toBe(holder)
    if (holder !== undefined) expect(holderWords(holder)).toBe(words)
  })
})
