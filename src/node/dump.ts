// The state of a node as text: whole blocks, what waits, the clock and the keys.

import { AntaraError } from '../errors/antara-error.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import {
  amount,
  height,
  items,
  type Members,
  malformed,
  object,
  string,
  strings,
} from '../primitives/json-fields.ts'
import type { Engine } from './engine.ts'
import type { IdentityOptions } from './identity-types.ts'
import type { RawBlock } from './import.ts'
import type { ChainProfile, ServedNetwork } from './profile.ts'
import { type Block, noSolution } from './state/block.ts'
import { pooledTransactions } from './state/mempool.ts'
import { emptyMap, entriesFrom, type OrderedMap, withEntry } from './state/ordered-map.ts'
import { emptyWallet, type Wallet, type WalletKey } from './state/wallet.ts'

const format = 'antara-tx-node'
const version = 1

export interface LoadedNode {
  readonly profile?: Partial<ChainProfile> & Pick<ChainProfile, 'network'>
  readonly identities?: readonly IdentityOptions[]
  readonly blocks: readonly RawBlock[]
  readonly mempool: readonly string[]
  readonly time?: number | undefined
  readonly wallets?: readonly Wallet[]
}

/** Amounts are decimal strings. */
export function dumpText({ state, rules }: Engine): string {
  const blocks: RawBlock[] = []
  for (
    let block: Block | undefined = state.chain.tip;
    block?.previous !== undefined;
    block = block.previous
  ) {
    blocks.push({
      time: block.time,
      nonce: block.nonce,
      ...(block.solution !== noSolution && { solution: block.solution }),
      transactions: block.transactions.map(({ hex }) => hex),
    })
  }
  const { profile } = rules
  return JSON.stringify({
    format,
    version,
    profile: { ...profile, reward: String(profile.reward), maxMoney: String(profile.maxMoney) },
    time: state.time,
    wallets: state.wallets.map(writtenWallet),
    blocks: blocks.reverse(),
    mempool: pooledTransactions(state.mempool).map(({ hex }) => hex),
  })
}

const tables = [
  'keys',
  'watched',
  'redeemScripts',
  'locked',
  'notes',
  'accounts',
  'accountAddresses',
] as const

function writtenWallet(wallet: Wallet): object {
  const maps = tables.map((name) => [name, Object.fromEntries(entriesFrom<unknown>(wallet[name]))])
  return { pubkey: wallet.pubkey, feeRate: String(wallet.feeRate), ...Object.fromEntries(maps) }
}

/**
 * Reads what `dumpText` wrote, or a chain as a list of `{ height, hex }`, by itself or as the
 * member `transactions` of an object.
 *
 * @throws {AntaraError} `malformed_case` for any other text
 */
export function readDump(text: string): LoadedNode {
  const value = parsed(text)
  if (isObject(value) && value.format === format) return ownDump(value)
  const transactions = isObject(value) ? value.transactions : value
  if (!Array.isArray(transactions))
    throw malformed('load', 'a list of transactions, or a dump', value)
  return { blocks: blocksOf(transactions), mempool: [], identities: undefined as never }
}

/** Groups transactions into a block for each height, in order; those without a height share one. */
export function blocksOf(transactions: readonly unknown[]): RawBlock[] {
  const blocks = new Map<number, string[]>()
  for (const [at, item] of transactions.entries()) {
    const { height = 0, hex } = isObject(item) ? item : {}
    if (typeof height !== 'number' || typeof hex !== 'string') {
      throw malformed(`transactions[${at}]`, 'an object with height and hex', item)
    }
    blocks.set(height, [...(blocks.get(height) ?? []), hex])
  }
  return [...blocks.entries()]
    .sort(([one], [other]) => one - other)
    .map(([, hexes]) => ({ transactions: hexes }))
}

function ownDump(value: Members): LoadedNode {
  if (value.version !== version) throw malformed('load.version', String(version), value.version)
  const { profile, blocks, mempool, wallets, time } = value
  const read = items(wallets, 'load.wallets', { named: 'wallets', read: readWallet })
  return {
    profile: readProfile(profile),
    blocks: items(blocks, 'load.blocks', { named: 'blocks', read: readBlock }),
    mempool: strings(mempool, 'load.mempool'),
    time: time === undefined ? undefined : height(time, 'load.time'),
    wallets: read,
    identities: read.map(identityOf),
  }
}

const numbersOfProfile = [
  'premine',
  'magic',
  'maturity',
  'nulldataBytesMax',
  'blockSeconds',
] as const

function readProfile(value: unknown): NonNullable<LoadedNode['profile']> {
  const path = 'load.profile'
  const known = ['name', 'network', 'reward', 'maxMoney', ...numbersOfProfile]
  // Dumps of versions that served komodod alone name no network.
  const { name, network = 'assetChain', reward, maxMoney, ...numbers } = object(value, path, known)
  if (network !== 'assetChain' && network !== 'tokel') {
    throw malformed(`${path}.network`, 'assetChain or tokel', network)
  }
  for (const [member, it] of Object.entries(numbers)) {
    if (typeof it !== 'number') throw malformed(`${path}.${member}`, 'a number', it)
  }
  return {
    ...numbers,
    network: network satisfies ServedNetwork,
    name: string(name, `${path}.name`),
    reward: amount(reward, `${path}.reward`),
    maxMoney: amount(maxMoney, `${path}.maxMoney`),
  }
}

/** 36 bytes. A block of a dump is made again as it was, so its proof of work is not checked. */
const isSolution = /^[0-9a-f]{72}$/

function readBlock(value: unknown, path: string): RawBlock {
  const members = ['time', 'nonce', 'solution', 'transactions']
  const { time, nonce, solution = noSolution, transactions } = object(value, path, members)
  if (!isHex32(nonce)) {
    throw malformed(`${path}.nonce`, '32 bytes of hex', nonce)
  }
  if (typeof solution !== 'string' || !isSolution.test(solution)) {
    throw malformed(`${path}.solution`, '36 bytes of hex', solution)
  }
  return {
    time: height(time, `${path}.time`),
    nonce,
    solution,
    transactions: strings(transactions, `${path}.transactions`),
  }
}

function identityOf({ keys, pubkey }: Wallet): IdentityOptions {
  const own = [...entriesFrom(keys)].map(([, key]) => key)
  const key = own.find(({ publicKey }) => publicKey === pubkey) ?? own[0]
  return { ...(key && { wif: key.wif }), pubkey: pubkey ?? false }
}

function readWallet(value: unknown, path: string): Wallet {
  const wallet = object(value, path, ['pubkey', 'feeRate', ...tables])
  const { pubkey, feeRate } = wallet
  const map = <Item>(
    name: (typeof tables)[number],
    read: (item: unknown, at: string) => Item,
  ): OrderedMap<Item> => {
    const table = (wallet[name] ?? {}) as Members
    return Object.entries(object(table, `${path}.${name}`, Object.keys(table))).reduce(
      (all, [key, item]) => withEntry(all, key, read(item, `${path}.${name}`)),
      emptyMap<Item>(),
    )
  }
  const keys = map('keys', readKey)
  if (keys.size === 0) throw malformed(`${path}.keys`, 'a key', {})
  return {
    ...emptyWallet,
    pubkey: pubkey === undefined ? undefined : string(pubkey, `${path}.pubkey`),
    feeRate: feeRate === undefined ? 0n : amount(feeRate, `${path}.feeRate`),
    keys,
    watched: map('watched', () => true as const),
    redeemScripts: map('redeemScripts', string),
    locked: map('locked', () => true as const),
    notes: map('notes', (note, at) => object(note, at, ['comment', 'to'])),
    accounts: map('accounts', string),
    accountAddresses: map('accountAddresses', string),
  }
}

function readKey(value: unknown, path: string): WalletKey {
  const { wif, publicKey } = object(value, path, ['wif', 'publicKey'])
  return { wif: string(wif, `${path}.wif`), publicKey: string(publicKey, `${path}.publicKey`) }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AntaraError('malformed_case', { path: 'load', expected: 'JSON' }, { cause })
  }
}
