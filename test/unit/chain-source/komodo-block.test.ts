import { expect, test } from 'vitest'

import { hasKomodoBlock } from '../../../src/chain-source/komodo-block.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import { publicBlocks } from '../../support/headers.ts'

const komodo = publicBlocks.find(({ chain }) => chain === 'komodo_mainnet')!
const other = publicBlocks.find(({ chain }) => chain !== 'komodo_mainnet')!

const sourceOf = (answer: () => readonly string[], height = 400_000) => ({
  headers: async () => ({ headers: answer(), sources: [] }),
  tip: async () => ({ height, time: 0 }),
})

test.each([
  ['the block of KMD', true, () => [komodo.header]],
  ['a block of another chain', false, () => [other.header]],
  ['no block, because its chain is shorter', false, () => []],
  [
    'a refusal of a height above its tip',
    false,
    () => {
      throw new RpcError('daemon', 'start height 491000 out of range')
    },
  ],
])('a source that gives %s is one of KMD: %s', async (_, isKomodo, answer) => {
  expect(await hasKomodoBlock(sourceOf(answer), {})).toBe(isKomodo)
})

test('a source that cannot be reached decides nothing', async () => {
  const source = sourceOf(() => {
    throw new RpcError('transport', 'lost')
  })
  await expect(hasKomodoBlock(source, {})).rejects.toThrow('lost')
})

test('a refusal of a height that the chain has decides nothing', async () => {
  const busy = () => {
    throw new RpcError('daemon', 'server busy')
  }
  await expect(hasKomodoBlock(sourceOf(busy, 4_000_000), {})).rejects.toThrow('server busy')
})
