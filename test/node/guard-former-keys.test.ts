// A guard gets another key, with the journal of the first, while its programs repeat calls.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGuard, type Guard } from '../../src/guard/index.ts'
import { type Journal, memoryJournal } from '../../src/journal/index.ts'
import { createDevNode, type DevIdentity, type DevNode } from '../../src/node/index.ts'
import { callerOf } from './support/guarded.ts'
import { withWorkMeanwhile } from './support/meanwhile.ts'

let node: DevNode
let guards: Guard[]
let journal: Journal
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

async function guardOfKey(identity: DevIdentity, own: Journal = journal): Promise<Guard> {
  const { url, user, password, pubkey } = identity
  const daemon = { url, credentials: () => ({ user, password }) }
  const guard = await createGuard({ daemon, pubkey, journal: own })
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

test.each(['inv-1', undefined])(
  'a payment in coins of the former key that waits for a block holds its call (name: %s)',
  async (name) => {
    const [first, second, third] = node.identities
    const params = [third!.address, 0.5]
    const { result: txid } = await call(await guardOfKey(first!), 'sendtoaddress', params, name)
    const { result, error } = await call(await guardOfKey(second!), 'sendtoaddress', params, name)
    const held = `guard: held: ${txid} may be the same payment, made before the users or the key`
    expect([result, error]).toEqual([null, { code: -4, message: expect.stringContaining(held) }])
    expect(await node.request('getrawmempool')).toEqual([txid])
  },
)

test('one call to two guards of one journal at once transfers tokens once', async () => {
  const [first, second, third] = node.identities
  const params = [tokenid, third!.pubkey, '7']
  let txid = ''
  const other = await guardOfKey(second!)
  const guard = await guardOfKey(
    first!,
    withWorkMeanwhile(journal, async () => {
      const { hex } = (await call(other, 'tokentransfer', params)).result
      txid = ((await node.request('decoderawtransaction', [hex])) as { txid: string }).txid
    }),
  )
  const { result } = await call(guard, 'tokentransfer', params)
  const held = `${txid} may be the same payment`
  expect(result).toEqual({ result: 'error', error: expect.stringContaining(held) })
  expect(await journal.read(0)).toHaveLength(1)
})

test.each(['built', 'sent', 'in a block'])(
  'a name of the former key names its transfer to the new one (%s)',
  async (place) => {
    const [first, second, third] = node.identities
    const params = [tokenid, third!.pubkey, '7']
    const before = await guardOfKey(first!)
    const { hex } = (await call(before, 'tokentransfer', params, 'inv-1')).result
    const { txid } = (await node.request('decoderawtransaction', [hex])) as { txid: string }
    if (place !== 'built') await call(before, 'sendrawtransaction', [hex])
    if (place === 'in a block') node.mine()
    const after = await guardOfKey(second!)
    const { result } = await call(after, 'tokentransfer', params, 'inv-1')
    const held = place === 'in a block' ? `was made as ${txid}` : `${txid} may be the same payment`
    expect(result).toEqual({ result: 'error', error: expect.stringContaining(held) })
    const other = await call(after, 'tokentransfer', [tokenid, third!.pubkey, '8'], 'inv-1')
    expect(other.error.message).toMatch(/this name was used for another payment/)
  },
)

test('equal transfers of two other keys are submitted under one guard', async () => {
  const [first, second, third] = node.identities
  node.fund(third!.address, 500_000_000n)
  await sent(await node.request('tokentransfer', [tokenid, third!.pubkey, '500']))
  node.mine()
  const guard = await guardOfKey(first!)
  for (const [identity, { pubkey: from }] of [second!, third!].entries()) {
    const params = [tokenid, first!.pubkey, '7']
    const options = { identity: identity + 1 }
    const { hex } = (await node.request('tokentransfer', params, options)) as { hex: string }
    const intent = { tokenid, from, destination: first!.pubkey, amount: '7' }
    const given = { operation: 'tokentransfer', network: 'assetChain', intent }
    const { result, error } = await call(guard, 'guard_submit', [hex, given])
    expect([error, typeof result]).toEqual([null, 'string'])
  }
})
