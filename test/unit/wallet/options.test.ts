// A caller may misspell or mistype each of these, and lose money, or wait for too little.

import { expect, test } from 'vitest'

import { networks } from '../../../src/index.ts'
import { quorum, type Wallet } from '../../../src/wallet/index.ts'
import { fundedNode, openWallet } from './support.ts'

const txid = 'ab'.repeat(32)
const never = (value: unknown) => value as never

async function opened() {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const pay = (options: object) =>
    wallet.pay({ to: bob.address, amount: 1000n, ...options } as Parameters<Wallet['pay']>[0])
  const pending = async () => (await node.request('getrawmempool')) as string[]
  return { node, alice, bob, chain, wallet, pay, pending }
}

test.each([
  ['dryRun', 'yes', /^dryRun: expected true or false, got a string/],
  ['id', 'caf\u0065\u0301', /^id: expected composed characters \(NFC\)$/],
  ['id', 'rent ', /^id: expected no space at its ends$/],
  ['id', '\u00a0rent', /^id: expected no space at its ends$/],
  ['id', 'rent\u200b', /^id: expected 1 to 200 printable characters$/],
  ['dryRun', 1, /^dryRun: expected true or false/],
  ['confirm', 'yes', /^confirm: expected a function/],
  ['repeatMs', Number.NaN, /^repeatMs: expected milliseconds/],
  ['signal', 'stop', /^signal: expected an AbortSignal/],
  ['allow', 'payee_burn', /^allow: expected an array/],
  ['allow', ['payee_brn'], /^allow\[0\]: no warning payee_brn; did you mean payee_burn\?/],
  ['allow', ['payee_burn', 'destination'], /^allow\[1\]: expected a warning, but destination/],
  ['acknowledged', txid, /^acknowledged: expected an array/],
  ['acknowledged', ['all'], /^acknowledged\[0\]: expected 64 digits of hex/],
  ['dryrun', true, /^request: unknown member dryrun/],
])('an option %s that is %j sends nothing', async (name, value, reason) => {
  const { pay, pending } = await opened()
  await expect(pay({ [name]: value })).rejects.toThrow(TypeError)
  await expect(pay({ [name]: value })).rejects.toThrow(reason)
  expect(await pending()).toEqual([])
})

test('a misspelt id of submit sends nothing, because no id would be recorded', async () => {
  const { wallet, bob, pending } = await opened()
  const prepared = await wallet.prepare.pay({ to: bob.address, amount: 5000n, id: 'rent' })
  const submitted = wallet.submit(prepared.case, never({ Id: 'rent' }))
  await expect(submitted).rejects.toThrow(/^options: unknown member Id; did you mean id/)
  expect(await pending()).toEqual([])
})

test('a misspelt number of confirmations does not fall back to one', async () => {
  const { wallet, pay, node } = await opened()
  const sent = await pay({})
  node.mine()
  const misspelt = never({ confirmation: 6 })
  const reason = /^options: unknown member confirmation; did you mean confirmations/
  await expect(sent.confirmed(misspelt)).rejects.toThrow(reason)
  await expect(wallet.waitFor(sent.txid!, misspelt)).rejects.toThrow(reason)
  await expect(wallet.waitFor(sent.txid!, { confirmations: 0 })).rejects.toThrow(/at least 1/)
  await expect(wallet.waitFor('zz')).rejects.toThrow(/^txid: expected 64 digits of hex, got zz/)
})

test.each([
  [null, 'signed: expected an object'],
  [{ operation: 'payment', hex: '00' }, 'signed.intent: expected an object'],
  [{ operation: 'payment', intent: {}, hex: '00' }, 'signed.intent.recipients: expected an array'],
  [
    { operation: 'payment', intent: { recipients: [null] }, hex: '00' },
    'signed.intent.recipients[0]: expected an object',
  ],
])('a submission of %j is refused by name, and nothing is recorded', async (signed, message) => {
  const { wallet, pending } = await opened()
  await expect(wallet.submit(never(signed), { id: 'rent' })).rejects.toThrow(message)
  expect(await pending()).toEqual([])
})

test('calls that read refuse options that they do not know', async () => {
  const { wallet } = await opened()
  const calls: ((options: never) => unknown)[] = [
    wallet.balance,
    wallet.tokens,
    wallet.orders,
    wallet.resume,
    wallet.unusedAddress,
    wallet.coins,
    wallet.history,
    async (options) => wallet.events(options),
  ]
  for (const call of calls) {
    await expect(call(never({ sginal: 1 }))).rejects.toThrow(/^options: unknown member sginal/)
    await expect(call(never({ signal: {} }))).rejects.toThrow(/^signal: expected an AbortSignal/)
    await expect(call(never(null))).rejects.toThrow(/^options: expected an object/)
  }
  await expect(wallet.coins(never({ tokenId: txid }))).rejects.toThrow(/did you mean tokenid/)
  await expect(wallet.coins({ tokenid: 'GOLD' })).rejects.toThrow(/^tokenid: expected 64 digits/)
})

test('the history after an entry that left it is refused, not begun again', async () => {
  const { wallet } = await opened()
  const [newest] = await wallet.history({ limit: 1 })
  const [next] = await wallet.history({ limit: 1, before: newest!.txid.toUpperCase() })
  expect(next!.txid).not.toBe(newest!.txid)
  await expect(wallet.history({ before: txid })).rejects.toThrow(/^before: expected a txid of/)
})

test('a recipient with a member that is not paid for is refused', async () => {
  const { wallet, bob, pending } = await opened()
  const recipients = [{ to: bob.address, amount: 1000n, memo: 'rent' }]
  await expect(wallet.pay({ recipients })).rejects.toThrow(/^recipients\[0\]: unknown member memo/)
  await expect(wallet.pay({ recipients: never(bob.address) })).rejects.toThrow(/^recipients: exp/)
  expect(await pending()).toEqual([])
})

test('coins for a token address of the wallet are refused: no key could spend them', async () => {
  const { wallet, pending } = await opened()
  const addresses = wallet.addresses().flatMap(({ tokenAddresses }) => tokenAddresses)
  expect(addresses.length).toBeGreaterThan(0)
  for (const to of addresses) {
    await expect(wallet.pay({ to, amount: 1000n })).rejects.toThrow(/^to: .* token address/)
  }
  expect(await pending()).toEqual([])
})

// A tokeld has conditions under addresses of their own, so the tokens would seem to be gone.
test('refuses a source that asks for the addresses of another network', async () => {
  const { alice, chain } = await fundedNode()
  const both = quorum([chain, { ...chain, name: 'another' }], 2)
  for (const source of [chain, both]) {
    const opening = openWallet(alice, source, { network: networks.tokel })
    await expect(opening).rejects.toThrow(
      /^chain: expected a source for addresses of tokel, got one for TOKTEST; pass the same/,
    )
  }
  // The chain source of KMD needs no network, because the addresses are those of asset chains.
  await openWallet(alice, both, { network: networks.komodo })
  // A source that asks for scripts serves every network.
  const { networks: _, ...byScripts } = chain
  await openWallet(alice, byScripts, { network: networks.tokel })
})
