// Whatever is built of tokens v2 is agreed with, signed and proven, and what it makes can be spent.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isQuick, least, share } from '../support/share.ts'
import { walk } from '../support/tokel-walk.ts'

const walks = 50
/** The first steps find little to do, so a quick run has fewer walks, and each is half as long. */
const stepsEach = isQuick ? 20 : 40
const kinds = [
  'ask',
  'bid',
  'burn',
  'cancel',
  'create',
  'fill',
  'fromKeys',
  'many',
  'toKeys',
  'transfer',
]

test('a thousand builds of tokens v2 pass the verifier and the prover', () => {
  const done: Record<string, number> = {}
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 0x7fffffff }), { minLength: 400, maxLength: 400 }),
      (drawn) => {
        let at = 0
        const { step, prove } = walk((below) => drawn[at++ % drawn.length]! % below)
        for (let count = 0; count < stepsEach; count += 1) {
          const kind = step()
          if (kind !== undefined) done[kind] = (done[kind] ?? 0) + 1
        }
        prove()
      },
    ),
    // A single walk may find almost nothing to do.
    { numRuns: share(walks, 3), endOnFailure: true },
  )
  const total = Object.values(done).reduce((sum, count) => sum + count, 0)
  // Some kinds are rare: a few walks may miss one.
  if (isQuick) expect(kinds).toEqual(expect.arrayContaining(Object.keys(done)))
  else expect(Object.keys(done).toSorted()).toEqual(kinds)
  expect(total).toBeGreaterThan(least(1000))
})
