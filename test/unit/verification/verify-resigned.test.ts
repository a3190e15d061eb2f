// The verifier against a daemon that signs rightly what nobody asked for.

import { expect, test } from 'vitest'

import {
  encodeTransaction,
  type Report,
  type TransactionFields,
  tokenScript,
  transactionId,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import {
  a,
  b,
  burnedToken,
  type Change,
  checkCreate,
  checkTransfer,
  createCases,
  evidenceFor,
  fields,
  hashTypeCases,
  markerOfToken,
  moduleKey,
  nftCoin,
  othersNative,
  outputs,
  ownNative,
  p2pk,
  privateKeys,
  spend,
  transfer,
  transferCases,
  transferHex,
  transferIntent,
  unchanged,
} from '../../support/resigned.ts'
import { prevoutsOf, sign } from '../../support/sign.ts'

function rejects({ findings }: Report): string[] {
  return findings.filter(({ severity }) => severity === 'reject').map(({ code }) => code)
}

test('an unchanged transaction that is signed again agrees', () => {
  expect(rejects(checkTransfer(unchanged))).toEqual([])
  expect(rejects(checkCreate(unchanged))).toEqual([])
  // Nonces are deterministic on both sides, so this is what the daemon itself signed.
  expect(sign({ tx: transfer }, { keys: privateKeys })).toBe(transferHex)
})

test.each(transferCases)('transfer, %s: rejected', (_, change, code) => {
  const report = checkTransfer(change)
  expect(report.ok).toBe(false)
  expect(rejects(report)).toContain(code)
  // Signed rightly: the finding is about what the transaction does, not about a broken signature.
  expect(rejects(report)).not.toContain('signature')
})

test.each<[string, Change, string]>([
  ['an extra own coin comes back in full', spend(...ownNative, 2), 'extra_input'],
  ['change before destination', outputs(([x, y, ...rest]) => [y!, x!, ...rest]), 'output_order'],
  [
    'tokens spent before coins',
    (tx) => ({ ...tx, inputs: [...tx.inputs].reverse() }),
    'input_order',
  ],
  ['it never expires', fields({ expiryHeight: 0 }), 'no_expiry'],
  [
    'a sequence that is not final',
    (tx) => ({ ...tx, inputs: tx.inputs.map((input) => ({ ...input, sequence: 0xfffffffe })) }),
    'sequence',
  ],
])('transfer, %s: costs nothing and passes', (_, change, warning) => {
  const report = checkTransfer(change)
  expect(rejects(report)).toEqual([])
  expect(report.findings.map(({ code }) => code)).toContain(warning)
})

test.each(hashTypeCases)('signed for %s: rejected', (_, options, code) => {
  expect(rejects(checkTransfer(unchanged, options))).toContain(code)
  if (options.conditionHashType === undefined) {
    expect(rejects(checkCreate(unchanged, options))).toContain(code)
  }
})

test('an input that nobody signed is rejected', () => {
  for (const index of [0, 1]) {
    const tx = {
      ...transfer,
      inputs: transfer.inputs.map((input, at) =>
        at === index ? { ...input, scriptSig: '' } : input,
      ),
    }
    const report = verifyTokenTransfer(encodeTransaction(tx), transferIntent, evidenceFor(tx, 12))
    expect(rejects(report)).toContain('unsigned')
  }
})

test.each(createCases)('create, %s: rejected', (_, change, code) => {
  const report = checkCreate(change)
  expect(report.ok).toBe(false)
  expect(rejects(report)).toContain(code)
  expect(rejects(report)).not.toContain('signature')
})

test('the cases are as many as they should be', () => {
  expect(transferCases.length + createCases.length + hashTypeCases.length).toBeGreaterThan(90)
  const txids = transferCases.map(([, change]) =>
    transactionId(encodeTransaction(change(transfer))),
  )
  expect(new Set(txids).size).toBe(transferCases.length)
})

test('the coins that the cases take from the chain are what they are said to be', () => {
  const tx = [markerOfToken, ownNative, burnedToken, nftCoin, othersNative].reduce(
    (all, [txid, vout]) => spend(txid, vout, 2)(all),
    { ...transfer, inputs: [] } as TransactionFields,
  )
  expect(prevoutsOf(tx).map(({ script }) => script)).toEqual([
    tokenScript(moduleKey),
    p2pk(a),
    tokenScript(a),
    tokenScript(a, { evalCodes: [0xf1, 0xf2] }),
    p2pk(b),
  ])
})
