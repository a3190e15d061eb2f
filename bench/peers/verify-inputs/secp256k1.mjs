// Not its entry point, which falls back to JavaScript without a word.
import secp256k1 from 'secp256k1/bindings.js'
import { definePeer } from '../../lib/define.mjs'
import { toVerify, verifierOver } from '../../libraries/payments.mjs'

export const peer = definePeer({
  name: 'JavaScript + secp256k1',
  package: 'secp256k1',
  note: 'hashes to sign in JavaScript, what inputs share hashed once, and the native bindings',
  prepare: toVerify,
  run: verifierOver(secp256k1.ecdsaVerify),
})
