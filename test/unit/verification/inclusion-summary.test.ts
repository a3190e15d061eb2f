// The reports on proofs of inclusion: how deep, how much work, how many servers. inclusion-evidence.test.ts has whole
// payments, and what a hostile source can make of proofs.

import { describe, expect, test } from 'vitest'

import {
  type ChainTerms,
  decodeTransaction,
  type Evidence,
  type InclusionEvidence,
  networks,
} from '../../../src/index.ts'
import { finish } from '../../../src/primitives/steps.ts'
import { checkInclusion } from '../../../src/verification/inclusion.ts'
import { blockAt, blocks, decodedHeaders, headers, proofOf } from '../../support/inclusion.ts'

const network = networks.assetChain
const equihash = { n: 48, k: 5 }
const known = (...heights: number[]): ChainTerms => ({
  equihash,
  checkpoints: heights.map(blockAt),
})
/** The coinbase of a recorded block. */
const coinbase = (height: number) => decodeTransaction(blocks[height]![0]!).txid
const givenAt = new Map([50, 55].map((at) => [coinbase(at), { hex: blocks[at]![0]! }]))
const proofs = [50, 55].map((at) => proofOf(coinbase(at)))
const [older, younger] = proofs as [(typeof proofs)[number], (typeof proofs)[number]]

interface Given extends Partial<Evidence> {
  readonly chain?: ChainTerms
  readonly spent?: readonly number[]
}
function check(
  inclusion: readonly InclusionEvidence[],
  { chain = known(60), spent = [50], ...evidence }: Given = {},
) {
  const terms = { network, chain } as never
  const outpoints = spent.map((at) => ({ txid: coinbase(at), vout: 0 }))
  const whole = { previousTransactions: [], ...evidence, inclusion }
  return finish(checkInclusion(whole, terms, { givenAt } as never, outpoints))
}
const stretch = (...given: (typeof older)[]) => ({
  headers: headers.slice(50, 61),
  proofs: given,
})
const [knownBlock] = known(60).checkpoints as [ChainTerms['checkpoints'][number]]

describe('a report on proofs', () => {
  test('counts those of spent transactions, and tells the depth of the youngest', () => {
    const actual = `1 of 1 spent transactions, 2 in all; the youngest in block 55, 6 deep by these headers; known block 60 ${knownBlock.hash}`
    for (const given of [
      [older, younger],
      [younger, older],
    ]) {
      const { findings, bound } = check([stretch(...given)])
      expect(findings).toMatchObject([
        { code: 'inclusion_linked', path: 'evidence.inclusion[0]', actual },
      ])
      expect(findings[0]).not.toHaveProperty('expected')
      expect(bound).toEqual(new Set([coinbase(50), coinbase(55)]))
    }
    const [finding] = check([stretch(older)], { spent: [50, 55] }).findings
    expect(finding!.actual).toContain(
      '1 of 2 spent transactions, 1 in all; the youngest in block 50',
    )
  })

  test('tells how many servers the evidence names, each once', () => {
    const of = (...sources: string[]) =>
      check([{ ...stretch(older), sources }]).findings[0]!.actual as string
    expect(of('a')).toMatch(/; 1 server by the evidence$/)
    expect(of('a', 'b', 'a')).toMatch(/; 2 servers by the evidence$/)
    expect(of()).not.toContain('server')
  })

  test('tells the work that is wanted, or that none will do', () => {
    const codes = (workMin?: bigint) => {
      const chain = { ...known(49), ...(workMin !== undefined && { workMin }) }
      return check([stretch(older, younger)], { chain }).findings.map(
        ({ code, expected, actual }) => [code, expected, /\d+ hashes/.exec(`${actual}`)?.[0]],
      )
    }
    const [ofAll, ofYounger] = [11n * 0x11n, 6n * 0x11n]
    expect(codes()).toEqual([
      [
        'inclusion_light',
        'a known block after it, or workMin in the request',
        `${ofYounger} hashes`,
      ],
    ])
    expect(codes(ofYounger)).toEqual([['inclusion_worked', undefined, `${ofYounger} hashes`]])
    expect(codes(ofAll)).toEqual([
      ['inclusion_worked', undefined, `${ofAll} hashes`],
      ['inclusion_light', `at least ${ofAll} hashes of work`, `${ofYounger} hashes`],
    ])
  })
})

describe('the time of the last block', () => {
  const { time } = decodedHeaders[60]!
  const codes = (given: Partial<Evidence>) =>
    check([stretch(older)], given).findings.map(({ code, path }) => `${code} ${path}`)
  const linked = 'inclusion_linked evidence.inclusion[0]'

  test('is that of its header, if the header is there', () => {
    expect(codes({ tipHeight: 60, tipTime: time })).toEqual([linked])
    expect(codes({ tipHeight: 60, tipTime: time + 1 })).toEqual([
      'evidence_contradicts evidence.tipTime',
      linked,
    ])
    expect(codes({ tipHeight: 61, tipTime: time + 1 })).toEqual([linked])
    expect(codes({ tipTime: 5 })).toEqual([linked])
    expect(codes({ tipHeight: 60 })).toEqual([linked])
  })

  test('is not below the headers that are there', () => {
    expect(codes({ tipHeight: 59 })).toEqual([
      'evidence_contradicts evidence.inclusion[0].headers',
      linked,
    ])
  })
})

test('256 stretches of headers are read, and the report says so if there are more', () => {
  const empty = { headers: [], proofs: [] }
  const more = (count: number) =>
    check(Array.from({ length: count }, () => empty)).findings.filter(
      ({ path }) => path === 'evidence.inclusion',
    )
  expect(more(256)).toEqual([])
  expect(more(257)).toMatchObject([
    { actual: '257 stretches of headers, of which 256 are read', code: 'inclusion_unproven' },
  ])
})
