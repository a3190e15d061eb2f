import { definePeer } from '../../lib/define.mjs'
import { readEveryField } from '../../libraries/common.mjs'
import { fields, fromHex } from '../../libraries/trezor.mjs'

export const peer = definePeer({
  name: '@trezor/utxo-lib',
  prepare: ({ hex }) => hex,
  run: (hex) => {
    const tx = fromHex(hex)
    return { tx, read: readEveryField(tx) }
  },
  answer: ({ tx }) => fields(tx),
})
