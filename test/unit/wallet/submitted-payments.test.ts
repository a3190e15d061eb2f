// Payments that another machine built, with members that the wallet's own requests lack. A process
// that starts later has only the record of them.

import { expect, test } from 'vitest'

import {
  addressOf,
  addressOfScript,
  buildPayment,
  type Case,
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
  signCase,
} from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/index.ts'
import type { DevNode } from '../../../src/node/index.ts'
import { scriptHashOf } from '../../../src/script/key-script.ts'
import { createWallet, type Wallet } from '../../../src/wallet/index.ts'
import { fundedNode } from './support.ts'

const network = networks.assetChain
const cold = publicKeyOf('5'.padStart(64, '0'))

type Built = ReturnType<typeof buildPayment>

interface Terms {
  /** Changes what the builder returned. */
  readonly change?: (built: Built) => Built
  readonly lockTime?: number
}

/** A watch-only wallet of alice's, and a payment that another machine built and signed. */
async function builtElsewhere(terms: (tip: number) => Terms, hasSharedChange = false) {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const open = () => createWallet({ publicKeys: [alice.pubkey], chain, journal })
  const wallet = await open()
  const redeemScript = `5221${alice.pubkey}21${cold}52ae`
  const shared = addressOfScript(scriptHashOf(redeemScript), network)!
  const further = [cold, shared]
  const { case: prepared } = await wallet.prepare.pay({ to: bob.address, amount: 1_000_000n })
  const { change, ...members } = terms(node.height)
  const built = buildPayment({
    recipients: [{ address: bob.address, amount: 1_000_000n }],
    own: [alice.pubkey, ...further],
    ...(hasSharedChange && { redeemScripts: [redeemScript], change: shared }),
    ...members,
    coins: prepared.coins.map(({ txid, vout }) => ({ txid, vout })),
    previousTransactions: prepared.previousTransactions,
    tipHeight: node.height,
    network,
  })
  const asked = change === undefined ? built : change(built)
  const signed: Case = { ...asked, hex: signCase(asked, [alice.wif]).hex }
  return { node, journal, open, wallet, signed, own: further, redeemScript }
}

/** Divides the change into two outputs. */
function withSplitChange(built: Built): Built {
  const { outputs, ...rest } = decodeTransaction(built.hex)
  const [paid, { value, script } = outputs[0]!] = outputs
  const change = [1_000_000n, value - 1_000_000n].map((part) => ({ value: part, script }))
  const hex = encodeTransaction({ ...rest, outputs: [paid!, ...change] })
  return { ...built, hex, intent: { ...built.intent, maxChangeOutputs: 2 } }
}

/** The builder's own expiry height is nearer. */
function withDistantExpiry(built: Built): Built {
  const transaction = decodeTransaction(built.hex)
  const expiryHeight = transaction.expiryHeight! + 5000
  const hex = encodeTransaction({ ...transaction, expiryHeight })
  return { ...built, hex, intent: { ...built.intent, expiryHeight } }
}

/** The request names no height, but how far ahead it may be. */
function withBoundExpiry(built: Built): Built {
  const { hex, intent } = withDistantExpiry(built)
  const { expiryHeight: _, ...others } = intent
  return { ...built, hex, intent: { ...others, expiryBlocksMax: 10_000 } }
}

const cases: readonly [string, (tip: number) => Terms, boolean?][] = [
  ['a lock time that has passed', (tip) => ({ lockTime: tip })],
  ['a distant expiry height', () => ({ change: withDistantExpiry })],
  ['a bound for its expiry height', () => ({ change: withBoundExpiry })],
  ['change in two outputs', () => ({ change: withSplitChange })],
  ['change to an own script that nobody has spent from', () => ({}), true],
]

/** Drops a mined payment from the chain, and sends it again in a later process. */
async function expectSentAgain(node: DevNode, open: () => Promise<Wallet>, txid: string) {
  node.mine()
  node.reorg(1, { drop: [txid] })
  expect(await node.request('getrawmempool')).toEqual([])
  expect(await (await open()).resume()).toMatchObject([{ result: { status: 'accepted' } }])
  expect(await node.request('getrawmempool')).toEqual([txid])
}

test.each(cases)('resume sends a payment with %s again', async (_, terms, hasSharedChange) => {
  const { node, wallet, open, signed, own } = await builtElsewhere(terms, hasSharedChange)
  const sent = await wallet.submit(signed, { own, id: 'built' })
  expect(sent).toMatchObject({ status: 'accepted' })
  await expectSentAgain(node, open, sent.txid!)
  await node.close()
})

test.each(cases)('resume settles a mined payment with %s', async (_, terms, hasSharedChange) => {
  const { node, wallet, open, journal, signed, own } = await builtElsewhere(terms, hasSharedChange)
  await wallet.submit(signed, { own, id: 'built' })
  node.mine(3)
  const [resumed] = await (await open()).resume()
  expect(resumed).toMatchObject({ result: { status: 'accepted', report: { ok: true } } })
  const [payment] = bookOf(journal).payments()
  expect(payment?.attempts).toMatchObject([{ fate: 'settled' }])
  const again = await (await open()).submit(signed, { own, id: 'built' })
  expect(again).toMatchObject({ status: 'accepted', repeated: true, report: { ok: true } })
  await node.close()
})

test('a payment that is locked is sent once its lock time has passed', async () => {
  const { node, wallet, open, signed, own } = await builtElsewhere((tip) => ({ lockTime: tip + 5 }))
  await expect(wallet.submit(signed, { own, id: 'built' })).rejects.toThrow(/non-final/)
  const [locked] = await (await open()).resume()
  expect(locked?.result).toMatchObject({ held: 'unsettled', report: { ok: true } })
  node.mine(5)
  expect(await (await open()).resume()).toMatchObject([{ result: { status: 'accepted' } }])
  await node.close()
})

test('a redeem script that only the file names is not recorded', async () => {
  const terms = () => ({})
  const { node, wallet, journal, signed, own, redeemScript } = await builtElsewhere(terms, true)
  const foreign = `5121${cold}51ae`
  const { intent } = signed as Built
  const redeemScripts = [foreign, redeemScript]
  const sent = await wallet.submit({ ...signed, intent: { ...intent, redeemScripts } } as Case, {
    own,
  })
  expect(sent.status).toBe('accepted')
  const [payment] = bookOf(journal).payments()
  expect(payment?.request).toContain(redeemScript)
  expect(payment?.request).not.toContain(foreign)
  await node.close()
})

test('a merge that another machine built keeps its expiry height', async () => {
  const { node, alice, chain } = await fundedNode()
  const journal = memoryJournal()
  const open = () => createWallet({ publicKeys: [alice.pubkey], chain, journal })
  const wallet = await open()
  node.fund(alice.address, 1_000_000n)
  node.mine()
  const { case: prepared } = await wallet.prepare.merge()
  const made = withDistantExpiry(prepared as Built)
  const sent = await (await open()).submit({ ...made, hex: signCase(made, [alice.wif]).hex })
  expect(sent.status).toBe('accepted')
  await expectSentAgain(node, open, sent.txid!)
  await node.close()
})

test('a name of the caller is recorded beside the keys of many coins', async () => {
  const { node, bob, chain } = await fundedNode()
  const keys = Array.from({ length: 101 }, (_, at) => (at + 1000).toString(16).padStart(64, '0'))
  const publicKeys = keys.map((it) => publicKeyOf(it))
  const journal = memoryJournal()
  const open = () => createWallet({ publicKeys, chain, journal })
  const wallet = await open()
  for (const key of publicKeys) node.fund(addressOf(key, network), 1_000_000n)
  node.mine()
  const coins = await wallet.coins()
  const txids = [...new Set(coins.map(({ txid }) => txid))]
  const built = buildPayment({
    recipients: [{ address: bob.address, amount: 1_000_000n }],
    ...{ own: publicKeys, change: cold, spend: 'all', network, tipHeight: node.height },
    coins: coins.map(({ txid, vout }) => ({ txid, vout })),
    previousTransactions: (await chain.transactions(txids)) as string[],
  })
  const sent = await wallet.submit({ ...built, hex: signCase(built, keys).hex }, { own: [cold] })
  expect(sent.status).toBe('accepted')
  node.mine()
  expect(await (await open()).resume()).toMatchObject([{ result: { status: 'accepted' } }])
  await node.close()
})

test('change to keys of which the file calls one a further own key is rejected', async () => {
  const { node, wallet, signed, own } = await builtElsewhere(() => ({}), true)
  const [, shared] = own as [string, string]
  const asked = { ...signed, intent: { ...signed.intent, ownKeys: [cold] } } as Case
  const sent = await wallet.submit(asked, { own: [shared] })
  expect(sent).toMatchObject({ status: 'rejected' })
  expect(sent.report.findings.map(({ code }) => code)).toContain('change_locked')
  expect(await node.request('getrawmempool')).toEqual([])
  await node.close()
})
