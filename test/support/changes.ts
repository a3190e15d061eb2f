// Changes of a transaction at random, for properties.

import fc from 'fast-check'

import type { TransactionFields } from '../../src/index.ts'
import type { Change } from './resigned.ts'

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
