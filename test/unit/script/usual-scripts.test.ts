// The scripts that addresses stand for, and the names by which Electrum servers know scripts.

import { describe, expect, test } from 'vitest'
import { networks } from '../../../src/index.ts'
import {
  addressedScript,
  keyHashScript,
  scriptHashScript,
} from '../../../src/script/addressed-script.ts'
import { addressesOfScripts, addressOfScript } from '../../../src/script/script.ts'
import { scripthashOf } from '../../../src/script/scripthash.ts'
import { a, b } from '../../support/resigned.ts'

const hash = '62e907b15cbf27d5425399ebf6f0fb50ebb88f18'
const key = `02${'ab'.repeat(32)}`
const long = `04${'ab'.repeat(64)}`

describe('a script', () => {
  test.each<[string, ReturnType<typeof addressedScript>]>([
    [`76a914${hash}88ac`, { type: 'pubkeyhash', hash }],
    [`a914${hash}87`, { type: 'scripthash', hash }],
    [`21${key}ac`, { type: 'pubkey', key }],
    [`41${long}ac`, { type: 'pubkey', key: long }],
    ['', undefined],
    [`0076a914${hash}88ac`, undefined],
    [`76a914${hash}88ac00`, undefined],
    [`76a914${hash}00ac`, undefined],
    [`76a914${hash.slice(2)}88ac`, undefined],
    [`76a914${hash}0088ac`, undefined],
    [`00a914${hash}87`, undefined],
    [`a914${hash}8700`, undefined],
    [`a914${hash.slice(2)}87`, undefined],
    [`0021${key}ac`, undefined],
    [`21${key}ac00`, undefined],
    [`21${key}00ac`, undefined],
    [`41${key}ac`, undefined],
    [`0041${long}ac`, undefined],
    [`41${long}ac00`, undefined],
    [`21${long}ac`, undefined],
  ])('%s pays what an address stands for, or nothing that has one', (script, expected) => {
    expect(addressedScript(script)).toEqual(expected)
  })

  test('is made of its hash', () => {
    expect(keyHashScript(hash)).toBe(`76a914${hash}88ac`)
    expect(scriptHashScript(hash)).toBe(`a914${hash}87`)
  })
})

test('scripts have the address that they pay, and none if they pay nobody or several', () => {
  const { komodo } = networks
  const paid = '76a9143bdb00e1143be1f59682fcb817ad82e5acd57efc88ac'
  const address = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
  const given = [paid, '51', `5121${a}21${b}52ae`, paid]
  const expected = [address, undefined, undefined, address]
  expect(given.map((script) => addressOfScript(script, komodo))).toEqual(expected)
  expect(addressesOfScripts(given, komodo)).toEqual(expected)
})

// source: spesmilo/electrum-protocol, Protocol Basics, Script Hashes
test('an Electrum server knows a script by its reversed SHA-256, whatever the case of its hex', () => {
  const script = `76a914${hash}88ac`
  const name = '8b01df4e368ea28f8dc0423bcf7a4923e3a12d307c875e47a0cfbf90b5c39161'
  expect(scripthashOf(script)).toBe(name)
  expect(scripthashOf(script.toUpperCase())).toBe(name)
  expect(() => scripthashOf('5')).toThrow('odd_length_hex')
  expect(() => scripthashOf('zz')).toThrow('malformed_hex')
  expect(() => scripthashOf(5 as never)).toThrow(
    new TypeError('script: expected a string, got a number'),
  )
})
