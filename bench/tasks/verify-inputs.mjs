import { defineTask } from '../lib/define.mjs'
import { randomSource } from '../lib/random.mjs'
import { signedSpend } from '../lib/spends.mjs'

/** Inputs, and how many different transactions take turns. */
const sizes = [
  { inputs: 1, specimens: 16 },
  { inputs: 10, specimens: 8 },
  { inputs: 100, specimens: 2 },
  { inputs: 1000, specimens: 1 },
]

export const task = defineTask({
  name: 'verify-inputs',
  question:
    'Whether every input of a v4 transaction is rightly signed, per input, what is spent being ' +
    'given: key against hash, strict DER, low S, the hash to sign, the signature. Ours from raw ' +
    'hex, parsed each time; the peers from a transaction that they have decoded before. All refuse ' +
    'a flipped bit of a signature, the signature of a stranger, another amount spent, another ' +
    'amount paid, before they are timed.',
  unit: 'input',
  clock: 'wall',
  cases: () =>
    sizes.map(({ inputs, specimens }) => {
      const name = `inputs-${inputs}`
      const random = randomSource(`verify-inputs/${name}`)
      const spends = Array.from({ length: specimens }, () => signedSpend(random, inputs))
      return {
        name,
        description: `${inputs} P2PKH input${inputs === 1 ? '' : 's'}, v4`,
        items: spends.map(({ signed }) => signed),
        alsoProved: spends[0].tampered,
        unitsPerItem: inputs,
      }
    }),
  reference: ({ isSigned }) => isSigned,
  goals: [
    { case: 'inputs-100', peer: '@bitgo/utxo-lib', ratio: 28 },
    { case: 'inputs-100', peer: 'JavaScript + secp256k1', ratio: 1.4 },
  ],
})
