import { defineTask } from '../lib/define.mjs'
import { signedCases } from '../lib/signed-cases.mjs'

export const task = defineTask({
  name: 'verify-inputs-threads',
  question:
    'The same by the wall clock, ours on the threads of the pool, of which as many are used as ' +
    'there are cores, up to four. On a machine that has other work to do this says little.',
  unit: 'input',
  clock: 'wall',
  cases: () => signedCases([10, 100, 1000]),
  reference: ({ isSigned }) => isSigned,
  goals: [
    { case: 'inputs-100', peer: '@bitgo/utxo-lib', ratio: 56 },
    { case: 'inputs-100', peer: 'JavaScript + secp256k1', ratio: 2.8 },
    { case: 'inputs-100', peer: 'antara-tx, one thread', ratio: 1.8 },
  ],
})
