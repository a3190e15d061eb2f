// The signatures of an ancestor are checked once. Those of another transaction, on another chain, or
// that were not checked whole, are checked again.

import { randomBytes } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { defineNetwork, encodeTransaction, networks } from '../../../src/index.ts'
import {
  checkAncestorSignatures,
  checkAncestorSignaturesAsync,
  type SignedAncestor,
} from '../../../src/verification/ancestor-signatures.ts'
import { isProven, noteProven } from '../../../src/verification/proven-signatures.ts'
import { transfer, transferHex } from '../../support/resigned.ts'
import { prevoutsOf } from '../../support/sign.ts'

const signed: Omit<SignedAncestor, 'txid'> = {
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

/** A txid that no test has met, because what is known stays known. */
const newTxid = () => randomBytes(32).toString('hex')

describe.each([
  ['at once', async (it: SignedAncestor) => checkAncestorSignatures([it])],
  ['on other threads', (it: SignedAncestor) => checkAncestorSignaturesAsync([it], {})],
])('ancestors that are checked %s', (_, checkOne) => {
  const check = (txid: string, given: Partial<SignedAncestor> = {}) =>
    checkOne({ ...signed, txid, ...given })
  /** Findings for bytes that no signature fits, so that only a txid that is known has none. */
  const findingsFor = async (txid: string, known: Partial<SignedAncestor> = {}) =>
    (await check(txid, { hex: changedHex, ...known })).map(({ code }) => code)

  test('a txid is known after its signatures were right, and before that it is not', async () => {
    const txid = newTxid()
    expect(await findingsFor(txid)).toEqual(['ancestor_signature'])
    expect(await findingsFor(txid)).toEqual(['ancestor_signature'])
    expect(await check(txid)).toEqual([])
    expect(await findingsFor(txid)).toEqual([])
  })

  test('another transaction is not known by it', async () => {
    await check(newTxid())
    expect(await findingsFor(newTxid())).toEqual(['ancestor_signature'])
  })

  test.each([
    ['another branch', { branchId: 0x12345678 }],
    ['other conditions', { conditions: 'tokel' }],
  ] as const)('it is not known on a chain of %s', async (_, members) => {
    const txid = newTxid()
    await check(txid)
    const network = defineNetwork({ ...networks.assetChain, ...members })
    expect(await findingsFor(txid, { network })).toEqual(['ancestor_signature'])
  })

  test('a txid is not known while an output that it spends is missing', async () => {
    const txid = newTxid()
    await check(txid, { prevouts: [undefined, ...signed.prevouts.slice(1)] })
    expect(await findingsFor(txid)).toEqual(['ancestor_signature'])
  })
})

test('the last 20,000 transactions are known, and an older one is checked again', () => {
  const prefix = newTxid().slice(8)
  const numbered = (at: number) => ({
    ...signed,
    txid: `${prefix}${at.toString(16).padStart(8, '0')}`,
  })
  for (let at = 0; at <= 20_000; at += 1) noteProven(numbered(at))
  expect([0, 1, 20_000].map((at) => isProven(numbered(at)))).toEqual([false, true, true])
})
