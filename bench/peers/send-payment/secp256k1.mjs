// Not its entry point, which falls back to JavaScript without a word.
import secp256k1 from 'secp256k1/bindings.js'
import { definePeer } from '../../lib/define.mjs'
import { senderOver } from '../../libraries/sending.mjs'

export const peer = definePeer({
  name: 'JavaScript + secp256k1',
  package: 'secp256k1',
  note: 'the native bindings',
  run: senderOver(
    {
      sign: (hash, key) => secp256k1.ecdsaSign(hash, key).signature,
      publicKeyOf: (key) => secp256k1.publicKeyCreate(key),
    },
    secp256k1.ecdsaVerify,
  ),
})
