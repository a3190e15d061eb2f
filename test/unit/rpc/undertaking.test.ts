// These tests hold what a flow knows about each request. That is the outputs that every transaction
// for it has, its text for the journal, and the rules of its verification.

import { describe, expect, test } from 'vitest'

import { addressOf, decodeTransaction, networks } from '../../../src/index.ts'
import type { AskedFor } from '../../../src/request/case.ts'
import { requestText } from '../../../src/request/format-case.ts'
import type { DaemonClient } from '../../../src/rpc/daemon/client.ts'
import { RpcError } from '../../../src/rpc/errors.ts'
import type { SafeFlowProgress } from '../../../src/rpc/safe-flow/options.ts'
import { daemonPayment, undertakingOf } from '../../../src/rpc/safe-flow/undertaking.ts'
import {
  evidenceFor,
  intent as payment,
  payment as paymentFields,
  signPayment,
} from '../../support/payments.ts'
import {
  a,
  b,
  c,
  createIntent,
  p2pk,
  tokenid,
  transfer,
  transferHex,
  transferIntent,
} from '../../support/resigned.ts'

const order = 'cd'.repeat(32)
const network = networks.tokel
const offer = { tokenid, from: a, network, units: 10n, price: 10_000n }
const fill = { ...offer, order }
const recipients = [
  { pubkey: b, amount: 7n },
  { pubkey: c, amount: 8n },
]

const of = (operation: string, intent: object) => ({ operation, intent }) as unknown as AskedFor
const orderOf = (kind: string, terms: object) =>
  of(`token${kind.toLowerCase()}`, { kind, ...terms })

describe('the amounts that every transaction has', () => {
  test.each<[string, AskedFor, readonly bigint[] | undefined]>([
    ['a transfer', of('tokentransfer', transferIntent), [100n]],
    ['a transfer to several', of('tokentransfer', { ...transferIntent, recipients }), [7n, 8n]],
    ['a creation', of('tokencreate', createIntent), [1000n]],
    ['an ask: its units', orderOf('ask', offer), [10n]],
    ['a bid: its price', orderOf('bid', offer), [10_000n]],
    ['a filled ask: its units', orderOf('fillAsk', fill), [10n]],
    ['a filled bid: its units', orderOf('fillBid', fill), [10n]],
    [
      'no cancelled ask, which nobody can cancel twice',
      orderOf('cancelAsk', { tokenid, from: a, network, order }),
      undefined,
    ],
    ['no cancelled bid', orderOf('cancelBid', { tokenid, from: a, network, order }), undefined],
    ['a payment', of('payment', payment), payment.recipients.map(({ amount }) => amount as bigint)],
    [
      'a payment of all there is, which may be any amount',
      of('payment', { ...payment, recipients: [{ script: '51', amount: 'max' }] }),
      [],
    ],
  ])('are known for %s', async (_, asked, amounts) => {
    const made = daemonPayment({} as DaemonClient, {}, await undertakingOf(asked, a))
    expect('mayBe' in made).toBe(amounts !== undefined)
    const isLike = (values: readonly bigint[]) => {
      const outputs = values.map((value) => ({ value, script: '51' }))
      return made.mayBe?.({ ...decodeTransaction(transferHex), outputs })
    }
    const all = amounts ?? []
    expect(isLike([...all, 1n])).toBe(amounts && true)
    for (const amount of all) expect(isLike(all.filter((it) => it !== amount))).toBe(false)
  })
})

test('a request is recorded as its whole text', async () => {
  for (const asked of [of('payment', payment), of('tokentransfer', transferIntent)]) {
    const { request } = await undertakingOf(asked, a)
    expect(request()).toBe(requestText(asked))
  }
})

test('an order of no units has findings, and is no fault of the flow', async () => {
  for (const terms of [offer, { ...offer, network: networks.komodo }]) {
    const { intentFindings } = await undertakingOf(orderOf('ask', { ...terms, units: 0n }), a)
    expect(intentFindings).not.toEqual([])
  }
})

test('a bid is for a token that it does not move, and every other step moves it', async () => {
  const bid = await undertakingOf(orderOf('bid', offer), a)
  expect([bid.creation, bid.tokenids]).toEqual([tokenid, undefined])
  const ask = await undertakingOf(orderOf('ask', offer), a)
  expect([ask.creation, ask.tokenids]).toEqual([undefined, [tokenid]])
})

test('a payment is no single call of a daemon', async () => {
  const undertaking = await undertakingOf(of('payment', payment), a)
  await expect(undertaking.buildCall({} as DaemonClient, {})).rejects.toThrow(TypeError)
})

test('a claim of the daemon counts as if the request had made it', async () => {
  const hex = signPayment(paymentFields)
  const { spendable, ...silent } = payment
  const { verify } = await undertakingOf(of('payment', silent), a)
  const evidence = evidenceFor(paymentFields)
  const codesWith = async (claims: object) => {
    const { findings } = await verify(hex, evidence, claims, {})
    return findings.map(({ code }) => code)
  }
  const without = await codesWith({})
  const claimed = await codesWith({ spendable })
  expect(without).not.toEqual(claimed)
  const { verify: whole } = await undertakingOf(of('payment', payment), a)
  const { findings } = await whole(hex, evidence, {}, {})
  expect(claimed).toEqual(findings.map(({ code }) => code))
})

describe('the spends of the payer', () => {
  /** A daemon at height 9 that has one spend of any key in block 8, or that refuses its lists. */
  function daemon(isIndexed = true) {
    const asked: unknown[] = []
    const reads: string[] = []
    const client = {
      async call(method: string, [given]: readonly unknown[]) {
        if (method === 'getblockcount') return 9
        if (!isIndexed) throw new RpcError('daemon', 'no index', { code: -1, codeName: '' })
        asked.push(given)
        return method === 'getaddressmempool' ? [] : [{ txid: order, satoshis: '-5', height: 8 }]
      },
      batch: () => Promise.reject(new RpcError('shape', '', { reason: 'wrong_envelope' })),
      async getrawtransaction({ txid }: { txid: string }) {
        reads.push(txid)
        return transferHex
      },
    }
    return { client: client as unknown as DaemonClient, asked, reads }
  }

  test.each([undefined, 3])(
    'are listed, if the journal has its first payment at %s',
    async (first) => {
      const undertaking = await undertakingOf(of('tokentransfer', transferIntent), a)
      const { client } = daemon()
      expect(await daemonPayment(client, {}, undertaking).spends!({ first })).toEqual([order])
    },
  )

  test('have the coins of all addresses that a payment names', async () => {
    const own = [a, addressOf(b, networks.assetChain), p2pk(c)]
    const undertaking = await undertakingOf(of('payment', { ...payment, own }), a)
    const { client, asked } = daemon()
    await daemonPayment(client, {}, undertaking).spends!({})
    const addresses = [a, b, c].map((key) => addressOf(key, networks.assetChain))
    expect(asked).toContainEqual({ addresses, start: 1, end: 9 })
  })

  test('are reported as missing once, however often they are listed', async () => {
    const undertaking = await undertakingOf(of('tokentransfer', transferIntent), a)
    const steps: string[] = []
    const onProgress = ({ step }: SafeFlowProgress) => steps.push(step)
    const made = daemonPayment(daemon(false).client, { onProgress }, undertaking)
    await made.spends!({})
    await made.spends!({})
    expect(steps).toEqual(['not-compared'])
  })

  test('are read once by all payments of a client, unless the daemon gives another one', async () => {
    const undertaking = await undertakingOf(of('tokentransfer', transferIntent), a)
    const { client, reads } = daemon()
    for (const txid of [transfer.txid, transfer.txid, order, order]) {
      expect(await daemonPayment(client, {}, undertaking).readSpend!(txid)).toBe(transferHex)
    }
    expect(reads).toEqual([transfer.txid, order, order])
  })
})
