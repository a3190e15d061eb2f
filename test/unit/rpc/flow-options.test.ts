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

const txid = 'ab'.repeat(32)

test.each([
  txid,
  null,
  { 0: txid, length: 1 },
  [null],
  [[txid]],
  [txid, txid.slice(2)],
  [`${txid}\n`],
])('a flow with handedOver %j is refused before it begins', async (handedOver) => {
  const refused = expect(requireFlowOptions({ handedOver })).rejects
  await refused.toThrow(TypeError)
  await refused.toThrow(/^handedOver: expected an array of txids/)
})

test.each([[[]], [[txid]], [[txid.toUpperCase(), txid]], [undefined]])(
  'a flow takes handedOver %j',
  async (handedOver) => {
    await expect(requireFlowOptions({ handedOver })).resolves.toBeUndefined()
  },
)
