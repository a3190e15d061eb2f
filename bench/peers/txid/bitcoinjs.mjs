import { definePeer } from '../../lib/define.mjs'
import { fromHex } from '../../libraries/bitcoinjs.mjs'
import { bitcoinOnly } from '../../libraries/common.mjs'

export const peer = definePeer({
  name: 'bitcoinjs-lib',
  cannot: bitcoinOnly,
  prepare: ({ hex }) => fromHex(hex),
  run: (tx) => tx.getId(),
})
