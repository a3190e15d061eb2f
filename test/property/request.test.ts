// Builders and verifiers apply the same rules to the request: one takes what the other does not
// object to.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { burnPublicKeys, moduleNames } from '../../src/chain/modules.ts'
import {
  addressOf,
  buildTokenTransfer,
  isAntaraError,
  networks,
  verifyTokenTransfer,
} from '../../src/index.ts'
import { readRequest } from '../../src/request/members.ts'
import { transferRequestForms } from '../../src/request/transfer.ts'
import { textOf } from '../support/files.ts'
import { least, share } from '../support/share.ts'

const request = readRequest(
  JSON.parse(textOf('examples/transfer-request.json')),
  transferRequestForms,
)
const { tokenid, from } = request
const others = [
  '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689',
  '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275',
  '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
]

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(from, ...others, others[0]!.toUpperCase()) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...Object.values(burnPublicKeys),
      ...moduleNames.keys(),
      addressOf(from, networks.assetChain),
      `02${'00'.repeat(32)}`,
      '',
    ),
  },
)
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(1n, 50n) },
  { weight: 1, arbitrary: fc.constantFrom(-1n, 0n, 2n ** 62n, 2n ** 63n - 1n, 2n ** 63n) },
)
const recipients = fc.array(fc.record({ pubkey: name, amount }), { minLength: 1, maxLength: 4 })

function codeOf(build: () => unknown): string | undefined {
  try {
    build()
    return undefined
  } catch (error) {
    if (isAntaraError(error)) return error.code
    throw error
  }
}

test('a builder takes a transfer if and only if the verifier has no finding on its intent', () => {
  let taken = 0
  fc.assert(
    fc.property(recipients, fc.boolean(), (paid, burn) => {
      const code = codeOf(() => buildTokenTransfer({ ...request, recipients: paid, burn }))
      const [first] = paid
      const intent = {
        tokenid,
        destination: first!.pubkey,
        amount: first!.amount,
        ...(paid.length > 1 && { recipients: paid }),
        from,
        burn,
      }
      const { findings } = verifyTokenTransfer('', intent, { previousTransactions: [] })
      const isWrong = findings.some((it) => it.code.startsWith('intent_'))
      const isTaken = code === undefined || code.startsWith('insufficient_')
      if (isTaken) taken += 1
      expect(isTaken).toBe(!isWrong)
    }),
    { numRuns: share(2000, 125) },
  )
  expect(taken).toBeGreaterThan(least(100))
})
