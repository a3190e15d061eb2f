import { secp256k1 } from '@noble/curves/secp256k1.js'
import { definePeer } from '../../lib/define.mjs'
import { messageVerifierOver } from '../../lib/messages.mjs'

export const peer = definePeer({
  name: 'JavaScript + @noble/curves',
  package: '@noble/curves',
  run: messageVerifierOver((hash, signature, recovery) =>
    secp256k1.recoverPublicKey(Buffer.concat([Buffer.of(recovery), signature]), hash, {
      prehash: false,
    }),
  ),
})
