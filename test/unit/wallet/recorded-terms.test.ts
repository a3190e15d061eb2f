// The terms of each payment, as journals of 2026-11-26 have them. A journal outlives the version that
// wrote it: a request with other terms would be another payment after an upgrade, and be made again.

import { expect, test } from 'vitest'

import { bookOf } from '../../../src/journal/book.ts'
import {
  createDaemonClient,
  createToken,
  payCoins,
  tradeToken,
  transferToken,
} from '../../../src/rpc/index.ts'
import { areSameTerms } from '../../../src/rpc/safe-flow/same-terms.ts'
import { devNodeChain, memoryJournal } from '../../../src/wallet/index.ts'
import { fundedNode, openWallet } from './support.ts'

const alice = '024bb09c7e785268795dc46b485d1b3718ed6f452030936370550de61e7670c117'
const bobScript = '76a914d73fc91e7b47a2baa5d220dae43a35430f0dceea88ac'
const bobTokens = 'd73fc91e7b47a2baa5d220dae43a35430f0dceea'

/** Runs calls in turn, mines after each, and returns their terms. Names stand for txids. */
async function payer() {
  const { node, alice: payerOf, bob, chain } = await fundedNode({ further: 12 })
  const journal = memoryJournal()
  const names = new Map<string, string>()
  return {
    node,
    bob,
    journal,
    alice: payerOf,
    wallet: await openWallet(payerOf, chain, { journal }),
    other: await openWallet(bob, chain, { journal }),
    async termsOf(name: string, call: Promise<{ readonly txid?: string }>): Promise<string> {
      const { txid = '' } = await call
      const [payment] = bookOf(journal).paymentsOf(txid)
      const terms = [...names].reduce((text, [id, it]) => text.replace(id, it), payment!.terms)
      names.set(txid, name)
      node.mine()
      return terms
    },
  }
}

test('a wallet writes the terms of its payments as earlier versions did', async () => {
  const { node, alice: own, bob, wallet, other, termsOf } = await payer()
  const to = bob.address
  const created = wallet.createToken({ name: 'GOLD', supply: 1000n })
  expect(await termsOf('TOKEN', created)).toBe('["create","GOLD","1000","","",null]')
  const { tokenid = '' } = await created
  const art = { name: 'ART', supply: 1n, description: 'd', data: 'F1AB' }
  expect(await termsOf('ART', wallet.createToken(art))).toBe('["create","ART","1","d","f1ab",null]')
  const paid = wallet.pay({ to, amount: 100_000n })
  expect(await termsOf('PAID', paid)).toBe(`["pay","${bobScript} 100000",""]`)
  const recipients = [
    { to, amount: 100_001n },
    { to: bob.pubkey, amount: 5_000n },
  ]
  expect(await termsOf('MANY', wallet.pay({ recipients, nulldata: 'F1AB' }))).toBe(
    `["pay","${bobScript} 100001","${bobScript} 5000","f1ab"]`,
  )
  const moved = wallet.transfer({ tokenid, to: bob.pubkey, amount: 3n })
  expect(await termsOf('MOVED', moved)).toBe(`["transfer","TOKEN","${bobTokens}","3"]`)
  expect(await termsOf('BURNED', wallet.burn({ tokenid, amount: 2n }))).toBe(
    '["burn","TOKEN","025cdf709795c9218d23178e3f75abd116bec7eb","2"]',
  )
  const ask = wallet.ask({ tokenid, amount: 4n, price: 1_000n })
  expect(await termsOf('ASK', ask)).toBe('["ask","TOKEN","4","4000"]')
  const bid = wallet.bid({ tokenid, amount: 1n, price: 20_000n })
  expect(await termsOf('BID', bid)).toBe('["bid","TOKEN","1","20000"]')
  const cancelled = wallet.cancel({ order: (await bid).txid! })
  expect(await termsOf('CANCELLED', cancelled)).toBe('["cancel","BID"]')
  const filled = other.fill({ order: (await ask).txid!, amount: 2n, price: 1_000n })
  expect(await termsOf('FILLED', filled)).toBe('["fill","ASK","2","1000"]')
  expect(own.pubkey).toBe(alice)
  expect(await termsOf('MERGED', wallet.merge())).toBe(`["merge","${alice}"]`)
  await node.close()
})

test('the flows of a daemon write the terms of its payments as earlier versions did', async () => {
  const { node, alice: own, bob, journal, termsOf } = await payer()
  const client = createDaemonClient({ ...own, url: 'http://127.0.0.1', fetch: node.fetch })
  const from = own.pubkey
  const creation = { name: 'IRON', supply: 700n, description: '', owner: from }
  expect(await termsOf('TOKEN', createToken(client, creation, { journal }))).toBe(
    `["create","${alice}","IRON","700","","","1"]`,
  )
  const [{ attempts } = { attempts: [] }] = bookOf(journal).payments()
  const tokenid = attempts[0]!.txid
  const transfer = { tokenid, from, destination: bob.pubkey, amount: 5n }
  expect(await termsOf('MOVED', transferToken(client, transfer, { journal }))).toBe(
    `["transfer","TOKEN","${alice}","be67f030d8e82317f36cc6a4b318177db3b8d992","${bobTokens} 5"]`,
  )
  const offer = { kind: 'ask', tokenid, units: 6n, price: 12_000n, from } as const
  const asked = tradeToken(client, offer, { journal })
  expect(await termsOf('ASK', asked)).toBe(`["order","ask","TOKEN","${alice}","","6","12000","0"]`)
  const order = (await asked).txid!
  const cancelled = tradeToken(client, { kind: 'cancelAsk', tokenid, order, from }, { journal })
  expect(await termsOf('CANCELLED', cancelled)).toBe(
    `["order","cancelAsk","TOKEN","${alice}","ASK","0"]`,
  )
  const recipients = [{ address: bob.address, amount: 9_000n }]
  expect(await termsOf('PAID', payCoins(client, { recipients, from }, { journal }))).toBe(
    `["payment","","${bobScript} 9000"]`,
  )
  await node.close()
})

test('a burn in a journal of before 2026-11-26, 11:18 UTC, holds the same burn', async () => {
  const { node, alice: own, wallet, journal } = await payer()
  const { tokenid = '' } = await wallet.createToken({ name: 'GOLD', supply: 1000n })
  node.mine()
  const request = { tokenid, amount: 2n }
  const burned = await wallet.burn(request)
  // The wallet of that time wrote the burn key itself, where later ones write its hash.
  const key = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
  const earlier = memoryJournal()
  for (const [at, text] of (await journal.read(0)).entries()) {
    await earlier.append(at + 1, text.replaceAll('025cdf709795c9218d23178e3f75abd116bec7eb', key))
  }
  const upgraded = await openWallet(own, devNodeChain(node), { journal: earlier })
  const unsettled = [expect.objectContaining({ txid: burned.txid })]
  const held = { status: 'held', held: 'different-inputs', unsettled }
  expect(await upgraded.burn(request)).toMatchObject(held)
  node.mine()
  await upgraded.resume()
  expect(await upgraded.burn(request)).toMatchObject({ status: 'held' })
  await expect(upgraded.burn({ ...request, amount: 3n })).resolves.toMatchObject({
    status: 'accepted',
  })
  await node.close()
})

test('the terms of wallets of 2026-11-24 and 25 are those of the same payments', () => {
  const [token, one, two] = ['99bc'.repeat(16), `02${'4b'.repeat(32)}`, `03${'7c'.repeat(32)}`]
  const form = (...parts: readonly string[]) => JSON.stringify(parts)
  const hash = 'f92281b82b8ee2d9ac0bbaafb22d97548b9948fe'
  const transfer = (payee: string, amount = '10') => form('transfer', token, payee, amount)
  const address = transfer('RXzVfrHS3TYU3jDPW9moQvWThdmKq2ybbb')
  expect(areSameTerms(address, transfer(hash))).toBe(true)
  expect(areSameTerms(address, transfer(hash, '11'))).toBe(false)
  expect(areSameTerms(address, transfer(bobTokens))).toBe(false)
  const keys = transfer(`2 of ${one},${two}`)
  expect(areSameTerms(keys, transfer(`2/${one},${two}`))).toBe(true)
  expect(areSameTerms(keys, transfer(`1/${one},${two}`))).toBe(false)
  const fill = form('fill', token, '2')
  expect(areSameTerms(fill, form('fill', token, '2', '1000'))).toBe(true)
  expect(areSameTerms(fill, form('fill', token, '3', '1000'))).toBe(false)
  // Two prices are two payments where both are written.
  expect(areSameTerms(form('fill', token, '2', '999'), form('fill', token, '2', '1000'))).toBe(
    false,
  )
})
