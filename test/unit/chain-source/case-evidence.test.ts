// Evidence for every operation on tokens, from a source that has hand-written transactions of a
// tokeld's chain.

import { describe, expect, test } from 'vitest'

import { createCaseCompleter } from '../../../src/chain-source/case-evidence.ts'
import type { ChainSource } from '../../../src/chain-source/source.ts'
import {
  type Case,
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  networks,
  type Report,
  transactionId,
  verifyCase,
} from '../../../src/index.ts'
import { verdictSentence } from '../../../src/verification/verdict.ts'
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
    heights: async (paid) => new Map(paid.map(({ txid }) => [txid, tipHeight])),
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
    const { heights } = given.evidence
    const known = { ...whole.evidence, ...(heights && { heights }) }
    const expected = verifyCase({ ...whole, evidence: known } as Case)
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

describe('a server that knows less than the case', () => {
  const { hex, intent, parents, evidence, height } = payments.find(
    (it) => decodeTransaction(it.hex).expiryHeight! > 0,
  )!
  const spent = [...new Set(decodeTransaction(hex).inputs.map(({ txid }) => txid))]
  const previousTransactions = parents.map(hexOf)
  const { medianTime = 0 } = evidence
  const tipHeight = height - 1
  const brought = { previousTransactions, tipHeight, tipTime: medianTime, medianTime }
  const whole = (more: Partial<Evidence>): Case => ({
    operation: 'payment',
    intent,
    hex,
    evidence: { ...brought, ...more },
  })
  const knowing = (known: readonly string[], tip = tipHeight): ChainSource => ({
    ...sourceOf({ previousTransactions: known, tipHeight: tip, tipTime: medianTime }),
    heights: async (paid) => {
      const txids = new Set(known.map(transactionId))
      const found = paid.filter(({ txid }) => txids.has(txid))
      return new Map(found.map(({ txid }) => [txid, 1]))
    },
  })

  test('makes no verdict better, and each transaction that it lacks is named', async () => {
    const { given, missing } = await createCaseCompleter(knowing([]))(whole({}))
    expect(missing).toEqual(spent.map((txid) => ({ txid, reason: 'unknown' })))
    const report = verifyCase(given)
    expect(report.broadcast).not.toBe('yes')
    expect(report.findings.map(({ code }) => code)).toContain('height_unknown')
  })

  test('names only what it lacks', async () => {
    const known = previousTransactions.slice(1)
    const { missing } = await createCaseCompleter(knowing(known))(whole({}))
    const lacking = transactionId(previousTransactions[0]!)
    expect(missing).toEqual([{ txid: lacking, reason: 'unknown' }])
    const all = await createCaseCompleter(knowing(previousTransactions))(whole({}))
    expect(all.missing).toEqual([])
  })

  test('does not make an expired transaction valid', async () => {
    const { expiryHeight } = decodeTransaction(hex)
    const behind = knowing(previousTransactions, expiryHeight! - 9)
    const source = knowing(previousTransactions)
    const expired = await createCaseCompleter(behind)(whole({ tipHeight: expiryHeight! + 1 }))
    expect(verifyCase(expired.given).findings.map(({ code }) => code)).toContain('expired')
    const older = await createCaseCompleter(source)(whole({ tipHeight: 1 }))
    expect(older.given.evidence.tipHeight).toBe(tipHeight)
  })

  test.each([11, 4_000_000_000])(
    'leaves the expiry open if the case is %d blocks ahead',
    async (more) => {
      const { expiryHeight } = decodeTransaction(hex)
      const last = Math.max(tipHeight, expiryHeight! - more + 1)
      const source = knowing(previousTransactions, last)
      const { given } = await createCaseCompleter(source)(whole({ tipHeight: last + more }))
      expect(given.evidence).not.toHaveProperty('tipHeight')
      expect(given.evidence.tipTime).toBe(medianTime)
      const report = verifyCase(given)
      const codes = report.findings.map(({ code }) => code)
      expect(codes).toContain('expiry_not_checked')
      expect(codes).not.toContain('expired')
      expect(report.broadcast).not.toBe('yes')
    },
  )

  test('leaves a spent transaction in no block that the case has in none', async () => {
    const waiting = Object.fromEntries(spent.map((txid) => [txid.toUpperCase(), 0]))
    const { given } = await createCaseCompleter(knowing([]))(whole({ heights: waiting }))
    const codes = verifyCase(given).findings.map(({ code }) => code)
    expect(codes).toContain('unconfirmed_input')
    const mined = await createCaseCompleter(knowing(previousTransactions))(
      whole({ heights: waiting }),
    )
    expect(mined.given.evidence.heights).toMatchObject({ [spent[0]!]: 1 })
  })
})

describe('the last block of a case', () => {
  const rank = { no: 0, 'your-decision': 1, yes: 2 }
  const codesOf = ({ findings }: Report) => findings.map(({ code }) => code)
  const plain = payments.find(({ hex }) => decodeTransaction(hex).expiryHeight! > 0)!
  const ofCoinbase = payments.find(({ parents }) => proofOf(parents[0]!).pos === 0)!
  const ask = caseOf(orderBaselines.find(({ name }) => name === 'ask')!)
  const { lockTime, expiryHeight } = decodeTransaction(plain.hex)
  const later = 1_800_000_000
  const onKomodo = { network: networks.komodo }

  function caseOfPayment({ hex, intent, parents }: typeof plain, more = {}): Case<'payment'> {
    const { expiryHeight: _, ...asked } = intent
    const evidence = { previousTransactions: parents.map(hexOf) }
    return { operation: 'payment', intent: { ...asked, ...more }, hex, evidence }
  }

  test.each([
    ['an expired payment', 'expired', caseOfPayment(plain), expiryHeight!, later],
    ['a payment that expires too late', 'expiry_range', caseOfPayment(payments.at(-1)!), 1, later],
    ['a locked payment', 'lock_time', caseOfPayment(plain), plain.height, lockTime - 1],
    ['a young coinbase', 'premature_coinbase', caseOfPayment(ofCoinbase, onKomodo), 98, later],
    ['an order that ends too late', 'order_expiry', ask, 1, later],
  ])(
    'makes no verdict of %s better, whatever its time is',
    async (_, code, asked, height, time) => {
      const { tipHeight: _height, ...evidence } = asked.evidence
      const source = sourceOf({ ...evidence, tipHeight: height, tipTime: time })
      const heights = async (paid: readonly { txid: string }[]) =>
        new Map(paid.map(({ txid }) => [txid, 1]))
      const complete = createCaseCompleter({ ...source, heights })
      const reportOf = async (tip: Partial<Evidence>) =>
        verifyCase((await complete({ ...asked, evidence: { ...evidence, ...tip } } as Case)).given)
      const alone = await reportOf({})
      expect(codesOf(alone)).toContain(code)
      for (const ahead of [1, 10, 11, 4_000_000_000]) {
        for (const tip of [{}, { tipTime: 0xffffffff }]) {
          const report = await reportOf({ ...tip, tipHeight: height + ahead })
          expect(codesOf(report)).toEqual(expect.arrayContaining(codesOf(alone)))
          expect(rank[report.broadcast]).toBeLessThanOrEqual(rank[alone.broadcast])
        }
      }
    },
  )
})

describe('a transaction that is in a block', () => {
  const { hex, intent, parents, height } = payments.find(
    (it) => decodeTransaction(it.hex).expiryHeight! > 0,
  )!
  const { txid, expiryHeight } = decodeTransaction(hex)
  const previousTransactions = parents.map(hexOf)
  const given: Case<'payment'> = {
    operation: 'payment',
    intent,
    hex,
    evidence: { previousTransactions },
  }
  const reportOf = async (tipHeight: number, changed: Partial<ChainSource> = {}, asked = given) => {
    const source = sourceOf({ previousTransactions, tipHeight, tipTime: 1_800_000_000 })
    const heights = async (paid: readonly { txid: string }[]) =>
      new Map(paid.map((it) => [it.txid, it.txid === txid ? height : 1]))
    const complete = createCaseCompleter({ ...source, heights, ...changed })
    return verifyCase((await complete(asked)).given)
  }
  const sent = ({ findings }: Report) => findings.find(({ code }) => code === 'already_in_block')

  test('the verdict says that it is mined, so that nobody pays again', async () => {
    const report = await reportOf(expiryHeight! + 100)
    expect(report.findings.map(({ code }) => code)).toContain('expired')
    expect(sent(report)).toMatchObject({ severity: 'warn', path: 'txid', actual: height })
    const sentence = verdictSentence(report)
    expect(sentence).toContain('the transaction itself is in a block')
    expect(sentence).toContain('do not pay again')
    expect(sentence).not.toContain('explain expired')
  })

  test('is not called safe to broadcast before it expires', async () => {
    expect((await reportOf(height)).broadcast).not.toBe('yes')
    expect(sent(await reportOf(height))).toBeDefined()
  })

  test('is found in the histories of a source without heights', async () => {
    const history = async () => [
      ...parents.map((it) => ({ txid: it, height: 1 })),
      { txid, height },
    ]
    const { heights: _, ...source } = sourceOf({ previousTransactions, tipHeight: height })
    const completed = await createCaseCompleter({ ...source, history })(given)
    expect(sent(verifyCase(completed.given))).toBeDefined()
  })

  test('keeps its other rejects in the sentence', async () => {
    const [payee] = intent.recipients
    const recipients = [{ ...payee!, amount: 1n }, ...intent.recipients.slice(1)]
    const other = { ...given, intent: { ...intent, recipients } }
    const report = await reportOf(expiryHeight! + 100, {}, other)
    expect(sent(report)).toBeDefined()
    expect(verdictSentence(report)).not.toContain('do not pay again')
  })

  test('is not asked for while it lacks signatures', async () => {
    const { inputs, ...rest } = decodeTransaction(hex)
    const bare = inputs.map((it) => ({ ...it, scriptSig: '' }))
    const unsigned = { ...given, hex: encodeTransaction({ ...rest, inputs: bare }) }
    const asked: string[] = []
    const heights = async (paid: readonly { txid: string }[]) => {
      asked.push(...paid.map((it) => it.txid))
      return new Map(paid.map((it) => [it.txid, 1]))
    }
    expect(sent(await reportOf(height, { heights }, unsigned))).toBeUndefined()
    expect(asked.filter((it) => !parents.includes(it))).toEqual([])
  })
})
