// Evidence for a verifier from a chain source: a payment and a token with a history, through an
// Electrum server.

import { describe, expect, onTestFinished, test } from 'vitest'

import { verifyPayment, verifyTokenTransfer } from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  type ChainSource,
  createWallet,
  electrumChain,
  evidenceFrom,
  privateKeySigner,
} from '../../src/wallet/index.ts'

async function served() {
  const node = await createDevNode({ mine: 'manual', listen: false, electrum: true })
  const chain = electrumChain([node.electrumUrl])
  onTestFinished(async () => {
    chain.close()
    await node.close()
  })
  for (const { address } of node.identities) node.fund(address, 50_000_000n)
  node.mine(101)
  const wallets = node.identities.map(({ wif }) =>
    createWallet({ signers: [privateKeySigner(wif)], chain }),
  )
  const [alice, bob] = await Promise.all(wallets)
  return { node, chain, alice: alice!, bob: bob! }
}

async function hexOf(chain: ChainSource, txid: string): Promise<string> {
  const [hex] = await chain.transactions([txid])
  return hex!
}

const keyOf = (node: DevNode, at: number) => node.identities[at]!.pubkey

describe('evidence for a payment', () => {
  test('has its parents, their heights and the last block, and the verifier agrees', async () => {
    const { node, chain, alice } = await served()
    const to = node.identities[1]!.address
    const { txid } = await alice.pay({ to, amount: 1_000_000n })
    const hex = await hexOf(chain, txid!)
    const { evidence, missing } = await evidenceFrom(chain, hex)
    expect(evidence.tipHeight).toBe(node.height)
    expect(missing).toEqual([])
    for (const [parent, height] of Object.entries(evidence.heights!)) {
      const mined = await node.request('getrawtransaction', [parent, 1])
      expect(mined).toMatchObject({ height })
    }
    expect(Object.keys(evidence.heights!)).toHaveLength(evidence.previousTransactions.length)
    const intent = {
      recipients: [{ address: to, amount: 1_000_000n }],
      own: [keyOf(node, 0)],
      maxFee: 20_000n,
    }
    expect(verifyPayment(hex, intent, evidence)).toMatchObject({ ok: true, fee: 10_000n })
    const other = { ...intent, recipients: [{ address: to, amount: 1_000_001n }] }
    expect(verifyPayment(hex, other, evidence).ok).toBe(false)
  })

  test('names what the source does not give, or gives other bytes for', async () => {
    const { node, chain, alice } = await served()
    const { txid } = await alice.pay({ to: node.identities[1]!.address, amount: 1_000_000n })
    const hex = await hexOf(chain, txid!)
    const none = { ...chain, transactions: async () => [undefined] }
    expect((await evidenceFrom(none, hex)).missing).toMatchObject([{ reason: 'unknown' }])
    const others = { ...chain, transactions: async () => [hex] }
    const { evidence, missing } = await evidenceFrom(others, hex)
    expect(missing).toMatchObject([{ reason: 'other-transaction' }])
    expect(evidence.previousTransactions).toEqual([])
  })
})

describe('evidence for a token transfer', () => {
  async function transferred() {
    const { node, chain, alice, bob } = await served()
    const { txid: tokenid } = await alice.createToken({ name: 'GOLD', supply: 1000n })
    node.mine()
    await alice.transfer({ tokenid: tokenid!, to: keyOf(node, 1), amount: 400n })
    node.mine()
    await bob.transfer({ tokenid: tokenid!, to: keyOf(node, 0), amount: 300n })
    node.mine()
    const sent = await alice.transfer({ tokenid: tokenid!, to: keyOf(node, 1), amount: 800n })
    const intent = {
      tokenid: tokenid!,
      destination: keyOf(node, 1),
      amount: 800n,
      from: keyOf(node, 0),
    }
    return { chain, hex: await hexOf(chain, sent.txid!), tokenid: tokenid!, intent }
  }

  test('goes back to the creation, so that the token is proven', async () => {
    const { chain, hex, tokenid, intent } = await transferred()
    const { evidence, missing } = await evidenceFrom(chain, hex, { tokenid })
    expect(missing).toEqual([])
    const report = verifyTokenTransfer(hex, intent, evidence)
    expect(report.ok).toBe(true)
    expect(report.findings.map(({ code }) => code)).not.toContain('token_ancestry_incomplete')
  })

  test('without the ancestors leaves the token open, and says so', async () => {
    const { chain, hex, tokenid, intent } = await transferred()
    const { evidence: full } = await evidenceFrom(chain, hex, { tokenid })
    const { evidence: short } = await evidenceFrom(chain, hex, { tokenid, ancestorsMax: 0 })
    expect(short.previousTransactions.length).toBeLessThan(full.previousTransactions.length)
    const codes = (given: typeof full) =>
      verifyTokenTransfer(hex, intent, given).findings.map(({ code }) => code)
    expect(codes(short)).not.toEqual(codes(full))
  })
})

test('unknown options and arguments of other types are a TypeError', async () => {
  const { chain } = await served()
  await expect(evidenceFrom(chain, '00', { tokenId: 'x' } as never)).rejects.toThrow(TypeError)
  await expect(evidenceFrom(chain, 7 as never)).rejects.toThrow(TypeError)
  await expect(evidenceFrom(undefined as never, '00')).rejects.toThrow(TypeError)
})
