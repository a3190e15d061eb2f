import { expect, test } from 'vitest'

import { requireFlowOptions } from '../../../src/rpc/safe-flow/options.ts'

test.each([Number.NaN, -1, '10 min', null])(
  'a flow with repeatMs %o is refused, because no repetition would be noticed',
  async (repeatMs) => {
    await expect(requireFlowOptions({ repeatMs })).rejects.toThrow(
      /^repeatMs: expected milliseconds/,
    )
  },
)

test.each([0, 5, Number.POSITIVE_INFINITY, undefined])(
  'a flow takes repeatMs %o',
  async (repeatMs) => {
    await expect(requireFlowOptions({ repeatMs })).resolves.toBeUndefined()
  },
)
