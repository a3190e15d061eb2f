// The headers of the node's blocks, as a light client checks them.

import { describe, expect, test } from 'vitest'

import {
  type ChainRules,
  decodeBlockHeader,
  komodoRules,
  verifyHeaderChain,
} from '../../src/electrum/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { headersOf } from '../support/headers.ts'

const [recorded] = headersOf('komodod-headers.txt')
const genesis = komodoRules.checkpoints[0]!
const rules: ChainRules = { equihash: { n: 48, k: 5 }, checkpoints: [] }
const time = 1_800_000_000

async function headersFrom(node: DevNode): Promise<string[]> {
  return Promise.all(
    Array.from({ length: node.height + 1 }, async (_, height) => {
      const hash = await node.request('getblockhash', [height])
      return (await node.request('getblockheader', [hash, false])) as string
    }),
  )
}

test('the first block is the one that every chain of the family has', async () => {
  await using node = await createDevNode({ listen: false })
  expect(await node.request('getblockhash', [0])).toBe(genesis.hash)
  const [header] = await headersFrom(node)
  expect(header).toBe(recorded)
  expect(decodeBlockHeader(header!).hash).toBe(genesis.hash)
  const block = (await node.request('getblock', ['0', 0])) as string
  expect(block.startsWith(recorded!)).toBe(true)
  // Recorded: 1692 bytes, and a transaction that no index has.
  const shown = (await node.request('getblock', ['0'])) as { size: number; tx: string[] }
  expect([block.length / 2, shown.size, shown.tx]).toEqual([
    1692,
    1692,
    ['4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'],
  ])
  await expect(node.request('getrawtransaction', [shown.tx[0]])).rejects.toMatchObject({ code: -5 })
})

describe('with proof of work', () => {
  test('a light client accepts the chain, also after a reorganization and a restart', async () => {
    await using node = await createDevNode({ listen: false, time, proofOfWork: true })
    node.mine(3)
    node.reorg(2)
    const headers = await headersFrom(node)
    const report = verifyHeaderChain(headers, genesis, rules)
    expect(report).toMatchObject({ ok: true, count: node.height + 1 })
    expect(report.tip!.hash).toBe(await node.request('getbestblockhash'))

    await using restarted = await createDevNode({ listen: false, load: node.dump() })
    expect(await headersFrom(restarted)).toEqual(headers)
  })

  test('the bits are those of a recorded young chain', async () => {
    await using node = await createDevNode({ listen: false, time, proofOfWork: true })
    const [, header] = (await headersFrom(node)).map((it) => decodeBlockHeader(it))
    const [, second] = headersOf('komodod-headers.txt').map((it) => decodeBlockHeader(it))
    const { version, bits, finalSaplingRoot } = header!
    expect([version, bits, finalSaplingRoot]).toEqual([
      second!.version,
      second!.bits,
      second!.finalSaplingRoot,
    ])
  })
})

test('without a proof of work, a light client says that the block is not solved', async () => {
  await using node = await createDevNode({ listen: false, time })
  const report = verifyHeaderChain(await headersFrom(node), genesis, rules)
  expect(report.findings).toMatchObject([{ code: 'header_solution', height: 1 }])
})

test('a dump whose solution has another length is refused with its place', async () => {
  await using node = await createDevNode({ listen: false, time, proofOfWork: true })
  const dump = JSON.parse(node.dump())
  dump.blocks[0].solution = '00'
  const load = JSON.stringify(dump)
  await expect(createDevNode({ listen: false, load })).rejects.toMatchObject({
    code: 'malformed_case',
    context: { path: 'load.blocks[0].solution' },
  })
})

test('an option of another type is refused', async () => {
  const proofOfWork = 'yes' as never
  await expect(createDevNode({ proofOfWork })).rejects.toThrow(TypeError)
})
