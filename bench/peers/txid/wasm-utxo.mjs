import { definePeer } from '../../lib/define.mjs'
import { fromHex } from '../../libraries/wasm-utxo.mjs'

export const peer = definePeer({
  name: '@bitgo/wasm-utxo',
  prepare: ({ hex }) => fromHex(hex),
  run: (tx) => tx.getId(),
})
