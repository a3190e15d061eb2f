import { inputBytes, terms, wasteOf } from '../../lib/coins.mjs'
import { definePeer } from '../../lib/define.mjs'
import { createCoinIndex, named, selectCoins } from '../../libraries/antara-tx-wasm.mjs'

const indexes = new WeakMap()

export const peer = definePeer({
  ...named,
  prepare: (item) => {
    const index =
      indexes.get(item.pool) ?? createCoinIndex(BigInt64Array.from(item.pool, BigInt), inputBytes)
    indexes.set(item.pool, index)
    const target = BigInt(item.target)
    return { item, coins: { index }, payment: { ...terms, target } }
  },
  run: ({ item, coins, payment }) => ({ item, selection: selectCoins(coins, payment) }),
  answer: ({ item, selection: { picked, change } }) =>
    wasteOf({ item, picked: [...picked], change: Number(change) }),
})
