// Evidence for a verifier from a chain source: a payment and a token with a history, through an
// Electrum server and a daemon.

import { describe, expect, onTestFinished, test } from 'vitest'

import {
  type ChainTerms,
  type Evidence,
  type Report,
  verifyPayment,
  verifyTokenTransfer,
} from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  type ChainSource,
  createWallet,
  devNodeChain,
  electrumChain,
  evidenceFrom,
  privateKeySigner,
  quorum,
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

  test('evidence for a token transfer without the ancestors leaves the token open, and says so', async () => {
    const { chain, hex, tokenid, intent } = await transferred()
    const { evidence: full } = await evidenceFrom(chain, hex, { tokenid })
    const { evidence: short } = await evidenceFrom(chain, hex, { tokenid, ancestorsMax: 0 })
    expect(short.previousTransactions.length).toBeLessThan(full.previousTransactions.length)
    const codes = (given: typeof full) =>
      verifyTokenTransfer(hex, intent, given).findings.map(({ code }) => code)
    expect(codes(short)).not.toEqual(codes(full))
  })
})

describe('proofs that lead to a known block', () => {
  async function paid() {
    const { node, chain, alice } = await served()
    node.mine(3)
    const to = node.identities[1]!.address
    const { txid } = await alice.pay({ to, amount: 1_000_000n })
    const hex = await hexOf(chain, txid!)
    const blockAt = async (height: number) => {
      const hash = await node.request('getblockhash', [height])
      return { height, hash: hash as string }
    }
    const verify = (evidence: Evidence, chainTerms?: ChainTerms) =>
      verifyPayment(
        hex,
        {
          recipients: [{ address: to, amount: 1_000_000n }],
          own: [keyOf(node, 0)],
          maxFee: 20_000n,
          ...(chainTerms !== undefined && { chain: chainTerms }),
        },
        evidence,
      )
    return { node, chain, hex, blockAt, verify }
  }
  const codesOf = (report: Report) =>
    report.findings.flatMap(({ code }) => (/^(chain|inclusion)_/.test(code) ? [code] : []))

  test('bind a payment to its chain, where the request names the block', async () => {
    const { node, chain, hex, blockAt, verify } = await paid()
    const checkpoints = [await blockAt(node.height)]
    const { evidence, unproven } = await evidenceFrom(chain, hex, { checkpoints })
    expect(unproven).toEqual([])
    const report = verify(evidence, { checkpoints })
    expect([report.ok, codesOf(report)]).toEqual([true, ['inclusion_linked']])
    const { actual } = report.findings.find(({ code }) => code === 'inclusion_linked')!
    expect(actual).toMatch(/; 1 server by the evidence$/)
    // The evidence alone names no block, and these headers do not lead to another one.
    expect(codesOf(verify(evidence))).toEqual(['chain_unbound', 'inclusion_unproven'])
    const other = { checkpoints: [{ ...checkpoints[0]!, hash: '11'.repeat(32) }] }
    expect(codesOf(verify(evidence, other))).toEqual(['chain_unproven', 'inclusion_unproven'])
  })

  test('bind it in the same way if a daemon gives them, and a quorum of both counts two', async () => {
    const { node, chain, hex, blockAt, verify } = await paid()
    const checkpoints = [await blockAt(node.height)]
    const daemon = devNodeChain(node)
    const { evidence, unproven } = await evidenceFrom(daemon, hex, { checkpoints })
    expect(unproven).toEqual([])
    const report = verify(evidence, { checkpoints })
    expect([report.ok, codesOf(report)]).toEqual([true, ['inclusion_linked']])
    const both = await evidenceFrom(quorum([chain, daemon], 2), hex, { checkpoints })
    const [proven] = both.evidence.inclusion!
    const { proofs } = evidence.inclusion![0]!
    expect(proven).toMatchObject({ sources: [chain.name, daemon.name], proofs })
    expect(verify(both.evidence, { checkpoints }).ok).toBe(true)
  })

  test('bind the creation of a token, too', async () => {
    const { node, chain, alice } = await served()
    const made = await alice.createToken({ name: 'GOLD', supply: 10n })
    node.mine(2)
    const to = keyOf(node, 1)
    const { txid } = await alice.transfer({ tokenid: made.txid!, to, amount: 4n })
    const hex = await hexOf(chain, txid!)
    const hash = (await node.request('getblockhash', [node.height])) as string
    const checkpoints = [{ height: node.height, hash }]
    const tokenid = made.txid!
    const { evidence } = await evidenceFrom(chain, hex, { tokenid, checkpoints })
    const proven = evidence.inclusion!.flatMap(({ proofs }) => proofs.map((it) => it.txid))
    expect(proven).toContain(tokenid)
    const intent = { tokenid, destination: to, amount: 4n, from: keyOf(node, 0) }
    const report = verifyTokenTransfer(hex, { ...intent, chain: { checkpoints } }, evidence)
    expect([report.ok, codesOf(report)]).toEqual([true, ['inclusion_linked']])
  })

  test.each(['false_branch', 'false_header'] as const)(
    '%s of a server proves nothing',
    async (kind) => {
      const { node, chain, hex, blockAt, verify } = await paid()
      const checkpoints = [await blockAt(node.height)]
      node.faults.add({ kind })
      const { evidence, unproven } = await evidenceFrom(chain, hex, { checkpoints })
      node.faults.clear()
      expect(unproven).toMatchObject([{ reason: 'does-not-hold' }])
      expect(verify(evidence, { checkpoints }).ok).toBe(false)
    },
  )

  test('are not fetched where too many headers would be needed, or no block is known', async () => {
    const { node, chain, hex, blockAt } = await paid()
    const checkpoints = [await blockAt(node.height)]
    const few = await evidenceFrom(chain, hex, { checkpoints, headersMax: 2 })
    expect([few.evidence.inclusion, few.unproven]).toMatchObject([
      undefined,
      [{ reason: 'too-far' }],
    ])
    const none = await evidenceFrom(chain, hex)
    expect([none.evidence.inclusion, none.unproven]).toEqual([undefined, []])
    const { headers: _, ...plain } = chain
    expect((await evidenceFrom(plain, hex, { checkpoints })).unproven).toMatchObject([
      { reason: 'no-source' },
    ])
  })

  test('are fetched again if the last block changes meanwhile', async () => {
    const { node, chain, hex, blockAt, verify } = await paid()
    const checkpoints = [await blockAt(node.height - 1)]
    let changes = 1
    const racing = {
      ...chain,
      async inclusion(...args: Parameters<typeof chain.inclusion>) {
        const proof = await chain.inclusion(...args)
        if (changes-- > 0) node.reorg(1)
        return proof
      },
    }
    const { evidence, unproven } = await evidenceFrom(racing, hex, { checkpoints })
    expect([changes, unproven]).toEqual([-1, []])
    expect(codesOf(verify(evidence, { checkpoints }))).toEqual(['inclusion_linked'])
  })

  test('are counted by the sources that give the same headers', async () => {
    const { node, chain, hex, blockAt, verify } = await paid()
    const checkpoints = [await blockAt(node.height)]
    const named = (name: string, more: Partial<ChainSource> = {}) => {
      return { ...chain, servers: [name], ...more, name }
    }
    const liar = named('c', {
      headers: async (start, count) => ({
        headers: (await chain.headers(start, count)).headers.map((it) => it.replace(/^../, 'ff')),
        sources: ['d', 'e', 'f'],
      }),
    })
    const agreed = quorum([named('a'), named('b'), liar], 2)
    const { evidence } = await evidenceFrom(agreed, hex, { checkpoints })
    expect(evidence.inclusion).toMatchObject([{ sources: ['a', 'b'] }])
    expect(agreed.findings()).toMatchObject([{ code: 'source_disagrees', source: 'c' }])
    expect(verify(evidence, { checkpoints }).ok).toBe(true)
    await expect(evidenceFrom(quorum([named('a'), liar], 2), hex, { checkpoints })).rejects.toThrow(
      /headers: 1 sources agree, 2 are needed/,
    )
  })
})

test('unknown options and arguments of other types are a TypeError', async () => {
  const { chain } = await served()
  await expect(evidenceFrom(chain, '00', { tokenId: 'x' } as never)).rejects.toThrow(TypeError)
  await expect(evidenceFrom(chain, 7 as never)).rejects.toThrow(TypeError)
  await expect(evidenceFrom(undefined as never, '00')).rejects.toThrow(TypeError)
})
