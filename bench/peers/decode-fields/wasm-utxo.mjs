import { definePeer } from '../../lib/define.mjs'
import { fields, noHeaderOfSapling, parts, withTransaction } from '../../libraries/wasm-utxo.mjs'

export const peer = definePeer({
  name: '@bitgo/wasm-utxo',
  cannot: noHeaderOfSapling,
  prepare: ({ hex }) => hex,
  run: (hex) => fields(withTransaction(hex, parts)),
})
