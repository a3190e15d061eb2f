import { expect, test, vi } from 'vitest'

import type { ChainSource } from '../../../src/chain-source/source.ts'
import { networks } from '../../../src/index.ts'
import { rewardsKept } from '../../../src/wallet/rewards-kept.ts'

const isOfAntara = Symbol.for('antara-tx.AntaraError')

test('a source of another copy of the library may fail, and the wallet goes on', async () => {
  const error = Object.assign(new Error('malformed'), { [isOfAntara]: true, code: 'malformed_hex' })
  const failing = vi.fn(() => Promise.reject(error))
  const source = { headers: failing, tip: failing } as unknown as ChainSource
  await rewardsKept(source, networks.assetChain)({})
  expect(failing).toHaveBeenCalled()
})

test('an error that is none of the library ends the call', async () => {
  const failing = () => Promise.reject(new Error('bug'))
  const source = { headers: failing, tip: failing } as unknown as ChainSource
  await expect(rewardsKept(source, networks.assetChain)({})).rejects.toThrow('bug')
})
