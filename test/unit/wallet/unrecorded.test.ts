// Spends that the journal does not have hold a payment. A journal forgets the oldest of many
// payments with the same terms, and those hold nothing.

import { expect, test } from 'vitest'

import { memoryJournal } from '../../../src/wallet/index.ts'
import { fundedNode, openWallet } from './support.ts'

test('the oldest of many payments with the same terms hold no later one, nor after a compaction', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  await wallet.pay({ to: bob.address, amount: 99_000n, id: 'first' })
  node.mine()
  await wallet.resume()
  const request = { to: bob.address, amount: 70_000n, repeatMs: 0 }
  const txids: string[] = []
  for (let count = 0; count < 19; count += 1) {
    const { txid, held } = await wallet.pay(request)
    expect([count, held]).toEqual([count, undefined])
    txids.push(txid!)
    node.mine()
  }
  const oldest = txids.slice(0, 2)
  const texts = (await journal.read(0)).filter((text) => !oldest.some((it) => text.includes(it)))
  const compacted = memoryJournal()
  for (const [index, text] of texts.entries()) await compacted.append(index + 1, text)
  const later = await openWallet(alice, chain, { journal: compacted })
  expect(await later.pay({ ...request, amount: 80_000n })).toMatchObject({ status: 'accepted' })
  await node.close()
}, 60_000)
