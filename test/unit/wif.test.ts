import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { decodeWif, defineNetwork, encodeWif, networks } from '../../src/index.ts'

function vectors(path: string) {
  return JSON.parse(readFileSync(new URL(`../vectors/${path}`, import.meta.url), 'utf8'))
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

test('what is no key of the network is refused', () => {
  const texts = [...invalid, ...valid.map(({ wif }: { wif: string }) => wif)]
  for (const wif of texts) {
    expect(() => decodeWif(wif, networks.komodo)).toThrow(
      expect.objectContaining({ code: 'malformed_private_key' }),
    )
  }
})

test.each([
  ['zero', '00'.repeat(32)],
  ['the order of the curve', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
  ['31 bytes', '01'.repeat(31)],
  ['33 bytes', '01'.repeat(33)],
  ['no hex', 'zz'.repeat(32)],
])('%s is no private key', (_, privateKey) => {
  expect(() => encodeWif(privateKey, networks.komodo)).toThrow(
    expect.objectContaining({ code: 'malformed_private_key' }),
  )
})
