// The rules for keys, addresses and sets of keys that get or own tokens, and for amounts, called
// directly, on both sides of each limit.

import { describe, expect, test } from 'vitest'

import { burnPublicKeys, moduleNames } from '../../../src/chain/modules.ts'
import { addressOf, type Network, networks } from '../../../src/index.ts'
import { satsMax } from '../../../src/primitives/amount.ts'
import { holderName } from '../../../src/request/holder-name.ts'
import {
  amountProblems,
  hashOfAddress,
  holderOf,
  keyProblems,
  keySetProblems,
  namedKeysProblems,
  recipientProblems,
  sumProblems,
} from '../../../src/request/holders.ts'
import { encodeAddress } from '../../../src/script/base58.ts'
import { p2pkh } from '../../support/payments.ts'
import { codes } from '../../support/problems.ts'
import { a, b, c, moduleKey } from '../../support/resigned.ts'

const { assetChain, tokel } = networks
const id = (digit: string) => digit.repeat(64)
const secret = 'UwibHKsYfiM19BXQmcUwAfw331GzGQK8aoPqqYEbyoPrzc2965nE'
const hidden = 'what may be a private key'
const module = moduleNames.get(moduleKey)
const { komodo: burn, tokel: tokelBurn } = burnPublicKeys

describe('a key', () => {
  test('is one that a person can sign with', () => {
    expect(keyProblems(a.toUpperCase(), 'from')).toEqual([])
    expect(keyProblems(burn.toUpperCase(), 'from')).toEqual([
      { code: 'burn', path: 'from', actual: burn },
    ])
    expect(keyProblems(tokelBurn, 'from')).toMatchObject([{ code: 'burn' }])
    expect(keyProblems(moduleKey.toUpperCase(), 'from')).toEqual([
      { code: 'moduleKey', path: 'from', actual: module },
    ])
    const address = addressOf(a, assetChain)
    expect(keyProblems(address, 'from')).toEqual([
      { code: 'pubkey', path: 'from', actual: `this is an address: ${address}` },
    ])
    expect(keyProblems(secret, 'from')).toMatchObject([{ actual: hidden }])
  })
})

describe('the recipient of tokens', () => {
  const of = (given: string, network: Network, burns = false) =>
    recipientProblems(given, 'to', { burn: burns, network })
  const tokelAddress = addressOf(a, tokel)

  test('is a key, or the address of one on a chain of tokeld', () => {
    expect(of(a, assetChain)).toEqual([])
    expect(of(a, tokel)).toEqual([])
    expect(of(tokelAddress, tokel)).toEqual([])
    expect(codes(of(addressOf(a, assetChain), assetChain))).toEqual(['pubkey to'])
    expect(hashOfAddress(tokelAddress, tokel)).toBe(p2pkh(a).slice(6, 46))
    expect(hashOfAddress(tokelAddress, assetChain)).toBeUndefined()
    expect(
      hashOfAddress(encodeAddress(tokel.scriptHashPrefix, id('1').slice(24)), tokel),
    ).toBeUndefined()
    expect(hashOfAddress('no address', tokel)).toBeUndefined()
  })

  test('is a burn key if the request burns, and no other', () => {
    expect(of(burn.toUpperCase(), assetChain, true)).toEqual([])
    expect(of(tokelBurn, tokel, true)).toEqual([])
    expect(of(burn, tokel, true)).toEqual([])
    expect(of(tokelBurn, assetChain, true)).toEqual([
      { code: 'notBurn', path: 'to', expected: burn, actual: tokelBurn },
    ])
    expect(of(a, tokel, true)).toEqual([
      { code: 'notBurn', path: 'to', expected: `${burn} or ${tokelBurn}`, actual: a },
    ])
    expect(codes(of(burn, tokel))).toEqual(['burn to'])
    const plain = { ...assetChain, conditions: 'none' } as const
    expect(of(burn, plain, true)).toEqual([
      { code: 'notBurn', path: 'to', expected: undefined, actual: burn },
    ])
  })

  test('is not the address of a key that nobody has, or everybody', () => {
    const burning = encodeAddress(tokel.pubKeyHashPrefix, p2pkh(burn).slice(6, 46))
    expect(of(burning, tokel)).toEqual([{ code: 'burn', path: 'to', actual: burning }])
    expect(of(burning, tokel, true)).toEqual([])
    expect(of(tokelAddress, tokel, true)).toMatchObject([
      { code: 'notBurn', path: 'to', actual: tokelAddress },
    ])
    expect(of(addressOf(moduleKey, tokel), tokel)).toEqual([
      { code: 'moduleKey', path: 'to', actual: module },
    ])
    const zeros = encodeAddress(tokel.pubKeyHashPrefix, '00'.repeat(20))
    expect(codes(of(zeros, tokel))).toEqual(['burn to'])
    expect(of(zeros, tokel)[0]!.actual).toContain(`${zeros}: `)
  })

  test('has one name, however it is spelled', () => {
    const hash = p2pkh(a).slice(6, 46)
    expect(holderOf(a.toUpperCase(), assetChain)).toBe(a)
    expect(holderOf(tokelAddress, tokel)).toBe(hash)
    expect(holderName(a)).toBe(hash)
    expect(holderName(hash)).toBe(hash)
    expect(holderName({ required: 1, pubkeys: [a] })).toBe(hash)
    const [first, second] = [a, b].toSorted()
    expect(holderName({ required: 1, pubkeys: [a, b] })).toBe(`1/${first},${second}`)
    expect(holderName({ required: 1, pubkeys: [b, a] })).toBe(`1/${first},${second}`)
    expect(holderName({ required: 2, pubkeys: [a, b] })).toBe(`2/${first},${second}`)
    expect(holderName({ required: 2, pubkeys: [a] })).toBe(`2/${a}`)
    expect(holderName({ required: 1, pubkeys: [] })).toBe('1/')
  })
})

describe('keys that hold tokens together', () => {
  const of = (required: number, pubkeys: readonly string[]) =>
    keySetProblems({ required, pubkeys }, 'keys', tokel)
  const [x, y] = [a, b]

  test('are different, and as many as must sign', () => {
    expect(of(1, [x])).toEqual([])
    expect(of(2, [x, y])).toEqual([])
    for (const required of [0, 3]) {
      expect(of(required, [x, y])).toEqual([
        {
          code: 'keyCount',
          path: 'keys',
          expected: '1 to 15 keys',
          actual: `${required} of 2, 2 of them different`,
          inError: { expected: 'some of 1 to 15 different keys' },
        },
      ])
    }
    expect(of(1, [x, x.toUpperCase()])).toMatchObject([
      { code: 'keyCount', actual: '1 of 2, 1 of them different' },
    ])
  })

  test('are at most fifteen', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, at) => `${at + 10}`)
    expect(of(1, keys(16))).toMatchObject([{ actual: '1 of 16, 16 of them different' }])
    expect(of(1, keys(15)).map(({ code }) => code)).toEqual(Array(15).fill('pubkey'))
    expect(of(1, [x, burn, 'zz'])).toMatchObject([
      { code: 'burn', path: 'keys.pubkeys[1]' },
      { code: 'pubkey', path: 'keys.pubkeys[2]' },
    ])
  })
})

describe('amounts', () => {
  test('are at least one unit, or more, and at most all coins', () => {
    expect(amountProblems(1n, 'amount')).toEqual([])
    expect(amountProblems(satsMax, 'amount')).toEqual([])
    for (const actual of [0n, -1n, satsMax + 1n]) {
      const expected = actual < 1n ? 'at least 1' : `at most ${satsMax}`
      expect(amountProblems(actual, 'amount')).toEqual([
        { code: 'amount', path: 'amount', actual, inError: { expected } },
      ])
    }
    expect(amountProblems(4n, 'amount', 5n)).toHaveLength(1)
    expect(amountProblems(5n, 'amount', 5n)).toEqual([])
  })

  test('are possible together, unless one of them is a problem already', () => {
    const half = satsMax / 2n
    expect(sumProblems([{ amount: half }, { amount: satsMax - half }])).toEqual([])
    expect(sumProblems([{ amount: half }, { amount: satsMax - half + 1n }])).toEqual([
      {
        code: 'amount',
        path: 'recipients',
        actual: satsMax + 1n,
        inError: { expected: `at most ${satsMax}` },
      },
    ])
    expect(sumProblems([{ amount: satsMax }, { amount: satsMax + 1n }])).toEqual([])
    expect(sumProblems([{ amount: 0n }, { amount: satsMax }, { amount: 1n }])).toEqual([])
  })

  test('go to as many keys as a payload names', () => {
    const to = (...pubkeys: string[]) => pubkeys.map((pubkey) => ({ pubkey, amount: 1n }))
    expect(namedKeysProblems(to(a, b, c), a)).toEqual([])
    expect(namedKeysProblems(to(a.toUpperCase(), b, c), a)).toEqual([])
    expect(namedKeysProblems(to(b, c), a)).toEqual([])
    expect(codes(namedKeysProblems(to(a, b, c), 'd'))).toEqual(['namedKeys recipients'])
  })
})
