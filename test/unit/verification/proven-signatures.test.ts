// The signatures of an ancestor are checked once. Those of another transaction, on another chain, or
// that were not checked whole, are checked again.

import { beforeEach, expect, test, vi } from 'vitest'
import {
  decodeTransaction,
  defineNetwork,
  encodeTransaction,
  networks,
} from '../../../src/index.ts'
import type { SignedAncestor } from '../../../src/verification/ancestor-signatures.ts'
import { transfer, transferHex } from '../../support/resigned.ts'
import { prevoutsOf } from '../../support/sign.ts'

type Signatures = typeof import('../../../src/verification/ancestor-signatures.ts')

let checkAncestorSignaturesAsync: Signatures['checkAncestorSignaturesAsync']
beforeEach(async () => {
  // Other tests verify the same transaction, so each test here begins with nothing known.
  vi.resetModules()
  const signatures = await import('../../../src/verification/ancestor-signatures.ts')
  checkAncestorSignaturesAsync = signatures.checkAncestorSignaturesAsync
})

const { txid } = decodeTransaction(transferHex)
const signed: SignedAncestor = {
  txid,
  path: 'evidence',
  hex: transferHex,
  prevouts: prevoutsOf(transfer),
  network: networks.assetChain,
  isComplete: true,
  height: undefined,
}
/** The same, as a transaction whose first output was changed after it was signed. */
const [first, ...others] = transfer.outputs
const outputs = [{ ...first!, value: first!.value + 1n }, ...others]
const changedHex = encodeTransaction({ ...transfer, outputs })

/** Findings for bytes that no signature fits, so that only a txid that is known has none. */
const findingsFor = async (known: Partial<SignedAncestor>) =>
  (await checkAncestorSignaturesAsync([{ ...signed, hex: changedHex, ...known }], {})).map(
    ({ code }) => code,
  )
const check = (given: Partial<SignedAncestor>) =>
  checkAncestorSignaturesAsync([{ ...signed, ...given }], {})

test('a txid is known after its signatures were right, and before that it is not', async () => {
  expect(await findingsFor({})).toEqual(['ancestor_signature'])
  expect(await findingsFor({})).toEqual(['ancestor_signature'])
  expect(await check({})).toEqual([])
  expect(await findingsFor({})).toEqual([])
})

test('another transaction is not known by it', async () => {
  await check({})
  expect(await findingsFor({ txid: '11'.repeat(32) })).toEqual(['ancestor_signature'])
})

test.each([
  ['another branch', { branchId: 0x12345678 }],
  ['other conditions', { conditions: 'tokel' }],
] as const)('it is not known on a chain of %s', async (_, members) => {
  await check({})
  const network = defineNetwork({ ...networks.assetChain, ...members })
  expect(await findingsFor({ network })).toEqual(['ancestor_signature'])
})

test('a txid is not known while an output that it spends is missing', async () => {
  const id = '22'.repeat(32)
  await check({ txid: id, prevouts: [undefined, ...signed.prevouts.slice(1)] })
  expect(await findingsFor({ txid: id })).toEqual(['ancestor_signature'])
})

test('the last 20,000 transactions are known, and an older one is checked again', async () => {
  const { isProven, noteProven } = await import('../../../src/verification/proven-signatures.ts')
  const numbered = (at: number) => ({ ...signed, txid: at.toString(16).padStart(64, '0') })
  for (let at = 0; at <= 20_000; at += 1) noteProven(numbered(at))
  expect([0, 1, 20_000].map((at) => isProven(numbered(at)))).toEqual([false, true, true])
})
