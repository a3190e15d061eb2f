import { definePeer } from '../../lib/define.mjs'
import { named, signTransaction } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  note: 'keys stay in JavaScript, @noble/secp256k1 signs',
  run: ({ hex, keys, prevouts }) => signTransaction(hex, keys, prevouts),
  answer: ({ hex }) => hex,
})
