// A server reports another block 1 once, while a payment is recorded. The payment is on the chain all
// the same, and must not be made again, nor be refused for ever.

import { beforeEach, describe, expect, test } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { payCoins, resumePayments, type SafeFlowOptions } from '../../src/rpc/index.ts'
import {
  createWallet,
  daemonChain,
  type Journal,
  memoryJournal,
  privateKeySigner,
} from '../../src/wallet/index.ts'
import { receivedBy, tamperedClient } from './support/tampered-client.ts'

const amount = 1_000_000n
let node: DevNode
let to: string
let before: bigint
let journal: Journal

/** A server with `true` shows another block 1, and with `lost` it breaks each broadcast as well. */
type Fault = boolean | 'lost'

const client = (fault: Fault = false) =>
  tamperedClient(node, ({ method, params }) => {
    if (fault === 'lost' && method === 'sendrawtransaction') throw new TypeError('fetch failed')
    return fault !== false && method === 'getblockhash' && params[0] === 1
      ? 'ab'.repeat(32)
      : undefined
  })

const flow = (options: SafeFlowOptions, fault?: Fault) =>
  payCoins(
    client(fault),
    { recipients: [{ address: to, amount }], from: node.identities[0]!.pubkey },
    { journal, ...options },
  )

async function wallet({ id }: { readonly id?: string }, fault?: Fault) {
  const signers = [privateKeySigner(node.identities[0]!.wif)]
  const opened = await createWallet({ signers, chain: daemonChain(client(fault)), journal })
  return opened.pay({ to, amount, ...(id !== undefined && { id }) })
}

const received = async () => (await receivedBy(node, to)) - before

beforeEach(async () => {
  node = await createDevNode({ listen: false, time: 1_800_000_000, mine: 'manual' })
  node.fund(node.identities[0]!.address, 50_000_000n)
  node.mine(101)
  to = node.identities[1]!.address
  before = await receivedBy(node, to)
  journal = memoryJournal()
  return () => node.close()
})

describe.each([
  ['a flow of a daemon', flow],
  ['a wallet', wallet],
])('%s', (_, pay) => {
  test.each([
    ['waits for a block', 0, { id: 'rent' }],
    ['is in a block', 1, { id: 'rent' }],
    ['has no id', 1, {}],
  ])('finds the payment that %s', async (_title, blocks, options) => {
    const { txid } = await pay(options, true)
    node.mine(blocks)
    expect(await pay(options)).toMatchObject({ txid, repeated: true })
    node.mine(1)
    expect(await received()).toBe(amount)
  })

  test('sends the same bytes after a broadcast that was lost', async () => {
    const error = await Promise.resolve(pay({ id: 'rent' }, 'lost')).catch((it) => it)
    expect(await pay({ id: 'rent' })).toMatchObject({ txid: error.txid })
    node.mine(1)
    expect(await received()).toBe(amount)
  })

  test('is held if the caller adds an id', async () => {
    await pay({}, true)
    expect(await pay({ id: 'rent' })).toMatchObject({ held: 'different-inputs' })
    node.mine(1)
    expect(await received()).toBe(amount)
  })
})

test('resume settles it', async () => {
  const { txid } = await flow({ id: 'rent' }, true)
  node.mine(1)
  const [resumed] = await resumePayments(client(), { journal })
  expect(resumed).toMatchObject({ payment: { state: 'settled' }, result: { txid } })
})
