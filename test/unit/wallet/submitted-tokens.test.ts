// A request about tokens may have members that the wallet's own requests lack. It is signed
// elsewhere, and `submit` has to tell two of them apart.

import { describe, expect, test } from 'vitest'

import { type Case, type FindingCode, networks } from '../../../src/index.ts'
import { createWallet, memoryJournal } from '../../../src/wallet/index.ts'
import { proveTokens } from '../../../src/wallet/proofs.ts'
import { createKnownTransactions } from '../../../src/wallet/transactions.ts'
import { b } from '../../support/sign-tokel.ts'
import { createBaselines, transferBaselines } from '../../support/tokel-baselines.ts'
import * as market from '../../support/tokel-market.ts'
import { recordedSource } from './recorded-source.ts'

const operations = {
  verifyTokenCreate: 'tokencreate',
  verifyTokenTransfer: 'tokentransfer',
} as const

async function submitting(name: string, withheld: readonly string[] = []) {
  const baselines = [...createBaselines, ...transferBaselines]
  const { intent, made, verify } = baselines.find((it) => it.name === name)!
  const others = market.everything().filter((it) => it !== made.hex && !withheld.includes(it))
  const chain = recordedSource(
    others.map((hex) => ({ hex })),
    market.tipHeight,
  )
  const owner = 'owner' in intent ? intent.owner : intent.from
  const journal = memoryJournal()
  const { tokel: network } = networks
  const wallet = await createWallet({ network, publicKeys: [owner as string], chain, journal })
  const operation = operations[verify as keyof typeof operations]
  const submit = (
    changes: object,
    id: string,
    allow: readonly FindingCode[] = ['token_parent_unproven'],
  ) => {
    const given = { operation, intent: { ...intent, ...changes }, hex: made.hex } as Case
    return wallet.submit(given, { id, allow })
  }
  return { wallet, journal, chain, submit }
}

describe.each([
  ['several tokens', { tokenids: [market.tokenid] }],
  ['from keys', { fromKeys: { required: 1, pubkeys: [b] } }],
  ['a creation with properties', { properties: { royalty: 999 } }],
])('the request of %s', (name, changes) => {
  test('is another one under the same id once that member is changed', async () => {
    const { submit } = await submitting(name)
    expect(await submit({}, 'rent')).toMatchObject({ status: 'accepted' })
    await expect(submit(changes, 'rent')).rejects.toMatchObject({ code: 'id_conflict' })
  })

  test('is the same one when it comes again, and is passed over by resume', async () => {
    const { wallet, submit } = await submitting(name)
    const first = await submit({}, 'rent')
    expect(await submit({}, 'rent')).toMatchObject({ status: 'accepted', txid: first.txid })
    expect(await wallet.resume()).toEqual([])
  })
})

// tokel src/rpc/tokensrpc.cpp, tokentransfermany: one transaction moves units of each token.
describe('a transfer of several tokens', () => {
  const { token, otherToken, given, fillAsk, cancelRest, toOneOfMany } = market

  test('is sent where the source has the history of each', async () => {
    const { chain, submit } = await submitting('several tokens')
    const { status, report } = await submit({}, 'rent', [])
    expect(report.findings.filter(({ code }) => code === 'token_parent_unproven')).toEqual([])
    expect(status).toBe('accepted')
    expect(chain.sent).toHaveLength(1)
  })

  test.each([
    ['the first', token],
    ['the other', otherToken],
  ])('is held where the source withholds the history of %s', async (_, { hex, txid }) => {
    const { chain, submit } = await submitting('several tokens', [hex])
    const { status, held, report } = await submit({}, 'rent', [])
    expect([status, held]).toEqual(['held', 'warned'])
    const unproven = report.findings.filter(({ code }) => code === 'token_parent_unproven')
    expect(unproven).toHaveLength(1)
    expect(unproven[0]!.actual).toContain(txid)
    expect(chain.sent).toEqual([])
  })

  test.each([
    ['each token', false, [fillAsk.txid, given.txid]],
    ['all tokens together', true, [fillAsk.txid]],
  ])('costs no more ancestors than the limit of %s', async (_, isShared, expected) => {
    const all = [token, otherToken, cancelRest, toOneOfMany]
    const asked: string[][] = []
    const chain = {
      ...recordedSource(all, market.tipHeight),
      async transactions(txids: readonly string[]) {
        asked.push([...txids])
        return txids.map((txid) => all.find((it) => it.txid === txid)?.hex)
      },
    }
    const context = { known: createKnownTransactions(chain), network: networks.tokel }
    const coins = new Map([
      [token.txid, [{ txid: cancelRest.txid, vout: 0 }]],
      [otherToken.txid, [{ txid: toOneOfMany.txid, vout: 3 }]],
    ])
    await proveTokens(coins, context, {}, { isShared, most: 1 })
    // The creations and the coins come first, and count for no limit.
    expect(asked).toEqual([all.map(({ txid }) => txid), expected])
  })
})
