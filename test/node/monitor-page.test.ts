// The code of docs/monitor.md, as a service would run it after each block.

import { beforeEach, expect, test } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, type DaemonClient } from '../../src/rpc/index.ts'
import { textOf } from '../support/files.ts'

let node: DevNode
let daemon: DaemonClient

beforeEach(async () => {
  node = await createDevNode({ mine: 'manual', time: 1_800_000_000 })
  node.mine(2)
  daemon = createDaemonClient({
    ...node.identities[1]!,
    async fetch(input, init) {
      const reply = await node.fetch(String(input), init as never)
      // A komodod keeps this at 1 until a notarisation.
      const text = (await reply.text()).replace(/"confirmations":[1-9]\d*/g, '"confirmations":1')
      return new Response(text, { status: reply.status })
    },
  })
  return () => node.close()
})

/** Returns a block of code of the page as a function of the names that it uses. */
function codeWith(words: string, names: readonly string[], result: string) {
  const blocks = [...textOf('docs/monitor.md').matchAll(/```ts\n(.*?)```/gs)]
  const code = blocks.map(([, text]) => text!).find((text) => text.includes(words))!
  const body = `${code.replaceAll('!', '')}\nreturn ${result}`
  const AsyncFunction = (async () => undefined).constructor as typeof Function
  return new AsyncFunction(...names, body) as (...given: unknown[]) => Promise<string>
}

test('a deposit is credited once it is deep enough, before any notarisation', async () => {
  const names = ['daemon', 'blockhash', 'credit']
  const look = codeWith('listsinceblock', names, 'lastblock')
  const credited: Record<string, bigint> = {}
  const credit = (name: string, amount: bigint) => {
    credited[name] = amount
  }
  let blockhash = await look(daemon, await daemon.getbestblockhash(), credit)
  await node.request('sendtoaddress', [node.identities[1]!.address, 0.5])
  for (let block = 1; block <= 9; block += 1) {
    node.mine(1)
    blockhash = await look(daemon, blockhash, credit)
    expect(Object.values(credited)).toEqual(block < 6 ? [] : [50_000_000n])
  }
})

test('a reorganization is undone block by block, to the last block of the chain', async () => {
  const goBack = codeWith('undo(', ['daemon', 'lastProcessed', 'undo'], 'header.hash')
  const common = await daemon.getbestblockhash()
  node.mine(3)
  const last = await daemon.getbestblockhash()
  node.reorg(3)
  const undone: string[] = []
  expect(await goBack(daemon, last, (hash: string) => undone.push(hash))).toBe(common)
  expect(undone).toHaveLength(3)
  expect(undone[0]).toBe(last)
})
