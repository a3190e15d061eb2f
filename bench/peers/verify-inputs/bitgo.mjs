import { definePeer } from '../../lib/define.mjs'
import { toSign, verifyPayment } from '../../libraries/bitgo.mjs'

export const peer = definePeer({
  name: '@bitgo/utxo-lib',
  note:
    'its verifySignature reads multisig only; these are the steps that it takes for an input: ' +
    'ScriptSignature.decode, hashForSignatureByNetwork, ecc.verify',
  prepare: toSign,
  run: ({ tx, prevouts }) => prevouts.map((prevout, index) => verifyPayment(tx, index, prevout)),
})
