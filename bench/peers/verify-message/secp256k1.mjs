// Not its entry point, which falls back to JavaScript without a word.
import secp256k1 from 'secp256k1/bindings.js'
import { definePeer } from '../../lib/define.mjs'
import { messageVerifierOver } from '../../lib/messages.mjs'

export const peer = definePeer({
  name: 'JavaScript + secp256k1',
  package: 'secp256k1',
  note: 'the native bindings',
  run: messageVerifierOver((hash, signature, recovery) =>
    secp256k1.ecdsaRecover(signature, recovery, hash),
  ),
})
