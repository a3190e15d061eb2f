import { defineTask } from '../lib/define.mjs'
import { randomSource } from '../lib/random.mjs'
import { spendToSign } from '../lib/spends.mjs'

/** Inputs, and how many different transactions take turns. */
const sizes = [
  { inputs: 1, specimens: 16 },
  { inputs: 10, specimens: 8 },
  { inputs: 100, specimens: 2 },
]

export const task = defineTask({
  name: 'sign',
  question:
    'An unsigned v4 transaction of P2PKH inputs, each with a key of its own, to the signed one, per ' +
    'input. Ours reads raw hex, derives the public keys, signs, and verifies each signature twice: ' +
    'when it is made, and in the signed transaction. The peer hashes, derives and signs, and ' +
    'verifies nothing.',
  unit: 'input',
  cases: () =>
    sizes.map(({ inputs, specimens }) => {
      const name = `inputs-${inputs}`
      const random = randomSource(`sign/${name}`)
      return {
        name,
        description: `${inputs} P2PKH input${inputs === 1 ? '' : 's'}, v4`,
        items: Array.from({ length: specimens }, () => spendToSign(random, inputs)),
        unitsPerItem: inputs,
      }
    }),
  reference: ({ signed }) => signed,
  goals: [{ case: 'inputs-100', peer: 'JavaScript + @noble/secp256k1', ratio: 2 }],
})
