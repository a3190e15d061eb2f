import { definePeer } from '../../lib/define.mjs'
import { signTransaction } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  note: 'libsecp256k1 in the addon',
  run: ({ hex, keys, prevouts }) => signTransaction(hex, keys, prevouts),
  answer: ({ hex }) => hex,
})
