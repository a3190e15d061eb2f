import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'

import {
  addressOfScript,
  decodeScript,
  defineNetwork,
  isAntaraError,
  networks,
  scriptOfAddress,
} from '../../../src/index.ts'
import { assemble } from '../../support/script-notation.ts'
import { readVectors } from '../../support/vectors.ts'

interface Recorded {
  decodescript: {
    script: string
    result: { asm: string; type: string; p2sh: string; reqSigs?: number; addresses?: string[] }
  }[]
  validateaddress: { address: string; script?: string }[]
}

const recorded = readVectors<Recorded>('komodod/scripts.json')
const { scripts } = readVectors<{ scripts: string[] }>('komodo/scripts.json')
const base58Keys = readVectors<{
  valid: [text: string, payload: string, { isPrivkey: boolean; chain: string }][]
  invalid: string[]
}>('komodo/base58_keys.json')

describe('decodescript of a real daemon', () => {
  test.each(recorded.decodescript)('$result.type $script', ({ script, result }) => {
    const { p2sh, ...described } = result
    expect(decodeScript(script, networks.assetChain)).toEqual(described)
    const hash = Buffer.from(ripemd160(sha256(Buffer.from(script, 'hex')))).toString('hex')
    expect(scriptOfAddress(p2sh, networks.assetChain)).toBe(`a914${hash}87`)
    expect(addressOfScript(`a914${hash}87`, networks.assetChain)).toBe(p2sh)
  })

  test('is reproduced for all that were recorded', () => {
    expect(recorded.decodescript.length).toBe(9)
    expect(new Set(recorded.decodescript.map(({ result }) => result.type))).toEqual(
      new Set(['cryptocondition', 'nulldata', 'multisig', 'nonstandard']),
    )
  })
})

describe('addresses', () => {
  test('are those that a real daemon calls valid', () => {
    const codes = recorded.validateaddress.map(({ address, script }) => {
      if (script === undefined) return refusal(() => scriptOfAddress(address, networks.komodo))
      expect(scriptOfAddress(address, networks.komodo)).toBe(script)
      expect(addressOfScript(script, networks.komodo)).toBe(address)
      return 'valid'
    })
    expect(codes.filter((code) => code === 'valid').length).toBe(8)
    expect(codes.filter((code) => code === 'unknown_address').length).toBe(3)
  })

  test('use the prefixes of their network', () => {
    const bitcoin = defineNetwork({ name: 'bitcoin', pubKeyHashPrefix: 0, scriptHashPrefix: 5 })
    const script = scriptOfAddress('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', bitcoin)
    expect(script).toBe('76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac')
    expect(refusal(() => scriptOfAddress('REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', bitcoin))).toBe(
      'unknown_address',
    )
  })

  test('addresses of Zcash are refused, and their scripts get an address of ours', () => {
    for (const [text, payload, { isPrivkey }] of base58Keys.valid) {
      for (const network of Object.values(networks)) {
        expect(refusal(() => scriptOfAddress(text, network))).toBe('unknown_address')
        if (isPrivkey) continue
        const address = addressOfScript(payload, network)!
        expect(address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{26,35}$/)
        expect(scriptOfAddress(address, network)).toBe(payload)
      }
    }
    expect(base58Keys.valid.length).toBe(50)
  })

  test('are refused on every network if they are malformed', () => {
    for (const text of base58Keys.invalid) {
      for (const network of Object.values(networks)) {
        expect(refusal(() => scriptOfAddress(text, network))).toBe('unknown_address')
      }
    }
    expect(base58Keys.invalid.length).toBe(50)
  })

  test('addresses with any one character changed are refused', () => {
    const address = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
    for (let index = 0; index < address.length; index += 1) {
      const other = address[index] === 'a' ? 'b' : 'a'
      const changed = address.slice(0, index) + other + address.slice(index + 1)
      expect(refusal(() => scriptOfAddress(changed, networks.komodo))).toBe('unknown_address')
    }
  })
})

describe("scripts of the daemon's own tests", () => {
  test('are shown with the opcodes and data they were written with', () => {
    let written = 0
    for (const notation of scripts) {
      const { hex, asm } = assemble(notation)
      if (asm === undefined) {
        expect(() => decodeScript(hex)).not.toThrow()
        continue
      }
      written += 1
      expect(decodeScript(hex).asm).toBe(asm)
    }
    expect([scripts.length, written]).toEqual([552, 538])
  })
})

function refusal(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    if (isAntaraError(error)) return error.code
    throw error
  }
  return 'none'
}
