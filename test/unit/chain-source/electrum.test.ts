// Answers of a server that `electrumChain` keeps, where a script changes while they are read.

import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'

import type { ElectrumClient } from '../../../src/electrum/index.ts'
import { electrumChain } from '../../../src/wallet/index.ts'

const script = '51'
const [paid, spent] = ['aa'.repeat(32), 'bb'.repeat(32)]

/** The history and the coins of a script at one moment. */
interface Moment {
  readonly history: readonly { readonly tx_hash: string; readonly height: number }[]
  readonly coins: readonly object[]
}

const coin = { tx_hash: paid, tx_pos: 0, height: 5, value: 100n }
const unspent: Moment = { history: [{ tx_hash: paid, height: 5 }], coins: [coin] }
/** A transaction that waits for its block has spent the coin. */
const empty: Moment = { history: [...unspent.history, { tx_hash: spent, height: 0 }], coins: [] }

/** spesmilo/electrum-protocol, Protocol Basics, Status */
const statusOf = ({ history }: Moment) =>
  createHash('sha256')
    .update(history.map(({ tx_hash, height }) => `${tx_hash}:${height}:`).join(''))
    .digest('hex')

/**
 * A server whose script changes right before it answers a method for the n-th time.
 *
 * @param slow - the method that it answers last
 */
function changing(
  slow: string,
  changes: readonly (readonly [method: string, nth: number, to: Moment])[],
) {
  let now = unspent
  const calls = new Map<string, number>()
  const client = {
    server: () => undefined,
    async call(name: string) {
      const method = name.split('.').at(-1)!
      if (method === slow) await setImmediate()
      const nth = (calls.get(method) ?? 0) + 1
      calls.set(method, nth)
      now = changes.find(([of, at]) => of === method && at === nth)?.[2] ?? now
      return { subscribe: statusOf(now), get_history: now.history, listunspent: now.coins }[method]
    },
  }
  return electrumChain(client as unknown as ElectrumClient)
}

const coinsOf = async (chain: ReturnType<typeof changing>) =>
  (await chain.unspent([script])).map(({ txid }) => txid)

test('a coin that is spent between the lists of coins and of the history is not kept', async () => {
  const chain = changing('get_history', [['get_history', 1, empty]])
  expect(await coinsOf(chain)).toEqual([])
  expect(await coinsOf(chain)).toEqual([])
  expect((await chain.history([script])).map(({ txid }) => txid)).toEqual([paid, spent])
})

test('a coin is not hidden by a spend that came and went between the two lists', async () => {
  const chain = changing('listunspent', [
    ['listunspent', 1, empty],
    ['subscribe', 2, unspent],
  ])
  expect(await coinsOf(chain)).toEqual([paid])
  expect(await coinsOf(chain)).toEqual([paid])
})
