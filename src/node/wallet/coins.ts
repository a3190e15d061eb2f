// A wallet's coins, in the order in which the daemon's wallet walks through them.

import type { PrevoutToSign } from '../../signing/task.ts'
import type { Outpoint } from '../../transaction/types.ts'
import { outpointKey, outpointOf } from '../state/keys.ts'
import { pooledTransactions } from '../state/mempool.ts'
import { entriesFrom, lookUp } from '../state/ordered-map.ts'
import type { ScriptIndex } from '../state/script-index.ts'
import type { Coin } from '../state/tables.ts'
import { indexedUnder, type NodeState, outputAt, type View } from '../state/view.ts'
import {
  indexKeysOf,
  type Ownership,
  ownershipOf,
  redeemScriptOf,
  type Wallet,
} from '../state/wallet.ts'

export interface WalletCoin extends Outpoint, Omit<Coin, 'height'> {
  /** 0 while it waits for a block. */
  readonly confirmations: number
  readonly ownership: Ownership
}

/**
 * Coins that nothing spends, the mempool's among them, by transaction hash in wire order.
 *
 * @see komodo src/wallet/wallet.cpp, AvailableCoins: mapWallet is ordered so
 */
export function* walletCoins(
  { state, rules }: View,
  wallet: Wallet,
): Generator<WalletCoin, void, undefined> {
  const { chain, mempool } = state
  const confirmed = indexKeysOf(wallet, rules.scripts).map((key) =>
    suffixes(indexedUnder(chain, 'addressCoins', key), key.length),
  )
  const waiting = pooledOutputs(state)
  /** Many coins have few scripts. */
  const ownerships = new Map<string, Ownership | undefined>()
  let last = ''
  for (const [key, coin] of merged([...confirmed, waiting])) {
    // an output to several keys of the wallet is in the index of each
    if (key === last || lookUp(mempool.spends, key) !== undefined) continue
    last = key
    if (!ownerships.has(coin.script)) {
      ownerships.set(coin.script, ownershipOf(wallet, coin.script, rules.scripts))
    }
    const ownership = ownerships.get(coin.script)
    if (ownership === undefined) continue
    const { value, script, coinbase, height } = coin
    const confirmations = Math.max(0, chain.tip.height - height + 1)
    yield { ...outpointOf(key), value, script, coinbase, confirmations, ownership }
  }
}

type Entry = readonly [string, Coin]

function pooledOutputs({ mempool, chain }: NodeState): Iterator<Entry> {
  const height = chain.tip.height + 1
  return pooledTransactions(mempool)
    .flatMap(({ txid, transaction }) =>
      transaction.outputs.map((output, vout): Entry => {
        return [outpointKey(txid, vout), { ...output, height, coinbase: false }]
      }),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .values()
}

function* suffixes(entries: Iterable<Entry>, length: number): Generator<Entry, void, undefined> {
  for (const [key, coin] of entries) yield [key.slice(length), coin]
}

/** Entries of several ordered streams in order. */
function* merged(streams: readonly Iterator<Entry>[]): Generator<Entry, void, undefined> {
  const heads = streams.map((stream) => stream.next())
  for (;;) {
    let first = -1
    for (const [at, head] of heads.entries()) {
      if (head.done) continue
      const key = head.value[0]
      if (first < 0 || key < (heads[first]!.value as Entry)[0]) first = at
    }
    if (first < 0) return
    yield heads[first]!.value as Entry
    heads[first] = streams[first]!.next()
  }
}

/** Returns outputs with the scripts behind their hashes, as far as these are known. */
export function toSign(
  prevouts: readonly PrevoutToSign[],
  known: Pick<Wallet, 'redeemScripts'>,
  scripts: ScriptIndex,
): PrevoutToSign[] {
  return prevouts.map((prevout) => {
    const redeemScript = redeemScriptOf(known, prevout.script, scripts)
    return redeemScript === undefined ? prevout : { ...prevout, redeemScript }
  })
}

/** Tells whether a wallet made a transaction itself: every input was its own. */
export function isFromWallet(view: View, wallet: Wallet, txid: string): boolean {
  const pooled = lookUp(view.state.mempool.transactions, txid)
  if (pooled === undefined) return false
  return pooled.transaction.inputs.every((input) => {
    const spent = outputAt(view, input)
    return spent && ownershipOf(wallet, spent.script, view.rules.scripts) === 'spendable'
  })
}

export function wifsOf({ keys }: Wallet): string[] {
  return [...entriesFrom(keys)].map(([, { wif }]) => wif)
}
