import { definePeer } from '../../lib/define.mjs'
import { bitcoinOnly } from '../../libraries/common.mjs'
import { fields, fromHex, readEveryField } from '../../libraries/scure.mjs'

export const peer = definePeer({
  name: '@scure/btc-signer',
  cannot: bitcoinOnly,
  prepare: ({ hex }) => hex,
  run: (hex) => {
    const tx = fromHex(hex)
    return { tx, read: readEveryField(tx) }
  },
  answer: ({ tx }) => fields(tx),
})
