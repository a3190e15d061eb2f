// Evidence for every operation on tokens, from a source that has hand-written transactions of a
// tokeld's chain.

import { expect, test } from 'vitest'

import { createCaseCompleter } from '../../../src/chain-source/case-evidence.ts'
import type { ChainSource } from '../../../src/chain-source/source.ts'
import { type Case, type Evidence, transactionId, verifyCase } from '../../../src/index.ts'
import { hexOf, payments, proofOf } from '../../support/inclusion.ts'
import { type Baseline, orderBaselines, transferBaselines } from '../../support/tokel-baselines.ts'

/** A source that has the transactions of evidence, and no others. */
function sourceOf({ previousTransactions, tokenCreate, tipHeight = 0, tipTime = 0 }: Evidence) {
  const all = [...previousTransactions, ...(tokenCreate === undefined ? [] : [tokenCreate])]
  const byTxid = new Map(all.map((hex) => [transactionId(hex), hex]))
  const unused = async () => {
    throw new Error('not needed for evidence')
  }
  const source: ChainSource = {
    name: 'hand-written chain',
    tip: async () => ({ height: tipHeight, time: tipTime }),
    transactions: async (txids) => txids.map((txid) => byTxid.get(txid)),
    heights: async () => new Map(),
    unspent: unused,
    history: unused,
    broadcast: unused,
  }
  return source
}

function caseOf({ verify, made, intent, evidence }: Baseline): Case {
  const kind = 'kind' in intent ? intent.kind.toLowerCase() : undefined
  const operation = verify === 'verifyTokenOrder' ? `token${kind}` : 'tokentransfer'
  return { operation, intent, hex: made.hex, evidence } as Case
}

test.each([...transferBaselines, ...orderBaselines].map((it) => [it.name, it] as const))(
  '%s: the fetched evidence proves as much as all of the evidence',
  async (_, baseline) => {
    const whole = caseOf(baseline)
    const bare = { ...whole, evidence: { previousTransactions: [] } } as Case
    const { given, missing } = await createCaseCompleter(sourceOf(baseline.evidence))(bare)
    const expected = verifyCase(whole)
    const report = verifyCase(given)
    expect([expected.ok, verifyCase(bare).ok, report.ok]).toEqual([true, false, true])
    expect(report.findings).toEqual(expected.findings)
    expect(report.effects).toEqual(expected.effects)
    expect(missing).toEqual([])
  },
)

test('a tokenid of another form is not asked for', async () => {
  const several = caseOf(transferBaselines.find(({ name }) => name === 'several tokens')!)
  const intent = { ...several.intent, tokenids: ['no tokenid', 5, null] }
  const asked: string[] = []
  const source = sourceOf(several.evidence)
  const recording: ChainSource = {
    ...source,
    transactions(txids) {
      asked.push(...txids)
      return source.transactions(txids)
    },
  }
  await createCaseCompleter(recording)({ ...several, intent } as unknown as Case)
  expect(asked.every((txid) => /^[0-9a-f]{64}$/.test(txid))).toBe(true)
})

test('no height is above the last block, though a block comes while they are read', async () => {
  // The parents are not coinbases, which name the block that they are in.
  const { hex, intent, parents, evidence, height } = payments.find((it) =>
    it.parents.every((txid) => proofOf(txid).pos > 0),
  )!
  const previousTransactions = parents.map(hexOf)
  const { medianTime: tipTime } = evidence
  const source = sourceOf({ ...evidence, previousTransactions, tipTime: tipTime! })
  // The source of every height sees a block in which the parents came to be.
  let last = height - 2
  const growing: ChainSource = {
    ...source,
    tip: async () => ({ ...(await source.tip()), height: last }),
    async heights(paid) {
      last += 1
      return new Map(paid.map(({ txid }) => [txid, last]))
    },
  }
  const bare = {
    operation: 'payment',
    intent,
    hex,
    evidence: { previousTransactions: [] },
  } as const
  const { given } = await createCaseCompleter(growing)(bare)
  expect(given.evidence).toMatchObject({ tipHeight: last, heights: { [parents[0]!]: last } })
  expect(verifyCase(given).findings.filter(({ severity }) => severity === 'reject')).toEqual([])
})
