// The parts of examples/react-wallet that need no browser: what a page shows of a payment while its
// network comes and goes, and its journal when the browser closes it.

import { afterEach, describe, expect, test, vi } from 'vitest'

import { RpcError } from '../../../src/rpc/index.ts'
import { devNodeChain, memoryJournal, NotMined, type Wallet } from '../../../src/wallet/index.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

/** The example has no declarations of types. */
const folder: string = '../../../examples/react-wallet/src'
const { followPayment, followWallet } = await import(`${folder}/follow.js`)
const { indexedDbJournal } = await import(`${folder}/indexed-db-journal.js`)

type Shown = Record<string, unknown>

/** A wallet whose server can be out of reach, and the members that a page shows. */
async function page() {
  const { node, alice, bob, chain: real } = await fundedNode()
  let isAway = false
  const answer = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    if (!isAway) return call()
    return Promise.reject(new RpcError('transport', 'the connection broke', {}))
  }
  const chain = tampered(real, {
    tip: (options) => answer(() => real.tip(options)),
    history: (scripts, options) => answer(() => real.history(scripts, options)),
    unspent: (scripts, options) => answer(() => real.unspent(scripts, options)),
  })
  const wallet = await openWallet(alice, chain, { journal: memoryJournal() })
  const shown: Shown = {}
  const steps: Shown[] = []
  const show = (changes: Shown) => {
    steps.push(changes)
    Object.assign(shown, changes)
  }
  const setAway = (value: boolean) => {
    isAway = value
  }
  return { node, alice, bob, wallet, shown, steps, show, setAway }
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Lets the example wait without waiting. */
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a payment that was sent does not fail while the server is away, and is confirmed later', async () => {
  const { node, bob, wallet, shown, steps, show, setAway } = await page()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pay = async (request: object) => {
    const sent = await wallet.pay(request as Parameters<Wallet['pay']>[0])
    setAway(true)
    return sent
  }
  const request = { to: bob.address, amount: 100_000n, id: 'invoice-17' }
  const followed = followPayment({ pay }, request, show)
  await vi.waitFor(() => expect(shown.problem).toBeInstanceOf(RpcError))
  expect(shown).toMatchObject({ status: 'accepted', txid: expect.any(String) })
  node.mine()
  setAway(false)
  await later(10_000)
  await followed
  expect(shown).toMatchObject({ status: 'confirmed', confirmations: 1, problem: undefined })
  expect(steps).not.toContainEqual(expect.objectContaining({ status: 'failed' }))
  await node.close()
})

test('a payment that has expired is shown with the reason, and its txid', async () => {
  const shown: Shown = {}
  const txid = 'ab'.repeat(32)
  const expired = new NotMined('expired', txid, 'expired at height 223')
  const pay = async () => ({
    ...{ status: 'accepted', txid },
    confirmed: () => Promise.reject(expired),
  })
  await followPayment({ pay }, {}, (changes: Shown) => Object.assign(shown, changes))
  expect(shown).toMatchObject({ status: 'expired', txid, error: expired })
})

test('a balance is followed again when the server is back', async () => {
  const { node, wallet, shown, show, setAway } = await page()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const left = new AbortController()
  const followed = followWallet(async () => wallet, show, { signal: left.signal })
  await vi.waitFor(() => expect(shown.balance).toBeDefined())
  const { total } = shown.balance as { readonly total: bigint }
  setAway(true)
  await later(10_000)
  expect(shown.problem).toBeInstanceOf(RpcError)
  const [alice] = node.identities
  node.fund(alice.address, 7n)
  setAway(false)
  await later(10_000)
  const now = () => (shown.balance as { readonly total: bigint }).total
  await vi.waitFor(() => expect(now()).toBeGreaterThan(total))
  expect(shown.problem).toBeUndefined()
  left.abort()
  await later(10_000)
  await followed
  await node.close()
})

describe('the journal in IndexedDB', () => {
  /** The calls of the browser that the journal makes, without a store behind them. */
  function browser(transaction: object = {}) {
    const database = {
      close: vi.fn(),
      onversionchange: undefined as (() => void) | undefined,
      transaction: () => transaction,
    }
    const opening: Shown = { result: database }
    const persist = vi.fn(async () => true)
    vi.stubGlobal('navigator', { storage: { persist } })
    vi.stubGlobal('indexedDB', { open: () => opening })
    queueMicrotask(() => (opening.onsuccess as () => void)())
    return { database, persist }
  }

  test('asks the browser to keep it, and lets another tab delete or change it', async () => {
    const { database, persist } = browser()
    await indexedDbJournal('payments')
    expect(persist).toHaveBeenCalled()
    database.onversionchange?.()
    expect(database.close).toHaveBeenCalled()
  })

  test('refuses calls once it is closed, and arguments of the wrong type, as every journal', async () => {
    browser()
    const journal = await indexedDbJournal('payments')
    await expect(journal.append(1.5, 'text')).rejects.toBeInstanceOf(TypeError)
    await expect(journal.append(1, '\ud800')).rejects.toBeInstanceOf(TypeError)
    await expect(journal.read(-1)).rejects.toBeInstanceOf(TypeError)
    await journal.close()
    for (const call of [journal.append(1, 'text'), journal.read(0)]) {
      await expect(call).rejects.toMatchObject({ code: 'journal_closed' })
    }
  })

  test('an append that the browser breaks off without a reason rejects with an error', async () => {
    const count: Shown = {}
    const transaction: Shown = {
      error: null,
      objectStore: () => ({ count: () => count, put: () => undefined }),
    }
    browser(transaction)
    const journal = await indexedDbJournal('payments')
    const appended = journal.append(1, 'text')
    Object.assign(count, { result: 0 })
    ;(count.onsuccess as () => void)()
    ;(transaction.onabort as () => void)()
    await expect(appended).rejects.toThrow('the browser closed the journal')
  })
})

test('a page that lost its journal shows which transaction made the payment, and records it', async () => {
  const { node, alice, bob, wallet, shown, show } = await page()
  const request = { to: bob.address, amount: 100_000n, id: 'invoice-17' }
  const { txid } = await wallet.pay(request)
  node.mine()
  const after = await openWallet(alice, devNodeChain(node), { journal: memoryJournal() })
  await followPayment(after, request, show)
  expect(shown).toMatchObject({ held: 'unrecorded-spends', paidBy: [txid] })
  await followPayment(after, { ...request, paidBy: txid }, show)
  expect(shown).toMatchObject({ status: 'confirmed', repeated: true, txid })
  await node.close()
})
