// A chain source may answer anything: what the wallet names, what it never believes.

import { expect, test } from 'vitest'

import { decodeTransaction, encodeTransaction } from '../../../src/index.ts'
import type { ChainSource, SourceFindingCode } from '../../../src/wallet/index.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

type Tamper = (chain: ChainSource) => Partial<ChainSource>

const rows: {
  readonly title: string
  readonly code: SourceFindingCode
  readonly tamper: Tamper
}[] = [
  {
    title: 'an output of somebody else',
    code: 'source_foreign_coin',
    tamper: (chain) => ({
      async unspent(scripts) {
        const { height } = await chain.tip()
        const own = await chain.unspent(scripts)
        const [first] = own
        const hex = (await chain.transactions([first!.txid]))[0]!
        const foreign = decodeTransaction(hex).outputs.findIndex(
          ({ script }) => !scripts.includes(script),
        )
        return [...own, { txid: first!.txid, vout: foreign, height }]
      },
    }),
  },
  {
    title: 'an output that its transaction does not have',
    code: 'source_no_such_output',
    tamper: (chain) => ({
      unspent: async (scripts) => {
        const own = await chain.unspent(scripts)
        return [...own, { ...own[0]!, vout: 4_000_000 }]
      },
    }),
  },
  {
    title: 'every output twice, in another case of letters',
    code: 'source_repeated_coin',
    tamper: (chain) => ({
      unspent: async (scripts) => {
        const own = await chain.unspent(scripts)
        return [...own, ...own.map((it) => ({ ...it, txid: it.txid.toUpperCase() }))]
      },
    }),
  },
  {
    title: 'a transaction that it does not give',
    code: 'source_missing_transaction',
    tamper: (chain) => ({
      unspent: async (scripts) => [
        ...(await chain.unspent(scripts)),
        { txid: 'ab'.repeat(32), vout: 0, height: 1 },
      ],
    }),
  },
  {
    title: 'a block above its last one',
    code: 'source_height_above_tip',
    tamper: (chain) => ({
      unspent: async (scripts) => {
        const own = await chain.unspent(scripts)
        return [...own, { ...own[0]!, vout: 0, height: 0xffff_ffff }].reverse()
      },
    }),
  },
  {
    title: 'entries of other forms',
    code: 'source_malformed_answer',
    tamper: (chain) => ({
      unspent: async (scripts) =>
        [
          ...(await chain.unspent(scripts)),
          null,
          7,
          { txid: 'zz', vout: 0, height: 1 },
          { txid: 'ab'.repeat(32), vout: -1, height: 1 },
          { txid: 'ab'.repeat(32), vout: 0, height: 1.5 },
        ] as never,
    }),
  },
]

test.each(rows)('names $title and does not count it', async ({ code, tamper }) => {
  const { node, alice, chain } = await fundedNode()
  const honest = await (await openWallet(alice, chain)).balance()
  const wallet = await openWallet(alice, tampered(chain, tamper(chain)))
  const { total } = await wallet.balance()
  expect(total).toBeLessThanOrEqual(honest.total)
  expect(wallet.findings().map((finding) => finding.code)).toContain(code)
  await node.close()
})

test('reads amounts from bytes that hash to the txid, not from other bytes', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const richer = tampered(chain, {
    async transactions(txids) {
      const found = await chain.transactions(txids)
      return found.map((hex) => {
        if (hex === undefined) return undefined
        const { outputs, ...rest } = decodeTransaction(hex)
        const doubled = outputs.map((output) => ({ ...output, value: output.value * 2n }))
        return encodeTransaction({ ...rest, outputs: doubled })
      })
    },
  })
  const wallet = await openWallet(alice, richer)
  expect((await wallet.balance()).total).toBe(0n)
  expect(wallet.findings().map(({ code }) => code)).toContain('source_missing_transaction')
  await expect(wallet.pay({ to: bob.address, amount: 1000n })).rejects.toMatchObject({
    code: 'insufficient_coins',
  })
  await node.close()
})

test('names a coin that the source hides while no transaction spends it', async () => {
  const { node, alice, chain } = await fundedNode()
  let hides = false
  const wallet = await openWallet(
    alice,
    tampered(chain, {
      unspent: async (scripts) => (hides ? [] : chain.unspent(scripts)),
    }),
  )
  const { total } = await wallet.balance()
  expect(total).toBeGreaterThan(0n)
  hides = true
  expect((await wallet.balance()).total).toBe(0n)
  expect(wallet.findings().map(({ code }) => code)).toContain('source_hidden_coin')
  await node.close()
})

test('does not call a spent coin hidden', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  await wallet.pay({ to: bob.address, amount: 1_000_000n })
  await wallet.balance()
  node.mine()
  await wallet.balance()
  expect(wallet.findings()).toEqual([])
  await node.close()
})

test('decides nothing by a source that has fallen behind', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let behind = 0
  const wallet = await openWallet(
    alice,
    tampered(chain, {
      async tip() {
        const tip = await chain.tip()
        return { ...tip, height: tip.height - behind }
      },
    }),
  )
  await wallet.balance()
  behind = 60
  await expect(wallet.pay({ to: bob.address, amount: 1000n })).rejects.toThrow(/its last block is/)
  expect(wallet.findings().map(({ code }) => code)).toContain('source_behind')
  expect(await node.request('getrawmempool')).toEqual([])
  await node.close()
})

test('a source that fails ends in its error, never in an empty wallet', async () => {
  const { node, alice, chain } = await fundedNode()
  const failing = tampered(chain, {
    unspent: () => Promise.reject(new Error('history too large')),
  })
  const wallet = await openWallet(alice, failing)
  await expect(wallet.balance()).rejects.toThrow('history too large')
  await expect(wallet.tokens()).rejects.toThrow('history too large')
  await node.close()
})

test('an answer with another txid leaves the payment uncertain, and the next call finds it', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let tampers = true
  const wallet = await openWallet(
    alice,
    tampered(chain, {
      async broadcast(hex) {
        const txid = await chain.broadcast(hex)
        return tampers ? 'ab'.repeat(32) : txid
      },
    }),
  )
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  const first = await wallet.pay(request)
  expect(first.status).toBe('uncertain')
  expect(first.txid).toMatch(/^[0-9a-f]{64}$/)
  tampers = false
  const again = await wallet.pay(request)
  expect(again).toMatchObject({ status: 'accepted', repeated: true, txid: first.txid })
  expect(await node.request('getrawmempool')).toEqual([first.txid])
  await node.close()
})

test('a source that relays nothing is sent the same bytes again', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const sent: string[] = []
  const wallet = await openWallet(
    alice,
    tampered(chain, {
      async broadcast(hex) {
        sent.push(hex)
        return sent.length === 1 ? decodeTransaction(hex).txid : chain.broadcast(hex)
      },
    }),
  )
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  expect((await wallet.pay(request)).status).toBe('accepted')
  expect(await node.request('getrawmempool')).toEqual([])
  expect((await wallet.pay(request)).status).toBe('accepted')
  expect(sent[1]).toBe(sent[0])
  expect(await node.request('getrawmempool')).toHaveLength(1)
  await node.close()
})
