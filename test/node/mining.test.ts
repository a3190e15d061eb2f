// Mining, templates of blocks, and blocks by their time. Texts and codes are those of komodo's
// src/rpc/mining.cpp and blockchain.cpp.

import { describe, expect, test } from 'vitest'
import { decodeTransaction } from '../../src/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { useDevNode } from '../../src/node/vitest.ts'

const time = 1_800_000_000
const node = useDevNode({ time, mine: 'manual' })
const ask = (method: string, ...params: unknown[]) => node().request(method, params as never)

describe('mining', () => {
  test('mines at once, and reports the last setgenerate', async () => {
    const off = { staking: false, generate: false, numthreads: -1 }
    expect(await ask('getgenerate')).toEqual(off)
    const height = node().height
    await ask('setgenerate', true, 2)
    expect(node().height).toBe(height + 2)
    const on = { staking: false, generate: true, numthreads: 2 }
    expect(await ask('getgenerate')).toEqual(on)
    expect(await ask('getmininginfo')).toMatchObject({ ...on, genproclimit: 2 })
    await ask('setgenerate', false, -1)
    expect(await ask('getgenerate')).toEqual(off)
  })

  test('describes the next block in a template', async () => {
    const [alice, bob] = node().identities
    const first = await ask('sendtoaddress', bob!.address, 1)
    const second = await ask('sendtoaddress', bob!.address, 2)
    const template = (await ask('getblocktemplate')) as Record<string, never> & {
      transactions: { hash: string; data: string; fee: number; sigops: number; depends: number[] }[]
      coinbasetxn: { data: string; fee: number; coinbasevalue: number; required: boolean }
    }
    expect(template).toMatchObject({
      capabilities: ['proposal'],
      version: 4,
      previousblockhash: await ask('getbestblockhash'),
      height: node().height + 1,
      curtime: time + 1,
      bits: '200f0f0f',
      target: '0f0f0f0000000000000000000000000000000000000000000000000000000000',
      mutable: ['time', 'transactions', 'prevblock'],
      sizelimit: 4_000_000,
      sigoplimit: 20_000,
      noncerange: '00000000ffffffff',
    })
    expect(template.transactions.map(({ hash }) => hash)).toEqual([first, second])
    const fees = template.transactions.reduce((sum, { fee }) => sum + fee, 0)
    const { coinbasetxn } = template
    expect(coinbasetxn).toMatchObject({ fee: -fees, required: true })
    const made = decodeTransaction(coinbasetxn.data)
    expect(made.outputs[0]!.value).toBe(BigInt(coinbasetxn.coinbasevalue + fees))
    expect(made.outputs[0]!.script).toBe(`21${alice!.pubkey}ac`)
    // A payment to a key hash has one check of a signature, and so has its change.
    for (const { sigops } of template.transactions) expect(sigops).toBe(2)
    const whole = (await ask('getblocktemplate', { mode: 'disablecb' })) as typeof template
    expect(whole.coinbasetxn).toBeUndefined()
    expect(whole.transactions.map(({ depends }) => depends)[0]).toEqual([])
    expect(whole.transactions).toHaveLength(3)
    node().mine()
    const block = (await ask('getblock', String(node().height))) as { tx: string[] }
    expect(block.tx.slice(1)).toEqual([first, second])
  })

  test('refuses the template modes that it does not have', async () => {
    await expect(ask('getblocktemplate', { mode: 1 })).rejects.toMatchObject({
      code: -8,
      message: 'Invalid mode',
    })
    await expect(ask('getblocktemplate', { mode: 'proposal' })).rejects.toMatchObject({ code: -8 })
  })

  test('recognizes its own blocks in submitblock, and takes no others', async () => {
    const tip = (await ask('getbestblockhash')) as string
    const hex = (await ask('getblock', tip, 0)) as string
    expect(await ask('submitblock', hex)).toBe('duplicate')
    await ask('invalidateblock', tip)
    expect(await ask('submitblock', hex)).toBe('duplicate-invalid')
    const other = `05${hex.slice(2)}`
    await expect(ask('submitblock', other)).rejects.toMatchObject({
      code: -1,
      message: 'this development node takes no blocks: generate mines one',
    })
    for (const broken of ['', 'zz', hex.slice(0, 200)]) {
      await expect(ask('submitblock', broken)).rejects.toMatchObject({
        code: -22,
        message: 'Block decode failed',
      })
    }
  })

  test('checks the arguments of prioritisetransaction, which changes nothing', async () => {
    const txid = '68'.repeat(32)
    expect(await ask('prioritisetransaction', txid, 0.5, 10_000)).toBe(true)
    await expect(ask('prioritisetransaction', 'x', 0, 0)).rejects.toMatchObject({
      code: -1,
      message: "txid must be hexadecimal string (not 'x')",
    })
    await expect(ask('prioritisetransaction', txid, 0, 0.5)).rejects.toMatchObject({
      code: -1,
      message: 'JSON integer out of range',
    })
    await expect(ask('prioritisetransaction', txid, '0', 1)).rejects.toMatchObject({
      code: -1,
      message: 'JSON value is not a number as expected',
    })
  })
})

describe('blocks by time', () => {
  test('include the lower time and exclude the higher one, in the order of time', async () => {
    node().mine(3, { spacing: 60 })
    const tip = (await ask('getbestblockhash')) as string
    const { time: last, previousblockhash } = (await ask('getblockheader', tip)) as {
      time: number
      previousblockhash: string
    }
    expect(await ask('getblockhashes', last + 1, last - 60)).toEqual([previousblockhash, tip])
    expect(await ask('getblockhashes', last, last - 60)).toEqual([previousblockhash])
    const logical = await ask('getblockhashes', last + 1, last, { logicalTimes: true })
    expect(logical).toEqual([{ blockhash: tip, logicalts: last }])
    await ask('invalidateblock', tip)
    expect(await ask('getblockhashes', last + 1, last)).toEqual([tip])
    expect(await ask('getblockhashes', last + 1, last, { noOrphans: true })).toEqual([])
    await expect(ask('getblockhashes', 1)).rejects.toMatchObject({ code: -1 })
    expect(await ask('getblockhashes', 2 ** 31 - 1, 0, null)).toHaveLength(node().height + 1)
  })
})

test('a chain that goes on keeps each parameter that is not named', async () => {
  const profile = { name: 'OWN', reward: 7n, maturity: 3 }
  const first = await createDevNode({ listen: false, mine: 'manual', profile })
  first.mine(2)
  const load = first.dump()
  await first.close()
  await using next = await createDevNode({ listen: false, load, profile: { maturity: 500 } })
  expect(next.chain).toBe('OWN')
  next.mine(1)
  const block = await next.request('getblock', [String(next.height)])
  const [coinbase] = (block as { tx: string[] }).tx
  const hex = await next.request('getrawtransaction', [coinbase!])
  expect(decodeTransaction(hex as string).outputs[0]!.value).toBe(7n)
})
