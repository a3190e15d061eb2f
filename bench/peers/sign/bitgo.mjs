import { definePeer } from '../../lib/define.mjs'
import { signPayments, toSign } from '../../libraries/bitgo.mjs'

export const peer = definePeer({
  name: '@bitgo/utxo-lib',
  note: 'hashForSignatureByNetwork, ecc.sign, ScriptSignature.encode; decoded before',
  prepare: ({ keys, ...spend }) => ({
    ...toSign(spend),
    keys: keys.map((key) => Buffer.from(key, 'hex')),
  }),
  run: signPayments,
  answer: (tx) => tx.toHex(),
})
