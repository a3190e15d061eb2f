import { definePeer } from '../../lib/define.mjs'
import { networks, verifyMessage } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  run: ({ text, signature, address }) => verifyMessage(text, signature, address, networks.komodo),
})
