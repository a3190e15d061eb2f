// The size that a payment needs, part by part: komodo src/primitives/transaction.h, CTxIn and CTxOut.
// A server chooses inputs, scriptSigs and change, and none of them may raise the fee.

import { describe, expect, test } from 'vitest'

import type { Transaction } from '../../../src/index.ts'
import { paymentSize, type SizedPayment } from '../../../src/verification/payment-size.ts'

const keyHash = `76a914${'11'.repeat(20)}88ac`
const otherHash = `76a914${'22'.repeat(20)}88ac`
const key = `21${'02'.repeat(33)}ac`
const hash = `a914${'33'.repeat(20)}87`
const long = `51${`21${'02'.repeat(33)}`.repeat(3)}53ae`

/** An outpoint of 36 bytes, the length of a scriptSig, and a sequence of 4. */
const input = 36 + 1 + 4
/** A signature with its hash type, and the push of each. */
const signature = 1 + 72 + 1
const keyHashSig = signature + 1 + 33
/** An amount, a length and the script. */
const keyHashOutput = 8 + 1 + 25
const keyOutput = 8 + 1 + 35

interface Given {
  readonly scriptSigs?: readonly string[]
  /** Scripts of the spent outputs. */
  readonly spent?: readonly (string | undefined)[]
  readonly outputs?: readonly string[]
  readonly change?: readonly string[]
  readonly payment?: Partial<SizedPayment>
}

function sizeOf({ scriptSigs = [''], spent = [keyHash], outputs = [], ...more }: Given) {
  const tx = {
    inputs: scriptSigs.map((scriptSig) => ({ scriptSig })),
    outputs: outputs.map((script) => ({ script })),
  } as unknown as Transaction
  const payment: SizedPayment = {
    recipients: [{ script: otherHash, value: 7n }],
    maxChangeOutputs: 0,
    own: { redeemScriptOf: new Map() },
    ...more.payment,
  }
  const prevouts = spent.map((script) => script && { script, value: 9n })
  const effects = [
    { role: 'native-payment', script: key },
    ...(more.change ?? []).map((script) => ({ role: 'native-change', script })),
  ]
  return paymentSize(tx, payment, { bytes: 1000, prevouts, effects } as never)
}

describe('a transaction of 1,000 bytes', () => {
  test.each<[string, Given, number]>([
    ['with a signature', { scriptSigs: ['51'] }, 1000],
    ['that lacks one', {}, 1000 + keyHashSig],
    ['that lacks one of a key', { spent: [key] }, 1000 + signature],
    ['that lacks one of two', { scriptSigs: ['', '51'], spent: [key, key] }, 1000 + signature],
    ['that lacks one for what is not known', { spent: [undefined] }, 1000],
    ['that lacks one for a hash alone', { spent: [hash] }, 1000],
    [
      'that lacks one for a hash, with its script',
      { spent: [hash], payment: { own: { redeemScriptOf: new Map([[hash, key]]) } } },
      1000 + signature + 1 + 35,
    ],
  ])('%s is signed with %3$i', (_, given, expected) => {
    expect(sizeOf(given).signed).toBe(expected)
  })

  test.each<[string, Given, number]>([
    ['one recipient', {}, 1000 - input + keyHashOutput],
    ['a scriptSig', { scriptSigs: ['51'.repeat(252)] }, 1000 - input - 252 + keyHashOutput],
    // A length of 253 and more takes three bytes.
    ['a long one', { scriptSigs: ['51'.repeat(253)] }, 1000 - input - 255 + keyHashOutput],
    ['two inputs', { scriptSigs: ['', ''] }, 1000 - 2 * input + keyHashOutput],
    ['outputs of its own', { outputs: [key, key] }, 1000 - input - 2 * keyOutput + keyHashOutput],
    ['data', { payment: { nulldata: '6a0155' } }, 1000 - input + keyHashOutput + 8 + 1 + 3],
    [
      'two recipients',
      { payment: { recipients: [keyHash, key].map((script) => ({ script, value: 7n })) } },
      1000 - input + keyHashOutput + keyOutput,
    ],
  ])('needs, with %s, %3$i bytes beside its inputs', (_, given, expected) => {
    expect(sizeOf(given).withoutInputs).toBe(expected)
  })

  const beside = 1000 - input + keyHashOutput
  test.each<[string, Given, number]>([
    ['no change', { payment: { maxChangeOutputs: 1 } }, keyHashOutput],
    ['no change, and none allowed', {}, 0],
    ['change to a key', { payment: { maxChangeOutputs: 1 }, change: [key] }, keyOutput],
    [
      'change beyond what is allowed',
      { payment: { maxChangeOutputs: 1 }, change: [keyHash, key, key] },
      keyHashOutput,
    ],
    [
      'two outputs of change',
      { payment: { maxChangeOutputs: 2 }, change: [keyHash, key] },
      keyHashOutput + keyOutput,
    ],
    ['change, and none allowed', { change: [key] }, 0],
    [
      'change of what is not known',
      { payment: { maxChangeOutputs: 1 }, change: [keyHash], spent: [undefined] },
      keyHashOutput,
    ],
    ['long change', { payment: { maxChangeOutputs: 1 }, change: [long] }, keyOutput],
    [
      'long change to a script that it spends',
      { payment: { maxChangeOutputs: 1 }, change: [long], spent: [long] },
      8 + 1 + long.length / 2,
    ],
    [
      'no change, where one gets all',
      { payment: { maxChangeOutputs: 1, recipients: [{ script: otherHash }] } },
      0,
    ],
    [
      'change, where one gets all',
      { payment: { maxChangeOutputs: 1, recipients: [{ script: otherHash }] }, change: [key] },
      0,
    ],
  ])('needs, with %s, %3$i bytes more', (_, given, expected) => {
    expect(sizeOf(given).withoutInputs).toBe(beside + expected)
  })

  const uncompressed = (form: string) => `0141${form}${'ab'.repeat(64)}`
  test.each<[string, string, string | undefined, number]>([
    ['the hash of a key', '', keyHash, keyHashSig],
    // The framework counts every coin as one of a key hash.
    ['a key', '', key, keyHashSig],
    ['what is not known', '', undefined, keyHashSig],
    ['2 of 3 keys', '', `52${long.slice(2)}`, 1 + 2 * signature],
    ['a long key', uncompressed('04'), keyHash, keyHashSig + 32],
    ['a long key in hybrid form', uncompressed('06'), keyHash, keyHashSig + 32],
    ['a long key in the other hybrid form', uncompressed('07'), keyHash, keyHashSig + 32],
    ['what begins as no key', uncompressed('05'), keyHash, keyHashSig],
    ['a long key that is not the last', `${uncompressed('04')}51`, keyHash, keyHashSig],
  ])('counts an input of %s with its largest signature', (_, scriptSig, script, expected) => {
    expect(sizeOf({ scriptSigs: [scriptSig], spent: [script] }).inputs).toEqual([
      { value: script === undefined ? 0n : 9n, bytes: input + expected },
    ])
  })

  test('has a target where every recipient has an amount', () => {
    const recipients = [3n, 4n].map((value) => ({ script: key, value }))
    expect(sizeOf({ payment: { recipients } }).target).toBe(7n)
    const all = [...recipients, { script: key }]
    expect('target' in sizeOf({ payment: { recipients: all } })).toBe(false)
  })
})
