import { definePeer } from '../../lib/define.mjs'
import { buildPayment, named, signCase } from '../../libraries/antara-tx-wasm.mjs'
import { ourSender } from '../../libraries/sending.mjs'

export const peer = definePeer({
  ...named,
  note: '@noble/secp256k1 signs',
  run: ourSender({ buildPayment, signCase }),
})
