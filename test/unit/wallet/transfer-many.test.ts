// Transfers of one token to several payees. The development node decides by the rules of the daemons.

import { expect, test } from 'vitest'
import { formatCase, networks, parseCase, signCase } from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { transferKey } from '../../../src/rpc/safe-flow/payment-keys.ts'
import { areSameTerms } from '../../../src/rpc/safe-flow/same-terms.ts'
import { tokenTransfer } from '../../../src/verification/operations/transfer.ts'
import { createWallet, devNodeChain, type Wallet } from '../../../src/wallet/index.ts'
import { openWallet } from './support.ts'

/** A wallet with 100 units of a token, and three keys that have none. */
async function holder(network = networks.assetChain) {
  const node = await createDevNode({ listen: false, identities: 4, mine: 'manual', network })
  const [alice, ...others] = node.identities
  for (let coin = 0; coin < 4; coin += 1) node.fund(alice!.address, 50_000_000n)
  node.mine(101)
  const chain = devNodeChain(node, { network })
  const journal = memoryJournal()
  const open = () => openWallet(alice!, chain, { journal, network })
  const wallet = await open()
  const { tokenid = '' } = await wallet.createToken({ name: 'GOLD', supply: 100n })
  node.mine()
  const held = async (of: Wallet) =>
    (await of.tokens()).map(({ balance, proof }) => [balance, proof])
  const heldBy = async (publicKey: string) =>
    held(await createWallet({ publicKeys: [publicKey], chain, network }))
  return { node, alice: alice!, others, journal, chain, open, wallet, tokenid, held, heldBy }
}

test('pays two keys at once, once, whatever their order', async () => {
  const { node, alice, others, chain, open, wallet, tokenid, held, heldBy } = await holder()
  const [bob, carol] = others
  const recipients = [
    { to: bob!.pubkey, amount: 30n },
    { to: carol!.pubkey.toUpperCase(), amount: 12n },
  ]
  const sent = await wallet.transfer({ tokenid, recipients })
  expect(sent).toMatchObject({ status: 'accepted', report: { ok: true } })
  const again = await (await open()).transfer({ tokenid, recipients: recipients.toReversed() })
  expect(again).toMatchObject({ status: 'accepted', txid: sent.txid, repeated: true })
  node.mine()
  expect(await (await open()).resume()).toContainEqual(
    expect.objectContaining({ result: expect.objectContaining({ txid: sent.txid }) }),
  )
  const withoutJournal = await openWallet(alice, chain, { journal: memoryJournal() })
  const after = { tokenid, recipients: recipients.toReversed(), id: 'again' }
  const unrecorded = { held: 'unrecorded-spends', paidBy: [sent.txid] }
  expect(await withoutJournal.transfer(after)).toMatchObject(unrecorded)
  expect(await heldBy(bob!.pubkey)).toEqual([[30n, 'proven']])
  expect(await heldBy(carol!.pubkey)).toEqual([[12n, 'proven']])
  expect(await held(wallet)).toEqual([[58n, 'proven']])
  await node.close()
})

test('pays three keys of tokens v2 at once, and refuses them for tokens v1', async () => {
  for (const network of [networks.assetChain, networks.tokel]) {
    const { node, others, wallet, tokenid, held, heldBy } = await holder(network)
    const recipients = others.map(({ pubkey }) => ({ to: pubkey, amount: 5n }))
    const transfer = wallet.transfer({ tokenid, recipients })
    if (network === networks.assetChain) {
      await expect(transfer).rejects.toMatchObject({ code: 'recipient_count' })
    } else {
      const { status, txid } = await transfer
      expect(status).toBe('accepted')
      const byAddress = others.map(({ address }) => ({ to: address, amount: 5n }))
      const again = await wallet.transfer({ tokenid, recipients: byAddress })
      expect(again).toMatchObject({ txid, repeated: true })
      node.mine()
      for (const { pubkey } of others) expect(await heldBy(pubkey)).toEqual([[5n, 'proven']])
      expect(await held(wallet)).toEqual([[85n, 'proven']])
    }
    await node.close()
  }
})

test('a transfer that another machine signed is the same payment, also after a restart', async () => {
  const { node, alice, others, journal, open, wallet, tokenid } = await holder()
  const recipients = others.slice(0, 2).map(({ pubkey }) => ({ to: pubkey, amount: 5n }))
  const prepared = await wallet.prepare.transfer({ tokenid, recipients, id: 'shares' })
  const file = formatCase(prepared.case)
  const { hex } = signCase(parseCase(file), [alice.wif])
  const sent = await (await open()).submit({ ...parseCase(file), hex }, { id: 'shares' })
  expect(sent).toMatchObject({ status: 'accepted' })
  const repeated = { status: 'accepted', txid: sent.txid, repeated: true }
  expect(await wallet.submit(hex, { id: 'shares' })).toMatchObject(repeated)
  const asked = { tokenid, recipients, id: 'shares' }
  expect(await (await open()).transfer(asked)).toMatchObject(repeated)
  const { terms } = bookOf(journal).payment('id shares')!
  const { intent } = prepared.case as {
    readonly intent: Parameters<typeof tokenTransfer.validate>[0]
  }
  expect(areSameTerms(terms, transferKey(tokenTransfer.validate(intent).intent))).toBe(true)
  await node.close()
})

test.each([
  ['both forms', { to: '02'.padEnd(66, '1'), amount: 1n, recipients: [] }, /recipients/],
  ['nobody', { recipients: [] }, /recipients: expected at least one payee/],
  ['no amount', { to: '02'.padEnd(66, '1') }, /amount/],
])('refuses a transfer to %s', async (_, members, message) => {
  const { node, wallet, tokenid } = await holder()
  await expect(wallet.transfer({ tokenid, ...members })).rejects.toThrow(message)
  await node.close()
})
