// The limits of a fee, each with a row on both sides. Sources: komodo src/cc/CCtx.cpp, FinalizeCCTx,
// which gives change from two fees on; docs/verify.md for what is warned of.

import { expect, test } from 'vitest'

import { checkFee, checkShare } from '../../../src/verification/fee.ts'

type Expected = readonly [code: string, expected: bigint | string] | undefined

const fee = 10_000n
const [withChange, without] = [{ hasChange: true }, { hasChange: false }]
const lowWithout = { hasChange: false, isLowWithoutChange: true }
const lowWith = { hasChange: true, isLowWithoutChange: true }

test.each<[paid: bigint | undefined, maxFee: bigint, circumstances: object, Expected]>([
  [undefined, 50_000n, without, ['fee_unknown', fee]],
  [undefined, 50_000n, withChange, ['fee_unknown', fee]],
  [9_999n, 50_000n, without, ['fee_too_low', fee]],
  [9_999n, 50_000n, { ...without, isLowWithoutChange: false }, ['fee_too_low', fee]],
  [9_999n, 50_000n, lowWith, ['fee_too_low', fee]],
  [9_999n, 50_000n, lowWithout, ['fee_below_requested', fee]],
  [0n, 50_000n, lowWithout, ['fee_below_requested', fee]],
  [-1n, 50_000n, lowWithout, ['fee_too_low', fee]],
  [10_000n, 50_000n, withChange, undefined],
  [10_000n, 50_000n, without, undefined],
  [10_000n, 10_000n, without, undefined],
  [10_001n, 10_000n, without, ['fee_too_high', 10_000n]],
  [10_001n, 50_000n, withChange, ['fee_with_change', fee]],
  [50_000n, 50_000n, withChange, ['fee_with_change', fee]],
  [10_001n, 50_000n, without, ['fee_rounding', fee]],
  [50_000n, 50_000n, without, ['fee_rounding', fee]],
  [50_001n, 50_000n, without, ['fee_too_high', 50_000n]],
  [19_999n, 20_000n, without, ['fee_rounding', fee]],
  // With two fees there would be change.
  [20_000n, 20_000n, without, ['fee_too_high', 19_999n]],
  [20_001n, 20_001n, without, ['fee_rounding', fee]],
])('a fee of %s where %s is allowed, %o', (paid, maxFee, circumstances, expected) => {
  const found = checkFee(paid, { fee, maxFee }, circumstances as typeof without)
  const [code, bound] = expected ?? []
  const shown = paid === undefined ? {} : { actual: paid }
  const wanted = code === undefined ? [] : [{ code, path: 'fee', expected: bound, ...shown }]
  expect(found).toMatchObject(wanted)
  expect(found).toHaveLength(wanted.length)
})

// A tenth of the inputs; then 1 % of what moves, but no less than two usual fees and no more than
// 0.01 coins.
test.each<
  [paid: bigint | undefined, spent: bigint | undefined, moved: bigint | undefined, Expected]
>([
  [undefined, 1_000n, 1_000n, undefined],
  [100_000n, undefined, undefined, undefined],
  [100n, 1_000n, 900n, undefined],
  [101n, 1_000n, 899n, ['fee_share', 'at most 100']],
  [100_000n, 10_000_000n, undefined, undefined],
  [100_001n, 10_000_000n, undefined, ['fee_high', 'at most 100000']],
  [100_001n, undefined, 10_000_000n, ['fee_high', 'at most 100000']],
  [20_000n, 10_000_000n, 1_000n, undefined],
  [20_001n, 10_000_000n, 1_000n, ['fee_high', 'at most 20000']],
  [20_001n, 10_000_000n, 2_000_100n, undefined],
  [20_002n, 10_000_000n, 2_000_100n, ['fee_high', 'at most 20001']],
  [1_000_000n, 10_000_000_000n, undefined, undefined],
  [1_000_001n, 10_000_000_000n, undefined, ['fee_high', 'at most 1000000']],
])('a fee of %s of %s, with %s moved', (paid, spent, moved, expected) => {
  const found = checkShare(paid, spent, moved)
  const [code, bound] = expected ?? []
  expect(found.map((it) => [it.code, it.expected, it.actual])).toEqual(
    code === undefined ? [] : [[code, bound, paid]],
  )
})
