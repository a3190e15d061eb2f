import { definePeer } from '../../lib/define.mjs'
import { decodeRawTransaction, networks } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  prepare: ({ hex }) => hex,
  run: (hex) => decodeRawTransaction(hex, { network: networks.assetChain }),
})
