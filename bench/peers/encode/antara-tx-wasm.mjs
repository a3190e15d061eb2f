import { definePeer } from '../../lib/define.mjs'
import { decodeTransaction, encodeTransaction, named } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  prepare: ({ hex }) => decodeTransaction(hex),
  run: encodeTransaction,
})
