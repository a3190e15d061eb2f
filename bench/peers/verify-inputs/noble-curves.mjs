import { secp256k1 } from '@noble/curves/secp256k1.js'
import { definePeer } from '../../lib/define.mjs'
import { toVerify, verifierOver } from '../../libraries/payments.mjs'

const options = { prehash: false, lowS: true }

export const peer = definePeer({
  name: 'JavaScript + @noble/curves',
  package: '@noble/curves',
  note: 'the curve of @scure/btc-signer, which itself verifies no input',
  prepare: toVerify,
  run: verifierOver((signature, hash, publicKey) =>
    secp256k1.verify(signature, hash, publicKey, options),
  ),
})
