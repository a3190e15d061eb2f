import { definePeer } from '../../lib/define.mjs'
import { hashToSign, toSign } from '../../libraries/bitgo.mjs'
import { hexOfAll } from '../../libraries/common.mjs'

export const peer = definePeer({
  name: '@bitgo/utxo-lib',
  prepare: toSign,
  run: ({ tx, prevouts }) => prevouts.map((prevout, index) => hashToSign(tx, index, prevout)),
  answer: hexOfAll,
})
