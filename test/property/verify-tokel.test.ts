// Hand-written transactions of tokeld's chain, changed at random in several ways at once and signed
// again. A second opinion that knows no rules says what may pass: what pays the same scripts the
// same amounts, and says the same at its end.

import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { TransactionFields } from '../../src/index.ts'
import { outputChanges } from '../support/changes.ts'
import { both } from '../support/resigned.ts'
import { share } from '../support/share.ts'
import { a, assets, b, c } from '../support/sign-tokel.ts'
import { createBaselines, orderBaselines, transferBaselines } from '../support/tokel-baselines.ts'
import { resigned } from '../support/tokel-changes.ts'
import * as market from '../support/tokel-market.ts'

const place = fc.nat({ max: 8 })
const amount = fc.oneof(
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.constantFrom(0n, 1n, 10_000n, 30_000n, 270_000n, 300_000n, 1n << 62n),
)
const script = fc.constantFrom(
  ...[a, b, c, assets].flatMap((key) => [
    market.p2pk(key),
    market.keyTokens(key),
    market.hashTokens(key),
    market.markerOf(key),
  ]),
  market.asks,
  market.bids,
  market.tokenMarker,
  market.sharedTokens(2, [a, b, c]),
  market.sharedTokens(1, [a, b, c]),
  market.namedTokens(b, market.tokenid),
  market.namedTokens(b, market.otherTokenid),
  '6a',
  '',
)
const changes = fc.array(fc.oneof(...outputChanges({ place, amount, script })), {
  minLength: 1,
  maxLength: 3,
})

const texts = ({ outputs }: TransactionFields) =>
  outputs.map(({ value, script: it }) => `${value} ${it}`)

function isSame(changed: TransactionFields, wanted: TransactionFields): boolean {
  return texts(changed).join() === texts(wanted).join()
}

/** Returns true if at most the order of outputs differs, which costs nobody anything. */
function isReordered(changed: TransactionFields, wanted: TransactionFields): boolean {
  const [one, other] = [texts(changed), texts(wanted)]
  return one.toSorted().join() === other.toSorted().join()
}

test.each([...createBaselines, ...orderBaselines, ...transferBaselines])(
  '$name: passes only what is the same',
  (baseline) => {
    const { tx } = baseline.made
    fc.assert(
      fc.property(changes, (all) => {
        const changed = both(...all)(tx)
        const sum = changed.outputs.reduce((total, { value }) => total + value, 0n)
        fc.pre(changed.outputs.every(({ value }) => value >= 0n) && sum < 1n << 63n)
        const report = baseline.check(resigned(baseline, () => changed))
        expect(report.ok && !isReordered(changed, tx)).toBe(false)
        if (isSame(changed, tx)) expect(report.ok).toBe(true)
      }),
      { numRuns: share(60) },
    )
  },
)
