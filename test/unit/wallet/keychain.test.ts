// Keys of an HD account: found on the chain, paid from, with change to their internal chain, and
// signed for on a machine that has no chain.

import { pbkdf2Sync } from 'node:crypto'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'
import { describe, expect, test, vi } from 'vitest'

import {
  addressOf,
  decodeTransaction,
  encodeTransaction,
  formatCase,
  networks,
  parseCase,
  scriptOfAddress,
  signCase,
} from '../../../src/index.ts'
import { fileJournal, memoryJournal } from '../../../src/journal/index.ts'
import { listPayments } from '../../../src/rpc/index.ts'
import {
  type ChainSource,
  createWallet,
  type Keychain,
  type Prepared,
  privateKeySigner,
  type Sent,
  type WalletSigner,
} from '../../../src/wallet/index.ts'
import { childOf, type HdKey } from '../../support/hd-account.ts'
import { isQuick } from '../../support/share.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const mnemonic = 'tank abandon bind salon remove wisdom net size aspect direct source fossil'
// BIP 39, from mnemonic to seed. Node computes it in a hundredth of the time of JavaScript.
const seed = pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512')
const account = HDKey.fromMasterSeed(seed).derive("m/44'/141'/0'")
const accountKey: HdKey = {
  privateKey: bytesToHex(account.privateKey!),
  publicKey: bytesToHex(account.publicKey!),
  chainCode: account.chainCode!,
}
const chains = [childOf(accountKey, 0), childOf(accountKey, 1)]
const derived = new Map<string, HdKey>()
const keyAt = (chain: number, index: number) => {
  const name = `${chain}/${index}`
  const key = derived.get(name) ?? childOf(chains[chain]!, index)
  derived.set(name, key)
  return key
}
const publicKeyAt = (chain: number, index: number) => keyAt(chain, index).publicKey
const privateKeyAt = (chain: number, index: number) => keyAt(chain, index).privateKey
const addressAt = (chain: number, index: number) =>
  addressOf(publicKeyAt(chain, index), networks.assetChain)

const scriptAt = (chain: number, index: number) =>
  scriptOfAddress(addressAt(chain, index), networks.assetChain)

async function* keysOf<Key>(make: (index: number) => Key): AsyncGenerator<Key> {
  for (let index = 0; ; index += 1) yield make(index)
}
const signers = new Map<string, WalletSigner>()
const signerAt =
  (chain: number) =>
  (index: number): WalletSigner => {
    const name = `${chain}/${index}`
    const signer = signers.get(name) ?? privateKeySigner(privateKeyAt(chain, index))
    signers.set(name, signer)
    return signer
  }
const hd: Keychain = { keys: () => keysOf(signerAt(0)), changeKeys: () => keysOf(signerAt(1)) }
const watched: Keychain = {
  keys: () => keysOf((index) => publicKeyAt(0, index)),
  changeKeys: () => keysOf((index) => publicKeyAt(1, index)),
}

/**
 * Each key that a wallet looks at costs a few milliseconds, so most tests of a quick run look less
 * far behind a paid key. The first key after a gap is beyond the keys that a new wallet knows.
 */
const gap = isQuick ? { gapLimit: 5 } : {}
const [nearby, far] = isQuick ? [4, 8] : [15, 33]
/** Between the two: the key at which a keychain fails. */
const failing = isQuick ? 6 : 25

/** A chain on which some addresses of the account were paid a million each. */
async function paidAccount(...indexes: readonly number[]) {
  const { node, alice, bob, chain } = await fundedNode()
  const rich = await openWallet(alice, chain)
  const recipients = indexes.map((index) => ({ to: addressAt(0, index), amount: 1_000_000n }))
  await rich.pay({ recipients })
  node.mine()
  return { node, bob, chain, rich }
}

const outputsOf = ({ report }: Sent) =>
  decodeTransaction(report.hex).outputs.map(({ script }) => script)

test('the keys of the account are those of @scure/bip32', () => {
  for (const path of ['m/0/0', 'm/0/60', 'm/1/5']) {
    const [chain = 0, index = 0] = path.split('/').slice(1).map(Number)
    const { privateKey, publicKey } = account.derive(path)
    expect(privateKeyAt(chain, index)).toBe(bytesToHex(privateKey!))
    expect(publicKeyAt(chain, index)).toBe(bytesToHex(publicKey!))
  }
})

test('finds paid keys, and those behind them as far as the gap', async () => {
  const { node, chain } = await paidAccount(0, 15, 30, 60)
  const wallet = await createWallet({ keychain: hd, chain })
  expect((await wallet.balance()).total).toBe(3_000_000n)
  expect(wallet.addresses()).toHaveLength(51 + 20)
  expect((await wallet.unusedAddress()).address).toBe(addressAt(0, 1))
  const wider = await createWallet({ keychain: hd, chain, gapLimit: 30 })
  expect((await wider.balance()).total).toBe(4_000_000n)
  expect(await wider.history()).toHaveLength(1)
  const watching = await createWallet({ keychain: watched, chain })
  expect(await watching.balance()).toEqual(await wallet.balance())
  await node.close()
})

test('finds keys that are paid later, and keys whose coins are spent', async () => {
  const { node, bob, chain, rich } = await paidAccount(0)
  const wallet = await createWallet({ keychain: hd, chain, ...gap })
  expect((await wallet.balance()).total).toBe(1_000_000n)
  for (const index of isQuick ? [4, 8] : [19, 35]) {
    await rich.pay({ to: addressAt(0, index), amount: 1_000_000n, id: `${index}` })
    node.mine()
  }
  expect((await wallet.balance()).total).toBe(3_000_000n)
  await wallet.pay({ to: bob.address, amount: 'max' })
  node.mine()
  // A new wallet sees no coin of the first keys, and goes on behind them.
  const last = isQuick ? 12 : 50
  await rich.pay({ to: addressAt(0, last), amount: 1_000_000n, id: 'last' })
  node.mine()
  const again = await createWallet({ keychain: hd, chain, ...gap })
  expect((await again.balance()).total).toBe(1_000_000n)
  await node.close()
})

test('pays from several keys, with change to the next key of the internal chain', async () => {
  const { node, bob, chain } = await paidAccount(0, 1, 2)
  const wallet = await createWallet({ keychain: hd, chain, ...gap })
  const first = await wallet.pay({ to: bob.address, amount: 1_500_000n, id: 'first' })
  expect(first).toMatchObject({ status: 'accepted', report: { ok: true } })
  expect(outputsOf(first)).toContain(scriptAt(1, 0))
  const second = await wallet.pay({ to: bob.address, amount: 1_200_000n, id: 'second' })
  expect(second).toMatchObject({ status: 'accepted', report: { ok: true } })
  expect(outputsOf(second)).toContain(scriptAt(1, 1))
  node.mine()
  const again = await createWallet({ keychain: hd, chain, ...gap })
  expect((await again.balance()).confirmed).toBe(3_000_000n - 2_700_000n - 20_000n)
  await node.close()
})

test('change stays where a new process finds it, if most payments leave the mempool', async () => {
  const { node, bob, chain, rich } = await paidAccount(0)
  const recipients = Array.from({ length: 5 }, () => ({ to: addressAt(0, 0), amount: 1_000_000n }))
  await rich.pay({ recipients })
  node.mine()
  const before = node.snapshot()
  const journal = memoryJournal()
  const open = () => createWallet({ keychain: hd, gapLimit: 3, chain, journal })
  const wallet = await open()
  const sent: Sent[] = []
  for (const id of ['one', 'two', 'three', 'four', 'five', 'six']) {
    sent.push(await wallet.pay({ to: bob.address, amount: 700_000n, id }))
  }
  const changed = sent.map((it) =>
    [0, 1, 2].findIndex((at) => outputsOf(it).includes(scriptAt(1, at))),
  )
  expect(changed).toEqual([0, 1, 2, 2, 2, 2])
  node.revert(before)
  await chain.broadcast(sent.at(-1)!.report.hex)
  node.mine()
  const total = 5_000_000n + 290_000n
  expect((await wallet.balance()).total).toBe(total)
  expect((await (await open()).balance()).total).toBe(total)
  await node.close()
})

test('an unused address stays where a new process finds it, if most payments leave the mempool', async () => {
  const { node, bob, chain } = await paidAccount(0)
  const payer = await openWallet(bob, chain)
  const recipients = Array.from({ length: 6 }, () => ({ to: bob.address, amount: 2_000_000n }))
  await payer.pay({ recipients })
  node.mine()
  const before = node.snapshot()
  const open = () => createWallet({ keychain: hd, gapLimit: 3, chain })
  const wallet = await open()
  const { total } = await wallet.balance()
  const given: string[] = []
  let last: Sent | undefined
  for (const id of ['one', 'two', 'three', 'four', 'five', 'six']) {
    const { address } = await wallet.unusedAddress()
    given.push(address)
    last = await payer.pay({ to: address, amount: 1_000_000n, id })
  }
  expect(given).toEqual([1, 2, 3, 3, 3, 3].map((at) => addressAt(0, at)))
  node.revert(before)
  await chain.broadcast(last!.report.hex)
  node.mine()
  expect((await (await open()).balance()).total).toBe(total + 1_000_000n)
  await node.close()
})

test('creates, sends, finds and merges tokens of any key', async () => {
  const { node, bob, chain, rich } = await paidAccount(3)
  const wallet = await createWallet({ keychain: hd, chain, ...gap })
  const { txid: tokenid = '' } = await wallet.createToken({ name: 'GOLD', supply: 100n })
  node.mine()
  expect(await wallet.transfer({ tokenid, to: bob.pubkey, amount: 30n })).toMatchObject({
    status: 'accepted',
  })
  await rich.pay({ to: addressAt(0, 7), amount: 1_000_000n, id: 'fees' })
  node.mine()
  const others = await openWallet(bob, chain)
  for (const amount of [10n, 20n]) {
    await others.transfer({ tokenid, to: publicKeyAt(0, 7), amount })
    node.mine()
  }
  expect(await wallet.tokens()).toMatchObject([{ tokenid, balance: 100n, proof: 'proven' }])
  const merged = await wallet.mergeAll({ tokenid })
  expect(merged).toMatchObject({ status: 'merged', coins: 2 })
  node.mine()
  const ask = await wallet.ask({ tokenid, amount: 5n, price: 1000n })
  expect(ask).toMatchObject({ status: 'accepted' })
  node.mine()
  expect(await wallet.orders()).toMatchObject([{ order: ask.txid, locked: 5n }])
  expect(await wallet.cancel({ order: ask.txid! })).toMatchObject({ status: 'accepted' })
  await node.close()
})

test('a source that shows payments to every key does not lead on for ever', async () => {
  const { node, chain } = await paidAccount(0)
  const made = new Map<string, string>()
  const inventing: ChainSource = tampered(chain, {
    async history(scripts) {
      return scripts.map((script) => {
        const hex = encodeTransaction({
          version: 1,
          overwintered: false,
          inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '51', sequence: 0 }],
          outputs: [{ value: 1000n, script }],
          lockTime: 0,
        })
        const { txid } = decodeTransaction(hex)
        made.set(txid, hex)
        return { txid, height: 1 }
      })
    },
    transactions: async (txids) => {
      const found = await chain.transactions(txids)
      return txids.map((txid, at) => made.get(txid) ?? found[at])
    },
  })
  const wallet = await createWallet({ keychain: hd, chain: inventing, keysMax: 50 })
  expect((await wallet.balance()).total).toBe(1_000_000n)
  expect(wallet.addresses()).toHaveLength(100)
  expect(wallet.findings().map(({ code, actual }) => [code, actual])).toEqual([
    ['keychain_exhausted', 'keychain.keys'],
    ['keychain_exhausted', 'keychain.changeKeys'],
  ])
  await node.close()
})

test('a source that names transactions without their bytes leads nowhere', async () => {
  const { node, chain } = await paidAccount(0)
  let asked = 0
  const naming = tampered(chain, {
    async history(scripts) {
      asked += 1
      const own = await chain.history(scripts)
      return [
        ...own,
        ...scripts.map((_, at) => ({ txid: at.toString(16).padStart(64, '0'), height: 1 })),
      ]
    },
  })
  const wallet = await createWallet({ keychain: hd, chain: naming })
  await wallet.balance()
  expect(wallet.addresses()).toHaveLength(41)
  expect(asked).toBeLessThan(4)
  await node.close()
})

test.each([
  ['is asked again, and no paid key is left out', 0],
  ['and has other keys then is refused', 1],
])('a keychain that fails once %s', async (_, chainAfter) => {
  const { node, chain } = await paidAccount(0, nearby, far)
  let asked = 0
  async function* keys() {
    asked += 1
    for (let index = 0; ; index += 1) {
      if (asked === 1 && index === failing) throw new Error('the device is unplugged')
      yield publicKeyAt(asked === 1 ? 0 : chainAfter, index)
    }
  }
  const wallet = await createWallet({ keychain: { keys }, chain, ...gap })
  await expect(wallet.balance()).rejects.toThrow('the device is unplugged')
  if (chainAfter === 0) expect((await wallet.balance()).total).toBe(3_000_000n)
  else {
    await expect(wallet.balance()).rejects.toThrow('the same key as before')
    await expect(wallet.balance()).rejects.toThrow('the same key as before')
  }
  await node.close()
})

test('two looks at a keychain that fails take it for no keychain that ends', async () => {
  const { node, chain } = await paidAccount(0, nearby, far)
  const stop = new AbortController()
  let asked = 0
  let taken = 0
  let unplug: (error: Error) => void = () => undefined
  const unplugged = new Promise<never>((_, reject) => (unplug = reject))
  async function* generated(isFirst: boolean) {
    for (let index = 0; ; index += 1) {
      if (isFirst && index === failing) await unplugged
      yield publicKeyAt(0, index)
    }
  }
  const keys = () => {
    asked += 1
    const iterator = generated(asked === 1)
    return {
      [Symbol.asyncIterator]: () => ({
        next() {
          taken += 1
          // The first look waits for the key that fails, and then the second one does.
          if (taken === failing + 1) queueMicrotask(() => stop.abort(new Error('enough')))
          if (taken === failing + 2)
            queueMicrotask(() => unplug(new Error('the device is unplugged')))
          return iterator.next()
        },
      }),
    }
  }
  const wallet = await createWallet({ keychain: { keys }, chain, ...gap })
  await expect(wallet.balance({ signal: stop.signal })).rejects.toThrow('enough')
  expect((await wallet.balance()).total).toBe(3_000_000n)
  expect(asked).toBe(2)
  await node.close()
})

test('a keychain that ends, repeats or is none', async () => {
  const { node, chain } = await paidAccount(0)
  async function* two() {
    yield publicKeyAt(0, 0)
    yield publicKeyAt(0, 1)
  }
  const wallet = await createWallet({ keychain: { keys: two }, chain })
  expect((await wallet.balance()).total).toBe(1_000_000n)
  expect(wallet.addresses()).toHaveLength(2)
  async function* same() {
    for (;;) yield publicKeyAt(0, 0)
  }
  async function* none() {}
  async function* wrong() {
    yield 'key'
  }
  const open = (keys: () => unknown) => createWallet({ keychain: { keys } as Keychain, chain })
  await expect(open(same)).rejects.toThrow(/keychain\.keys\[1\].*another key/)
  await expect(open(none)).rejects.toThrow(/at least one key/)
  await expect(open(wrong)).rejects.toThrow(/compressed public key/)
  await expect(open(() => 7)).rejects.toThrow(/async iterable/)
  const both = { keychain: hd, publicKeys: [publicKeyAt(0, 0)], chain }
  await expect(createWallet(both)).rejects.toThrow(TypeError)
  await node.close()
})

test('a machine without a chain signs payments, transfers and orders of a watched account', async () => {
  const { node, bob, chain, rich } = await paidAccount(0, 4)
  const { txid: tokenid = '' } = await rich.createToken({ name: 'GOLD', supply: 100n })
  node.mine()
  await rich.transfer({ tokenid, to: publicKeyAt(0, 4), amount: 50n })
  node.mine()
  const wallet = await createWallet({ keychain: watched, chain, ...gap })

  const keys = [0, 1].flatMap((part) =>
    Array.from({ length: 8 }, (_, index) => privateKeyAt(part, index)),
  )
  /** The second machine has the keys of the account and the text of a file, and nothing else. */
  const signedElsewhere = (file: string): string => {
    const { ok, hex } = signCase(parseCase(file), keys)
    expect(ok).toBe(true)
    return hex
  }
  const signAndSend = async ({ case: prepared }: Prepared): Promise<void> => {
    const hex = signedElsewhere(formatCase(prepared))
    const sent = await wallet.submit({ ...prepared, hex })
    expect(sent).toMatchObject({ status: 'accepted', report: { ok: true } })
    node.mine()
  }
  await signAndSend(await wallet.prepare.transfer({ tokenid, to: bob.pubkey, amount: 10n }))
  await signAndSend(await wallet.prepare.ask({ tokenid, amount: 10n, price: 700n }))
  await signAndSend(await wallet.prepare.burn({ tokenid, amount: 5n }))
  const [order] = await wallet.orders()
  await signAndSend(await wallet.prepare.cancel({ order: order!.order }))
  expect(await wallet.tokens()).toMatchObject([{ balance: 35n, proof: 'proven' }])
  await signAndSend(await wallet.prepare.pay({ to: bob.address, amount: 1_200_000n }))
  await signAndSend(await wallet.prepare.merge())
  expect(await wallet.coins()).toHaveLength(1)
  await node.close()
})

test('a source that never answers holds up later looks only until the first is aborted', async () => {
  const { node, chain } = await paidAccount(0, 3)
  let isSilent = true
  const stop = new AbortController()
  const silent = tampered(chain, {
    async history(scripts, options) {
      if (!isSilent) return chain.history(scripts, options)
      isSilent = false
      stop.abort(new Error('enough'))
      return new Promise<never>(() => undefined)
    },
  })
  const wallet = await createWallet({ keychain: hd, chain: silent, gapLimit: 5 })
  await expect(wallet.balance({ signal: stop.signal })).rejects.toThrow('enough')
  expect((await wallet.balance()).total).toBe(2_000_000n)
  expect(
    wallet
      .addresses()
      .map(({ publicKey }) => publicKey)
      .slice(0, 9),
  ).toEqual(
    [0, 1, 2, 3, 4]
      .map((at) => publicKeyAt(0, at))
      .concat([0, 1, 2, 3].map((at) => publicKeyAt(1, at))),
  )
  await node.close()
})

describe('a new process that knows only the first keys of a journal,', () => {
  /** The account was paid at two keys, and far behind them with the coins for later payments. */
  async function paidFarBehind() {
    const account = await paidAccount(0, nearby, far)
    await account.rich.pay({ to: addressAt(0, far), amount: 9_000_000n, id: 'more' })
    account.node.mine()
    return { ...account, path: join(mkdtempSync(join(tmpdir(), 'keychain-')), 'journal') }
  }

  test('settles a payment from a later key, and does not take its change for a stranger', async () => {
    const { node, bob, chain, path } = await paidFarBehind()
    const payment = { to: bob.address, amount: 4_000_000n, id: 'friday' }
    const journal = fileJournal(path)
    const wallet = await createWallet({ keychain: hd, chain, journal, ...gap })
    const { txid } = await wallet.pay(payment)
    const waiting = await createWallet({ keychain: hd, chain, journal, ...gap })
    expect(await waiting.pay(payment)).toMatchObject({ status: 'accepted', txid })
    node.mine()
    const mined = await createWallet({ keychain: hd, chain, journal, ...gap })
    expect(await mined.resume()).toMatchObject([{ result: { status: 'accepted', txid } }])
    expect(await listPayments(journal)).toMatchObject([{ state: 'settled' }])
    const another = await createWallet({ keychain: hd, chain, journal, ...gap })
    expect(await another.waitFor(txid!)).toMatchObject({ txid, confirmations: 1 })
    await journal.close()
    await node.close()
  })

  test('refuses coins for the token address of a later key, where they would be lost', async () => {
    const { node, chain } = await paidFarBehind()
    const known = await createWallet({ keychain: hd, chain, ...gap })
    await known.balance()
    const later = known.addresses().find(({ address }) => address === addressAt(0, far))!
    const to = later.tokenAddress!
    const wallet = await createWallet({ keychain: hd, chain, ...gap })
    expect(wallet.addresses().map(({ address }) => address)).not.toContain(later.address)
    await expect(wallet.pay({ to, amount: 1_000_000n })).rejects.toThrow(/holds no coins/)
    await expect(wallet.prepare.pay({ to, amount: 1_000_000n })).rejects.toThrow(/holds no coins/)
    expect(await node.request('getrawmempool')).toEqual([])
    await node.close()
  })

  test('holds what a later key paid, if the journal is an old copy', async () => {
    const { node, bob, chain, rich, path } = await paidFarBehind()
    const journal = fileJournal(path)
    const wallet = await createWallet({ keychain: hd, chain, journal, ...gap })
    await wallet.pay({ to: bob.address, amount: 'max', id: 'monday' })
    node.mine()
    await wallet.resume()
    copyFileSync(path, `${path}.copy`)
    for (const index of [far + 1, far + 2]) {
      await rich.pay({ to: addressAt(0, index), amount: 3_000_000n, id: `${index}` })
    }
    node.mine()
    const tuesday = { to: bob.address, amount: 2_000_000n, id: 'tuesday' }
    const { txid } = await wallet.pay(tuesday)
    node.mine()
    await journal.close()
    const restored = fileJournal(`${path}.copy`)
    const again = await createWallet({ keychain: hd, chain, journal: restored, ...gap })
    expect(await again.pay(tuesday)).toMatchObject({
      held: 'unrecorded-spends',
      unrecorded: [txid],
    })
    expect(await node.request('getrawmempool')).toEqual([])
    await restored.close()
    await node.close()
  })
})

describe('a payment of a keychain, looked at without its change keys', () => {
  const receiving: Keychain = { keys: () => keysOf(signerAt(0)) }

  test('is known by the keys that were recorded with it', async () => {
    const { node, bob, chain } = await paidAccount(0, 1, 2)
    const journal = memoryJournal()
    const rent = { to: bob.address, amount: 1_500_000n, id: 'rent' }
    const { txid } = await (await createWallet({ keychain: hd, chain, journal })).pay(rent)
    node.mine(3)
    const later = await createWallet({ keychain: receiving, chain, journal })
    const again = await later.pay(rent)
    expect(again).toMatchObject({ status: 'accepted', repeated: true, txid })
    expect(await again.confirmed()).toMatchObject({ txid, confirmations: 3 })
    await node.close()
  })

  test.each([
    ['of this wallet', undefined],
    ['of another program, whose request is no JSON', 'rent for bob'],
  ])(
    'is known under another name too, and does not hold an equal one for good: %s',
    async (_, request) => {
      const { node, bob, chain } = await paidAccount(0, 1, 2)
      const [first, journal] = [memoryJournal(), memoryJournal()]
      const rent = { to: bob.address, amount: 500_000n }
      const { txid } = await (await createWallet({ keychain: hd, chain, journal: first })).pay(rent)
      for (const [at, text] of (await first.read(0)).entries()) {
        const record = JSON.parse(text)
        if (record.kind === 'attempt' && request !== undefined) record.request = request
        await journal.append(at + 1, JSON.stringify(record))
      }
      node.mine(3)
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
      try {
        const keychain = request === undefined ? receiving : hd
        const later = await createWallet({ keychain, chain, journal })
        const again = await later.pay({ ...rent, id: 'rent' })
        expect(again).toMatchObject({ status: 'accepted', txid: expect.any(String) })
        expect(again.txid).not.toBe(txid)
      } finally {
        clock.mockRestore()
        await node.close()
      }
    },
  )

  test('is uncertain if no keys were recorded, and never accepted', async () => {
    const { node, bob, chain } = await paidAccount(0, 1, 2)
    const journal = memoryJournal()
    const rent = { to: bob.address, amount: 1_500_000n, id: 'rent' }
    const { txid } = await (await createWallet({ keychain: hd, chain, journal })).pay(rent)
    node.mine(3)
    const old = memoryJournal()
    for (const [at, text] of (await journal.read(0)).entries()) {
      // As it was recorded before: with the first keys of the keychain, none of them for change.
      const change = JSON.parse(text)
      if (change.kind === 'attempt') {
        const { keys: _keys, ...request } = JSON.parse(change.request)
        change.request = JSON.stringify({ ...request, keys: [publicKeyAt(0, 0)] })
      }
      await old.append(at + 1, JSON.stringify(change))
    }
    const later = await createWallet({ keychain: receiving, chain, journal: old })
    const again = await later.pay(rent)
    expect(again).toMatchObject({ status: 'uncertain', held: 'rejected', txid })
    await expect(again.confirmed()).rejects.toMatchObject({ reason: 'unverified', txid })
    await node.close()
  })
})
