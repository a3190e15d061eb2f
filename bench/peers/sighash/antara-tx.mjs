import { definePeer } from '../../lib/define.mjs'
import { signatureHashes } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  run: ({ hex, prevouts }) => signatureHashes(hex, prevouts),
})
