// Headers as evidence, and the chain that a request names, called directly. inclusion-evidence.test.ts
// has whole payments.

import { describe, expect, test } from 'vitest'

import { sharedGenesis } from '../../../src/block/chains.ts'
import { decodeBlockHeader, komodoRules } from '../../../src/electrum/index.ts'
import { type ChainTerms, networks } from '../../../src/index.ts'
import { finish } from '../../../src/primitives/steps.ts'
import { readStretch } from '../../../src/verification/header-stretch.ts'
import { checkChainTerms, readyChain } from '../../../src/verification/known-chain.ts'
import { blockAt, decodedHeaders, headers } from '../../support/inclusion.ts'
import { mined } from '../../support/mined-header.ts'

const { assetChain, komodo } = networks
const equihash = { n: 48, k: 5 }
const noBlock = '11'.repeat(32)
const known = (...heights: number[]): ChainTerms => ({
  equihash,
  checkpoints: heights.map(blockAt),
})
const read = (texts: readonly string[], chain: ChainTerms, budget = 1000) =>
  finish(readStretch(texts, readyChain({ chain }, assetChain)!, { headers: budget }))
const unproven = (actual: string) => ({ code: 'inclusion_unproven', actual })

describe('headers', () => {
  test('have heights by the known block among them, or right before them', () => {
    const last = { height: 60, hash: blockAt(60).hash }
    const stretch = read(headers.slice(50, 61), known(60))
    expect(stretch).toMatchObject({ first: 50, known: last })
    expect(stretch).toHaveProperty('blocks.length', 11)
    expect(read(headers.slice(61, 63), known(60))).toMatchObject({ first: 61, known: last })
    expect(read(headers.slice(50, 61), known(50, 60))).toMatchObject({ first: 50, known: last })
    expect(read(headers.slice(50, 61), known(60, 50))).toMatchObject({ first: 50, known: last })
  })

  test('state what anyone can check of their blocks', () => {
    const { hash, merkleRoot, time } = decodedHeaders[50]!
    expect(read(headers.slice(50, 51), known(50))).toMatchObject({
      blocks: [{ hash, merkleRoot, time }],
    })
  })

  // Otherwise a source could put a merkle root of its own into a known chain.
  test('follow each other, up to the known block as well', () => {
    const forged = mined(blockAt(51).hash, { merkleRoot: noBlock })
    const texts = [...headers.slice(50, 52), forged, ...headers.slice(53, 61)]
    expect(read(texts, known(60))).toEqual(unproven('header_link at header 3'))
    expect(read([headers[50]!, headers[52]!], known(52))).toEqual(
      unproven('header_link at header 1'),
    )
  })

  test('are whole, in pieces of any number', () => {
    const whole = read(headers.slice(50, 61), known(60))
    expect(read([headers.slice(50, 61).join('')], known(60))).toEqual(whole)
    const cut = `${headers[50]}${headers[51]!.slice(0, -2)}`
    expect(read([cut], known(60))).toMatchObject({ actual: expect.stringMatching(/ in header 1$/) })
    expect(read(['zz'], known(60))).toEqual(unproven('malformed_hex in header 0'))
  })

  test('are as many as may be read', () => {
    const budget = { headers: 5 }
    const chain = readyChain({ chain: known(52) }, assetChain)!
    expect(finish(readStretch(headers.slice(50, 53), chain, budget))).toMatchObject({ first: 50 })
    expect(budget.headers).toBe(2)
    expect(finish(readStretch(headers.slice(50, 53), chain, budget))).toEqual(
      unproven('more than 10000 headers'),
    )
    expect(read(headers.slice(50, 53), known(52), 3)).toMatchObject({ first: 50 })
  })

  test('contradict a known block at whose height they have another one', () => {
    const other = (height: number): ChainTerms => ({
      equihash,
      checkpoints: [blockAt(60), { height, hash: noBlock }],
    })
    for (const height of [49, 50, 59]) {
      expect(read(headers.slice(50, 61), other(height))).toEqual({
        code: 'chain_contradicted',
        expected: `${noBlock} at height ${height}`,
        actual: blockAt(height).hash,
      })
    }
    for (const height of [48, 61]) {
      expect(read(headers.slice(50, 61), other(height))).toMatchObject({ first: 50 })
    }
  })

  test('count up to the last known block where a higher one is known', () => {
    const stretch = read(headers.slice(40, 61), known(50, 100))
    expect(stretch).toMatchObject({ first: 40, known: { height: 50 } })
    expect(stretch).toHaveProperty('blocks.length', 11)
    expect(stretch).not.toHaveProperty('blocks.10.work')
  })

  test('have the work of all that follow, if they come after the last known block', () => {
    const stretch = read(headers.slice(49, 54), known(50))
    expect(stretch).toHaveProperty('blocks.length', 5)
    const works = 'blocks' in stretch ? stretch.blocks.map(({ work }) => work) : []
    expect(works).toEqual([undefined, undefined, 0x33n, 0x22n, 0x11n])
  })

  test('prove nothing from one that is not solved on, at a height', () => {
    const broken = `${headers[53]!.slice(0, -2)}00`
    expect(read([...headers.slice(51, 53), broken], known(50))).toMatchObject({
      code: 'inclusion_unproven',
      actual: expect.stringMatching(/ at height 53$/),
    })
  })

  test('are named by the last fault, and not by a block that is easy because notaries made it', () => {
    const chain = { ...known(50), allowsEasyBlocks: true, limitBits: 0x207fffff }
    const wants = (hash: string) => hash < '7fffff'
    const easy = mined(blockAt(50).hash, { bits: 0x1f0f0f0f, wants })
    const next = mined(decodeBlockHeader(easy).hash, { wants })
    expect(read([easy, next], chain)).toMatchObject({ first: 51 })
    expect(read([easy, `${next.slice(0, -2)}00`], chain)).toMatchObject({
      actual: expect.stringMatching(/^(?!header_easy).* at height 52$/),
    })
  })

  test('lead to a known block, or prove nothing', () => {
    expect(read(headers.slice(50, 61), known(48, 61))).toEqual(
      unproven('headers that lead to no known block'),
    )
    expect(read([], known(48))).toEqual(unproven('headers that lead to no known block'))
  })
})

describe('the chain of a request', () => {
  test('is known by its blocks, or because it is KMD', () => {
    expect(readyChain({}, assetChain)).toBeUndefined()
    expect(readyChain({ chain: undefined }, assetChain)).toBeUndefined()
    const kmd = readyChain({}, komodo)!
    const [, ...checkpoints] = komodoRules.checkpoints
    expect(kmd.rules).toEqual({ ...komodoRules, checkpoints })
    expect(kmd).not.toHaveProperty('workMin')
  })

  test('keeps the rules of KMD where its own members are undefined', () => {
    const absent = { equihash: undefined, allowsEasyBlocks: undefined } as object
    const { rules } = readyChain({ chain: { checkpoints: [], ...absent } }, komodo)!
    expect(rules).toMatchObject({ equihash: { n: 200, k: 9 }, allowsEasyBlocks: true })
  })

  test('is not KMD if only its name is, or only its members are', () => {
    expect(readyChain({}, { ...komodo, name: 'another' })).toBeUndefined()
    expect(readyChain({}, { ...assetChain, name: komodo.name })).toBeUndefined()
  })

  test('has its blocks beside those of KMD, without the first that all chains share', () => {
    const checkpoints = [
      { height: 5, hash: noBlock.toUpperCase() },
      { height: 0, hash: sharedGenesis.toUpperCase() },
    ]
    const chain = readyChain({ chain: { checkpoints, workMin: 5n, limitBits: 9 } }, assetChain)
    expect(chain).toEqual({
      rules: {
        equihash: { n: 200, k: 9 },
        limitBits: 9,
        checkpoints: [{ height: 5, hash: noBlock }],
      },
      workMin: 5n,
    })
    const kmd = readyChain({ chain: { checkpoints } }, komodo)!
    expect(kmd.rules.checkpoints.at(-1)).toEqual({ height: 5, hash: noBlock })
    expect(kmd.rules.checkpoints).toHaveLength(komodoRules.checkpoints.length)
    expect(readyChain({ chain: known(5) }, komodo)!.rules.equihash).toEqual(equihash)
  })

  const wrong = (chain: ChainTerms | undefined, network = assetChain) =>
    checkChainTerms(chain, network).map(({ code, path, expected, actual }) => [
      code,
      path,
      expected,
      actual,
    ])
  const member = (name: string, expected: string, actual: unknown) => [
    ['intent_chain', `intent.chain.${name}`, expected, actual],
  ]
  const { checkpoints } = known(5)

  test('has values that are possible', () => {
    expect(wrong(undefined)).toEqual([])
    expect(wrong(known(5))).toEqual([])
    expect(wrong({ checkpoints, workMin: 0n, limitBits: 0x1d00ffff })).toEqual([])
    expect(wrong({ checkpoints, equihash: { n: 200, k: 9 } })).toEqual([])
    expect(wrong({ checkpoints: [] }, komodo)).toEqual([])
  })

  test.each([
    [48, 9],
    [200, 5],
    [144, 5],
    [0, 0],
  ])('has no puzzle of %d and %d', (n, k) => {
    const expected = 'n and k of 200 and 9, or of 48 and 5'
    expect(wrong({ checkpoints, equihash: { n, k } })).toEqual(
      member('equihash', expected, `${n} and ${k}`),
    )
  })

  test('has a target and no negative work', () => {
    expect(wrong({ checkpoints, limitBits: 0 })).toEqual(member('limitBits', 'a target', 0))
    expect(wrong({ checkpoints, workMin: -1n })).toEqual(member('workMin', 'at least 0', -1n))
  })

  test('has blocks with hashes, one at each height', () => {
    const hash = 'UwibHKsYfiM19BXQmcUwAfw331GzGQK8aoPqqYEbyoPrzc2965nE'
    const [block] = checkpoints as [ChainTerms['checkpoints'][number]]
    const upper = { ...block, hash: block.hash.toUpperCase() }
    expect(wrong({ checkpoints: [block, { height: 1, hash }] })).toEqual(
      member('checkpoints[1].hash', '32 bytes of hex', 'what may be a private key'),
    )
    expect(wrong({ checkpoints: [{ height: 1, hash: 'ff' }] })).toEqual(
      member('checkpoints[0].hash', '32 bytes of hex', 'ff'),
    )
    expect(wrong({ checkpoints: [block, upper] })).toEqual([])
    expect(wrong({ checkpoints: [block, { ...block, hash: noBlock }] })).toEqual(
      member('checkpoints', `${block.hash} at height 5`, noBlock),
    )
    expect(wrong({ checkpoints: [{ height: 99996, hash: noBlock }] }, komodo)).toEqual(
      member('checkpoints', `${komodoRules.checkpoints[1]!.hash} at height 99996`, noBlock),
    )
  })

  test('has a block that no other chain has', () => {
    const nothing = member('checkpoints', 'a block of this chain alone', 'none, or the first one')
    expect(wrong({ checkpoints: [] })).toEqual(nothing)
    expect(wrong({ checkpoints: [{ height: 0, hash: sharedGenesis }] })).toEqual(nothing)
  })
})
