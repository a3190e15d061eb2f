import { describe, expect, test } from 'vitest'

import {
  addressOf,
  buildTokenTransfer,
  decodeWif,
  encodeWif,
  networks,
  publicKeyOf,
} from '../../../src/index.ts'
import { textOf } from '../../support/files.ts'
import { refusalOf } from '../../support/refusal.ts'

// Keys that recorded daemons made, with the addresses that they gave them.
const chainKeys: Record<string, { wif: string; privkey: string; pubkey: string; address: string }> =
  JSON.parse(textOf('test/vectors/komodod/keys.json'))
const keys = ['A', 'B', 'C'].map((name) => chainKeys[name]!)

test("a daemon's keys have the public keys and addresses that it says", () => {
  for (const { wif, privkey, pubkey, address } of keys) {
    expect(publicKeyOf(wif)).toBe(pubkey)
    expect(publicKeyOf(privkey)).toBe(pubkey)
    expect(publicKeyOf(privkey.toUpperCase(), networks.tokel)).toBe(pubkey)
    expect(addressOf(pubkey, networks.assetChain)).toBe(address)
    expect(addressOf(pubkey.toUpperCase(), networks.komodo)).toBe(address)
  }
})

describe('a key used in 65 bytes', () => {
  // Private key 1: the generator. Its uncompressed address with Bitcoin's prefix 0, that of
  // komodo's testnet, is known widely.
  const one = '1'.padStart(64, '0')
  const wif = encodeWif(one, networks.komodoTestnet, { isCompressed: false })

  test('has its public key and address in that form', () => {
    expect(wif).toBe('5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf')
    const publicKey = publicKeyOf(wif, networks.komodoTestnet)
    expect(publicKey).toMatch(/^0479be667ef9dcbb/)
    expect(addressOf(publicKey, networks.komodoTestnet)).toBe('1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm')
    expect(decodeWif(wif, networks.komodoTestnet).isCompressed).toBe(false)
  })

  test('is none of another network', () => {
    expect(() => publicKeyOf(wif)).toThrow('prefix 128, of another network')
  })
})

test.each([
  ['an address', 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', 'this is an address: REjg'],
  ['a private key', '11'.repeat(32), 'what may be a private key'],
  ['nothing', '', 'found ""'],
  ['a hybrid key', `06${'11'.repeat(64)}`, 'malformed_public_key'],
  ['a key cut short', `02${'11'.repeat(31)}`, 'may be a private key'],
])('%s is not a public key', (_, text, words) => {
  const refused = refusalOf(() => addressOf(text, networks.komodo))
  expect(refused).toEqual({ code: 'malformed_public_key', path: 'publicKey' })
  if (words !== refused.code) {
    expect(() => addressOf(text, networks.komodo)).toThrow(words)
  }
})

test.each([`02${'00'.repeat(32)}`, `04${'11'.repeat(64)}`])('%s is off the curve', (text) => {
  expect(refusalOf(() => addressOf(text, networks.komodo)).code).toBe('public_key_off_curve')
})

test('a transfer says when it is given an address for a key', () => {
  const { note: _, ...request } = JSON.parse(textOf('examples/transfer-request.json'))
  const pubkey = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'
  const recipients = [{ pubkey, amount: 1n }]
  expect(() => buildTokenTransfer({ ...request, recipients })).toThrow(
    `this is an address: ${pubkey}`,
  )
})
