import type { ConditionTree } from '../../src/index.ts'
import { textOf } from '../support/files.ts'
import { chain, readVectors } from '../support/vectors.ts'

/** JSON all through, so that it can be handed to wherever the library runs. */
export interface Vectors {
  readonly transactions: readonly string[]
  readonly fulfillments: Readonly<
    Record<
      string,
      { readonly fulfillment: string; readonly message: string; readonly condition: string }
    >
  >
  readonly cases: Readonly<Record<string, string>>
  readonly key: string
  readonly tree: ConditionTree
}

interface ConditionVectors {
  vectors: { name: string; fulfillment: string; message: string; conditionBinary: string }[]
}

const cases = ['create', 'transfer', 'transfer-stolen-change', 'transfer-wrong-destination']

/** Published vectors, recordings of a komodod, and the examples. */
export const vectors: Vectors = {
  transactions: [
    ...readVectors<{ transactions: { hex: string }[] }>('real/transactions.json').transactions,
    ...chain,
  ].map(({ hex }) => hex),
  fulfillments: Object.fromEntries(
    ['komodo', 'rfc'].flatMap((set) =>
      readVectors<ConditionVectors>(`condition/${set}.json`).vectors.flatMap(
        ({ name, fulfillment, message, conditionBinary: condition }) => [
          [`${set} ${name}`, { fulfillment, message, condition }],
          [`${set} ${name}, another message`, { fulfillment, message: 'ff', condition }],
        ],
      ),
    ),
  ),
  cases: Object.fromEntries(cases.map((name) => [name, textOf(`examples/${name}.json`)])),
  key: '11'.repeat(32),
  tree: {
    type: 'threshold-sha-256',
    threshold: 2,
    subconditions: [
      { type: 'eval-sha-256', code: 'f2' },
      // The public key belongs to the key above, as a seed: RFC 8032's arithmetic, by OpenSSL.
      {
        type: 'ed25519-sha-256',
        publicKey: 'd04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737',
      },
      {
        type: 'prefix-sha-256',
        prefix: '00ff',
        maxMessageLength: 64,
        subcondition: { type: 'preimage-sha-256', preimage: '' },
      },
    ],
  },
}
