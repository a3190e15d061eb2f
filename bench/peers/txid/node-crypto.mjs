import { createHash } from 'node:crypto'
import { definePeer } from '../../lib/define.mjs'

const sha256 = (/** @type {Buffer} */ bytes) => createHash('sha256').update(bytes).digest()

export const peer = definePeer({
  name: 'node:crypto',
  note: 'hashes ready bytes unread: no hex to decode, no structure checked',
  prepare: ({ hex }) => Buffer.from(hex, 'hex'),
  run: (bytes) => sha256(sha256(bytes)).reverse().toString('hex'),
})
