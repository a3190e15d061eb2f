// A guard gets another key, with the journal of the first, while its programs repeat calls.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGuard, type Guard } from '../../src/guard/index.ts'
import { memoryJournal } from '../../src/journal/index.ts'
import { createDevNode, type DevIdentity, type DevNode } from '../../src/node/index.ts'
import { callerOf } from './support/guarded.ts'

let node: DevNode
let guards: Guard[]
let journal: ReturnType<typeof memoryJournal>
let tokenid: string
const call = callerOf(() => node)
const sent = async (built: unknown) =>
  (await node.request('sendrawtransaction', [(built as { hex: string }).hex])) as string

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000, mine: 'manual', identities: 3 })
  guards = []
  journal = memoryJournal()
  const [, second] = node.identities
  node.mine(101)
  node.fund(second!.address, 500_000_000n)
  tokenid = await sent(await node.request('tokencreate', ['GOLD', '1', '']))
  node.mine()
  await sent(await node.request('tokentransfer', [tokenid, second!.pubkey, '500']))
  node.mine()
})
afterEach(async () => {
  for (const guard of guards) await guard.close()
  await node.close()
})

async function guardOfKey({ url, user, password, pubkey }: DevIdentity): Promise<Guard> {
  const daemon = { url, credentials: () => ({ user, password }) }
  const guard = await createGuard({ daemon, pubkey, journal })
  guards.push(guard)
  return guard
}

test.each([true, false])(
  'tokens are transferred once by two keys (in a block: %s)',
  async (mined) => {
    const [first, second, third] = node.identities
    const params = [tokenid, third!.pubkey, '7']
    const before = await guardOfKey(first!)
    const { result } = await call(before, 'tokentransfer', params)
    const { result: txid } = await call(before, 'sendrawtransaction', [result.hex])
    if (mined) node.mine()
    const after = await guardOfKey(second!)
    const held = mined ? `the same payment was made as ${txid}` : `${txid} may be the same payment`
    for (const name of [undefined, 'named-now']) {
      const repeated = await call(after, 'tokentransfer', params, name)
      expect(repeated.result).toEqual({ result: 'error', error: expect.stringContaining(held) })
    }
    const other = await call(after, 'tokentransfer', [tokenid, third!.pubkey, '8'])
    expect(other.result).toMatchObject({ result: 'success' })
    const again = await call(after, 'sendrawtransaction', [result.hex])
    expect(again).toMatchObject({ result: txid, error: null })
  },
)

test.each(['inv-1', undefined])('coins are paid once by two keys (name: %s)', async (name) => {
  const [first, second, third] = node.identities
  const params = [third!.address, 0.5]
  const { result: txid } = await call(await guardOfKey(first!), 'sendtoaddress', params, name)
  node.mine()
  const repeated = await call(await guardOfKey(second!), 'sendtoaddress', params, name)
  const held = `the same payment was made as ${txid}`
  expect(repeated).toMatchObject(
    name === undefined
      ? { result: null, error: { code: -4, message: expect.stringContaining(held) } }
      : { result: txid, error: null },
  )
  expect(await node.request('getrawmempool')).toEqual([])
})

test('a name of the former key stands for no transfer of the new one', async () => {
  const [first, second, third] = node.identities
  const params = [tokenid, third!.pubkey, '7']
  const built = await call(await guardOfKey(first!), 'tokentransfer', params, 'inv-1')
  expect(built.result).toMatchObject({ result: 'success' })
  const repeated = await call(await guardOfKey(second!), 'tokentransfer', params, 'inv-1')
  expect(repeated.result).toBeNull()
  expect(repeated.error.message).toMatch(/this name was used for another payment/)
})
