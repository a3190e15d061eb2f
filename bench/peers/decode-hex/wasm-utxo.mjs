import { definePeer } from '../../lib/define.mjs'
import { fields, noHeaderOfSapling, parts, withTransaction } from '../../libraries/wasm-utxo.mjs'

export const peer = definePeer({
  name: '@bitgo/wasm-utxo',
  note: 'its getters make plain objects of everything at once',
  cannot: noHeaderOfSapling,
  prepare: ({ hex }) => hex,
  run: (hex) => withTransaction(hex, parts),
  answer: fields,
})
