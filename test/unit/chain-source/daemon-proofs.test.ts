// Headers and proofs of inclusion that `daemonChain` takes from a daemon with recorded blocks.

import { describe, expect, test } from 'vitest'

import { inclusionFault } from '../../../src/electrum/index.ts'
import { decodeTransaction } from '../../../src/index.ts'
import { type DaemonClient, RpcError } from '../../../src/rpc/index.ts'
import { daemonChain } from '../../../src/wallet/index.ts'
import { blocks, decodedHeaders, headers } from '../../support/inclusion.ts'

const tip = headers.length - 1
const txidsAt = (height: number) => blocks[height]!.map((hex) => decodeTransaction(hex).txid)
const hexes = new Map(blocks.flat().map((hex) => [decodeTransaction(hex).txid, hex]))
const heightOf = (hash: string) => decodedHeaders.findIndex((header) => header.hash === hash)

type Answer = (params: readonly unknown[]) => unknown

/** A daemon with the recorded chain, which answers some methods otherwise. */
function daemon(changes: Record<string, Answer> = {}) {
  const asked: { readonly method: string; readonly count: number }[] = []
  const answers: Record<string, Answer> = {
    getblockhash: ([height]) => decodedHeaders[height as number]?.hash ?? outOfRange(),
    // By height the recorded daemon gave the list of block 7; by hash it is the same call.
    getblock: ([hash]) => ({ tx: txidsAt(heightOf(hash as string)) }),
    getblockheader: ([hash, verbose]) =>
      verbose === false ? headers[heightOf(hash as string)] : {},
    getrawtransaction: ([txid]) => hexes.get(txid as string) ?? unknown(),
    ...changes,
  }
  const answer = (method: string, params: readonly unknown[]) => answers[method]!(params)
  const client = {
    async call(method: string, params: readonly unknown[]) {
      asked.push({ method, count: 1 })
      return answer(method, params)
    },
    async batch(
      calls: readonly { readonly method: string; readonly params: readonly unknown[] }[],
    ) {
      asked.push({ method: calls[0]!.method, count: calls.length })
      const settled = calls.map(async ({ method, params }) => answer(method, params))
      return Promise.allSettled(settled)
    },
  }
  return { chain: daemonChain(client as unknown as DaemonClient), asked }
}

function outOfRange(): never {
  throw new RpcError('daemon', 'Block height out of range', { method: 'getblockhash', code: -8 })
}

function unknown(): never {
  throw new RpcError('daemon', 'No information', { method: 'getrawtransaction', code: -5 })
}

/** A block with several transactions. */
const height = blocks.findIndex((block) => block.length >= 2)
const [coinbase = '', second = ''] = txidsAt(height)

describe('headers', () => {
  test('are those of the blocks, a hundred in a request', async () => {
    const { chain, asked } = daemon()
    const { headers: given, sources } = await chain.headers!(1, 150)
    expect([given, sources]).toEqual([headers.slice(1, 151), ['daemon']])
    expect(asked.map(({ method, count }) => `${method} ${count}`)).toEqual([
      'getblockhash 100',
      'getblockheader 100',
      'getblockhash 50',
      'getblockheader 50',
    ])
  })

  test('end with the last block', async () => {
    const { chain } = daemon()
    const { headers: given } = await chain.headers!(tip - 1, 500)
    expect(given).toEqual(headers.slice(-2))
    expect((await chain.headers!(tip + 1, 5)).headers).toEqual([])
  })

  test('do not end early because a daemon fails', async () => {
    const fail: Answer = ([which]) => {
      if (which !== 3) return decodedHeaders[which as number]?.hash
      throw new RpcError('daemon', 'Loading block index...', { method: 'getblockhash', code: -28 })
    }
    await expect(daemon({ getblockhash: fail }).chain.headers!(1, 5)).rejects.toMatchObject({
      code: -28,
    })
    const getblockheader: Answer = () => {
      throw new RpcError('daemon', 'Block not found', { method: 'getblockheader', code: -5 })
    }
    await expect(daemon({ getblockheader }).chain.headers!(1, 5)).rejects.toThrow('Block not found')
  })

  test.each([7, null, 'zz', '123', { hex: '00' }])('are refused in the form %j', async (answer) => {
    const { chain } = daemon({ getblockheader: () => answer })
    await expect(chain.headers!(1, 1)).rejects.toMatchObject({ kind: 'shape' })
  })

  test('are refused if one is longer than a header can be', async () => {
    const { chain } = daemon({ getblockheader: () => '00'.repeat(1488) })
    await expect(chain.headers!(1, 1)).rejects.toMatchObject({ kind: 'shape' })
  })
})

describe('a proof of inclusion', () => {
  test.each([
    ['a payment', second],
    ['a coinbase', coinbase],
  ])('leads from %s to the root of the recorded header', async (_name, txid) => {
    const { chain } = daemon()
    const { proof, header, fault } = await chain.inclusion!(txid.toUpperCase(), height)
    expect([fault, header]).toEqual([undefined, headers[height]])
    expect(inclusionFault(txid, proof, headers[height]!)).toBe(undefined)
    expect(proof.coinbase?.transaction).toBe(blocks[height]![0])
  })

  test('is computed for every recorded transaction', async () => {
    const { chain } = daemon()
    const faults = []
    for (const [at, block] of blocks.entries()) {
      if (at === 0) continue
      for (const hex of block) {
        const { fault } = await chain.inclusion!(decodeTransaction(hex).txid, at)
        if (fault !== undefined) faults.push({ at, fault })
      }
    }
    expect(faults).toEqual([])
  })

  const listed =
    (txids: readonly string[]): Answer =>
    () => ({ tx: txids })
  test.each([
    ['leaves out the payment', { getblock: listed([coinbase]) }, { kind: 'daemon' }],
    ['is empty', { getblock: listed([]) }, { kind: 'daemon' }],
    ['has something that is not a txid', { getblock: listed([coinbase, 'x']) }, { kind: 'shape' }],
    ['is not a list', { getblock: () => ({ tx: 7 }) }, { kind: 'shape' }],
    [
      'is longer than a block',
      { getblock: listed(new Array(2 ** 16 + 1).fill(second)) },
      { kind: 'shape' },
    ],
  ] as const)('fails if the list of the block %s', async (_name, changes, error) => {
    await expect(daemon(changes).chain.inclusion!(second, height)).rejects.toMatchObject(error)
  })

  test.each([
    ['another order of the block', listed([second, coinbase]), 'inclusion_position'],
    ['a transaction more', listed([coinbase, second, 'ab'.repeat(32)]), 'inclusion_root'],
  ] as const)('names the fault of %s', async (_name, getblock, fault) => {
    const { chain } = daemon({ getblock })
    expect(await chain.inclusion!(second, height)).toMatchObject({ fault })
  })

  test('fails if the header is none', async () => {
    const { chain } = daemon({ getblockheader: () => headers[height]!.slice(2) })
    await expect(chain.inclusion!(second, height)).rejects.toMatchObject({ kind: 'shape' })
  })

  test('names the fault of the header of another block, and of other bytes', async () => {
    const other = daemon({ getblockheader: () => headers[height + 1] })
    expect(await other.chain.inclusion!(second, height)).toMatchObject({ fault: 'inclusion_root' })
    const bytes = daemon({ getrawtransaction: () => blocks[1]![0] })
    expect(await bytes.chain.inclusion!(second, height)).toMatchObject({ fault: 'inclusion_txid' })
  })
})
