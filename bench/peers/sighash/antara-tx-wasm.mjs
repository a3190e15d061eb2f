import { definePeer } from '../../lib/define.mjs'
import { named, signatureHashes } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  run: ({ hex, prevouts }) => signatureHashes(hex, prevouts),
})
