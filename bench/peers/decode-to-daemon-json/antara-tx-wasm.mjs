import { definePeer } from '../../lib/define.mjs'
import { decodeRawTransaction, named, networks } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  prepare: ({ hex }) => hex,
  run: (hex) => decodeRawTransaction(hex, { network: networks.assetChain }),
})
