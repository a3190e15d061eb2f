import { coinObjects, runCoinselect, wasteOf } from '../../lib/coins.mjs'
import { definePeer } from '../../lib/define.mjs'

export const peer = definePeer({
  name: 'coinselect',
  prepare: (item) => ({ item, coins: coinObjects(item.pool), target: item.target }),
  run: (input) => ({ item: input.item, selection: runCoinselect(input) }),
  answer: ({ item, selection: { inputs, outputs } }) =>
    wasteOf({ item, picked: inputs.map(({ at }) => at), change: outputs[1]?.value ?? 0 }),
})
