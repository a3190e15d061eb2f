// Checked by `tsc -p test`: each marked line must be refused by the compiler, each other accepted.
// This file never runs.
import { expectTypeOf } from 'vitest'
import type {
  AddressUtxo,
  DaemonClient,
  FrameworkClient,
  JsonValue,
  RpcError,
  TaskStatus,
  UtxoActivation,
} from '../../src/rpc/index.ts'
import { createDaemonClient, isFrameworkError, isRpcError } from '../../src/rpc/index.ts'

declare const daemon: DaemonClient
declare const framework: FrameworkClient
declare const error: unknown
const tokenid = '00'
const destpubkey = '02'

export async function amountsAreBigint(): Promise<void> {
  await daemon.tokentransfer({ tokenid, destpubkey, amount: 1n })
  // @ts-expect-error a number
  await daemon.tokentransfer({ tokenid, destpubkey, amount: 1 })
  // @ts-expect-error a decimal text
  await daemon.tokentransfer({ tokenid, destpubkey, amount: '1' })
  // @ts-expect-error a number
  await daemon.tokencreate({ name: 'T', supply: 1 })
  // @ts-expect-error a number in a batch
  await daemon.batch([{ method: 'tokencreate', params: { name: 'T', supply: 1 } }])

  expectTypeOf((await daemon.tokeninfo({ tokenid })).supply).toEqualTypeOf<bigint>()
  expectTypeOf((await daemon.tokenbalance({ tokenid })).balance).toEqualTypeOf<bigint>()
  const [utxo] = await daemon.listunspent()
  expectTypeOf(utxo?.amount).toEqualTypeOf<bigint | undefined>()
  const { vout } = await daemon.decoderawtransaction({ hex: '00' })
  expectTypeOf(vout[0]?.value).toEqualTypeOf<bigint | undefined>()
  const [entry] = await daemon.getaddressutxos({ addresses: [] })
  expectTypeOf(entry?.satoshis).toEqualTypeOf<bigint | undefined>()
  // @ts-expect-error bigint and number do not add up
  ;(await daemon.tokenbalance({ tokenid })).balance + 1
}

export async function parametersAreNamedAndComplete(): Promise<void> {
  // @ts-expect-error no destination
  await daemon.tokentransfer({ tokenid, amount: 1n })
  // @ts-expect-error an address is not asked for
  await daemon.tokentransfer({ tokenid, destpubkey, amount: 1n, address: 'R' })
  // @ts-expect-error no parameters at all
  await daemon.tokeninfo()
  // @ts-expect-error both names of the hex at once
  await daemon.sendrawtransaction({ hex: '00', hexstring: '00' })
  await daemon.tokenlist()
  await daemon.tokenlist({}, { timeoutMs: 5, retry: false })
  // @ts-expect-error a method of no daemon
  daemon.getblockdeltas
}

export async function formsFollowTheRequest(): Promise<void> {
  expectTypeOf(await daemon.getrawtransaction({ txid: '00' })).toEqualTypeOf<string>()
  expectTypeOf((await daemon.getrawtransaction({ txid: '00', verbose: 1 })).hex).toBeString()
  const { utxos, height } = await daemon.getaddressutxos({ addresses: [], chainInfo: true })
  expectTypeOf(utxos).toEqualTypeOf<readonly AddressUtxo[]>()
  expectTypeOf(height).toBeNumber()
  expectTypeOf(await daemon.call('getblockcount', [])).toEqualTypeOf<number>()
  expectTypeOf(await daemon.call('getblockhash', [1])).toEqualTypeOf<string>()
  expectTypeOf(await daemon.call('getblockdeltas', ['00'])).toEqualTypeOf<JsonValue>()
  expectTypeOf(await daemon.getblock({ block: 1, verbosity: 0 })).toEqualTypeOf<string>()
  expectTypeOf((await daemon.getblock({ block: 1 })).tx).toEqualTypeOf<readonly string[]>()
  expectTypeOf((await daemon.getblock({ block: 1, verbosity: 2 })).tx[0]?.txid).toEqualTypeOf<
    string | undefined
  >()
  const range = { high: 2, low: 1 }
  expectTypeOf(await daemon.getblockhashes(range)).toEqualTypeOf<readonly string[]>()
  const [first] = await daemon.getblockhashes({ ...range, logicalTimes: true })
  expectTypeOf(first?.logicalts).toEqualTypeOf<number | undefined>()
  const { coinbasetxn, transactions } = await daemon.getblocktemplate()
  expectTypeOf(coinbasetxn?.coinbasevalue).toEqualTypeOf<bigint | undefined>()
  expectTypeOf(transactions[0]?.fee).toEqualTypeOf<bigint | undefined>()
  expectTypeOf((await daemon.z_gettotalbalance()).total).toBeBigInt()
  // @ts-expect-error a number of satoshis
  await daemon.prioritisetransaction({ txid: '00', priority_delta: 0, fee_delta: 1 })
  // @ts-expect-error a word that no daemon knows
  await daemon.addnode({ node: 'a', command: 'drop' })
  expectTypeOf(await daemon.getbalance()).toEqualTypeOf<bigint>()
  // @ts-expect-error a number of coins
  await daemon.sendtoaddress({ address: 'R', amount: 0.5 })
  // @ts-expect-error a number of coins
  await daemon.createrawtransaction({ inputs: [], outputs: { R: 0.5 } })

  const [tip, info, raw] = await daemon.batch([
    { method: 'getblockcount', params: {} },
    { method: 'tokeninfo', params: { tokenid } },
    { method: 'getblockdeltas', params: ['00'] },
  ])
  if (tip.status === 'fulfilled') expectTypeOf(tip.value).toEqualTypeOf<number>()
  if (info.status === 'fulfilled') expectTypeOf(info.value.supply).toEqualTypeOf<bigint>()
  if (raw.status === 'fulfilled') expectTypeOf(raw.value).toEqualTypeOf<JsonValue>()
}

export function credentialsComeOneWay(): void {
  const url = 'http://127.0.0.1'
  createDaemonClient({ url, user: 'u', password: 'p' })
  createDaemonClient({ url, credentials: () => ({ user: 'u', password: 'p' }) })
  // @ts-expect-error no credentials
  createDaemonClient({ url })
  // @ts-expect-error both ways
  createDaemonClient({
    url,
    user: 'u',
    password: 'p',
    credentials: () => ({ user: '', password: '' }),
  })
  // @ts-expect-error a framework's credentials
  createDaemonClient({ url, userpass: 'p' })
}

export function errorsNarrow(): void {
  if (isRpcError(error, 'daemon')) expectTypeOf(error.code).toEqualTypeOf<number>()
  if (isRpcError(error, 'task')) {
    expectTypeOf(error.taskId).toEqualTypeOf<number>()
    expectTypeOf(error.errorType).toEqualTypeOf<string>()
  }
  if (isRpcError(error)) {
    expectTypeOf(error).toEqualTypeOf<RpcError>()
    expectTypeOf(error.code).toEqualTypeOf<number | undefined>()
  }
  if (isFrameworkError(error, 'CoinCreationError')) {
    expectTypeOf(error.errorData.ticker).toEqualTypeOf<string>()
  }
  if (isFrameworkError(error, 'NoSuchTask')) expectTypeOf(error.errorData).toEqualTypeOf<number>()
  // @ts-expect-error no such kind
  isRpcError(error, 'network')
  // @ts-expect-error no such type
  isFrameworkError(error, 'NoSuchThing')
}

export async function tasksAreHandles(): Promise<void> {
  const activation_params = { bchd_urls: [], mode: { rpc: 'Native' } } as const
  const task = framework.enableBch({ ticker: 'BCH', activation_params })
  expectTypeOf(await task).toEqualTypeOf<UtxoActivation>()
  for await (const status of task) expectTypeOf(status).toEqualTypeOf<TaskStatus<UtxoActivation>>()
  expectTypeOf(await task.cancel()).toEqualTypeOf<'cancelled' | 'already-finished' | 'unknown'>()
  await task.act({ action_type: 'TrezorPin', pin: '1' })
  // @ts-expect-error a PIN is text: leading zeros count
  await task.act({ action_type: 'TrezorPin', pin: 1 })
  // @ts-expect-error the other action's member
  await task.act({ action_type: 'TrezorPassphrase', pin: '1' })
  // @ts-expect-error no mode
  framework.enableBch({ ticker: 'BCH', activation_params: { bchd_urls: [] } })
  // @ts-expect-error no nodes
  framework.enableTendermintWithAssets({ ticker: 'IRIS', tokens_params: [] })
}
