// How much a wallet asks an Electrum server for: each transaction once, and then only the changes.
// bench/electrum-sync.mjs measures the time.

import { expect, onTestFinished, test } from 'vitest'

import { createElectrumClient } from '../../src/electrum/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { createWallet, electrumChain, privateKeySigner } from '../../src/wallet/index.ts'

const transactions = 150

test('a second reading asks for statuses alone, and a later one for the new transaction', async () => {
  await using node = await createDevNode({ mine: 'manual', listen: false, electrum: true })
  const [alice] = node.identities
  for (let at = 0; at < transactions; at += 1) node.fund(alice.address, 1_000_000n)
  const client = createElectrumClient({ servers: [node.electrumUrl] })
  onTestFinished(() => client.close())
  const asked = new Map<string, number>()
  const counted = new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        if (name === 'call') asked.set(`${args[0]}`, (asked.get(`${args[0]}`) ?? 0) + 1)
        return Reflect.apply(member, target, args)
      }
    },
  })
  const chain = electrumChain(counted)
  const wallet = await createWallet({ signers: [privateKeySigner(alice.wif)], chain })
  const read = async () => {
    asked.clear()
    await wallet.balance()
    const { length } = await wallet.history({ limit: 2 * transactions })
    return { length, total: [...asked.values()].reduce((sum, it) => sum + it, 0) }
  }
  const first = await read()
  expect(first.length).toBeGreaterThanOrEqual(transactions)
  expect(asked.get('blockchain.transaction.get')).toBe(first.length)
  const more = first.total - first.length
  // Statuses, the histories and coins of those that changed, and the last block: for few scripts.
  expect(more).toBeLessThan(40)
  const second = await read()
  expect(Object.keys(Object.fromEntries(asked)).sort()).toEqual([
    'blockchain.headers.subscribe',
    'blockchain.scripthash.subscribe',
  ])
  expect(second.total).toBeLessThan(more)
  node.fund(alice.address, 1_000_000n)
  const later = await read()
  expect(later.length).toBe(first.length + 1)
  expect(asked.get('blockchain.transaction.get')).toBe(1)
  expect(later.total).toBeLessThan(second.total + 10)
})
