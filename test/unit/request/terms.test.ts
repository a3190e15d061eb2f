// The rules for the terms that every request may have, called directly, on both sides of each limit.

import { describe, expect, test } from 'vitest'

import { addressOf, networks } from '../../../src/index.ts'
import { satsMax } from '../../../src/primitives/amount.ts'
import {
  checkTerms,
  expiryProblems,
  feeBounds,
  feeProblems,
  networkProblems,
  tokenidProblems,
} from '../../../src/request/terms.ts'
import { encodeAddress } from '../../../src/script/base58.ts'
import { p2pkh, p2sh } from '../../support/payments.ts'
import { codes, error } from '../../support/problems.ts'
import { a, b, moduleKey, p2pk } from '../../support/resigned.ts'

const { assetChain, tokel } = networks
const id = (digit: string) => digit.repeat(64)
const secret = 'UwibHKsYfiM19BXQmcUwAfw331GzGQK8aoPqqYEbyoPrzc2965nE'
const hidden = 'what may be a private key'

describe('the terms of a request', () => {
  test('have a fee of 10000 satoshis and a limit of twice as much, up to 20000', () => {
    expect(feeBounds({})).toEqual({ fee: 10_000n, maxFee: 20_000n })
    expect(feeBounds({ fee: 5n })).toEqual({ fee: 5n, maxFee: 10n })
    expect(feeBounds({ fee: 15_000n })).toEqual({ fee: 15_000n, maxFee: 20_000n })
    expect(feeBounds({ maxFee: 7n })).toEqual({ fee: 10_000n, maxFee: 7n })
  })

  test('have a possible fee, at most its limit', () => {
    expect(feeProblems({})).toEqual([])
    expect(feeProblems({ fee: 0n })).toEqual([])
    expect(feeProblems({ fee: satsMax, maxFee: satsMax })).toEqual([])
    expect(feeProblems({ fee: -1n })).toEqual([
      { code: 'fee', path: 'fee', actual: '-1, ', inError: { actual: -1n } },
    ])
    expect(feeProblems({ fee: satsMax + 1n, maxFee: satsMax + 1n })).toMatchObject([
      { code: 'fee', actual: `${satsMax + 1n}, ${satsMax + 1n}` },
    ])
    expect(feeProblems({ fee: 6n, maxFee: 6n })).toEqual([])
    expect(feeProblems({ fee: 7n, maxFee: 6n })).toEqual([
      {
        code: 'feeOverMax',
        path: 'fee',
        expected: 'at most 6',
        actual: '7, 6',
        inError: { expected: 6n, actual: 7n },
      },
    ])
  })

  test('need a chain with conditions, unless they are of a payment', () => {
    const none = { ...assetChain, name: 'plain', conditions: 'none' } as const
    expect(networkProblems(assetChain)).toEqual([])
    expect(networkProblems(none)).toEqual([
      {
        code: 'conditions',
        path: 'network',
        expected: 'a chain with crypto-conditions',
        actual: 'plain',
      },
    ])
    expect(codes(checkTerms({ network: none, fee: -1n }).problems)).toEqual([
      'conditions network',
      'fee fee',
    ])
    expect(checkTerms({ network: none, fee: -1n }, 'nothing').problems).toEqual([])
  })

  test('have nothing left to defaults', () => {
    expect(checkTerms({})).toStrictEqual({
      terms: {
        network: assetChain,
        bounds: { fee: 10_000n, maxFee: 20_000n },
        ownScripts: new Map(),
        expiryBlocksMax: 400,
      },
      problems: [],
    })
    const chain = { checkpoints: [] }
    const given = {
      network: tokel,
      fee: 1n,
      maxFee: 2n,
      ownKeys: [a.toUpperCase(), addressOf(b, tokel)],
      spendable: [{ txid: id('A'), vout: 3 }],
      onChain: [id('B')],
      chain,
      reportedBy: 'a friend',
      expiryBlocksMax: 5,
    }
    expect(checkTerms(given)).toStrictEqual({
      terms: {
        network: tokel,
        bounds: { fee: 1n, maxFee: 2n },
        ownScripts: new Map([
          [p2pk(a), a],
          [p2pkh(a), a],
          [p2pkh(b), addressOf(b, tokel)],
        ]),
        spendable: new Set([`${id('a')}:3`]),
        onChain: new Set([id('b')]),
        chain,
        reportedBy: 'a friend',
        expiryBlocksMax: 5,
      },
      problems: [],
    })
  })

  test('name own keys that are a person’s', () => {
    const script = encodeAddress(assetChain.scriptHashPrefix, p2sh('51').slice(4, 44))
    const ownKeys = [a, 'zz', script, moduleKey, addressOf(moduleKey, assetChain), secret]
    const { terms, problems } = checkTerms({ ownKeys })
    expect([...terms.ownScripts.keys()]).toEqual([p2pk(a), p2pkh(a)])
    expect(problems).toEqual([
      { code: 'ownName', path: 'ownKeys[1]', actual: 'zz' },
      { code: 'ownName', path: 'ownKeys[2]', actual: script },
      { code: 'moduleKey', path: 'ownKeys[3]', actual: moduleKey },
      { code: 'moduleKey', path: 'ownKeys[4]', actual: addressOf(moduleKey, assetChain) },
      { code: 'ownName', path: 'ownKeys[5]', actual: hidden },
    ])
  })

  test('do not hide a mistake in another argument behind a problem of a key', () => {
    const given = { network: null as never, ownKeys: [addressOf(a, assetChain)] }
    expect(() => checkTerms(given, 'nothing')).toThrow(TypeError)
  })

  test('name outputs and transactions by ids', () => {
    const outpoint = { txid: id('1'), vout: 0 }
    expect(checkTerms({ spendable: [outpoint] }).problems).toEqual([])
    for (const txid of ['zz', `x${id('1')}`, `${id('1')}x`, id('1').slice(1)]) {
      expect(checkTerms({ spendable: [outpoint, { txid, vout: 0 }] }).problems).toEqual([
        { code: 'spendable', path: 'spendable[1]', actual: `${txid}:0` },
      ])
    }
    expect(codes(checkTerms({ spendable: [{ txid: 'zz', vout: 0 }] }).problems)).toEqual([
      'spendable spendable[0]',
    ])
    expect(checkTerms({ onChain: [id('1'), id('F')] }).problems).toEqual([])
    for (const txid of ['zz', id('0'), `${id('1')}1`]) {
      expect(checkTerms({ onChain: [id('1'), txid] }).problems).toMatchObject([
        { code: 'onChain', path: 'onChain[1]' },
      ])
    }
    expect(checkTerms({ onChain: [secret] }).problems).toMatchObject([{ actual: hidden }])
  })

  test('name a token by the id of its creation', () => {
    expect(tokenidProblems(id('A'))).toEqual([])
    expect(tokenidProblems(id('0'))).toEqual([
      { code: 'tokenid', path: 'tokenid', actual: hidden, inError: { actual: id('0') } },
    ])
    expect(tokenidProblems('FF', 'tokenids[1]')).toMatchObject([
      {
        code: 'tokenid',
        path: 'tokenids[1]',
        actual: 'ff',
        inError: error({ code: 'wrong_length' }),
      },
    ])
    expect(tokenidProblems(secret)).toMatchObject([{ actual: hidden }])
  })
})

describe('the expiry height', () => {
  const of = (height: number, tip?: number, most?: number) =>
    expiryProblems(height, tip, most).map(({ code, expected, inError }) => [
      code,
      expected,
      (inError as { expected: string }).expected,
    ])

  test('is above the tip, and at most 400 blocks above it', () => {
    expect(of(0, 100)).toEqual([])
    expect(of(101, 100)).toEqual([])
    expect(of(500, 100)).toEqual([])
    expect(of(100, 100)).toEqual([['expired', 'above 100', 'over 100, at most 500']])
    expect(of(501, 100)).toEqual([['expiry', 'at most 500', 'over 100, at most 500']])
    expect(of(111, 100, 10)).toEqual([['expiry', 'at most 110', 'over 100, at most 110']])
  })

  test('is no time', () => {
    expect(of(499_999_999)).toEqual([])
    const most = 'over 0, at most 499999999'
    expect(of(500_000_000)).toEqual([['expiry', 'below 500000000', most]])
    expect(of(500_000_000, 499_999_900)).toEqual([
      ['expiry', 'below 500000000', 'over 499999900, at most 499999999'],
    ])
  })

  test('is not compared with a tip that is not known', () => {
    expect(of(1)).toEqual([])
    expect(expiryProblems(5, 5)).toMatchObject([{ path: 'expiryHeight', actual: 5 }])
  })
})
