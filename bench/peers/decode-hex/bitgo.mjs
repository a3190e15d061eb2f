import { definePeer } from '../../lib/define.mjs'
import { fields, fromHex } from '../../libraries/bitgo.mjs'
import { readEveryField } from '../../libraries/common.mjs'

export const peer = definePeer({
  name: '@bitgo/utxo-lib',
  prepare: ({ hex }) => hex,
  run: (hex) => {
    const tx = fromHex(hex)
    return { tx, read: readEveryField(tx) }
  },
  answer: ({ tx }) => fields(tx),
})
