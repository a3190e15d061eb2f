import { definePeer } from '../../lib/define.mjs'
import { fields } from '../../libraries/antara-tx.mjs'
import { decodeTransaction, named } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  prepare: ({ hex }) => hex,
  run: (hex) => fields(decodeTransaction(hex)),
})
