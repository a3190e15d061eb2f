// The state of a node as text: whole blocks, what waits, the clock and the keys.

import { AntaraError } from '../errors/antara-error.ts'
import type { IdentityOptions } from './dev-node.ts'
import type { Engine } from './engine.ts'
import type { RawBlock } from './import.ts'
import type { ChainProfile } from './profile.ts'
import type { Block } from './state/block.ts'
import { pooledTransactions } from './state/mempool.ts'
import { emptyMap, entriesFrom, type OrderedMap, withEntry } from './state/ordered-map.ts'
import { emptyWallet, type Wallet } from './state/wallet.ts'

const format = 'antara-tx-node'
const version = 1

export interface LoadedNode {
  readonly profile?: Partial<ChainProfile>
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

const tables = ['keys', 'watched', 'redeemScripts', 'locked', 'notes', 'accounts'] as const

function writtenWallet(wallet: Wallet): object {
  const maps = tables.map((name) => [name, Object.fromEntries(entriesFrom<unknown>(wallet[name]))])
  return { pubkey: wallet.pubkey, feeRate: String(wallet.feeRate), ...Object.fromEntries(maps) }
}

/**
 * Reads what `dumpText` wrote, or a chain as a list of `{ height, hex }`, by itself or as the member
 * `transactions` of an object.
 *
 * @throws {AntaraError} `malformed_case` for any other text
 */
export function readDump(text: string): LoadedNode {
  const value = parsed(text)
  if (isObject(value) && value.format === format) return ownDump(value)
  const transactions = isObject(value) ? value.transactions : value
  if (!Array.isArray(transactions)) throw malformed('load', 'a list of transactions, or a dump')
  return { blocks: blocksOf(transactions), mempool: [], identities: undefined as never }
}

/** A block for each height, in order; what tells none is of one height. */
export function blocksOf(transactions: readonly unknown[]): RawBlock[] {
  const blocks = new Map<number, string[]>()
  for (const [at, item] of transactions.entries()) {
    const { height = 0, hex } = isObject(item) ? item : {}
    if (typeof height !== 'number' || typeof hex !== 'string') {
      throw malformed(`transactions[${at}]`, 'an object with height and hex')
    }
    blocks.set(height, [...(blocks.get(height) ?? []), hex])
  }
  return [...blocks.entries()]
    .sort(([one], [other]) => one - other)
    .map(([, hexes]) => ({ transactions: hexes }))
}

function ownDump(value: Members): LoadedNode {
  if (value.version !== version) throw malformed('version', String(version))
  const { profile, blocks, mempool, wallets, time } = value
  if (
    !isObject(profile) ||
    !Array.isArray(blocks) ||
    !Array.isArray(mempool) ||
    !Array.isArray(wallets)
  ) {
    throw malformed('load', 'profile, blocks, mempool and wallets')
  }
  const read = wallets.map((wallet) => readWallet(wallet as Members))
  return {
    profile: {
      ...(profile as object),
      reward: BigInt(String(profile.reward)),
      maxMoney: BigInt(String(profile.maxMoney)),
    },
    blocks: blocks as RawBlock[],
    mempool: mempool as string[],
    time: typeof time === 'number' ? time : undefined,
    wallets: read,
    identities: read.map(identityOf),
  }
}

function identityOf({ keys, pubkey }: Wallet): IdentityOptions {
  const own = [...entriesFrom(keys)].map(([, key]) => key)
  const key = own.find(({ publicKey }) => publicKey === pubkey) ?? own[0]
  return { ...(key && { wif: key.wif }), pubkey: pubkey ?? false }
}

function readWallet(value: Members): Wallet {
  const map = <Value>(name: string): OrderedMap<Value> =>
    Object.entries((value[name] ?? {}) as Record<string, Value>).reduce(
      (all, [key, item]) => withEntry(all, key, item),
      emptyMap<Value>(),
    )
  return {
    ...emptyWallet,
    pubkey: typeof value.pubkey === 'string' ? value.pubkey : undefined,
    feeRate: BigInt(String(value.feeRate ?? '0')),
    keys: map('keys'),
    watched: map('watched'),
    redeemScripts: map('redeemScripts'),
    locked: map('locked'),
    notes: map('notes'),
    accounts: map('accounts'),
  }
}

type Members = Readonly<Record<string, unknown>>

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

function malformed(path: string, expected: string): AntaraError {
  return new AntaraError('malformed_case', { path, expected })
}
