import { describe, expect, test } from 'vitest'

import { targetOfBits, workOfTarget } from '../../../src/block/work.ts'
import {
  type ChainRules,
  decodeBlockHeader,
  komodoRules,
  verifyHeaderChain,
} from '../../../src/electrum/index.ts'
import { headersOf, publicBlocks } from '../../support/headers.ts'
import { mined } from '../../support/mined-header.ts'

const headers = headersOf('komodod-headers.txt')
const hashes = headers.map((hex) => decodeBlockHeader(hex).hash)
const genesis = { height: 0, hash: hashes[0]! }
const rules: ChainRules = { equihash: { n: 48, k: 5 }, checkpoints: [] }
const at = (height: number) => ({ height, hash: hashes[height]! })

describe('headers that a real komodod made', () => {
  test('all hold, from the genesis block and from the one after it', () => {
    const report = verifyHeaderChain(headers.join(''), genesis, rules)
    expect(report).toMatchObject({ ok: true, count: 196, tip: { height: 195, hash: hashes[195] } })
    // Recorded: each block of a young chain adds 0x11 hashes.
    expect(report.work).toBe(196n * 0x11n)
    const later = verifyHeaderChain(headers.slice(1), genesis, rules)
    expect(later).toMatchObject({ ok: true, count: 195, tip: { height: 195 } })
  })

  test('the genesis block of all chains binds to none of them; a later block does', () => {
    const codes = (of: ReturnType<typeof verifyHeaderChain>) => of.findings.map(({ code }) => code)
    expect(codes(verifyHeaderChain(headers, genesis, rules))).toEqual(['chain_unbound'])
    const own = { ...rules, checkpoints: [at(1)] }
    const bound = verifyHeaderChain(headers, genesis, own)
    expect([codes(bound), bound.checkpoint]).toEqual([[], at(1)])
    expect(codes(verifyHeaderChain(headers.slice(11), at(10), rules))).toEqual([])
  })

  test('the median time is that of the last eleven', () => {
    const times = headers.slice(-11).map((hex) => decodeBlockHeader(hex).time)
    const median = times.sort((one, other) => one - other)[5]
    expect(verifyHeaderChain(headers, genesis, rules).tip!.medianTime).toBe(median)
    expect(verifyHeaderChain(headers.slice(0, 10), genesis, rules).tip!.medianTime).toBeUndefined()
  })
})

test('a checkpoint is refused where the rules have another block', () => {
  const own = { ...rules, checkpoints: [{ height: 10, hash: '11'.repeat(32) }] }
  for (const from of [10, 11]) {
    const { ok, count, findings } = verifyHeaderChain(headers.slice(from), at(10), own)
    expect([ok, count]).toEqual([false, 0])
    const expected = { expected: '11'.repeat(32), actual: hashes[10] }
    expect(findings).toEqual([
      { code: 'header_checkpoint', severity: 'reject', height: 10, ...expected },
    ])
  }
})

const isEasy = (hash: string) => BigInt(`0x${hash}`) <= (targetOfBits(0x200f0f0f) as bigint)
const last = hashes.at(-1)!
const tipTime = decodeBlockHeader(headers.at(-1)!).time

function findingsAfter(header: string, changes: Partial<ChainRules> = {}) {
  const chain = verifyHeaderChain([...headers, header], genesis, {
    ...rules,
    checkpoints: [at(1)],
    ...changes,
  })
  return { ok: chain.ok, count: chain.count, findings: chain.findings, work: chain.work }
}

describe('a header that somebody else made', () => {
  test('holds if it links, is solved and is below its target', () => {
    const header = mined(last, { wants: isEasy })
    expect(findingsAfter(header)).toMatchObject({ ok: true, count: 197, findings: [] })
  })

  test('is refused if it does not link', () => {
    const { findings } = findingsAfter(mined(hashes[7]!, { wants: isEasy }))
    const expected = { code: 'header_link', severity: 'reject', height: 196 }
    expect(findings).toEqual([{ ...expected, expected: last, actual: hashes[7] }])
  })

  test('is refused if its hash is above its target, which nobody was allowed to ignore', () => {
    const bits = 0x1d00ffff
    const header = mined(last, { bits, wants: isEasy })
    const { ok, count, findings } = findingsAfter(header)
    expect([ok, count]).toEqual([false, 196])
    expect(findings.map(({ code }) => code)).toEqual(['header_target'])
    const easy = findingsAfter(header, { allowsEasyBlocks: true })
    expect([easy.ok, easy.findings.map(({ code }) => code)]).toEqual([true, ['header_easy']])
    // It counts for the work that was done, not for that of the target it states.
    expect(easy.work).toBe(197n * 0x11n)
  })

  test('is refused above the easiest target of a chain that allows easy blocks', () => {
    const header = mined(last, { bits: 0x1d00ffff, wants: (hash) => !isEasy(hash) })
    const { findings } = findingsAfter(header, { allowsEasyBlocks: true })
    expect(findings.map(({ code }) => code)).toEqual(['header_target'])
  })

  test.each([
    ['negative', 0x1d80ffff],
    ['zero', 0x1d000000],
    ['zero', 0x00ffffff],
    ['overflow', 0x23000001],
    ['easier than the limit', 0x200f0f10],
    ['easier than the limit', 0x207fffff],
  ])('is refused with a target that is %s', (actual, bits) => {
    const { findings } = findingsAfter(mined(last, { bits, wants: isEasy }))
    expect(findings).toEqual([{ code: 'header_bits', severity: 'reject', height: 196, actual }])
  })

  test('is refused if its time is not after the median of eleven', () => {
    const times = headers.slice(-11).map((hex) => decodeBlockHeader(hex).time)
    const median = times.sort((one, other) => one - other)[5]!
    const early = findingsAfter(mined(last, { time: median, wants: isEasy }))
    expect(early.findings.map(({ code }) => code)).toEqual(['header_time'])
    expect(findingsAfter(mined(last, { time: median + 1, wants: isEasy })).ok).toBe(true)
    expect(tipTime).toBeGreaterThan(median)
  })
})

test('a header that is changed in any byte ends the chain before it', () => {
  const faults = new Set<string>()
  for (let byte = 0; byte < 177; byte += 1) {
    if (byte === 140) continue
    const changed = Buffer.from(headers[3]!, 'hex')
    changed[byte]! ^= 1
    const given = [...headers.slice(0, 3), changed.toString('hex'), ...headers.slice(4)]
    const { ok, count, tip, findings } = verifyHeaderChain(given, genesis, rules)
    expect({ ok, count, tip: tip!.hash }).toEqual({ ok: false, count: 3, tip: hashes[2] })
    faults.add(findings[0]!.code)
  }
  expect([...faults].sort()).toEqual(['header_link', 'header_solution'])
})

test('headers in another order, with one left out, or twice, do not link', () => {
  const [zero, one, two, three] = headers as [string, string, string, string]
  for (const given of [
    [zero, two, one],
    [zero, one, three],
    [zero, one, one],
    [zero, zero],
    [two],
  ]) {
    const { ok, findings } = verifyHeaderChain(given, genesis, rules)
    expect([ok, findings[0]!.code]).toEqual([false, 'header_link'])
  }
})

test('a checkpoint that differs is refused, wherever it is', () => {
  for (const height of [1, 100, 195]) {
    const checkpoints = [{ height, hash: '11'.repeat(32) }]
    const { ok, count, findings } = verifyHeaderChain(headers, genesis, { ...rules, checkpoints })
    expect([ok, count]).toEqual([false, height])
    expect(findings[0]).toMatchObject({
      code: 'header_checkpoint',
      height,
      expected: '11'.repeat(32),
      actual: hashes[height],
    })
  }
})

test('a chain of other parameters is refused, and a real block of KMD is not a block of this chain', () => {
  const [kmd] = publicBlocks
  const before = { height: kmd!.height - 1, hash: kmd!.previous }
  expect(verifyHeaderChain(kmd!.header, before, komodoRules)).toMatchObject({
    ok: true,
    tip: { height: 491_000, hash: kmd!.hash },
  })
  const asAsset = verifyHeaderChain(kmd!.header, before, rules)
  expect(asAsset.findings[0]).toMatchObject({ code: 'header_solution', actual: 'solution_length' })
  const linked = verifyHeaderChain([headers[0]!, kmd!.header], genesis, komodoRules)
  expect(linked.findings[0]!.code).toBe('header_link')
})

test.each(publicBlocks)('the real header of $chain at $height holds', (block) => {
  const before = { height: block.height - 1, hash: block.previous }
  const { ok, findings } = verifyHeaderChain(block.header, before, {
    equihash: { n: 200, k: 9 },
    checkpoints: [{ height: block.height, hash: block.hash }],
  })
  expect([ok, findings]).toEqual([true, []])
})

test('the checkpoints of KMD rise in height', () => {
  const heights = komodoRules.checkpoints.map(({ height }) => height)
  expect(heights).toEqual(heights.toSorted((one, other) => one - other))
  expect(new Set(heights).size).toBe(heights.length)
})

test.each([
  [0x200f0f0f, 0x0f0f0fn << 232n],
  [0x1d00ffff, 0xffffn << 208n],
  [0x03123456, 0x123456n],
  [0x02123456, 0x1234n],
  [0x01123456, 0x12n],
  [0x04123456, 0x12345600n],
  [0x01fedcba, 'negative'],
  [0x00123456, 'zero'],
  [0x04923456, 'negative'],
  [0xff123456, 'overflow'],
  [0x22000001, 1n << 248n],
  [0x22000100, 'overflow'],
])('compact %i is the target that komodod reads', (bits, target) => {
  // komodo src/test/arith_uint256_tests.cpp, bignum_SetCompact
  expect(targetOfBits(bits)).toBe(target)
})

test('the work of a target is how often a hash misses it', () => {
  // Recorded: chainwork of the genesis block, of target 0x200f0f0f.
  expect(workOfTarget(targetOfBits(0x200f0f0f) as bigint)).toBe(0x11n)
  expect(workOfTarget(1n)).toBe(1n << 255n)
})

test.each([
  [[], genesis, rules],
  [headers, { height: -1, hash: hashes[0] }, rules],
  [headers, { height: 0, hash: 'ab' }, rules],
  [headers, undefined, rules],
  [headers, genesis, undefined],
  [headers, genesis, { ...rules, checkpoints: [7] }],
  [headers, genesis, { ...rules, limitBits: 0 }],
  [headers, genesis, { ...rules, equihash: { n: 1, k: 1 } }],
  [7, genesis, rules],
])('arguments of other types are a TypeError', (given, checkpoint, given2) => {
  expect(() => verifyHeaderChain(given as never, checkpoint as never, given2 as never)).toThrow(
    TypeError,
  )
})
