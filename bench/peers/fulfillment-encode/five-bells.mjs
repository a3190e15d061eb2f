import { definePeer } from '../../lib/define.mjs'
import { draftOnly, read } from '../../libraries/five-bells.mjs'

export const peer = definePeer({
  name: 'five-bells-condition',
  cannot: draftOnly,
  prepare: read,
  run: (fulfillment) => fulfillment.serializeBinary(),
  answer: (bytes) => bytes.toString('hex'),
})
