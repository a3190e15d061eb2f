import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import bs58check from 'bs58check'
import { expect, test, vi } from 'vitest'

import {
  decodeWif,
  defineNetwork,
  encodeWif,
  networks,
  scriptOfAddress,
  signTransaction,
} from '../../../src/index.ts'

const empty = '0400008085202f89000000000000000000000000000000000000000000'

function vectors(path: string) {
  return JSON.parse(readFileSync(new URL(`../../vectors/${path}`, import.meta.url), 'utf8'))
}

const { valid, invalid } = vectors('signing/wif.json')

/** Komodo's own tests take Bitcoin's prefixes. komodo src/chainparams.cpp, SECRET_KEY */
const networkOfChain = {
  mainnet: defineNetwork({ name: 'mainnet', privateKeyPrefix: 128 }),
  testnet: defineNetwork({ name: 'testnet', privateKeyPrefix: 239 }),
}

test("all of komodo's private keys are read and written", () => {
  expect(valid.length).toBe(24)
  for (const { wif, privateKey, isCompressed, chain } of valid) {
    const network = networkOfChain[chain as 'mainnet' | 'testnet']
    expect(decodeWif(wif, network)).toEqual({ privateKey, isCompressed })
    expect(encodeWif(privateKey, network, { isCompressed })).toBe(wif)
  }
})

test("a daemon's keys are read and written", () => {
  const { A, B, C } = vectors('komodod/keys.json')
  for (const { wif, privkey } of [A, B, C]) {
    expect(decodeWif(wif, networks.assetChain)).toEqual({ privateKey: privkey, isCompressed: true })
    expect(encodeWif(privkey, networks.komodo)).toBe(wif)
  }
})

test('refuses a key of another network', () => {
  const texts = [...invalid, ...valid.map(({ wif }: { wif: string }) => wif)]
  for (const wif of texts) {
    expect(() => decodeWif(wif, networks.komodo)).toThrow(
      expect.objectContaining({ code: 'malformed_private_key' }),
    )
  }
})

const wif = 'Up1YVLk7uuErCHVQyFCtfinZngmdwfyfc47WCQ8oJxgowjVzNeqs'

test.each([
  ['a blank at its end', `${wif} `, 'blanks around it'],
  ['nothing but blanks', '\n', 'blanks'],
  ['a mistyped character', wif.replace('k', 'm'), 'a checksum that does not match'],
  ['a character of no Base58', wif.replace('k', '0'), 'a character that Base58 does not have'],
  ['a character too few', wif.slice(1), 'a checksum that does not match'],
  ['a character too many', `${wif}x`, '53 characters'],
  ['hex', '11'.repeat(32), '64 digits of hex'],
  ['a public key', `02${'11'.repeat(32)}`, 'a public key'],
  ['an address', 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', 'an address'],
  ["another network's prefix", valid[0].wif, 'prefix 128, of another network'],
])('%s is reported, and nothing of the key', (_, text, why) => {
  let reported = ''
  try {
    decodeWif(text, networks.komodo)
  } catch (error) {
    reported = inspect(error, { depth: null })
  }
  expect(reported).toContain('malformed_private_key')
  expect(reported).toContain(why)
  const part = text.slice(2, 12).trim()
  if (part !== '') expect(reported).not.toContain(part)
})

test('refuses a text that is too long before decoding it', () => {
  const decodeUnsafe = vi.spyOn(bs58check, 'decodeUnsafe')
  const long = 'U'.repeat(80_000)
  expect(() => decodeWif(long, networks.komodo)).toThrow('80000 characters')
  expect(() => scriptOfAddress(long, networks.komodo)).toThrow('Base58Check')
  expect(() => signTransaction(empty, [long], [])).toThrow('80000 characters')
  expect(decodeUnsafe).not.toHaveBeenCalled()
  decodeUnsafe.mockRestore()
})

test.each([
  ['zero', '00'.repeat(32)],
  ['the order of the curve', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
  ['31 bytes', '01'.repeat(31)],
  ['33 bytes', '01'.repeat(33)],
  ['no hex', 'zz'.repeat(32)],
])('%s is not a private key', (_, privateKey) => {
  expect(() => encodeWif(privateKey, networks.komodo)).toThrow(
    expect.objectContaining({ code: 'malformed_private_key' }),
  )
})
