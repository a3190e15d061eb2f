import { inputBytes, terms, wasteOf } from '../../lib/coins.mjs'
import { definePeer } from '../../lib/define.mjs'
import { named, selectCoins } from '../../libraries/antara-tx-wasm.mjs'

const arrays = new WeakMap()

export const peer = definePeer({
  ...named,
  prepare: (item) => {
    const values = arrays.get(item.pool) ?? BigInt64Array.from(item.pool, BigInt)
    arrays.set(item.pool, values)
    const target = BigInt(item.target)
    return { item, coins: { values, inputBytes }, payment: { ...terms, target } }
  },
  run: ({ item, coins, payment }) => ({ item, selection: selectCoins(coins, payment) }),
  answer: ({ item, selection: { picked, change } }) =>
    wasteOf({ item, picked: [...picked], change: Number(change) }),
})
