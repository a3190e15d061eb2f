// These tests hold how a withdrawal through the framework is verified, looked up and broadcast. The
// client is no server here, so each test sees every request.

import { expect, test } from 'vitest'

import { transactionId } from '../../../src/index.ts'
import { RpcError } from '../../../src/rpc/errors.ts'
import type { FrameworkClient } from '../../../src/rpc/framework/client.ts'
import { withdrawText } from '../../../src/rpc/safe-flow/withdraw-text.ts'
import { withdrawalPayment } from '../../../src/rpc/safe-flow/withdrawal.ts'
import {
  p2pkh,
  payment,
  signPayment,
  tipHeight,
  withdrawAnswer,
  worthOf,
} from '../../support/payments.ts'
import { a, b } from '../../support/resigned.ts'
import { chain } from '../../support/vectors.ts'

const coin = 'TOKTEST'
const to = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'
const inputs = payment.inputs.slice(0, 2)
const spent = inputs.reduce((sum, input) => sum + worthOf(input), 0n)
const received = spent - 1_001_000n
const hex = signPayment({
  ...payment,
  inputs,
  outputs: [
    { value: 1_000_000n, script: p2pkh(b) },
    { value: received, script: p2pkh(a) },
  ],
})
const intent = { coin, to, amount: 1_000_000n, own: [a], fee: 1000n }
const from = ['REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb']
const answer = withdrawAnswer({ hex, coin, from, to, spent, received })
const recorded = new Map(chain.map((it) => [it.txid, it.hex]))
const spentTxids = [...new Set(inputs.map(({ txid }) => txid))]
const after = tipHeight + 1000

type Options = Parameters<typeof withdrawalPayment>[2]

/** A withdrawal from a server that has the recorded chain, or from another one. */
async function withdrawalFrom(options: Options, has: ReadonlyMap<string, string> = recorded) {
  const asked: string[] = []
  const sent: object[] = []
  const answers = { tx_hash: transactionId(hex) }
  const client = {
    async getRawTransaction({ coin: name, tx_hash }: { coin: string; tx_hash: string }) {
      expect(name).toBe(coin)
      asked.push(tx_hash)
      const found = has.get(tx_hash)
      if (found === undefined) throw new RpcError('framework', 'no such')
      return { tx_hex: found }
    },
    async sendRawTransaction(given: object) {
      sent.push(given)
      return answers
    },
  } as unknown as FrameworkClient
  return { ...(await withdrawalPayment(client, intent, options)), asked, sent, answers }
}
const codesOf = ({ report }: { report: { findings: readonly { code: string }[] } }) =>
  report.findings.map(({ code }) => code)

test('a withdrawal is recorded with the text of its request, and refused by the framework alone', async () => {
  const { payment: made } = await withdrawalFrom({})
  expect(made.request()).toBe(withdrawText(intent))
  expect(made.refusal).toBe('framework')
})

test("a server's answer is verified with what it claims, by the transactions that are spent", async () => {
  const { checkResponse, asked } = await withdrawalFrom({ evidence: { tipHeight } })
  const checked = await checkResponse(answer)
  expect(checked.report).toMatchObject({ ok: true, hex })
  expect(Object.keys(checked)).toEqual(['report'])
  expect(asked.toSorted()).toEqual(spentTxids.toSorted())
  const claimed = await checkResponse({ ...answer, total_amount: '1' } as typeof answer)
  expect(claimed.report.ok).toBe(false)
})

test('an answer without a transaction is rejected', async () => {
  const { checkResponse, asked } = await withdrawalFrom({})
  expect((await checkResponse({})).report).toMatchObject({ ok: false, hex: '' })
  expect(asked).toEqual([])
})

test('a transaction that the server does not have is named, and the fee is not proven', async () => {
  const { payment: made } = await withdrawalFrom({ evidence: { tipHeight } }, new Map())
  const checked = await made.check(hex)
  expect(checked.refused).toEqual(spentTxids.map((txid) => ({ txid, reason: 'unknown' })))
  expect(checked.report.ok).toBe(false)
})

test.each([
  ['all of it', spentTxids],
  ['a part of it', spentTxids.slice(0, 1)],
])('evidence that the caller has is not requested: %s', async (_, own) => {
  const previousTransactions = ['00', ...own.map((txid) => recorded.get(txid)!)]
  const { payment: made, asked } = await withdrawalFrom({
    evidence: { tipHeight, previousTransactions },
  })
  expect((await made.check(hex)).report.ok).toBe(true)
  expect(asked).toEqual(spentTxids.filter((txid) => !own.includes(txid)))
})

test('a transaction expires with the height of the chain, unless a block has it', async () => {
  const { payment: made } = await withdrawalFrom({ evidence: { tipHeight: after } })
  expect(codesOf(await made.check(hex))).toContain('expired')
  expect((await made.check(hex, 'on-chain')).report.ok).toBe(true)
})

test("the time of the tip is that of this machine's clock, unless the caller gives one", async () => {
  const later = Math.floor(Date.now() / 1000) + 3600
  const locked = signPayment({
    ...payment,
    inputs,
    outputs: [
      { value: 1_000_000n, script: p2pkh(b) },
      { value: received, script: p2pkh(a) },
    ],
    lockTime: later,
  })
  const codesWith = async (evidence: object) => {
    const { payment: made } = await withdrawalFrom({ evidence: { tipHeight, ...evidence } })
    return codesOf(await made.check(locked))
  }
  expect(await codesWith({})).toContain('lock_time')
  expect(await codesWith({ tipTime: later })).not.toContain('lock_time')
})

test('the options are those of the check: an observer sees the report, and a signal stops it', async () => {
  const steps: object[] = []
  const onProgress = (step: object) => steps.push(step)
  const { payment: made } = await withdrawalFrom({ onProgress })
  const { report } = await made.check(hex)
  expect(steps.at(-1)).toEqual({ step: 'verified', report })
  const stopped = await withdrawalFrom({ signal: AbortSignal.abort() })
  await expect(stopped.payment.check(hex)).rejects.toMatchObject({ kind: 'aborted' })
})

test('a transaction is looked up under the coin of the request', async () => {
  const { payment: made, asked } = await withdrawalFrom({})
  expect(await made.lookUp(spentTxids[0]!)).toBe(recorded.get(spentTxids[0]!))
  expect(await made.lookUp('ab'.repeat(32))).toEqual({ reason: 'unknown' })
  expect(asked).toHaveLength(2)
})

test('a broadcast is certain only if the server answers with the txid of what was sent', async () => {
  const { payment: made, sent, answers } = await withdrawalFrom({})
  const attempt = { hex, txid: transactionId(hex), outpoints: new Set<string>() }
  await made.send(attempt)
  answers.tx_hash = attempt.txid.toUpperCase()
  await made.send(attempt)
  expect(sent).toEqual([
    { coin, tx_hex: hex },
    { coin, tx_hex: hex },
  ])
  answers.tx_hash = 'a secret'
  const refused = made.send(attempt)
  await expect(refused).rejects.toMatchObject({
    kind: 'shape',
    reason: 'wrong_txid',
    uncertain: true,
    method: 'send_raw_transaction',
  })
  await expect(refused).rejects.not.toThrow('a secret')
})
