// The one rule for the scripts of a wallet: the names in a request, the coins that are own, and where
// change may go.

import { describe, expect, test } from 'vitest'

import { burnPublicKeys } from '../../../src/chain/modules.ts'
import { addressOf, networks } from '../../../src/index.ts'
import { encodeAddress } from '../../../src/script/base58.ts'
import { ownershipOf, redactName, scriptsOfName } from '../../../src/signing/own-scripts.ts'
import { p2pkh, p2sh } from '../../support/payments.ts'
import { a, b, c, moduleKey, p2pk } from '../../support/resigned.ts'

const network = networks.assetChain
const zeros = '00'.repeat(20)
/** The generator point, uncompressed: SEC 2, secp256k1. */
const uncompressed =
  '0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'
const twoOfTwo = (one: string, other: string) => `5221${one}21${other}52ae`
const shared = twoOfTwo(a, b)

describe('a name of an own script', () => {
  test.each([p2pk(a), p2pkh(a), p2sh(shared), shared])(
    'is shown if it is the script %s',
    (script) => {
      expect(redactName(script)).toBe(script)
      expect(redactName(script.toUpperCase())).toBe(script)
      expect(scriptsOfName(script.toUpperCase(), network)).toEqual([script])
    },
  )

  test('is redacted if it is the script of an uncompressed key, whose digits may be those of a secret', () => {
    expect(redactName(`41${uncompressed}ac`)).toBe('what may be a private key')
    expect(scriptsOfName(`41${uncompressed}ac`, network)).toEqual([])
  })

  test('stands for the scripts of a key, or for that of an address', () => {
    expect(scriptsOfName(a.toUpperCase(), network)).toEqual([p2pkh(a), p2pk(a)])
    expect(scriptsOfName(addressOf(a, network), network)).toEqual([p2pkh(a)])
  })

  test('stands for no script that nobody can spend', () => {
    expect(scriptsOfName(encodeAddress(network.pubKeyHashPrefix, zeros), network)).toEqual([])
    expect(scriptsOfName(`76a914${zeros}88ac`, network)).toEqual([])
    expect(scriptsOfName(`5321${a}21${b}52ae`, network)).toEqual([])
  })

  test('does not hide a mistake in another argument', () => {
    const none = undefined as unknown as typeof network
    expect(() => scriptsOfName(addressOf(a, network), none)).toThrow(TypeError)
  })
})

describe('a coin', () => {
  const named = (...scripts: string[]) => ownershipOf({ isNamed: (it) => scripts.includes(it) })
  const everything = () => ownershipOf({ isNamed: () => true })
  const behind = (redeemScript: string, ...scripts: string[]) =>
    ownershipOf({
      isNamed: (it) => scripts.includes(it),
      redeemScriptOf: new Map([[p2sh(redeemScript), redeemScript]]),
    })

  test('is own by the hash of its key', () => {
    const own = named(p2pkh(a))
    expect([p2pkh(a), p2pk(a), p2pkh(b), p2pk(b)].map(own.has)).toEqual([true, true, false, false])
    expect(own.whyLocked(p2pk(a))).toBeUndefined()
    expect(own.whyLocked(p2pk(b))).toBe('the request does not name it')
  })

  test('is not own if nobody has its key, even if the request names it', () => {
    expect(everything().has(`76a914${zeros}88ac`)).toBe(false)
    for (const key of Object.values(burnPublicKeys)) {
      expect(everything().has(p2pkh(key))).toBe(false)
    }
    expect(everything().has(p2pkh(b))).toBe(true)
  })

  test('is not own if it pays the published key of a module', () => {
    for (const script of [p2pk(moduleKey), p2pkh(moduleKey), twoOfTwo(a, moduleKey)]) {
      expect(everything().has(script)).toBe(false)
      expect(everything().whyLocked(script)).toMatch(/^the published key of \w+/)
    }
    const redeemed = behind(twoOfTwo(a, moduleKey), p2pkh(a))
    expect(redeemed.has(p2sh(twoOfTwo(a, moduleKey)))).toBe(false)
  })

  test('is not own if no number of signatures spends it, and the words say why', () => {
    expect(everything().has(`5321${a}21${b}52ae`)).toBe(false)
    expect(everything().whyLocked(`5321${a}21${b}52ae`)).toMatch(/^nobody can spend it: /)
    expect(everything().whyLocked(`04ffffff7fb17576a914${'11'.repeat(20)}88ac`)).toMatch(
      /^locked until /,
    )
    expect(everything().whyLocked('51')).toMatch(/no template that is signed here$/)
  })

  test('behind a script hash is own, and change goes there if own keys spend its script alone', () => {
    const own = named(p2sh(shared))
    expect(own.has(p2sh(shared))).toBe(true)
    expect(own.whyLocked(p2sh(shared))).toBe('its redeem script is not among redeemScripts')
    expect(behind(shared, p2pkh(a)).has(p2sh(shared))).toBe(true)
    expect(behind(shared, p2pkh(a)).whyLocked(p2sh(shared))).toBe(
      'it takes 2 of 2 keys, and 1 of them are own',
    )
    expect(behind(shared, p2pkh(a), p2pk(b)).whyLocked(p2sh(shared))).toBeUndefined()
    // The same without a hash.
    expect(named(shared, p2pkh(a)).whyLocked(shared)).toBe(
      'it takes 2 of 2 keys, and 1 of them are own',
    )
    expect(named(shared, p2pkh(a), p2pk(b)).whyLocked(shared)).toBeUndefined()
    const oneOfTwo = `5121${a}21${c}52ae`
    // C could take it alone.
    expect(behind(oneOfTwo, p2pkh(a)).whyLocked(p2sh(oneOfTwo))).toMatch(/1 of them are own$/)
    expect(behind(p2pkh(a), p2pkh(a)).whyLocked(p2sh(p2pkh(a)))).toBeUndefined()
    expect(behind(p2pkh(b), p2pkh(a)).whyLocked(p2sh(p2pkh(b)))).toBe('its key is not own')
  })

  // script/script.h, MAX_SCRIPT_ELEMENT_SIZE
  test('behind a redeem script over 520 bytes cannot be spent', () => {
    const [most, over] = ['51'.repeat(520), '51'.repeat(521)]
    expect(behind(most).whyLocked(p2sh(most))).toMatch(/no template that is signed here$/)
    expect(behind(over).whyLocked(p2sh(over))).toBe('a redeem script of 521 bytes, over 520')
  })

  test('is looked up once', () => {
    const asked: string[] = []
    const own = ownershipOf({
      isNamed(script) {
        asked.push(script)
        return true
      },
    })
    expect([own.has(p2pkh(a)), own.has(p2pkh(a))]).toEqual([true, true])
    expect(asked).toEqual([p2pkh(a)])
  })
})
