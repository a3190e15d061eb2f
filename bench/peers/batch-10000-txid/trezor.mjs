import { hexesOf } from '../../lib/batch.mjs'
import { definePeer } from '../../lib/define.mjs'
import { fromHex } from '../../libraries/trezor.mjs'

export const peer = definePeer({
  name: '@trezor/utxo-lib',
  prepare: hexesOf,
  run: (hexes) => hexes.map((hex) => fromHex(hex).getId()),
})
