import { defineTask } from '../lib/define.mjs'
import { signedCases } from '../lib/signed-cases.mjs'

export const task = defineTask({
  name: 'verify-inputs',
  question:
    'Whether every input of a v4 transaction is rightly signed, per input, what is spent being ' +
    'given: key against hash, strict DER, low S, the hash to sign, the signature. Ours from raw ' +
    'hex, parsed each time; the peers from a transaction that they have decoded before. All refuse ' +
    'a flipped bit of a signature, the signature of a stranger, another amount spent, another ' +
    'amount paid, before they are timed.',
  unit: 'input',
  cases: () => signedCases([1, 10, 100, 1000]),
  reference: ({ isSigned }) => isSigned,
  goals: [
    { case: 'inputs-100', peer: '@bitgo/utxo-lib', ratio: 28 },
    { case: 'inputs-100', peer: 'JavaScript + secp256k1', ratio: 1.4 },
  ],
})
