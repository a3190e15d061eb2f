// Requests that are read from transactions, against what a real komodod was asked for.

import { expect, test } from 'vitest'

import { networks } from '../../../src/chain/network.ts'
import { observedRequest } from '../../../src/cli/cases/observed.ts'
import { type Case, decodeTransaction, isAntaraError, verifyCase } from '../../../src/index.ts'
import { daemonMade, previousTransactions } from '../../support/komodod.ts'
import { shareOf } from '../../support/share.ts'
import { chain } from '../../support/vectors.ts'

const byTxid = new Map(chain.map(({ txid, hex }) => [txid, hex]))
const observed = (hex: string) => observedRequest(hex, byTxid, networks.assetChain)

/** Calls as they are documented. The daemon took other arguments in ways of its own. */
const sent = daemonMade.filter(({ method, params: [one = '', two = '', , data = ''] }) =>
  method === 'tokencreate'
    ? one !== '' && /^[\d.]+$/.test(two) && /^(?:[0-9a-f]{2})*$/i.test(data)
    : /^0[23][0-9a-f]{64}$/.test(two),
)

test.each(sent)('reads what komodod was asked for: $file, $note', ({ method, params, hex }) => {
  const asked = observed(hex)
  if (method === 'tokencreate') {
    const [name, coins, description = '', data] = params
    expect(asked).toMatchObject({
      operation: 'tokencreate',
      intent: { name, supply: BigInt(Math.round(Number(coins) * 1e8)), description },
    })
    expect(asked).toHaveProperty('intent.owner', expect.stringMatching(/^0[23]/))
    expect((asked as Case<'tokencreate'>).intent.data).toBe(data?.toLowerCase())
    return
  }
  const [tokenid, destination, amount = ''] = params
  // Tokens that go back to the sender are change: nobody sees how many of them were asked for.
  if ('reason' in asked) {
    expect(asked.reason).toBe('it moves tokens of several keys, or to nobody else')
    return
  }
  expect(asked).toMatchObject({
    operation: 'tokentransfer',
    intent: { tokenid, destination, amount: BigInt(amount) },
  })
})

/** Returns what became of a transaction of the recorded chain. */
function outcomeOf({ hex, height }: (typeof chain)[number]): string {
  try {
    const asked = observed(hex)
    if ('reason' in asked) return asked.reason.replace(/[0-9a-f]{64}:\d+/, 'TXID:0')
    const evidence = {
      previousTransactions: previousTransactions(hex),
      ...(asked.operation === 'tokentransfer' && { tokenCreate: byTxid.get(asked.intent.tokenid) }),
      tipHeight: height - 1,
      tipTime: decodeTransaction(hex).lockTime + 1,
    }
    const { ok } = verifyCase({ ...asked, hex, evidence } as Case)
    return `${asked.operation} ${ok ? 'agrees' : 'breaks a rule'}`
  } catch (error) {
    if (!isAntaraError(error)) throw error
    return error.code
  }
}

test('each transaction of a real chain gets a case or a reason', () => {
  const counts: Record<string, number> = {}
  const tried = shareOf(chain)
  for (const made of tried) {
    const outcome = outcomeOf(made)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  const expected = {
    'it makes new coins': 103,
    'it moves tokens of several keys, or to nobody else': 2,
    'payment agrees': 10,
    'tokenask agrees': 1,
    'tokenbid agrees': 1,
    'tokencancelask agrees': 1,
    'tokencreate agrees': 274,
    // Transactions that were crafted for the recording, to see what the daemon accepts.
    'tokencreate breaks a rule': 16,
    'tokenfillask agrees': 1,
    'tokenfillbid agrees': 1,
    'tokentransfer agrees': 25,
    'tokentransfer breaks a rule': 16,
    unknown_payload_version: 1,
  }
  if (tried.length === chain.length) expect(counts).toEqual(expected)
  else expect(Object.keys(expected)).toEqual(expect.arrayContaining(Object.keys(counts)))
})

test('transactions of the daemon break no rule of the default chain', () => {
  // It ran with larger payloads for some, and takes a key that is on no curve.
  const isOdd = /datacarriersize|not on curve/
  const usual = sent.filter(({ file, note }) => !isOdd.test(`${file} ${note}`))
  const made = new Set(usual.map(({ hex }) => hex))
  const outcomes = chain.filter(({ hex }) => made.has(hex)).map(outcomeOf)
  expect(outcomes.length).toBeGreaterThan(10)
  expect(outcomes.filter((outcome) => outcome.endsWith('breaks a rule'))).toEqual([])
})

test('a previous transaction that is missing is the reason', () => {
  const [{ hex }] = sent as [(typeof sent)[number]]
  expect(observedRequest(hex, new Map(), networks.assetChain)).toEqual({
    reason: expect.stringMatching(/^it spends [0-9a-f]{64}:\d+, which is missing$/),
  })
})
