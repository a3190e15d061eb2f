// These tests cover who must have signed, over what, and in which form, as the engine reports it.
// The engine's reports are made by hand, so that each limit has a row on either side.

import { describe, expect, test } from 'vitest'

import { type InputVerdict, networks, type Transaction } from '../../../src/index.ts'
import { checkSignatures, type Signer } from '../../../src/verification/signatures.ts'
import { a, b, c, transfer } from '../../support/resigned.ts'

const [first] = transfer.inputs
const scriptSig = '51'
const good: InputVerdict = { ok: true, type: 'pubkey', hashType: 1, publicKeys: [a] }

function check(verdict: Partial<InputVerdict>, signer: Signer | undefined, script = scriptSig) {
  const tx: Transaction = { ...transfer, inputs: [{ ...first!, scriptSig: script }] }
  const task = { tx, prevouts: [], network: networks.assetChain, signers: [signer] }
  return checkSignatures(task, [{ ...good, ...verdict }], new Map())
}
const reported = (...given: Parameters<typeof check>) => check(...given).map(({ code }) => code)

test('does not check inputs that need no signature', () => {
  expect(reported({ ok: false, publicKeys: [], hashType: 2 }, undefined, '')).toEqual([])
})

test('a missing and an invalid signature are reported, and a valid one is accepted', () => {
  const key = { key: a }
  expect(reported({}, key)).toEqual([])
  expect(check({}, key, '')).toMatchObject([{ code: 'unsigned', path: 'inputs[0].scriptSig' }])
  expect(check({ ok: false, code: 'signature_mismatch' }, key)).toMatchObject([
    { code: 'signature', path: 'inputs[0].scriptSig', actual: 'signature_mismatch' },
  ])
})

// Consensus accepts any hash type for a condition, so the verifier accepts SIGHASH_ALL only.
test.each([0, 1, 2, 3, 4, 0x81, 0xff])(
  'a signature over what hash type %i covers is checked',
  (hashType) => {
    const expected = hashType === 1 ? [] : [{ code: 'hash_type', expected: 1, actual: hashType }]
    expect(check({ hashType }, { key: a })).toMatchObject(expected)
  },
)

describe('the signers', () => {
  const key = { key: a }
  const two = { required: 2, pubkeys: [a, b, c] }
  const hash = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
  test.each<[string, readonly string[], Signer, boolean]>([
    ['the key', [a], key, true],
    ['another', [b], key, false],
    ['nobody', [], key, false],
    ['the key and another', [a, b], key, false],
    // The native core has checked that the key hashes to the address.
    ['who has an address', [a], { key: hash }, true],
    ['who has an address, and another', [a, b], { key: hash }, false],
    ['one of two out of three', [a], two, false],
    ['two out of three', [a, c], two, true],
    ['all three where two must', [a, b, c], two, true],
    ['the same twice', [a, a], two, false],
    ['one of two, and a stranger', [a, `02${'11'.repeat(32)}`], two, false],
    ['two, and a stranger', [a, b, `02${'11'.repeat(32)}`], two, false],
    ['whoever the script says', [b], 'as-the-script-says', true],
    ['nobody, where the script says so', [], 'as-the-script-says', true],
  ])('%s', (_, publicKeys, signer, isRight) => {
    expect(reported({ publicKeys }, signer)).toEqual(isRight ? [] : ['signer'])
  })

  test('is reported with who should have', () => {
    expect(check({ publicKeys: [b, c] }, key)).toMatchObject([
      { path: 'inputs[0].scriptSig', expected: a, actual: `${b}, ${c}` },
    ])
    expect(check({ publicKeys: [a] }, two)).toMatchObject([
      { expected: `${a}, ${b}, ${c}`, actual: a },
    ])
  })
})

// An input spends a condition with one push, and daemons write its shortest form. komodo
// src/script/script.h, CScript::operator<<: one byte up to 75, OP_PUSHDATA1 up to 255, then
// OP_PUSHDATA2
describe('a fulfillment and its hash type', () => {
  const byte = (value: number) => value.toString(16).padStart(2, '0')
  const forms: Record<string, (data: string) => string> = {
    direct: (data) => `${byte(data.length / 2)}${data}`,
    '4c': (data) => `4c${byte(data.length / 2)}${data}`,
    '4d': (data) => `4d${byte((data.length / 2) & 0xff)}${byte(data.length >> 9)}${data}`,
  }
  test.each([
    [9, 'direct'],
    [75, 'direct'],
    [76, '4c'],
    [255, '4c'],
    [256, '4d'],
    [257, '4d'],
    [4095, '4d'],
    [4096, '4d'],
  ])('a fulfillment of %i bytes: %s', (bytes, shortest) => {
    const fulfillment = 'a7'.repeat(bytes - 1)
    for (const [name, push] of Object.entries(forms)) {
      if (name !== '4d' && bytes > 255) continue
      const script = push(`${fulfillment}01`)
      const expected = forms[shortest]!(`${fulfillment}01`)
      const details = { code: 'script_sig', severity: 'warn', expected, actual: script }
      const path = 'inputs[0].scriptSig'
      expect(check({ fulfillment }, { key: a }, script)).toMatchObject(
        name === shortest ? [] : [{ ...details, path }],
      )
    }
  })

  test('a fulfillment of another hash type is reported as that alone', () => {
    const fulfillment = 'a7'.repeat(80)
    const script = forms['4d']!(`${fulfillment}02`)
    expect(reported({ fulfillment, hashType: 2 }, { key: a }, script)).toEqual(['hash_type'])
  })
})
