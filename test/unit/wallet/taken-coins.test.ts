// The coins that payments have taken. If a coin is free too early, two payments spend it, and one of
// them is lost. The coins of a payment's own attempts keep it from being made twice.

import { describe, expect, test } from 'vitest'
import { decodeTransaction, encodeTransaction, transactionId } from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/index.ts'
import { depthMax } from '../../../src/journal/recorded-payment.ts'
import type { Plan } from '../../../src/wallet/plan.ts'
import { takenCoinsOf } from '../../../src/wallet/taken-coins.ts'
import { transferHex } from '../../support/resigned.ts'

const expiryHeight = 1000
const model = decodeTransaction(transferHex)
const coinOf = (at: number) => `${`${at}`.repeat(64)}:0`

/** A transaction that spends one coin. */
function spending(at: number) {
  const [input] = model.inputs
  const inputs = [{ ...input!, txid: `${at}`.repeat(64), vout: 0 }]
  const hex = encodeTransaction({ ...model, inputs, expiryHeight })
  return { hex, txid: transactionId(hex) }
}

type Fact = 'accepted' | 'refused' | 'settled' | 'dead'

/** Each row is a payment: its id, the coin of each attempt, and what became of it. */
async function world(
  rows: readonly (readonly [string | undefined, readonly (readonly [number, ...Fact[]])[]])[],
  height = 1,
) {
  const journal = memoryJournal()
  const book = bookOf(journal)
  const at = new Date(0).toISOString()
  for (const [id, attempts] of rows) {
    const payment = id === undefined ? 'terms rent' : `id ${id}`
    for (const [coin] of attempts) {
      const about = { kind: 'attempt', payment, terms: 'rent', request: '{}', at } as const
      const named = id === undefined ? {} : { id }
      await book.append({ ...about, ...spending(coin), ...named }, book.next)
    }
    for (const [coin, ...facts] of attempts) {
      for (const kind of facts) await book.note({ kind, payment, txid: spending(coin).txid, at })
    }
  }
  let asked = 0
  const tip = async () => {
    asked += 1
    return { height, hash: '', time: 0 }
  }
  return { ...takenCoinsOf({ tip }, journal), asked: () => asked }
}

describe('a coin of an attempt', () => {
  test.each<[string, readonly Fact[], 'reserved' | 'free', 'shared' | 'free']>([
    ['that may have been sent', [], 'reserved', 'shared'],
    ['that a server accepted', ['accepted'], 'reserved', 'shared'],
    ['that a server refused', ['refused'], 'free', 'shared'],
    // A reorganization can remove it.
    ['that a block has', ['settled'], 'reserved', 'shared'],
    ['that can never be mined', ['dead'], 'free', 'free'],
  ])('%s', async (_, facts, toOthers, toItself) => {
    const { taken } = await world([['a', [[1, ...facts]]]])
    const other = await taken('id b', 'rent')
    expect([...other.reserved]).toEqual(toOthers === 'free' ? [] : [[coinOf(1), 'id a']])
    expect([...other.shared]).toEqual([])
    const own = await taken('id a', 'rent')
    expect([...own.shared]).toEqual(toItself === 'free' ? [] : [coinOf(1)])
    expect([...own.reserved]).toEqual([])
  })

  test('has the txid of its payment as a name, if that has no id', async () => {
    const { taken } = await world([[undefined, [[1]]]])
    expect([...(await taken()).reserved]).toEqual([[coinOf(1), spending(1).txid]])
  })

  test('is not known any more once compaction has left the txid alone', async () => {
    const journal = memoryJournal()
    const about = { payment: 'id a', terms: 'rent', id: 'a', at: new Date(0).toISOString() }
    await bookOf(journal).append({ kind: 'tombstone', ...about, txid: spending(1).txid }, 1)
    const tip = () => Promise.reject(new Error('nobody asks'))
    expect((await takenCoinsOf({ tip }, journal).taken()).reserved.size).toBe(0)
  })

  test.each([
    [expiryHeight + depthMax - 1, true],
    [expiryHeight + depthMax, false],
  ])(
    'beside a mined one is reserved until it has expired: at height %i, %s',
    async (height, is) => {
      const { taken } = await world([['a', [[1, 'settled'], [2]]]], height)
      const { reserved } = await taken('id b', 'rent')
      expect([reserved.has(coinOf(1)), reserved.has(coinOf(2))]).toEqual([true, is])
    },
  )

  test('of a payment that is not made stays reserved, and the chain is not asked', async () => {
    const { taken, asked } = await world([['a', [[1], [2, 'accepted']]]], 1_000_000)
    expect([...(await taken('id b', 'rent')).reserved.keys()]).toEqual([coinOf(1), coinOf(2)])
    expect(asked()).toBe(0)
  })
})

describe('the coins of a payment that is being made', () => {
  const planOf = (at: number, build?: () => Promise<void>) =>
    ({
      key: 'rent',
      async build() {
        await build?.()
        return { coins: [{ txid: `${at}`.repeat(64), vout: 0 }] }
      },
    }) as unknown as Plan

  test('are reserved for the others until it ends', async () => {
    const { choose, taken, release } = await world([])
    await choose('id a', planOf(1), undefined)
    await choose('terms rent', planOf(2), undefined)
    const reserved = async (name: string) => [...(await taken(name, 'rent')).reserved]
    const [named, unnamed] = [
      [coinOf(1), 'id a'],
      [coinOf(2), 'a payment under way'],
    ]
    expect(await reserved('id b')).toEqual([named, unnamed])
    expect(await reserved('id a')).toEqual([unnamed])
    release('id a')
    expect(await reserved('id b')).toEqual([unnamed])
  })

  test('are chosen one payment after the other, also after one that fails or is aborted', async () => {
    const { choose, taken } = await world([])
    const steps: string[] = []
    const end = new AbortController()
    const step = (name: string, fail?: () => void) => async () => {
      steps.push(`${name} begins`)
      await Promise.resolve()
      steps.push(`${name} ends`)
      fail?.()
    }
    const fail = () => {
      throw new Error('none')
    }
    const failing = choose('id a', planOf(1, step('a', fail)), undefined)
    const aborted = choose(
      'id b',
      planOf(
        2,
        step('b', () => end.abort()),
      ),
      end.signal,
    )
    const last = choose('id c', planOf(3, step('c')), undefined)
    await expect(failing).rejects.toThrow('none')
    await expect(aborted).rejects.toThrow()
    await last
    expect(steps).toEqual(['a', 'b', 'c'].flatMap((it) => [`${it} begins`, `${it} ends`]))
    expect([...(await taken()).reserved.keys()]).toEqual([coinOf(3)])
  })
})
