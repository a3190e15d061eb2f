// A script is read once, however many locks stand before what it pays. What is read is counted.

import { beforeEach, describe, expect, test } from 'vitest'

import { encodeTransaction, transactionId, verifyPayment } from '../../../src/index.ts'
import { templateOf } from '../../../src/script/template.ts'
import { p2pkh, payment } from '../../support/payments.ts'
import { replaceableEngine } from '../../support/replaceable-engine.ts'
import { a, b, p2pk } from '../../support/resigned.ts'

const engine = replaceableEngine()
const original = engine.splitScript!
let splits = 0

beforeEach(() => {
  engine.splitScript = (...args) => {
    splits += 1
    return Reflect.apply(original, engine, args)
  }
})

const splitsOf = (check: () => unknown): number => {
  splits = 0
  check()
  return splits
}

/** As many locks as a script of 201 operations has room for: komodo src/script/interpreter.cpp. */
const locksMax = 99

describe('a script behind locks', () => {
  test.each([1, 10, locksMax])('behind %i locks is read once', (count) => {
    const script = `${'51b175'.repeat(count)}${p2pk(a)}`
    expect(splitsOf(() => templateOf(script))).toBe(1)
    expect(templateOf(script)).toEqual({
      type: 'locked',
      until: 1n,
      inner: { type: 'pubkey', keys: [a], required: 1 },
    })
  })

  test('takes no longer to verify as an output than any other', () => {
    const outputs = (script: (at: string) => string) =>
      Array.from({ length: 20 }, (_, at) => ({
        value: 1000n,
        script: script(`02${at.toString(16).padStart(4, '0')}`),
      }))
    const parent = encodeTransaction({
      ...payment,
      inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '51', sequence: 0xffffffff }],
      outputs: [{ value: 100_000n, script: p2pkh(a) }],
    })
    const inputs = [{ txid: transactionId(parent), vout: 0, scriptSig: '', sequence: 0xffffffff }]
    const intent = { recipients: [{ script: p2pkh(b), amount: 1000n }], own: [a] }
    const checked = (script: (at: string) => string) => {
      const hex = encodeTransaction({ ...payment, inputs, outputs: outputs(script) })
      return splitsOf(() => verifyPayment(hex, intent, { previousTransactions: [parent] }))
    }
    const plain = checked((push) => `${push}7551`)
    expect(plain).toBeGreaterThan(0)
    expect(checked((push) => `${'51b175'.repeat(locksMax)}${push}75`)).toBe(plain)
  })
})
