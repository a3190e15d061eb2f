import { defineTask } from '../lib/define.mjs'
import { randomSource } from '../lib/random.mjs'
import { hashesToSign } from '../lib/sighash.mjs'
import { unsignedSpend } from '../lib/spends.mjs'

const bitgo = '@bitgo/utxo-lib'

/** Inputs, and how many different transactions take turns. */
const sizes = [
  { inputs: 1, specimens: 64 },
  { inputs: 10, specimens: 16 },
  { inputs: 100, specimens: 4 },
  { inputs: 1000, specimens: 1 },
]

/** @param {1 | 4} version */
const casesOf = (version) =>
  sizes.map(({ inputs, specimens }) => {
    const name = `inputs-${inputs}${version === 1 ? '-v1' : ''}`
    const random = randomSource(`sighash/${name}`)
    return {
      name,
      description: `${inputs} P2PKH input${inputs === 1 ? '' : 's'}, v${version}`,
      items: Array.from({ length: specimens }, () => unsignedSpend(random, { inputs, version })),
      unitsPerItem: inputs,
    }
  })

export const task = defineTask({
  name: 'sighash',
  question:
    'All hashes that the signatures of a transaction sign, SIGHASH_ALL, per input: ours from raw ' +
    'hex, parsed each time, to hex; the peers from a transaction that they have decoded before, to ' +
    'Buffers. Time per input that grows with the inputs is a library that hashes the rest again ' +
    "for each of them; Bitcoin's form, v1, leaves no other way.",
  unit: 'input',
  cases: () => [...casesOf(4), ...casesOf(1)],
  reference: ({ fields, prevouts }) => hashesToSign(fields, prevouts),
  goals: [
    { case: 'inputs-10', peer: bitgo, ratio: 15 },
    { case: 'inputs-1000', peer: bitgo, ratio: 150 },
  ],
})
