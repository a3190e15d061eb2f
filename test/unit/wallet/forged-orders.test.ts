// Transactions of strangers that name a key of the wallet as the maker of an order. The marker alone
// costs a stranger 10,000 satoshis, so it proves nothing.

import { expect, test } from 'vitest'

import { decodeTransaction, signTransaction } from '../../../src/index.ts'
import { askLayout, bidLayout } from '../../../src/token/rules/order-layout.ts'
import type { TransactionOutput } from '../../../src/transaction/types.ts'
import { fundedNode, openWallet } from './support.ts'

type Outputs = readonly TransactionOutput[]

/**
 * A stranger sends a bid of 300,000 satoshis that names the wallet as its maker.
 *
 * @param change - gets the outputs of the bid, the stranger's own script, and that of the order
 * @param kind - the kind of the order that the payload states
 */
async function named(
  change: (outputs: Outputs, own: string, offered: string) => Outputs,
  kind: 'ask' | 'bid' = 'bid',
) {
  const { node, alice, bob, chain } = await fundedNode()
  const [wallet, stranger] = [await openWallet(alice, chain), await openWallet(bob, chain)]
  const { txid: tokenid = '' } = await stranger.createToken({ name: 'GOLD', supply: 10n })
  node.mine()
  const offer = await stranger.prepare.bid({ tokenid, amount: 1n, price: 300_000n })
  const made = decodeTransaction(offer.case.hex)
  const [own] = (await stranger.addresses())[0]!.scripts
  const terms = { tokenid, units: 1n, price: 300_000n, from: alice.pubkey }
  const { outputs: claimed, nulldata } =
    kind === 'bid' ? bidLayout(terms) : askLayout({ ...terms, tokenChange: 0n })
  const bid = made.outputs.with(1, claimed[1]!).with(-1, { value: 0n, script: nulldata })
  const changed = { ...made, outputs: change(bid, own!, claimed[0]!.script) }
  const { hex } = signTransaction(changed, [bob.wif], offer.case.coins)
  await node.request('sendrawtransaction', [hex])
  node.mine()
  return { node, wallet, txid: decodeTransaction(hex).txid }
}

const coinsTo = (outputs: Outputs, script: string): Outputs =>
  outputs.with(0, { ...outputs[0]!, script })

test('a bid whose coins the chain holds is that of the maker whom it names', async () => {
  const { node, wallet, txid } = await named((outputs) => outputs)
  expect(await wallet.orders()).toMatchObject([{ order: txid, kind: 'bid', locked: 300_000n }])
  expect(await wallet.balance()).toMatchObject({ locked: 300_000n })
  expect((await wallet.cancel({ order: txid })).status).toBe('accepted')
  await node.close()
})

test.each<[string, 'ask' | 'bid', Parameters<typeof named>[0]]>([
  ['a bid whose coins the stranger holds', 'bid', coinsTo],
  ['an ask of coins that the stranger holds', 'ask', coinsTo],
  [
    'a bid that has its marker in another place, where it cannot be cancelled',
    'bid',
    ([coins, marker, change, data]) => [coins!, change!, marker!, data!],
  ],
])('lists no order, and counts nothing as locked: %s', async (_, kind, change) => {
  const { node, wallet } = await named(change, kind)
  expect(await wallet.orders()).toEqual([])
  expect(await wallet.balance()).toMatchObject({ locked: 0n })
  expect(await wallet.tokens()).toEqual([])
  await node.close()
})

test('lists no ask of units that no holder of the token gave', async () => {
  const { node, wallet } = await named((outputs, _own, offered) => coinsTo(outputs, offered), 'ask')
  expect(await wallet.orders()).toEqual([])
  expect(await wallet.tokens()).toMatchObject([{ locked: 0n, proof: 'disproven' }])
  await node.close()
})
