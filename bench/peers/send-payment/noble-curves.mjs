import { secp256k1 } from '@noble/curves/secp256k1.js'
import { definePeer } from '../../lib/define.mjs'
import { senderOver } from '../../libraries/sending.mjs'

const options = { prehash: false, lowS: true }

export const peer = definePeer({
  name: 'JavaScript + @noble/curves',
  package: '@noble/curves',
  run: senderOver(
    {
      sign: (hash, key) => secp256k1.sign(hash, key, options),
      publicKeyOf: (key) => secp256k1.getPublicKey(key),
    },
    (signature, hash, publicKey) => secp256k1.verify(signature, hash, publicKey, options),
  ),
})
