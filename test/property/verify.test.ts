// The verifier reports on any data and never throws.

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { type Report, verifyTokenCreate, verifyTokenTransfer } from '../../src/index.ts'
import { findingRow } from '../../src/request/finding-table.ts'
import { anyText } from '../support/any-text.ts'
import { daemonMade, keys, previousTransactions } from '../support/komodod.ts'
import { share } from '../support/share.ts'

const real = daemonMade.filter(({ hex }) => hex.length < 2000).map(({ hex }) => hex)

/** Real transactions with a few bytes changed, added or cut; text of all kinds. */
const hostileHex = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  fc.constantFrom(...real),
  fc
    .record({
      hex: fc.constantFrom(...real),
      changes: fc.array(fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }), {
        maxLength: 4,
      }),
      cut: fc.nat(20),
      added: fc.uint8Array({ maxLength: 5 }),
    })
    .map(({ hex, changes, cut, added }) => {
      const bytes = Buffer.from(hex, 'hex')
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte
      const kept = bytes.subarray(0, bytes.length - cut)
      return Buffer.concat([kept, added]).toString('hex')
    }),
)

const hostileKey = fc.oneof(
  fc.constantFrom(keys.A.pubkey, keys.B.pubkey, `02${'dead'.repeat(16)}`),
  fc.string(),
  hostileHex,
)

const evidence = fc.record(
  {
    previousTransactions: fc.oneof(
      fc.array(hostileHex, { maxLength: 4 }),
      fc.constantFrom(...real).map(previousTransactions),
    ),
    tokenCreate: hostileHex,
    tipHeight: fc.nat({ max: 0xffffffff }),
  },
  { requiredKeys: ['previousTransactions'] },
)

const transferIntent = fc.record(
  {
    tokenid: fc.oneof(fc.constantFrom(keys.txids.fungible!, keys.txids.nodesc!), fc.string()),
    destination: hostileKey,
    amount: fc.bigInt({ min: -(1n << 70n), max: 1n << 70n }),
    from: hostileKey,
    fee: fc.bigInt(),
    maxFee: fc.bigInt(),
    burn: fc.boolean(),
  },
  { requiredKeys: ['tokenid', 'destination', 'amount', 'from'] },
)

const createIntent = fc.record(
  {
    name: anyText(),
    supply: fc.bigInt(),
    description: anyText(),
    data: hostileHex,
    owner: hostileKey,
    fee: fc.bigInt(),
  },
  { requiredKeys: ['name', 'supply', 'description', 'owner'] },
)

function isSound({ ok, findings }: Report): void {
  expect(ok).toBe(findings.every(({ severity }) => severity !== 'reject'))
  for (const { code, severity, path } of findings) {
    expect(findingRow(code)[0]).toBe(severity)
    expect(path).not.toBe('')
  }
}

test('any transfer gets a report, twice the same', () => {
  fc.assert(
    fc.property(hostileHex, transferIntent, evidence, (hex, intent, given) => {
      const report = verifyTokenTransfer(hex, intent, given)
      isSound(report)
      expect(verifyTokenTransfer(hex, intent, given)).toEqual(report)
    }),
    { numRuns: share(1500) },
  )
})

test('any creation gets a report, twice the same', () => {
  fc.assert(
    fc.property(hostileHex, createIntent, evidence, (hex, intent, given) => {
      const report = verifyTokenCreate(hex, intent, given)
      isSound(report)
      expect(verifyTokenCreate(hex, intent, given)).toEqual(report)
    }),
    { numRuns: share(1500) },
  )
})
