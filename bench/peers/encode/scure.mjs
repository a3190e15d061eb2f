import { definePeer } from '../../lib/define.mjs'
import { bitcoinOnly } from '../../libraries/common.mjs'
import { fromHex, toHex } from '../../libraries/scure.mjs'

export const peer = definePeer({
  name: '@scure/btc-signer',
  cannot: bitcoinOnly,
  prepare: ({ hex }) => fromHex(hex),
  run: toHex,
})
