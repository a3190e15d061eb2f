// Transactions that are prepared for another machine under an id.

import { describe, expect, test } from 'vitest'

import {
  addressOf,
  decodeTransaction,
  defineNetwork,
  encodeTransaction,
  formatCase,
  networks,
  parseCase,
  publicKeyOf,
  signCase,
  type UnsignedTransaction,
} from '../../../src/index.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import { pubkeyHashScript, pubkeyScript, scriptHashOf } from '../../../src/script/key-script.ts'
import {
  AlreadyRecorded,
  createWallet,
  memoryJournal,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { fundedNode, tampered } from './support.ts'

const key = '7'.padStart(64, '0')
const own = addressOf(publicKeyOf(key), networks.assetChain)

async function watching() {
  const { node, bob, chain } = await fundedNode()
  for (let count = 0; count < 3; count += 1) node.fund(own, 5_000_000n)
  node.mine(101)
  const journal = memoryJournal()
  const wallet = await createWallet({ publicKeys: [publicKeyOf(key)], chain, journal })
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  return { node, chain, journal, wallet, request }
}

const coinsOf = ({ coins }: UnsignedTransaction) =>
  coins.map(({ txid, vout }) => `${txid}:${vout}`).toSorted()

test('one id is prepared from the same coins again, and sent once', async () => {
  const { node, wallet, request } = await watching()
  const first = await wallet.prepare.pay(request)
  // A coin that would be chosen instead, as it leaves no change.
  node.fund(own, 1_010_000n)
  node.mine(101)
  const other = await wallet.prepare.pay({ ...request, id: 'other' })
  const second = await wallet.prepare.pay(request)
  expect(coinsOf(other.case)).not.toEqual(coinsOf(first.case))
  expect(coinsOf(second.case)).toEqual(coinsOf(first.case))
  const signed = (it: UnsignedTransaction) => ({ ...it, hex: signCase(it, [key]).hex })
  const { id } = request
  const sent = await wallet.submit(signed(first.case), { id })
  expect(sent.status).toBe('accepted')
  const again = await wallet.submit(signed(second.case), { id })
  expect(again).toMatchObject({ status: 'accepted', repeated: true, txid: sent.txid })
  expect(await node.request('getrawmempool')).toEqual([sent.txid])
  await node.close()
})

test('two calls at once with one id choose the same coins', async () => {
  const { node, wallet, request } = await watching()
  const made = await Promise.all([wallet.prepare.pay(request), wallet.prepare.pay(request)])
  expect(coinsOf(made[0].case)).toEqual(coinsOf(made[1].case))
  await node.close()
})

test('an id that belongs to another request is refused', async () => {
  const { node, wallet, request } = await watching()
  await wallet.prepare.pay(request)
  const other = wallet.prepare.pay({ ...request, amount: 2_000_000n })
  await expect(other).rejects.toMatchObject({ code: 'id_conflict' })
  await node.close()
})

test('an id of which the journal has a transaction is not prepared again, nor by another process', async () => {
  const { node, chain, journal, wallet, request } = await watching()
  const { id } = request
  const { case: made } = await wallet.prepare.pay(request)
  const { txid } = await wallet.submit({ ...made, hex: signCase(made, [key]).hex }, { id })
  const restarted = await createWallet({ publicKeys: [publicKeyOf(key)], chain, journal })
  for (const opened of [wallet, restarted]) {
    const again = opened.prepare.pay(request)
    await expect(again).rejects.toBeInstanceOf(AlreadyRecorded)
    await expect(again).rejects.toMatchObject({ txids: [txid] })
  }
  await expect(restarted.prepare.pay({ ...request, amount: 7n })).rejects.toMatchObject({
    code: 'id_conflict',
  })
  await node.close()
})

test('hex alone comes back to the wallet that prepared it', async () => {
  const { node, wallet, request } = await watching()
  const { id, ...payment } = request
  const { case: made } = await wallet.prepare.pay(payment)
  const { hex } = signCase(made, [key])
  expect(await wallet.submit(hex, { id })).toMatchObject({ status: 'accepted' })
  await node.close()
})

test('an expired payment whose reply was lost is uncertain, and is not called another payment', async () => {
  const { node, chain, journal, request } = await watching()
  const lost = tampered(chain, {
    broadcast: async () => {
      throw new RpcError('transport', 'lost', { uncertain: true })
    },
  })
  const wallet = await createWallet({ publicKeys: [publicKeyOf(key)], chain: lost, journal })
  const { id } = request
  const { case: made } = await wallet.prepare.pay(request)
  const signed = { ...made, hex: signCase(made, [key]).hex }
  const { status, txid } = await wallet.submit(signed, { id })
  expect(status).toBe('uncertain')
  node.mine(250)
  const again = await wallet.submit(signed, { id })
  expect(again).toMatchObject({ status: 'uncertain', held: 'rejected', unsettled: [{ txid }] })
  expect(again.txid).toBe(txid)
  expect(again.report.findings).toContainEqual(expect.objectContaining({ code: 'expired' }))
  await expect(again.confirmed()).rejects.toMatchObject({ reason: 'expired', txid })
  await node.close()
})

test('a mined payment that the server hid until it expired is not called unsent', async () => {
  const { node, chain, journal, request } = await watching()
  const hidden = new Set<string>()
  const hiding = tampered(chain, {
    async broadcast(hex) {
      hidden.add(await chain.broadcast(hex))
      throw new RpcError('transport', 'lost', { uncertain: true })
    },
    transactions: async (txids, options) =>
      (await chain.transactions(txids, options)).map((hex, at) =>
        hidden.has(txids[at]!) ? undefined : hex,
      ),
    history: async (scripts, options) =>
      (await chain.history(scripts, options)).filter((it) => !hidden.has(it.txid)),
  })
  const wallet = await createWallet({ publicKeys: [publicKeyOf(key)], chain: hiding, journal })
  const { id } = request
  const { case: made } = await wallet.prepare.pay(request)
  const signed = { ...made, hex: signCase(made, [key]).hex }
  const { txid } = await wallet.submit(signed, { id })
  node.mine(250)
  const again = await wallet.submit(signed, { id })
  expect(again).toMatchObject({ status: 'uncertain', held: 'rejected', txid })
  // Once the server shows it again, the same result is confirmed.
  hidden.clear()
  expect(await again.confirmed()).toMatchObject({ txid, confirmations: 250 })
  await node.close()
})

test('a changed case is rejected for itself, whatever was sent before', async () => {
  const { node, chain, journal, request } = await watching()
  const lost = tampered(chain, {
    broadcast: async () => {
      throw new RpcError('daemon', 'refused', { code: -26, uncertain: true })
    },
  })
  const wallet = await createWallet({ publicKeys: [publicKeyOf(key)], chain: lost, journal })
  const { id } = request
  const { case: made } = await wallet.prepare.pay(request)
  const { txid } = await wallet.submit({ ...made, hex: signCase(made, [key]).hex }, { id })
  node.mine(250)
  const again = await wallet.submit({ ...made, hex: `${made.hex}00` }, { id })
  expect(again).toMatchObject({ status: 'rejected', held: 'rejected', unsettled: [{ txid }] })
  await expect(again.confirmed()).rejects.toMatchObject({ reason: 'not-sent' })
  await node.close()
})

test('hex that was not prepared here is refused, also after a change of one output', async () => {
  const { node, wallet, request } = await watching()
  const { id: _, ...payment } = request
  const { case: made } = await wallet.prepare.pay(payment)
  const { outputs, ...rest } = decodeTransaction(signCase(made, [key]).hex)
  const changed = outputs.map((it, at) => (at === 0 ? { ...it, value: it.value + 1n } : it))
  for (const hex of [encodeTransaction({ ...rest, outputs: changed }), '', 'zz']) {
    await expect(wallet.submit(hex)).rejects.toThrow(TypeError)
  }
  expect(await node.request('getrawmempool')).toEqual([])
  await node.close()
})

describe('a case that was changed on its way to the signer and back', () => {
  const thief = publicKeyOf('9'.padStart(64, '0'))

  /** Returns the case with the change at the thief, and the thief among the wallet's own. */
  function withStolenChange(made: UnsignedTransaction, own: object): UnsignedTransaction {
    const { outputs, ...rest } = decodeTransaction(made.hex)
    const isChange = ({ script }: { readonly script: string }) =>
      script === pubkeyHashScript(publicKeyOf(key)) || script === pubkeyScript(publicKeyOf(key))
    const stolen = outputs.map((it) =>
      isChange(it) ? { ...it, script: pubkeyHashScript(thief) } : it,
    )
    expect(stolen).not.toEqual(outputs)
    const hex = encodeTransaction({ ...rest, outputs: stolen })
    return { ...made, hex, intent: { ...made.intent, ...own } } as UnsignedTransaction
  }

  test.each([
    ['a list of keys', [publicKeyOf(key), thief]],
    ['addresses', [own, addressOf(thief, networks.assetChain)]],
    ['a function', () => true],
  ])('names no stranger as an own key by %s, and nothing is sent', async (_, names) => {
    const { node, wallet, request } = await watching()
    const { case: made } = await wallet.prepare.pay(request)
    const changed = withStolenChange(made, { own: names })
    const signed = signCase(changed, [key])
    // The signer has the case alone, which agrees with itself.
    expect(signed.ok).toBe(true)
    const sent = await wallet.submit({ ...changed, hex: signed.hex }, { id: request.id })
    expect(sent).toMatchObject({ held: 'rejected' })
    const rejects = sent.report.findings.filter(({ severity }) => severity === 'reject')
    expect(rejects.map(({ path }) => path)).toContain('outputs[1]')
    expect(await node.request('getrawmempool')).toEqual([])
    await node.close()
  })

  test('names an address of your own that the wallet does not have, if you name it too', async () => {
    const { node, wallet, request } = await watching()
    const { case: made } = await wallet.prepare.pay(request)
    const cold = addressOf(thief, networks.assetChain)
    const moved = withStolenChange(made, { own: [own, cold] })
    const { hex } = signCase(moved, [key])
    const other = [{ own: 'all' }, { own: [5] }, { owns: [cold] }]
    for (const options of other as object[])
      await expect(wallet.submit({ ...moved, hex }, options)).rejects.toThrow(TypeError)
    const sent = await wallet.submit({ ...moved, hex }, { own: [cold] })
    expect(sent).toMatchObject({ status: 'accepted' })
    expect(await node.request('getrawmempool')).toEqual([sent.txid])
    expect(await wallet.resume()).toMatchObject([{ result: { status: 'accepted' } }])
    await node.close()
  })

  /** Returns the case with other outputs, and another request that agrees with them. */
  function changed(
    made: UnsignedTransaction,
    { members, outputs }: Changed,
  ): { readonly signed: ReturnType<typeof signCase>; readonly returned: UnsignedTransaction } {
    const { outputs: own, ...rest } = decodeTransaction(made.hex)
    const hex = encodeTransaction({ ...rest, outputs: outputs(own) })
    const returned = { ...made, hex, intent: { ...made.intent, ...members } } as UnsignedTransaction
    return { signed: signCase(returned, [key]), returned }
  }
  interface Changed {
    readonly members: object
    readonly outputs: (own: readonly Output[]) => readonly Output[]
  }
  type Output = ReturnType<typeof decodeTransaction>['outputs'][number]

  const scriptHash = (script: string) => `a914${script.slice(6, 46)}87`
  const { komodo } = networks
  const elsewhere = defineNetwork({
    name: 'ELSEWHERE',
    pubKeyHashPrefix: komodo.scriptHashPrefix,
    conditionPrefix: komodo.scriptHashPrefix,
    scriptHashPrefix: komodo.pubKeyHashPrefix,
  })
  const withFee = (fee: bigint): Changed => ({
    members: { fee, maxFee: fee },
    outputs: ([paid, change]) => [paid!, { ...change!, value: change!.value + 10_000n - fee }],
  })

  const withRedeemScript: Changed = {
    members: { redeemScripts: [`21${publicKeyOf(key)}ac`] },
    outputs: ([paid, change]) => [
      ...[paid!, { ...change!, script: scriptHashOf(`21${publicKeyOf(key)}ac`) }],
    ],
  }

  test.each<[string, (payee: string) => Changed]>([
    ['burns the change as a fee', () => withFee(1_000_000n)],
    ['leaves less than the fee that was asked for', () => withFee(1_000n)],
    [
      'splits the change',
      () => ({
        members: { maxChangeOutputs: 3 },
        outputs: ([paid, { value, script } = paid!]) => [
          ...[paid!, { value: 1_000_000n, script }, { value: value - 1_000_000n, script }],
        ],
      }),
    ],
    [
      'reads the address of the payee on a chain with other prefixes',
      (address) => ({
        members: { network: elsewhere, recipients: [{ address, amount: 1_000_000n }] },
        outputs: ([paid, change]) => [{ ...paid!, script: scriptHash(paid!.script) }, change!],
      }),
    ],
    ['has a redeem script, and gives it the change', () => withRedeemScript],
  ])('under its id agrees with itself and is rejected where it %s', async (_, change) => {
    const { node, wallet, request } = await watching()
    const { case: made } = await wallet.prepare.pay(request)
    const { signed, returned } = changed(made, change(request.to))
    expect(signed.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
    const { hex } = signed
    const sent = await wallet.submit({ ...returned, hex }, { id: request.id })
    expect(sent).toMatchObject({ status: 'rejected', held: 'rejected' })
    expect(await node.request('getrawmempool')).toEqual([])
    await node.close()
  })

  test.each<[string, (payee: string) => Changed]>([
    [
      'reads the address of the payee on a chain with other prefixes',
      (address) => ({
        members: { network: elsewhere, recipients: [{ address, amount: 1_000_000n }] },
        outputs: ([paid, change]) => [{ ...paid!, script: scriptHash(paid!.script) }, change!],
      }),
    ],
    ['has a redeem script, and gives it the change', () => withRedeemScript],
  ])('is rejected by a later process too where it %s', async (_, change) => {
    const { node, chain, wallet, request } = await watching()
    const { case: made } = await wallet.prepare.pay(request)
    const { signed, returned } = changed(made, change(request.to))
    const later = await createWallet({ publicKeys: [publicKeyOf(key)], chain })
    const sent = await later.submit({ ...returned, hex: signed.hex }, { id: request.id })
    expect(sent).toMatchObject({ status: 'rejected', held: 'rejected' })
    expect(await node.request('getrawmempool')).toEqual([])
    await node.close()
  })

  test.each([
    [
      'everything',
      async (wallet: Wallet, to: string) => wallet.prepare.pay({ to, amount: 'max', id: 'all' }),
    ],
    ['a merge', async (wallet: Wallet) => wallet.prepare.merge({ id: 'all' })],
  ])('is %s under the id by which it was prepared, and stays that payment', async (_, prepared) => {
    const { node, wallet, request } = await watching()
    const { case: made } = await prepared(wallet, request.to)
    const file = formatCase(made)
    const { hex } = signCase(parseCase(file), [key])
    const sent = await wallet.submit({ ...parseCase(file), hex }, { id: 'all' })
    expect(sent).toMatchObject({ status: 'accepted' })
    await expect(prepared(wallet, request.to)).rejects.toBeInstanceOf(AlreadyRecorded)
    await node.close()
  })

  test('is another request under the id of the first, which is an error', async () => {
    const { node, wallet, request } = await watching()
    await wallet.prepare.pay(request)
    const { case: other } = await wallet.prepare.pay({
      to: addressOf(thief, networks.assetChain),
      amount: request.amount,
    })
    const { hex } = signCase(other, [key])
    const sent = wallet.submit({ ...other, hex }, { id: request.id })
    await expect(sent).rejects.toMatchObject({ code: 'id_conflict' })
    expect(await node.request('getrawmempool')).toEqual([])
    await node.close()
  })
})

test('a source that never answers holds up what is prepared later only until the first is aborted', async () => {
  const { node, bob, chain } = await fundedNode()
  let isSilent = true
  const stop = new AbortController()
  const silent = tampered(chain, {
    async unspent(scripts, options) {
      if (!isSilent) return chain.unspent(scripts, options)
      isSilent = false
      stop.abort(new Error('enough'))
      return new Promise<never>(() => undefined)
    },
  })
  const wallet = await createWallet({ publicKeys: [bob.pubkey], chain: silent })
  const request = { to: own, amount: 70_000n, id: 'cold' }
  const first = wallet.prepare.pay({ ...request, signal: stop.signal })
  await expect(first).rejects.toThrow('enough')
  expect((await wallet.prepare.pay(request)).case.coins).not.toEqual([])
  const signal = 'soon' as unknown as AbortSignal
  await expect(wallet.prepare.pay({ ...request, signal })).rejects.toThrow(/^signal: expected/)
  await node.close()
})
