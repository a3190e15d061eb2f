// Ten thousand coins and a thousand tokens are ordinary. Counts the requests that a daemon gets.

import { expect, test } from 'vitest'

import {
  buildTokenCreate,
  buildTokenTransfer,
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
  signCase,
} from '../../../src/index.ts'
import type { DaemonClient } from '../../../src/rpc/index.ts'
import { addressOfScript } from '../../../src/script/script.ts'
import {
  createWallet,
  daemonChain,
  privateKeySigner,
  type WalletOptions,
  type WalletProgress,
} from '../../../src/wallet/index.ts'
import { isQuick, share } from '../../support/share.ts'

const wif = '8'.padStart(64, '0')
const pubkey = publicKeyOf(wif)
const makerKey = '9'.padStart(64, '0')
const maker = publicKeyOf(makerKey)
const network = networks.assetChain
const height = 200

/** A daemon with an address index on these transactions, which counts requests. */
function countingDaemon(hexes: readonly string[]) {
  const byTxid = new Map<string, string>()
  const rows = new Map<string, object[]>()
  const made = hexes.map((hex) => ({ hex, ...fieldsOf(hex) }))
  const spent = new Set(
    made.flatMap(({ inputs }) => inputs.map(({ txid, vout }) => `${txid}:${vout}`)),
  )
  for (const { hex, txid, outputs } of made) {
    byTxid.set(txid, hex)
    for (const [outputIndex, { script, value }] of outputs.entries()) {
      const address = addressOfScript(script, network)
      if (address === undefined || spent.has(`${txid}:${outputIndex}`)) continue
      const row = { txid, outputIndex, height: 1, satoshis: `${value}` }
      rows.set(address, [...(rows.get(address) ?? []), row])
    }
  }
  let requests = 0
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    getbestblockhash: () => 'aa'.repeat(32),
    getblockheader: () => ({ height, time: 1_800_000_000 }),
    getaddressmempool: () => [],
    getaddressutxos: ([{ addresses }]: readonly [{ addresses: string[] }]) =>
      addresses.flatMap((address) => rows.get(address) ?? []),
  } as never
  const client = {
    async call(method: string, params: readonly unknown[]) {
      requests += 1
      return answers[method]!(params)
    },
    async batch(calls: readonly { readonly params: readonly [string] }[]) {
      requests += 1
      return calls.map(({ params: [txid] }) => ({ status: 'fulfilled', value: byTxid.get(txid) }))
    },
  } as unknown as DaemonClient
  const counted = async (work: () => Promise<unknown>): Promise<number> => {
    const before = requests
    await work()
    return requests - before
  }
  return { client, counted }
}

function fieldsOf(hex: string) {
  const { txid, inputs, outputs } = decodeTransaction(hex)
  return { txid, inputs, outputs }
}

/** The reward of a block. */
function reward(at: number, outputs: readonly { value: bigint; script: string }[]): string {
  const number = at.toString(16).padStart(8, '0')
  return encodeTransaction({
    version: 1,
    overwintered: false,
    inputs: [{ txid: '00'.repeat(32), vout: 0xffffffff, scriptSig: `04${number}`, sequence: 0 }],
    outputs,
    lockTime: 0,
  })
}

const openOn = (client: DaemonClient, options: Partial<WalletOptions> = {}) =>
  createWallet({ signers: [privateKeySigner(wif)], chain: daemonChain(client), ...options })

const coinCount = isQuick ? 1000 : 10_000

test(`reads ${coinCount} coins, 100 transactions in a request`, async () => {
  const script = `21${pubkey}ac`
  const hexes = Array.from({ length: coinCount }, (_, at) =>
    reward(at + 1, [{ value: 1000n, script }]),
  )
  const { client, counted } = countingDaemon(hexes)
  const wallet = await openOn(client)
  expect(
    await counted(async () =>
      expect((await wallet.balance()).total).toBe(1000n * BigInt(coinCount)),
    ),
  ).toBe(coinCount / 100 + 8)
  expect(await counted(() => wallet.balance())).toBe(4)
})

test('reports its progress at most once for each 100 transactions', async () => {
  const script = `21${pubkey}ac`
  const rewards = (first: number, count: number) =>
    Array.from({ length: count }, (_, at) => reward(first + at, [{ value: 1000n, script }]))
  const reports: WalletProgress[] = []
  const onProgress = (progress: WalletProgress) => {
    reports.push(progress)
    throw new Error('an observer that fails')
  }
  const { client } = countingDaemon(rewards(1, 1230))
  const wallet = await openOn(client, { onProgress })
  await wallet.balance()
  expect(reports).toEqual([
    { read: 500, wanted: 1230 },
    { read: 1000, wanted: 1230 },
    { read: 1230, wanted: 1230 },
  ])
  await wallet.balance()
  expect(reports).toHaveLength(3)

  reports.length = 0
  const small = await openOn(countingDaemon(rewards(1, 99)).client, { onProgress })
  await small.balance()
  expect(reports).toEqual([])
})

test('refuses an observer that is not a function', async () => {
  const onProgress = 'progress' as unknown as () => void
  await expect(openOn(countingDaemon([]).client, { onProgress })).rejects.toThrow(
    /^onProgress: expected a function/,
  )
})

const tokenCount = share(1000)

test(`proves ${tokenCount} received tokens, with their ancestors in common requests`, async () => {
  const count = tokenCount
  const paying = reward(
    1,
    Array.from({ length: count }, () => ({ value: 1_000_000n, script: `21${maker}ac` })),
  )
  const { txid } = decodeTransaction(paying)
  const hexes = [paying]
  const terms = { network, tipHeight: height }
  for (let vout = 0; vout < count; vout += 1) {
    const coins = [{ txid, vout }]
    const creation = signCase(
      buildTokenCreate({
        ...terms,
        name: `T${vout}`,
        supply: 5n,
        owner: maker,
        coins,
        previousTransactions: [paying],
      }),
      [makerKey],
    )
    const { txid: tokenid = '', outputs } = decodeTransaction(creation.hex)
    const change = outputs.findIndex(({ script, value }) => script === `21${maker}ac` && value > 0n)
    const moved = signCase(
      buildTokenTransfer({
        ...terms,
        tokenid,
        from: maker,
        recipients: [{ pubkey, amount: 5n }],
        tokenCoins: [{ txid: tokenid, vout: 1 }],
        coins: [{ txid: tokenid, vout: change }],
        previousTransactions: [creation.hex],
      }),
      [makerKey],
    )
    hexes.push(creation.hex, moved.hex)
  }
  const { client, counted } = countingDaemon(hexes)
  const wallet = await openOn(client)
  // A thousand need ten requests for the coins' transactions, ten for creations, one for their
  // payment.
  const first = await counted(async () => {
    const tokens = await wallet.tokens()
    expect(tokens).toHaveLength(count)
    expect(tokens.every(({ proof, balance }) => proof === 'proven' && balance === 5n)).toBe(true)
  })
  const second = await counted(() => wallet.tokens())
  expect(first).toBe(isQuick ? 11 : 29)
  expect(second).toBe(4)
}, 120_000)
