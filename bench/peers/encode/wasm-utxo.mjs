import { definePeer } from '../../lib/define.mjs'
import { fromHex } from '../../libraries/wasm-utxo.mjs'

export const peer = definePeer({
  name: '@bitgo/wasm-utxo',
  note: 'gives bytes, which Node makes hex of',
  prepare: ({ hex }) => fromHex(hex),
  run: (tx) => Buffer.from(tx.toBytes()).toString('hex'),
})
