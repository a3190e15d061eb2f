// Addresses and scripts, many at once and at the limits of their sizes.

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { networks } from '../../../src/index.ts'
import { decodeAddress } from '../../../src/script/read-address.ts'
import { putModulesBack } from '../../support/own-modules.ts'

putModulesBack()

const hash160 = '751e76e8199196d454941c45d1b3a323f1433bd6'

// An engine of its own has no memory yet that other scripts made large.
beforeEach(() => {
  vi.resetModules()
})

describe('addresses', () => {
  test('are encoded together as one by one', async () => {
    const { encodeAddress, encodeAddresses } = await import('../../../src/script/base58.ts')
    const payloads = [0, 60, 85].map((prefix) => ({ prefix, hash160 }))
    const each = payloads.map(({ prefix }) => encodeAddress(prefix, hash160))
    expect(encodeAddresses(payloads)).toEqual(each)
    expect(encodeAddresses(payloads.slice(0, 1))).toEqual(each.slice(0, 1))
    expect(encodeAddresses([])).toEqual([])
    // The address of the generator, as Bitcoin writes it.
    expect(each[0]).toBe('1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH')
  })

  test('have 35 characters at most, and those are read', async () => {
    const { encodeAddress } = await import('../../../src/script/base58.ts')
    const longest = encodeAddress(255, 'ff'.repeat(20))
    expect(longest).toHaveLength(35)
    expect(decodeAddress(longest)).toEqual({ prefix: 255, hash160: 'ff'.repeat(20) })
    expect(decodeAddress(`1${longest}`)).toBeUndefined()
  })
})

describe('scripts that are described together', () => {
  const token =
    '2ea22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401cc'

  test('are many, each with its own words', async () => {
    const { describeScripts } = await import('../../../src/script/describe.ts')
    const key = `76a914${hash160}88ac`
    const scriptPubKeys = Array.from({ length: 40_000 }, (_, at) => (at % 2 === 0 ? key : '6a'))
    const { scriptPubKeys: described } = describeScripts({
      scriptSigs: [],
      scriptPubKeys,
      network: networks.komodo,
      showSighash: false,
    })
    expect(described).toHaveLength(40_000)
    expect(new Set(described.map(({ type }) => type))).toEqual(new Set(['pubkeyhash', 'nulldata']))
    expect(described.at(-2)?.addresses).toEqual(['RKxTdfmtxtfLDKZBgx6SvNkBtNu9jRYnLh'])
  })

  test.each([
    ['komodo', 'nonstandard'],
    ['assetChain', 'cryptocondition'],
    ['tokel', 'cryptocondition'],
  ] as const)('a condition on %s is described as %s', async (name, type) => {
    const { describeScripts } = await import('../../../src/script/describe.ts')
    const network = networks[name]
    const { scriptPubKeys } = describeScripts({
      scriptSigs: [],
      scriptPubKeys: [token],
      network,
      showSighash: false,
    })
    expect(scriptPubKeys[0]?.type).toBe(type)
  })
})
