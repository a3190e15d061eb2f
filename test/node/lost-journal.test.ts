// Payments through a daemon whose journal lacks what its key paid: it was lost, or another machine
// has it. The balances are the node's own.

import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { decodeTransaction } from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  createToken,
  type DaemonClient,
  type Journal,
  listPayments,
  payCoins,
  resumePayments,
  type SafeFlowOptions,
  tradeToken,
  transferToken,
} from '../../src/rpc/index.ts'
import { dayLookedBack } from '../../src/rpc/safe-flow/look-back.ts'
import { memoryJournal } from '../../src/wallet/index.ts'
import { malleated } from '../support/malleated.ts'
import { shortenByClock } from '../support/shortened-journal.ts'
import { paymentsIn } from './support/journaled.ts'
import { receivedBy, tamperedClient } from './support/tampered-client.ts'

const supply = 1000n
let node: DevNode
let tokenid: string
let from: string

const { newClient, transfer, paid } = paymentsIn(() => ({ node, tokenid, path: '' }))

/** Pays with a journal of its own, which is empty unless one is given. */
const pay = (options: SafeFlowOptions = {}, amount = 70n, client = newClient()) =>
  transferToken(client, transfer(amount), { journal: memoryJournal(), ...options })

beforeEach(async () => {
  node = await createDevNode({ listen: false, time: 1_800_000_000, mine: 'manual' })
  from = node.identities[0]!.pubkey
  const creation = { name: 'GOLD', supply, description: '', owner: from }
  ;({ txid: tokenid } = (await createToken(newClient(), creation)) as { txid: string })
  node.mine(1)
  return () => node.close()
})

const heldBy = (txid: string | undefined) => ({ held: 'unrecorded-spends', unrecorded: [txid] })

/** Lets the wallet of the node spend some coins no more. */
const lock = (coins: readonly Pick<Coin, 'txid' | 'vout'>[]) =>
  node.request('lockunspent', [false, coins.map(({ txid, vout }) => ({ txid, vout }))])

/** A client whose broadcasts never reach the node. */
function unreached(): DaemonClient {
  return tamperedClient(node, ({ method }) => {
    if (method === 'sendrawtransaction') throw new TypeError('fetch failed')
    return undefined
  })
}

describe('an empty journal holds', () => {
  test.each([
    ['waits for a block', 0],
    ['is in a block', 3],
    ['is as far back as is compared', dayLookedBack.blocks],
    ['is of the last day, with more blocks than of a minute each', dayLookedBack.blocks + 100, 50],
  ])('the same payment while it %s', async (_, blocks, spacing = 60) => {
    const id = 'salary'
    const { txid } = await pay({ id })
    node.mine(blocks, { spacing })
    const again = await pay({ id })
    expect(again).toMatchObject(heldBy(txid))
    expect(again.txid).toBeUndefined()
    node.mine(1)
    expect(await paid()).toBe(70n)
  })

  test('the same payment after it made others', async () => {
    const { txid } = await pay()
    node.mine(2)
    const journal = memoryJournal()
    await pay({ journal }, 5n)
    node.mine(1)
    await pay({ journal, repeatMs: 0 }, 5n)
    expect(await pay({ journal })).toMatchObject(heldBy(txid))
  })

  test('the same payment whatever the clock shows', async () => {
    const { txid } = await pay({ id: 'a' })
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10 * 365 * 86_400_000)
    try {
      expect(await pay({ id: 'a' })).toMatchObject(heldBy(txid))
    } finally {
      now.mockRestore()
    }
  })

  test('the same payment after a reorganization puts it back among those that wait', async () => {
    const { txid } = await pay()
    node.mine(1)
    node.reorg(1)
    expect(await pay()).toMatchObject(heldBy(txid))
  })

  test('a creation, an offer, and coins', async () => {
    const to = node.identities[1]!.address
    const creation = { name: 'TIN', supply: 5n, description: '', owner: from }
    const ask = { kind: 'ask', tokenid, units: 10n, price: 1000n, from } as const
    const coins = { recipients: [{ address: to, amount: 50_000_000n }], from }
    const calls: ((journal: Journal) => ReturnType<typeof createToken>)[] = [
      (journal) => createToken(newClient(), creation, { journal }),
      (journal) => tradeToken(newClient(), ask, { journal }),
      (journal) => payCoins(newClient(), coins, { journal }),
    ]
    for (const call of calls) {
      const { txid } = await call(memoryJournal())
      node.mine(1)
      expect(await call(memoryJournal())).toMatchObject(heldBy(txid))
    }
  })

  test.each(['sendtoaddress', 'sendmany'])('a payment of a program by %s', async (method) => {
    // The daemon sets a lock time: komodo src/wallet/wallet.cpp, CWallet::CreateTransaction.
    const to = node.identities[1]!.address
    const params = method === 'sendmany' ? ['', { [to]: 0.5 }] : [to, 0.5]
    const txid = String(await node.request(method, params))
    const intent = { recipients: [{ address: to, amount: 50_000_000n }], from }
    for (const mined of [0, 1]) {
      node.mine(mined)
      const held = await payCoins(newClient(), intent, { journal: memoryJournal() })
      expect(held).toMatchObject(heldBy(txid))
    }
    const recorded = { journal: memoryJournal(), paidBy: txid }
    expect(await payCoins(newClient(), intent, recorded)).toMatchObject({ txid, repeated: true })
  })

  test('a payment of a program with a lock time in blocks', async () => {
    const [{ address: own }, { address: to }] = [node.identities[0]!, node.identities[1]!]
    const [coin] = (await node.request('listunspent', [])) as (Coin & { amount: number })[]
    const paidTo = { [to]: 0.5, [own]: coin!.amount - 0.501 }
    const height = Number(await node.request('getblockcount', []))
    const made = await node.request('createrawtransaction', [[coin], paidTo, height])
    const signed = (await node.request('signrawtransaction', [made])) as { hex: string }
    const txid = String(await node.request('sendrawtransaction', [signed.hex]))
    expect(decodeTransaction(signed.hex).lockTime).toBe(height)
    node.mine(1)
    const intent = { recipients: [{ address: to, amount: 50_000_000n }], from }
    const held = await payCoins(newClient(), intent, { journal: memoryJournal() })
    expect(held).toMatchObject(heldBy(txid))
  })

  async function paysAgain(isNamed: boolean) {
    const other = String(await node.request('getnewaddress', []))
    await node.request('sendtoaddress', [other, 5])
    node.mine(1)
    const coins = (await node.request('listunspent', [])) as Coin[]
    await lock(coins.filter(({ address }) => address !== other))
    const recipients = [{ address: node.identities[1]!.address, amount: 50_000_000n }]
    const intent = { recipients, from, ...(isNamed && { own: [other] }) }
    const { txid } = await payCoins(newClient(), intent, { journal: memoryJournal() })
    node.mine(1)
    const again = await payCoins(newClient(), intent, { journal: memoryJournal() })
    expect(again).toMatchObject(heldBy(txid))
  }

  test('coins of another address of the wallet, which the caller named', () => paysAgain(true))
  test('coins of another address of the wallet, which nobody named', () => paysAgain(false))
})

test('a payment of another machine holds an equal one after a clock was ahead', async () => {
  const { txid } = await pay()
  node.mine(1)
  const journal = memoryJournal()
  await pay({ journal }, 5n)
  node.mine(1)
  await resumePayments(newClient(), { journal })
  const height = Number(await node.request('getblockcount', []))
  const chain = String(await node.request('getblockhash', [1]))
  await shortenByClock(journal, chain, height + dayLookedBack.blocks - 1)
  expect(await pay({ journal })).toMatchObject(heldBy(txid))
})

interface Coin {
  readonly txid: string
  readonly vout: number
  readonly address: string
}

describe('a payment is made', () => {
  test('if the equal one is another amount, or is further back than is compared', async () => {
    await pay()
    node.mine(1)
    expect((await pay({}, 60n)).txid).toBeDefined()
    node.mine(dayLookedBack.blocks, { spacing: 60 })
    expect((await pay()).txid).toBeDefined()
  })

  test('if another machine recorded an equal one that no node got', async () => {
    await expect(pay({}, 70n, unreached())).rejects.toMatchObject({ uncertain: true })
    expect((await pay()).txid).toBeDefined()
    node.mine(1)
    expect(await paid()).toBe(70n)
  })

  test('if the caller acknowledges the equal one', async () => {
    const { txid } = await pay({ id: 'a' })
    node.mine(1)
    const acknowledged = [txid!.toUpperCase()]
    const again = await pay({ id: 'b', acknowledged })
    expect(again.txid).toBeDefined()
    expect(await pay({ id: 'c', acknowledged })).toMatchObject(heldBy(again.txid))
    node.mine(1)
    expect(await paid()).toBe(140n)
  })

  test('if the client has no journal, by each call', async () => {
    await transferToken(newClient(), transfer(70n))
    node.mine(1)
    expect((await transferToken(newClient(), transfer(70n))).txid).toBeDefined()
  })

  test('if the journal made equal ones without an id, however many', async () => {
    const journal = memoryJournal()
    for (let count = 0; count < 36; count += 1) {
      const { held } = await pay({ journal, repeatMs: 0 }, 1n)
      expect({ count, held }).toEqual({ count, held: undefined })
      node.mine(1)
    }
    expect(await journal.read(0)).not.toHaveLength(108)
    expect(await paid()).toBe(36n)
  })

  test('if the equal one is a copy of a recorded one, whose scriptSigs a third party changed', async () => {
    const journal = memoryJournal()
    const { report } = await pay({ journal, id: 'a' })
    node.importTransactions([malleated(report.hex)])
    const differentInputs = true
    expect((await pay({ journal, id: 'b', differentInputs })).txid).toBeDefined()
    node.mine(1)
    expect(await paid()).toBe(140n)
  })
})

describe('a recorded transaction, and an equal payment of another machine:', () => {
  const id = 'salary'
  const amount = 50_000_000n
  let to: string
  const payTo = (options: SafeFlowOptions, client = newClient()) =>
    payCoins(client, { recipients: [{ address: to, amount }], from }, { id, ...options })

  /** A machine that recorded a transaction which no node got, and the payment of another machine. */
  async function twoMachines() {
    to = node.identities[1]!.address
    const journal = memoryJournal()
    const lost = await payTo({ journal }, unreached()).catch((error) => error)
    const { inputs } = decodeTransaction(lost.unsettled[0].hex)
    // The other one spends other coins, so both could be mined.
    await lock(inputs)
    const { txid } = await payTo({ journal: memoryJournal() })
    return { journal, lost: lost.txid as string, txid: txid!, before: await receivedBy(node, to) }
  }

  test('the same call does not send it', async () => {
    const { journal, lost, txid, before } = await twoMachines()
    const again = await payTo({ journal })
    expect(again).toMatchObject({ ...heldBy(txid), unsettled: [{ txid: lost }] })
    node.mine(1)
    expect(await payTo({ journal })).toMatchObject(heldBy(txid))
    node.mine(1)
    expect(await receivedBy(node, to)).toBe(before + amount)
  })

  test('resume does not send it', async () => {
    const { journal, txid, before } = await twoMachines()
    const [resumed] = await resumePayments(newClient(), { journal })
    expect(resumed).toMatchObject({ payment: { state: 'unsettled' }, result: heldBy(txid) })
    node.mine(1)
    expect(await receivedBy(node, to)).toBe(before + amount)
  })

  test('it is sent if the caller acknowledges the other one', async () => {
    const { journal, lost, txid, before } = await twoMachines()
    const again = await payTo({ journal, acknowledged: [txid] })
    expect(again.txid).toBe(lost)
    node.mine(1)
    expect(await receivedBy(node, to)).toBe(before + 2n * amount)
  })
})

describe('another machine makes the payment from other coins, and the payment is held:', () => {
  const id = 'salary'
  const amount = 50_000_000n
  let to: string
  let before: bigint
  let other: string | undefined
  beforeEach(async () => {
    to = node.identities[1]!.address
    before = await receivedBy(node, to)
    other = undefined
  })
  const payTo = (options: SafeFlowOptions, client = newClient()) =>
    payCoins(client, { recipients: [{ address: to, amount }], from }, { id, ...options })

  /** Makes the payment with another journal, while this one takes its time. */
  async function payElsewhere(hex: string): Promise<void> {
    if (other !== undefined) return
    await lock(decodeTransaction(hex).inputs)
    other = (await payTo({ journal: memoryJournal() })).txid
    node.mine(1)
    await setTimeout(1100)
  }
  const confirm = async ({ hex }: { readonly hex: string }) => {
    await payElsewhere(hex)
    return true
  }

  test.each(['a person decides', 'a person decides about recorded bytes', 'the daemon builds'])(
    'while %s',
    async (moment) => {
      const journal = memoryJournal()
      if (moment.endsWith('bytes')) await payTo({ journal }, unreached()).catch(() => undefined)
      const slow = tamperedClient(node, ({ method, params }) =>
        method === 'signrawtransaction' ? payElsewhere(String(params[0])) : undefined,
      )
      const isSlow = moment === 'the daemon builds'
      const held = await payTo({ journal, ...(!isSlow && { confirm }) }, isSlow ? slow : undefined)
      expect(other).toBeDefined()
      expect(held).toMatchObject(heldBy(other))
      node.mine(1)
      expect(await receivedBy(node, to)).toBe(before + amount)
    },
  )
})

test.each([0, 1])(
  'a payment that the daemon sends while a person decides is recorded as made (blocks: %i)',
  async (blocks) => {
    const journal = memoryJournal()
    const to = node.identities[1]!.address
    const before = await receivedBy(node, to)
    const intent = { recipients: [{ address: to, amount: 50_000_000n }], from }
    const confirm = async ({ hex }: { readonly hex: string }) => {
      await node.request('sendrawtransaction', [hex])
      node.mine(blocks)
      await setTimeout(1100)
      return true
    }
    const options = { journal, id: 'salary' }
    const paid = await payCoins(newClient(), intent, { ...options, confirm }).catch((it) => it)
    expect(paid.held).toBeUndefined()
    const { txid } = await payCoins(newClient(), intent, options)
    expect(txid).toBe(paid.txid)
    expect(await listPayments(journal)).toMatchObject([{ attempts: [{ txid }] }])
    node.mine(1)
    expect(await receivedBy(node, to)).toBe(before + 50_000_000n)
  },
)

/** Makes the node a daemon that shows no payment which the journal lacks. */
function withoutIndex(): void {
  for (const method of ['getaddressdeltas', 'getaddressmempool']) {
    node.faults.add({ kind: 'error', method, code: -1, message: 'no index' })
  }
}

describe('paidBy', () => {
  const id = 'salary'

  test('records the payment under its id, and sends nothing', async () => {
    const { txid } = await pay({ id })
    node.mine(1)
    const journal = memoryJournal()
    const paidBy = txid!.toUpperCase()
    expect(await pay({ journal, id, paidBy, dryRun: true })).toMatchObject({ held: 'dry-run' })
    expect(await listPayments(journal)).toEqual([])
    expect(await pay({ journal, id, paidBy })).toMatchObject({ txid, repeated: true })
    expect(await pay({ journal, id })).toMatchObject({ txid, repeated: true })
    // The transaction has made one payment, so another one is not held by it.
    expect((await pay({ journal, id: 'bonus' })).txid).toBeDefined()
    node.mine(1)
    expect(await paid()).toBe(140n)
  })

  test('takes no transaction that makes another payment, or that no node has', async () => {
    const { txid } = await pay({}, 60n)
    const journal = memoryJournal()
    expect(await pay({ journal, id, paidBy: txid! })).toMatchObject({ held: 'rejected' })
    const unknown = pay({ journal, id, paidBy: 'ab'.repeat(32) })
    await expect(unknown).rejects.toMatchObject({ kind: 'shape', path: 'paidBy' })
    expect(await listPayments(journal)).toEqual([])
  })

  test('takes no transaction of another id', async () => {
    const journal = memoryJournal()
    const { txid } = await pay({ journal, id: 'a' })
    expect(await pay({ journal, id, paidBy: txid! })).toMatchObject({ held: 'reserved-inputs' })
  })

  test('changes nothing for an id that another transaction has paid', async () => {
    const journal = memoryJournal()
    const { txid } = await pay({ journal, id })
    node.mine(1)
    const other = await pay({ acknowledged: [txid!] })
    const again = await pay({ journal, id, paidBy: other.txid! })
    expect(again).toMatchObject({ txid, repeated: true })
    expect(await pay({ journal, id: 'b' })).toMatchObject(heldBy(other.txid))
  })

  test('sends nothing without an id, whatever equal payments the journal has', async () => {
    withoutIndex()
    const confirm = () => true
    const journal = memoryJournal()
    const { txid } = await pay({ journal, confirm })
    node.mine(1)
    const other = await pay({ confirm })
    node.mine(1)
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000)
    try {
      for (const paidBy of [txid!, other.txid!, other.txid!]) {
        const again = await pay({ journal, paidBy, confirm })
        expect(again).toMatchObject({ txid: paidBy, repeated: true })
      }
    } finally {
      now.mockRestore()
    }
    node.mine(1)
    expect(await paid()).toBe(140n)
  })

  test('sends nothing although a transaction of the id has left the chain', async () => {
    const to = node.identities[1]!.address
    const intent = { recipients: [{ address: to, amount: 50_000_000n }], from }
    const journal = memoryJournal()
    const call = { id, journal, confirm: () => true }
    const first = await payCoins(newClient(), intent, call)
    node.mine(1)
    expect(await payCoins(newClient(), intent, call)).toMatchObject({ repeated: true })
    node.reorg(1, { drop: [first.txid!] })
    await lock(decodeTransaction(first.report.hex).inputs)
    const { txid } = await payCoins(newClient(), intent, { ...call, journal: memoryJournal() })
    node.mine(1)
    const before = await receivedBy(node, to)
    withoutIndex()
    const again = await payCoins(newClient(), intent, { ...call, paidBy: txid! })
    expect(again).toMatchObject({ txid, repeated: true })
    node.mine(1)
    node.faults.clear()
    expect(await receivedBy(node, to)).toBe(before)
  })

  test.each(['ab', 7, null, ['ab'.repeat(32)]])('%j is refused', async (paidBy) => {
    const refused = pay({ id, paidBy: paidBy as string })
    await expect(refused).rejects.toThrow(/^paidBy: expected a txid/)
  })
})

test('a daemon that still gets blocks makes no payment that they may have', async () => {
  const { txid } = await pay({ id: 'salary' })
  node.mine(1)
  let missing = 4
  const info = (await node.request('getblockchaininfo', [])) as object
  const syncing = tamperedClient(node, ({ method }) => {
    if (method === undefined) throw new Error('it takes no batches')
    if (missing > 3 && method.startsWith('getaddress')) return []
    const headers = node.height + missing
    return method === 'getblockchaininfo' ? { ...info, headers } : undefined
  })
  const options = { journal: memoryJournal(), id: 'salary' }
  await expect(pay(options, undefined, syncing)).rejects.toMatchObject({ path: 'headers' })
  missing = 3
  expect(await pay(options, undefined, syncing)).toMatchObject(heldBy(txid))
  expect(await node.request('getrawmempool', [])).toEqual([])
})

// Until 2026-11-28, a program could use an id with outer spaces, and a guard took quotation marks.
describe.each([
  ['salary ', 'salary'],
  [' salary', 'salary'],
  ['"salary"', 'salary'],
  ['the "first" salary ', 'the "first" salary'],
])('the id %j of an old journal', (old, plain) => {
  const renamed = async (journal: Journal) => {
    const to = memoryJournal()
    for (const [at, text] of (await journal.read(0)).entries()) {
      const record = JSON.parse(text)
      const id = record.id === undefined ? {} : { id: old }
      await to.append(at + 1, JSON.stringify({ ...record, ...id, payment: `id ${old}` }))
    }
    return to
  }

  test('still names its payment, and makes no second one without its outer characters', async () => {
    const former = memoryJournal()
    const { txid } = await pay({ id: 'salary', journal: former })
    node.mine(1)
    await pay({ id: 'salary', journal: former })
    const journal = await renamed(former)
    const again = pay({ id: plain, journal })
    await expect(again).rejects.toMatchObject({ code: 'id_conflict' })
    await expect(again).rejects.toThrow(`quotation marks: ${JSON.stringify(old).slice(1)}`)
    expect(await pay({ id: old, journal })).toMatchObject({ txid, repeated: true })
    expect((await pay({ id: 'salary 2', journal, repeatMs: 0 }, 5n)).txid).toBeDefined()
    node.mine(1)
    expect(await paid()).toBe(75n)
  })

  test('is settled by a resume', async () => {
    const former = memoryJournal()
    const { txid } = await pay({ id: 'salary', journal: former })
    node.mine(1)
    const [resumed] = await resumePayments(newClient(), { journal: await renamed(former) })
    expect(resumed).toMatchObject({ result: { txid } })
    expect(resumed?.error).toBeUndefined()
  })
})

describe('a daemon that cannot list what a key spent', () => {
  const stepsOf = async () => {
    const steps: string[] = []
    // Without a height, the verifier cannot tell that the transaction has not expired.
    const confirm = () => true
    const { txid } = await pay({ confirm, onProgress: ({ step }) => steps.push(step) })
    expect(txid).toBeDefined()
    return steps.filter((step) => step === 'not-compared')
  }

  test.each(['getaddressdeltas', 'getblockcount'])(
    'makes the payment without %s, and the caller is told once',
    async (method) => {
      await pay()
      node.mine(1)
      node.faults.add({ kind: 'error', method, code: -1, message: 'no index' })
      expect(await stepsOf()).toEqual(['not-compared'])
    },
  )

  test('is not confused with one that lists none', async () => {
    expect(await stepsOf()).toEqual([])
  })
})

test('a new payment takes two requests more, and one for each spend that the journal lacks', async () => {
  let methods: string[] = []
  const client = tamperedClient(node, ({ method = 'batch' }) => {
    methods.push(method)
  })
  const before = async (options: SafeFlowOptions, amount: bigint) => {
    methods = []
    const { txid } = await transferToken(client, transfer(amount), options)
    expect(txid).toBeDefined()
    node.mine(1)
    return methods.slice(0, methods.indexOf('tokentransfer'))
  }
  node.mine(dayLookedBack.blocks, { spacing: 61 })
  expect(await before({}, 1n)).toEqual([])
  const journal = memoryJournal()
  const compared = ['getblockhash', 'getblockcount', 'batch']
  const time = ['getblockhash', 'getblockheader']
  const first = ['getblockhash', 'getblockcount', ...time, ...time, 'batch', 'getrawtransaction']
  expect(await before({ journal }, 2n)).toEqual(first)
  // The times of blocks are asked for once in 60 blocks, and the bytes of a txid are read once.
  expect(await before({ journal }, 3n)).toEqual(compared)
})
