// Programs ask for the waiting payments of many addresses again and again, so the node reads each
// waiting transaction once.

import { expect, test } from 'vitest'

import { addressOf, encodeTransaction, networks, publicKeyOf } from '../../src/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { waitingUnder } from '../../src/node/methods/address-mempool.ts'
import { contextOf } from '../../src/node/methods/context.ts'
import { emptyMempool, withPooled } from '../../src/node/state/mempool.ts'
import { emptyMap } from '../../src/node/state/ordered-map.ts'
import { storedTransaction } from '../../src/node/state/stored-transaction.ts'
import { createDaemonClient } from '../../src/rpc/index.ts'
import { createWallet, daemonChain, privateKeySigner } from '../../src/wallet/index.ts'

/** A mempool of so many transactions, and a count of the scripts that were read. */
function waiting(count: number) {
  let mempool = emptyMempool
  for (let at = 0; at < count; at += 1) {
    const hex = encodeTransaction({
      version: 1,
      overwintered: false,
      inputs: [{ txid: '11'.repeat(32), vout: at, scriptSig: '', sequence: 0 }],
      outputs: [{ value: BigInt(at), script: '51' }],
      lockTime: 0,
    })
    mempool = withPooled(mempool, { ...storedTransaction(hex), time: at, height: 1, fee: 0n })
  }
  const read: string[] = []
  const keysOf = (script: string) => {
    read.push(script)
    // A condition with the hash of a key of the same script counts once.
    return ['1aa', '3bb', '3aa']
  }
  const chain = { base: undefined, tables: { positions: emptyMap() } }
  const rules = { network: networks.assetChain, scripts: { keysOf } }
  const engine = { state: { mempool, chain }, rules }
  return { context: contextOf({ engine, identity: 0 } as never), read }
}

test('each waiting transaction is read once for many addresses and many calls', () => {
  const { context, read } = waiting(20)
  const keys = ['1aa', '1bb', '3bb', ...Array.from({ length: 1000 }, (_, at) => `1${at}`)]
  for (let call = 0; call < 3; call += 1) {
    const found = waitingUnder(context, keys)
    expect(keys.map((key) => found.get(key)!.length).slice(0, 4)).toEqual([20, 20, 0, 0])
  }
  expect(read).toHaveLength(20)
})

test('an address that is requested twice is listed twice, with what it receives and spends', async () => {
  await using node = await createDevNode({ listen: false, identities: 2, mine: 'manual' })
  const [alice, bob] = node.identities
  node.fund(alice.address, 50_000_000n)
  node.mine(101)
  const txid = await node.request('sendtoaddress', [bob.address, 1])
  const of = async (...addresses: string[]) => {
    const rows = await node.request('getaddressmempool', [{ addresses }])
    return (rows as { address: string; satoshis: number; txid: string }[]).map((it) => {
      expect(it.txid).toBe(txid)
      return [it.address, Number(it.satoshis)]
    })
  }
  expect(await of(bob.address)).toEqual([[bob.address, 100_000_000]])
  expect(await of(bob.address, bob.address)).toEqual([
    [bob.address, 100_000_000],
    [bob.address, 100_000_000],
  ])
  const own = await of(alice.address)
  expect(own.some(([, satoshis]) => Number(satoshis) < -100_000_000)).toBe(true)
  const other = addressOf(publicKeyOf('7'.padStart(64, '0')), networks.assetChain)
  expect(await of(other)).toEqual([])
})

// A tokeld uses GetAddressType for the mempool too (src/txmempool.cpp, addAddressIndex).
test('a tokeld lists waiting conditions by their own addresses', async () => {
  const network = networks.tokel
  await using node = await createDevNode({ mine: 'manual', network })
  const [alice, bob] = node.identities
  node.mine(101)
  const daemon = createDaemonClient({ ...alice, fetch: node.fetch })
  const wallet = await createWallet({
    network,
    signers: [privateKeySigner(alice.wif, network)],
    chain: daemonChain(daemon, { network }),
  })
  const { tokenid = '' } = await wallet.createToken({ name: 'DROP', supply: 100n })
  node.mine(1)
  // The second transfer spends the waiting change of the first.
  await wallet.transfer({ tokenid, to: bob.pubkey, amount: 1n })
  const { status } = await wallet.transfer({ tokenid, to: bob.pubkey, amount: 2n })
  expect(status).toBe('accepted')
  const [{ tokenAddresses = [] } = {}] = wallet.addresses()
  const rows = await node.request('getaddressmempool', [{ addresses: tokenAddresses }])
  const satoshis = (rows as { satoshis: number }[]).map((it) => Number(it.satoshis))
  expect(satoshis.sort((a, b) => a - b)).toEqual([-100, -99, 97, 99])
})
