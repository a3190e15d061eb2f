import { definePeer } from '../../lib/define.mjs'
import { draftOnly, fromBinary, treeOf } from '../../libraries/five-bells.mjs'

export const peer = definePeer({
  name: 'five-bells-condition',
  cannot: draftOnly,
  prepare: ({ fulfillment }) => Buffer.from(fulfillment, 'hex'),
  run: (bytes) => fromBinary(bytes),
  answer: treeOf,
})
