import { definePeer } from '../../lib/define.mjs'
import { fromHex } from '../../libraries/bitgo.mjs'

export const peer = definePeer({
  name: '@bitgo/utxo-lib',
  prepare: ({ hex }) => fromHex(hex),
  run: (tx) => tx.toHex(),
})
