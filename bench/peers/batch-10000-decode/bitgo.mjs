import { hexesOf } from '../../lib/batch.mjs'
import { definePeer } from '../../lib/define.mjs'
import { fields, fromHex } from '../../libraries/bitgo.mjs'

export const peer = definePeer({
  name: '@bitgo/utxo-lib',
  prepare: hexesOf,
  run: (hexes) => hexes.map(fromHex),
  answer: (transactions) => transactions.map(fields),
})
