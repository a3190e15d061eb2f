// Which networks can be described: prefixes that tell keys from scripts, and names that are not
// read as those of another network.

import { describe, expect, test } from 'vitest'
import {
  addressOfScript,
  defineNetwork,
  formatReport,
  type Network,
  networks,
  parseCase,
  scriptOfAddress,
  verifyCase,
} from '../../../src/index.ts'
import { textOf } from '../../support/files.ts'
import { p2pkh, p2sh } from '../../support/payments.ts'
import { a } from '../../support/resigned.ts'

const prefixes = [
  'pubKeyHashPrefix',
  'scriptHashPrefix',
  'conditionPrefix',
  'privateKeyPrefix',
] as const

/** The network of a case file that names it so. */
function readNetwork(members: object): Network | undefined {
  const { network: _, ...rest } = JSON.parse(textOf('examples/transfer.json')) as {
    network?: unknown
  }
  return parseCase(JSON.stringify({ ...rest, network: members })).intent.network
}

const uint32 = 'an integer from 0 to 2^32 - 1'
const money = 'an amount from 1 to 2^63 - 1'

test.each([
  ['branchId', -1, uint32],
  ['branchId', 2 ** 32, uint32],
  ['branchId', 0.5, uint32],
  ['nulldataBytesMax', -1, uint32],
  ['maxMoney', 0n, money],
  ['maxMoney', -1n, money],
  ['maxMoney', 1n << 63n, money],
])('refuses %s of %s', (member, value, expected) => {
  expect(() => defineNetwork({ [member]: value })).toThrow(
    `overrides.${member}: expected ${expected}, got ${typeof value === 'bigint' ? 'a bigint' : value}`,
  )
  const network = { ...networks.assetChain, [member]: value }
  expect(() => addressOfScript(p2pkh(a), network)).toThrow(TypeError)
})

test.each([
  ['branchId', 0],
  ['branchId', 2 ** 32 - 1],
  ['nulldataBytesMax', 0],
  ['maxMoney', 1n],
  ['maxMoney', (1n << 63n) - 1n],
])('accepts %s of %s', (member, value) => {
  expect(defineNetwork({ [member]: value })).toMatchObject({ [member]: value })
})

describe('a prefix', () => {
  // Base58Check versions of the family are one byte: komodo src/chainparams.cpp, base58Prefixes
  test.each([256, 316, -1, -196, 60.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a prefix of %d',
    (prefix) => {
      for (const member of prefixes) {
        const expected = `overrides.${member}: expected an integer from 0 to 255, got ${prefix}`
        expect(() => defineNetwork({ [member]: prefix })).toThrow(new TypeError(expected))
        const network = { ...networks.assetChain, [member]: prefix }
        expect(() => addressOfScript(p2pkh(a), network)).toThrow(TypeError)
        expect(() => scriptOfAddress('x', network)).toThrow(TypeError)
        if (!Number.isFinite(prefix)) continue
        expect(() => readNetwork({ [member]: prefix })).toThrow('network: the file')
      }
    },
  )

  test.each([0, 255])('accepts a prefix of %d', (prefix) => {
    for (const member of prefixes) {
      expect(defineNetwork({ [member]: prefix })).toMatchObject({ [member]: prefix })
    }
  })

  test.each([
    [{ scriptHashPrefix: 60 }, 'pubKeyHashPrefix'],
    [{ pubKeyHashPrefix: 85 }, 'pubKeyHashPrefix'],
    [{ pubKeyHashPrefix: 7, scriptHashPrefix: 7 }, 'pubKeyHashPrefix'],
    [{ conditionPrefix: 85 }, 'conditionPrefix'],
  ])('refuses the prefix of scripts for another kind: %o', (members, other) => {
    const { scriptHashPrefix = 85 } = members as Partial<Network>
    const words = `overrides.scriptHashPrefix: expected another prefix than overrides.${other}, got ${scriptHashPrefix} for both`
    expect(() => defineNetwork(members)).toThrow(new TypeError(words))
    expect(() => readNetwork(members)).toThrow('network: the file')
  })

  test('tells a key from a script, so that no two scripts have one address', () => {
    for (const network of Object.values(networks)) {
      expect(addressOfScript(p2pkh(a), network)).not.toBe(addressOfScript(p2sh('51'), network))
    }
  })
})

describe('a name', () => {
  test.each([
    ['a no-break space', 'komodo\u00a0'],
    ['a blank before it', ' tokel'],
    ['blanks in it', 'asset Chain'],
    ['a space without width', 'tok\u200bel'],
    ['a mark over a letter', 'k\u00f3modo'],
    ['a Cyrillic o', 'k\u043emodo'],
    ['Cyrillic letters alone', '\u043a\u043e\u043c\u043e\u0501\u043e'],
    ['a Greek o', 't\u03bfkel'],
    ['an Armenian o', 'tok\u0565l'],
    ['letters of full width', '\uff4b\uff4f\uff4d\uff4f\uff44\uff4f'],
    ['bold letters', '\u{1d424}\u{1d428}\u{1d426}\u{1d428}\u{1d41d}\u{1d428}'],
    ['zeros', 'k0m0d0'],
    ['a one', 'toke1'],
    ['a capital i', 'tokeI'],
    ['r and n', 'kornodo'],
    ['signs', 'asset-chain.'],
    ['another case', 'KOMODO'],
    ['the name of the coin', 'KMD'],
    ['the name of a coin with a blank', 'TKL '],
    ['the test network, nearly', 'komodo testnet'],
  ])('refuses a name that reads like a known one: %s', (_, name) => {
    expect(() => defineNetwork({ name, maxMoney: 5n })).toThrow(
      /^overrides\.name: expected a name of its own, got ".*", which reads like .* and is not networks\./,
    )
    expect(() => readNetwork({ name, maxMoney: '5' })).toThrow('network: the file')
    const network = { ...networks.assetChain, name, maxMoney: 5n }
    expect(() => scriptOfAddress('x', network)).toThrow(TypeError)
  })

  test('is reported with every character that a reader would not see', () => {
    expect(() => defineNetwork({ name: 'komodo\u00a0' })).toThrow('"komodo\\u{a0}"')
  })

  test.each(['', ' ', '\u00a0\u2800', '\u200b', '--'])(
    'refuses a name without letters: "%s"',
    (name) => {
      expect(() => defineNetwork({ name })).toThrow('overrides.name: expected a name with letters')
      expect(() => readNetwork({ name })).toThrow('network: the file')
    },
  )

  test.each([
    'TOKTEST',
    'TOK',
    'KMDX',
    'komodoo',
    'Komodo Ice',
    'chain',
    'ILN',
    '\u4fa1\u5024\u9ce5',
    '\u00dcn\u00efc\u00f6d\u00eb',
  ])('accepts a distinct name: %s', (name) => {
    expect(defineNetwork({ name })).toMatchObject({ name })
    expect(readNetwork({ name })).toMatchObject({ name })
  })

  test.each([
    ['KMD', networks.komodo],
    ['Komodo', networks.komodo],
    ['TOKEL', networks.tokel],
    ['tkl', networks.tokel],
  ])('accepts the ticker of a coin for its network alone: %s', (name, network) => {
    expect(defineNetwork({ ...network, name })).toMatchObject({ name })
    expect(() => defineNetwork({ name })).toThrow(TypeError)
    expect(() => defineNetwork({ ...network, name: `${name}\u00a0` })).toThrow(TypeError)
  })

  test('shows a distinct name beside the known network that it is like', () => {
    const given = parseCase(textOf('examples/transfer.json'))
    const reported = (network: Network) => {
      const renamed = { ...given, intent: { ...given.intent, network } } as typeof given
      return /\n {2}on {7}(.*)\n/.exec(formatReport(verifyCase(renamed), { given: renamed }))?.[1]
    }
    expect(reported(networks.assetChain)).toBe('assetChain')
    expect(reported(defineNetwork({ name: 'GOLD' }))).toBe('GOLD, like assetChain')
    expect(reported(defineNetwork({ name: 'GOLD', maxMoney: 5n }))).toBe(
      'GOLD, like assetChain except maxMoney 5',
    )
  })
})

test('a copy of a known network is refused for one wrong member', () => {
  const copy = { ...networks.komodo }
  expect(scriptOfAddress('REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', copy)).toMatch(/^76a914/)
  for (const wrong of [{ rewards: 'much' }, { pubKeyHashPrefix: 256 }, { maxMoney: 5 }]) {
    expect(() =>
      scriptOfAddress('REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', { ...copy, ...wrong } as never),
    ).toThrow(TypeError)
  }
})
