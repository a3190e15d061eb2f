// Changes of a transaction at random, for properties.

import fc from 'fast-check'
import { expect } from 'vitest'

import { encodeTransaction, type Report, type TransactionFields } from '../../src/index.ts'
import type { Change } from './resigned.ts'
import { least, share } from './share.ts'

type Item = TransactionFields['outputs'][number]
export const onOutputs =
  (change: (outputs: Item[]) => Item[]): Change =>
  (tx) => ({ ...tx, outputs: change([...tx.outputs]) })

const changed = (item: Item | undefined, fields: Partial<Item>): Item[] =>
  item === undefined ? [] : [{ ...item, ...fields }]

/** Amounts moved and set, scripts set, outputs dropped and moved. */
export function outputChanges({
  place,
  amount,
  script,
}: {
  readonly place: fc.Arbitrary<number>
  readonly amount: fc.Arbitrary<bigint>
  readonly script: fc.Arbitrary<string>
}): fc.Arbitrary<Change>[] {
  return [
    fc.tuple(place, place, amount).map(([from, to, moved]) =>
      onOutputs((all) =>
        all.map((it, at) => ({
          ...it,
          value: it.value + (at === to ? moved : 0n) - (at === from ? moved : 0n),
        })),
      ),
    ),
    fc
      .tuple(place, amount)
      .map(([at, value]) =>
        onOutputs((all) => all.toSpliced(at, 1, ...changed(all[at], { value }))),
      ),
    fc
      .tuple(place, script)
      .map(([at, other]) =>
        onOutputs((all) => all.toSpliced(at, 1, ...changed(all[at], { script: other }))),
      ),
    place.map((at) => onOutputs((all) => all.toSpliced(at, 1))),
    fc
      .tuple(place, place)
      .map(([from, to]) =>
        onOutputs((all) => all.toSpliced(from, 1).toSpliced(to, 0, ...all.slice(from, from + 1))),
      ),
  ]
}

const set =
  (fields: Partial<TransactionFields>): Change =>
  (tx) => ({ ...tx, ...fields })

/** Inputs dropped, and fields of the transaction set. */
export function fieldChanges({
  place,
  expiryHeights,
  lockTimes,
}: {
  readonly place: fc.Arbitrary<number>
  readonly expiryHeights: readonly number[]
  readonly lockTimes: readonly number[]
}): fc.Arbitrary<Change>[] {
  return [
    place.map(
      (at): Change =>
        (tx) => ({ ...tx, inputs: tx.inputs.toSpliced(at, 1) }),
    ),
    fc.constantFrom(...expiryHeights).map((expiryHeight) => set({ expiryHeight })),
    fc.constantFrom(...lockTimes).map((lockTime) => set({ lockTime })),
    fc.constantFrom(0n, 1n, -1n).map((valueBalance) => set({ valueBalance })),
  ]
}

const isEncodable = (tx: TransactionFields): boolean =>
  tx.inputs.length > 0 &&
  tx.outputs.every(({ value }) => value >= 0n) &&
  encodeTransaction(tx) !== ''

/**
 * Expects that what is changed, and signed again by `judge`, passes exactly where a second opinion
 * has it that it was asked for, and that more of it than `askedMin` was.
 */
export function expectOneOpinion({
  original,
  change,
  check,
  isAskedFor,
  askedMin,
}: {
  readonly original: TransactionFields
  readonly change: fc.Arbitrary<Change>
  readonly check: (change: Change) => Report
  readonly isAskedFor: (tx: TransactionFields) => boolean
  readonly askedMin: number
}): void {
  let asked = 0
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const all: Change = (tx) => changes.reduce((before, next) => next(before), tx)
      const tx = all(original)
      fc.pre(isEncodable(tx))
      const { ok, findings } = check(all)
      const codes = findings.flatMap(({ severity, code }) => (severity === 'reject' ? [code] : []))
      expect({ ok, isRejected: codes.length > 0 }).toEqual({
        ok: isAskedFor(tx),
        isRejected: !isAskedFor(tx),
      })
      expect(codes).not.toContain('signature')
      asked += ok ? 1 : 0
    }),
    { numRuns: share(2000, 80) },
  )
  // changes that cancel each other out, or cost nothing, are among them
  expect(asked).toBeGreaterThan(least(askedMin))
}
