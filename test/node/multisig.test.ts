// Coins of several keys, in the wallet and beside it: komodo src/wallet/wallet_ismine.cpp, IsMine;
// src/rpc/rawtransaction.cpp, signrawtransaction; src/rpc/misc.cpp, _createmultisig_redeemScript.

import { describe, expect, test } from 'vitest'
import { networks } from '../../src/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { useDevNode } from '../../src/node/vitest.ts'

const node = useDevNode({ listen: false, time: 1_800_000_000, mine: 'manual' })
const ask = (method: string, params: readonly unknown[] = [], identity: 0 | 1 = 0) =>
  node().request(method, params as never, { identity })
const keyOf = (identity: 0 | 1) => node().identities[identity]!

describe('an output to a key as the only one of several', () => {
  test('is no coin of the wallet, but may be watched', async () => {
    const script = `5121${keyOf(1).pubkey}51ae`
    const before = await ask('getbalance', [], 1)
    const txid = node().fund(script, 700_00000000n)
    node().mine()
    expect(await ask('getbalance', [], 1)).toBe(before)
    const unspent = async () =>
      ((await ask('listunspent', [], 1)) as { txid: string; spendable: boolean }[]).filter(
        (it) => it.txid === txid,
      )
    expect(await unspent()).toEqual([])
    expect(await ask('importaddress', [script], 1)).toBe(null)
    expect(await unspent()).toMatchObject([{ spendable: false }])
  })
})

/** A coin behind a script hash, and a transaction that spends it. */
async function spendOfScript(address: string) {
  const txid = node().fund(address, 5_00000000n)
  node().mine()
  const { vout } = (await ask('getrawtransaction', [txid, 1])) as {
    vout: { n: number; scriptPubKey: { hex: string; type: string } }[]
  }
  const { n, scriptPubKey } = vout.find((it) => it.scriptPubKey.type === 'scripthash')!
  const raw = await ask('createrawtransaction', [[{ txid, vout: n }], { [keyOf(1).address]: 4.9 }])
  return { raw, prevout: { txid, vout: n, scriptPubKey: scriptPubKey.hex, amount: 5 } }
}

const isComplete = async (...params: readonly unknown[]) =>
  ((await ask('signrawtransaction', params)) as { complete: boolean }).complete

describe('signrawtransaction of a coin behind a script hash', () => {
  test('takes the script from the wallet if no keys are given', async () => {
    const key = [1, [keyOf(0).pubkey]]
    const { redeemScript } = (await ask('createmultisig', key)) as { redeemScript: string }
    const { raw, prevout } = await spendOfScript((await ask('addmultisigaddress', key)) as string)
    expect(await isComplete(raw)).toBe(true)
    expect(await isComplete(raw, [prevout])).toBe(true)
    expect(await isComplete(raw, [{ ...prevout, redeemScript }])).toBe(true)
    expect(await isComplete(raw, null, [keyOf(0).wif])).toBe(false)
  })

  test('takes it from the parameters if keys are given, and then only', async () => {
    const both = [1, [keyOf(0).pubkey, keyOf(1).pubkey]]
    const { address, redeemScript } = (await ask('createmultisig', both)) as {
      address: string
      redeemScript: string
    }
    const { raw, prevout } = await spendOfScript(address)
    const given = [{ ...prevout, redeemScript }]
    expect(await isComplete(raw, given)).toBe(false)
    expect(await isComplete(raw, given, [keyOf(0).wif])).toBe(true)
    const other = [{ ...prevout, redeemScript: `5121${keyOf(0).pubkey}51ae` }]
    expect(await isComplete(raw, other, [keyOf(0).wif])).toBe(false)
    await expect(isComplete(raw, [prevout], [keyOf(0).wif])).rejects.toMatchObject({
      code: -3,
      message: 'Missing redeemScript',
    })
  })
})

describe('coins behind a script hash whose script the wallet has', () => {
  test('pay for a payment and for an order', async () => {
    const address = await ask('addmultisigaddress', [1, [keyOf(1).pubkey]], 1)
    const txid = node().fund(address as string, 50_000_00000000n)
    node().mine()
    const isSpent = async (sent: unknown) => {
      const { vin } = (await ask('getrawtransaction', [sent, 1])) as { vin: { txid: string }[] }
      return vin.some((it) => it.txid === txid)
    }
    const before = node().snapshot()
    expect(await isSpent(await ask('sendtoaddress', [keyOf(0).address, 20_000], 1))).toBe(true)
    node().revert(before)
    const created = (await ask('tokencreate', ['GOLD', '0.00001'])) as { hex: string }
    const tokenid = await ask('sendrawtransaction', [created.hex])
    node().mine()
    const { hex } = (await ask('tokenbid', ['10', tokenid, '2000'], 1)) as { hex: string }
    expect(await isSpent(await ask('sendrawtransaction', [hex], 1))).toBe(true)
  })

  test('pay for an order of tokens v2', async () => {
    await using tokeld = await createDevNode({
      listen: false,
      time: 1_800_000_000,
      network: networks.tokel,
    })
    const call = async (identity: 0 | 1, method: string, params: readonly unknown[]) =>
      tokeld.request(method, params as never, { identity })
    const address = await call(1, 'addmultisigaddress', [1, [tokeld.identities[1]!.pubkey]])
    tokeld.fund(address as string, 50_000_00000000n)
    const created = (await call(0, 'tokenv2create', ['GOLD', '0.00001'])) as { hex: string }
    const tokenid = await call(0, 'sendrawtransaction', [created.hex])
    const ask = (await call(0, 'tokenv2ask', ['10', tokenid, '2000'])) as { hex: string }
    const order = await call(0, 'sendrawtransaction', [ask.hex])
    const fill = (await call(1, 'tokenv2fillask', [tokenid, order, '10'])) as { hex: string }
    expect(await call(1, 'sendrawtransaction', [fill.hex])).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('createmultisig', () => {
  test('names what it cannot use for a key', async () => {
    const script = await ask('addmultisigaddress', [1, [keyOf(0).pubkey]])
    const foreign = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'
    for (const [key, message] of [
      [script, `${script} does not refer to a key`],
      [foreign, ` Invalid public key: ${foreign}`],
      [keyOf(1).address, `no full public key for address ${keyOf(1).address}`],
    ] as const) {
      await expect(ask('createmultisig', [1, [key]])).rejects.toMatchObject({ code: -1, message })
    }
  })
})
