import { hexesOf } from '../../lib/batch.mjs'
import { definePeer } from '../../lib/define.mjs'
import { withTransaction } from '../../libraries/wasm-utxo.mjs'

export const peer = definePeer({
  name: '@bitgo/wasm-utxo',
  prepare: hexesOf,
  run: (hexes) => hexes.map((hex) => withTransaction(hex, (tx) => tx.getId())),
})
