import { definePeer } from '../../lib/define.mjs'
import { fromHex } from '../../libraries/trezor.mjs'

export const peer = definePeer({
  name: '@trezor/utxo-lib',
  prepare: ({ hex }) => fromHex(hex),
  run: (tx) => tx.getId(),
})
