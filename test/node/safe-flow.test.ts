// The safe flow against a node that validates: what is paid is read from its chain, not from
// replies.

import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDevNode, type DevNode, type Tamper } from '../../src/node/index.ts'
import { createDaemonClient, createToken, transferToken } from '../../src/rpc/index.ts'

const supply = 1000n
let node: DevNode
let client: ReturnType<typeof newClient>
let tokenid: string

const newClient = () =>
  createDaemonClient({
    ...node.identities[0]!,
    url: 'http://127.0.0.1/',
    fetch: node.fetch,
    retry: false,
  })
const creation = (name: string) => ({
  name,
  supply,
  description: '',
  owner: node.identities[0]!.pubkey,
})
const transfer = (amount: bigint) => ({
  tokenid,
  amount,
  from: node.identities[0]!.pubkey,
  destination: node.identities[1]!.pubkey,
})

/** As the other identity's daemon tells them, which nothing ails. */
async function balances(): Promise<[own: bigint, other: bigint]> {
  const [own, other] = await Promise.all(
    node.identities.map(async ({ pubkey }) => {
      const { balance } = (await node.request('tokenbalance', [tokenid, pubkey], {
        identity: 1,
      })) as { balance: number }
      return BigInt(balance)
    }),
  )
  return [own!, other!]
}

async function waiting(): Promise<unknown> {
  return node.request('getrawmempool', [])
}

beforeEach(async () => {
  node = await createDevNode({ listen: false, time: 1_800_000_000 })
  client = newClient()
  ;({ txid: tokenid } = (await createToken(client, creation('GOLD'))) as { txid: string })
  await createToken(client, creation('SILVER'))
  return () => node.close()
})

test('a creation is bound to the chain, and its txid is the tokenid', async () => {
  const { report, txid } = await createToken(client, creation('COPPER'))
  expect(report.findings.map(({ code }) => code)).not.toContain('chain_unbound')
  expect(await node.request('tokenlist')).toContain(txid)
})

test('a transfer moves what was asked for, once', async () => {
  const { report } = await transferToken(client, transfer(70n))
  expect(report.ok).toBe(true)
  expect(await balances()).toEqual([supply - 70n, 70n])
  await transferToken(client, transfer(30n))
  expect(await balances()).toEqual([supply - 100n, 100n])
})

test.each<[Tamper, string]>([
  ['stolen_change', 'native_change_destination'],
  ['wrong_destination', 'destination'],
  ['stolen_token_change', 'token_change_destination'],
  ['other_token_burned', 'foreign_token_input'],
  ['raised_fee', 'fee_too_high'],
])('%s is rejected, and nothing waits to be mined', async (tamper, code) => {
  node.faults.add({ kind: 'tampered_hex', method: 'tokentransfer', tamper })
  const { report, txid, held } = await transferToken(client, transfer(70n))
  expect({ txid, held }).toEqual({ txid: undefined, held: 'rejected' })
  expect(report.findings.map((it) => it.code)).toContain(code)
  expect(await waiting()).toEqual([])
  expect(await balances()).toEqual([supply, 0n])
})

describe('a reply that is lost', () => {
  test('after a lost reply of a broadcast that arrived, it is found and not paid again', async () => {
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
    await expect(transferToken(client, transfer(70n))).rejects.toMatchObject({ kind: 'transport' })
    expect(await balances()).toEqual([supply - 70n, 70n])
    const { txid } = await transferToken(client, transfer(70n))
    expect(txid).toMatch(/^[0-9a-f]{64}$/)
    expect(await balances()).toEqual([supply - 70n, 70n])
  })

  test('after a lost reply of a build nothing was sent, and asked again it is paid once', async () => {
    node.faults.add({ kind: 'lost_reply', method: 'tokentransfer', times: 1 })
    await expect(transferToken(client, transfer(70n))).rejects.toMatchObject({ kind: 'transport' })
    expect(await balances()).toEqual([supply, 0n])
    await transferToken(client, transfer(70n))
    expect(await balances()).toEqual([supply - 70n, 70n])
  })

  test('after a lost reply, a broadcast that a reorganisation takes back is sent again as it was', async () => {
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
    await expect(transferToken(client, transfer(70n))).rejects.toMatchObject({ kind: 'transport' })
    const { tx } = (await node.request('getblock', [String(node.height)])) as { tx: string[] }
    node.reorg(1, { drop: tx.slice(1) })
    expect(await balances()).toEqual([supply, 0n])
    const { txid } = await transferToken(client, transfer(70n))
    expect(txid).toBe(tx[1])
    expect(await balances()).toEqual([supply - 70n, 70n])
  })
})

const spoilt = fc.constantFrom(
  { kind: 'lost_reply', method: 'sendrawtransaction', times: 1 } as const,
  { kind: 'lost_reply', method: 'tokentransfer', times: 1 } as const,
  { kind: 'reset', times: 1 } as const,
  { kind: 'warm_up', times: 1 } as const,
  { kind: 'queue_full', method: 'sendrawtransaction', times: 1 } as const,
  { kind: 'tampered_hex', method: 'tokentransfer', tamper: 'stolen_change', times: 1 } as const,
  { kind: 'tampered_hex', method: 'tokentransfer', tamper: 'wrong_destination', times: 1 } as const,
  { kind: 'wrong_txid', times: 1 } as const,
)

test('a payment that is requested until it is done is paid once, whatever goes wrong', async () => {
  let failures = 0
  const orders = fc.array(
    fc.record({
      amount: fc.bigInt({ min: 1n, max: 20n }),
      faults: fc.array(spoilt, { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(orders, async (sequence) => {
      const start = node.snapshot()
      client = newClient()
      let paid = 0n
      for (const { amount, faults } of sequence) {
        for (const fault of faults) node.faults.add({ ...fault, identity: 0 })
        for (let isDone = false; !isDone; ) {
          // every fault passes after a call or a few
          isDone = await transferToken(client, transfer(amount)).then(
            ({ txid }) => txid !== undefined,
            () => false,
          )
          if (!isDone) failures += 1
          const [, other] = await balances()
          expect([paid, paid + amount]).toContain(other)
        }
        node.faults.clear()
        paid += amount
        expect(await balances()).toEqual([supply - paid, paid])
      }
      node.revert(start)
    }),
    { numRuns: Number(process.env.ANTARA_NODE_RUNS ?? 25) },
  )
  expect(failures).toBeGreaterThan(10)
})
