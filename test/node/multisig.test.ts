// Coins of several keys, in the wallet and beside it: komodo src/wallet/wallet_ismine.cpp, IsMine;
// src/rpc/rawtransaction.cpp, signrawtransaction; src/rpc/misc.cpp, _createmultisig_redeemScript.

import { describe, expect, test } from 'vitest'
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
