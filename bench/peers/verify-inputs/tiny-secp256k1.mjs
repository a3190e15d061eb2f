import { verify } from 'tiny-secp256k1'
import { definePeer } from '../../lib/define.mjs'
import { toVerify, verifierOver } from '../../libraries/payments.mjs'

export const peer = definePeer({
  name: 'JavaScript + tiny-secp256k1',
  package: 'tiny-secp256k1',
  note: 'the same with WebAssembly',
  prepare: toVerify,
  run: verifierOver((signature, hash, publicKey) => verify(hash, publicKey, signature, true)),
})
