import { definePeer } from '../../lib/define.mjs'
import { buildTokenTransfer, named, signCase } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  note: '@noble/secp256k1 signs',
  run: ({ request, key }) => signCase(buildTokenTransfer(request), [key]),
  answer: ({ ok }) => ok,
})
