// Keys that sign somewhere else: late, wrongly, or after they changed what they were shown.

import { getPublicKey, sign } from '@noble/secp256k1'
import { expect, test } from 'vitest'

import { addressOf, addressOfScript, networks } from '../../../src/index.ts'
import { createWallet, type KeySigner, privateKeySigner } from '../../../src/wallet/index.ts'
import { fundedNode } from './support.ts'

const secret = Uint8Array.from(Buffer.from('5'.padStart(64, '0'), 'hex'))
const publicKey = Buffer.from(getPublicKey(secret, true)).toString('hex')

/** A key in another process, as @noble/secp256k1 signs. */
const remote: KeySigner = {
  publicKey,
  async sign(hash) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    const signed = sign(Buffer.from(hash, 'hex'), secret, { prehash: false, lowS: true })
    return Buffer.from(signed).toString('hex')
  },
}

async function fundedKey(signer: KeySigner) {
  const { node, bob, chain } = await fundedNode()
  const address = addressOf(publicKey, networks.assetChain)
  for (let count = 0; count < 3; count += 1) node.fund(address, 5_000_000n)
  node.mine(101)
  const wallet = await createWallet({ signers: [signer], chain })
  return { node, bob, wallet, chain }
}

test('a remote key pays, creates a token, transfers it and takes an order back', async () => {
  const { node, bob, wallet } = await fundedKey(remote)
  const paid = await wallet.pay({ to: bob.address, amount: 9_000_000n })
  expect(paid.status).toBe('accepted')
  node.mine()
  const created = await wallet.createToken({ name: 'GOLD', supply: 100n })
  node.mine()
  const tokenid = created.txid!
  expect((await wallet.transfer({ tokenid, to: bob.pubkey, amount: 30n })).status).toBe('accepted')
  node.mine()
  const ask = await wallet.ask({ tokenid, amount: 10n, price: 100n })
  expect(ask.status).toBe('accepted')
  node.mine()
  // The module's published key signs beside the remote one.
  expect((await wallet.cancel({ order: ask.txid! })).status).toBe('accepted')
  node.mine()
  expect(await wallet.tokens()).toMatchObject([{ balance: 70n }])
  await node.close()
})

test('a remote key signs the same bytes as a key in this process', async () => {
  const { node, bob, wallet, chain } = await fundedKey(remote)
  const inProcess = privateKeySigner(Buffer.from(secret).toString('hex'))
  const local = await createWallet({ signers: [inProcess], chain })
  const request = { to: bob.address, amount: 1_000_000n, dryRun: true }
  const [one, two] = [await wallet.pay(request), await local.pay(request)]
  expect(one.report.hex).toBe(two.report.hex)
  expect(one.report.ok).toBe(true)
  await node.close()
})

test.each([
  ['of another hash', async () => remote.sign('11'.repeat(32), undefined as never)],
  ['of zeros', async () => '00'.repeat(64)],
  ['that is too short', async () => 'ab'],
])('a signature %s is refused, and nothing is sent', async (_, answer) => {
  const { node, bob, wallet } = await fundedKey({ publicKey, sign: answer })
  await expect(wallet.pay({ to: bob.address, amount: 1_000_000n })).rejects.toBeInstanceOf(Error)
  expect(await node.request('getrawmempool')).toEqual([])
  const coins = await wallet.coins()
  expect(coins).toHaveLength(3)
  await node.close()
})

test('two signatures that are swapped are refused', async () => {
  const answers: string[] = []
  const { node, bob, wallet } = await fundedKey({
    publicKey,
    async sign(hash, context) {
      answers.push(await remote.sign(hash, context))
      // The first answer is given again for the second input.
      return answers[0]!
    },
  })
  await expect(wallet.pay({ to: bob.address, amount: 9_000_000n })).rejects.toBeInstanceOf(Error)
  expect(answers.length).toBeGreaterThan(1)
  await node.close()
})

test('a signer that changes what it is shown, or its own key, changes nothing', async () => {
  let reads = 0
  const { node, bob, wallet } = await fundedKey({
    get publicKey() {
      reads += 1
      return reads === 1 ? publicKey : bob66
    },
    sign(hash, context) {
      Object.assign(context.case, { hex: '00' })
      Object.assign(context.report, { ok: true, hex: '00' })
      return remote.sign(hash, context)
    },
  })
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  expect(sent.status).toBe('accepted')
  const change = sent.report.effects.find(({ role }) => role === 'native-change')
  expect(addressOfScript(change!.script, networks.assetChain)).toBe(
    addressOf(publicKey, networks.assetChain),
  )
  await node.close()
})
const bob66 = `02${'11'.repeat(32)}`

test('sees the case and the report before it signs', async () => {
  const seen: unknown[] = []
  const { node, bob, wallet } = await fundedKey({
    publicKey,
    sign(hash, context) {
      const { findings } = context.report
      seen.push(findings.filter(({ severity }) => severity === 'reject').map(({ code }) => code))
      seen.push(context.case.operation)
      return remote.sign(hash, context)
    },
  })
  await wallet.pay({ to: bob.address, amount: 1_000_000n })
  expect(seen.slice(0, 2)).toEqual([['unsigned'], 'payment'])
  await node.close()
})

test('a signer is shown one copy of the case, however many inputs it signs', async () => {
  const contexts: unknown[] = []
  const { node, bob, wallet } = await fundedKey({
    publicKey,
    sign(hash, context) {
      contexts.push(context)
      return remote.sign(hash, context)
    },
  })
  await wallet.pay({ to: bob.address, amount: 9_000_000n })
  expect(contexts.length).toBeGreaterThan(1)
  expect(new Set(contexts).size).toBe(1)
  await node.close()
})

test('a signer that declines frees the coins', async () => {
  let declines = true
  const { node, bob, wallet } = await fundedKey({
    publicKey,
    sign(hash, context) {
      if (declines) return Promise.reject(new Error('declined on the device'))
      return remote.sign(hash, context)
    },
  })
  const request = { to: bob.address, amount: 9_000_000n, id: 'rent' }
  await expect(wallet.pay(request)).rejects.toThrow('declined on the device')
  declines = false
  expect((await wallet.pay(request)).status).toBe('accepted')
  await node.close()
})

test('a signer that never answers holds a payment only until it is aborted', async () => {
  let isSilent = true
  const silent: KeySigner = {
    publicKey,
    sign: (hash, context) => (isSilent ? new Promise(() => undefined) : remote.sign(hash, context)),
  }
  const { node, bob, wallet } = await fundedKey(silent)
  const request = { to: bob.address, amount: 14_000_000n, id: 'rent' }
  const controller = new AbortController()
  const waiting = wallet.pay({ ...request, signal: controller.signal })
  setTimeout(() => controller.abort(new Error('enough')), 50)
  await expect(waiting).rejects.toThrow('enough')
  expect(await node.request('getrawmempool')).toEqual([])
  isSilent = false
  // Its coins are free again, and its id is not under way.
  expect((await wallet.pay(request)).status).toBe('accepted')
  expect(await node.request('getrawmempool')).toHaveLength(1)
  await node.close()
})
