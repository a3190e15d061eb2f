import { definePeer } from '../../lib/define.mjs'
import { signedWith } from '../../lib/spends.mjs'
import { wireHex } from '../../lib/wire.mjs'

export const peer = definePeer({
  name: 'JavaScript + @noble/secp256k1',
  package: '@noble/secp256k1',
  note: 'hashes to sign in JavaScript, what inputs share hashed once',
  run: ({ fields, prevouts, keys }) => signedWith({ fields, prevouts }, keys),
  answer: wireHex,
})
