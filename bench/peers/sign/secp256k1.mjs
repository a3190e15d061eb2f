// Not its entry point, which falls back to JavaScript without a word.
import secp256k1 from 'secp256k1/bindings.js'
import { definePeer } from '../../lib/define.mjs'
import { signedWith } from '../../lib/spends.mjs'
import { wireHex } from '../../lib/wire.mjs'

const signer = {
  sign: (hash, key) => secp256k1.ecdsaSign(hash, key).signature,
  publicKeyOf: (key) => secp256k1.publicKeyCreate(key),
}

export const peer = definePeer({
  name: 'JavaScript + secp256k1',
  package: 'secp256k1',
  note: 'hashes to sign in JavaScript, what inputs share hashed once, and the native bindings',
  run: ({ fields, prevouts, keys }) => signedWith({ fields, prevouts }, keys, signer),
  answer: wireHex,
})
