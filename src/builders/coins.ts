import { AntaraError } from '../errors/antara-error.ts'
import { within } from '../errors/within.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { Outpoint, Transaction } from '../transaction/types.ts'
import type { SpentCoin } from './unsigned.ts'

/** Transactions that coins are read from, under the ids that their bytes hash to. */
export type CoinSources = ReadonlyMap<string, Transaction>

/** @throws {AntaraError} as `decodeTransaction`; `path` names the transaction */
export function readSources(transactions: readonly string[]): CoinSources {
  const path = 'previousTransactions'
  const sources = new Map<string, Transaction>()
  for (const [at, hex] of transactions.entries()) {
    const transaction = within(`${path}[${at}]`, () => decodeTransaction(hex))
    sources.set(transaction.txid, transaction)
  }
  return sources
}

/**
 * Looks coins up in their transactions.
 *
 * @throws {AntaraError} `previous_transaction_missing`, `no_such_output`, `duplicate_coin`
 */
export function readCoins(
  outpoints: readonly Outpoint[],
  role: SpentCoin['role'],
  sources: CoinSources,
  path: string,
): SpentCoin[] {
  const seen = new Set<string>()
  return outpoints.map((outpoint, at) => {
    const where = `${path}[${at}]`
    const key = `${outpoint.txid.toLowerCase()}:${outpoint.vout}`
    if (seen.has(key)) throw new AntaraError('duplicate_coin', { path: where, actual: key })
    seen.add(key)
    return readCoin(outpoint, role, sources, where, `${where}.vout`)
  })
}

/**
 * Looks one coin up in its transaction.
 *
 * @param path - of the member that names the coin
 * @param voutPath - of the member that has its output's index, if there is one
 * @throws {AntaraError} `previous_transaction_missing`, `no_such_output`
 */
export function readCoin(
  outpoint: Outpoint,
  role: SpentCoin['role'],
  sources: CoinSources,
  path: string,
  voutPath: string = path,
): SpentCoin {
  const txid = outpoint.txid.toLowerCase()
  const { vout } = outpoint
  const transaction = sources.get(txid)
  if (transaction === undefined) {
    throw new AntaraError('previous_transaction_missing', { path, expected: txid })
  }
  const output = transaction.outputs[vout]
  if (output === undefined) {
    throw new AntaraError('no_such_output', {
      path: voutPath,
      expected: `below ${transaction.outputs.length}`,
      actual: vout,
    })
  }
  return { txid, vout, role, value: output.value, script: output.script }
}

export function sumOf(coins: readonly { readonly value: bigint }[]): bigint {
  return coins.reduce((sum, { value }) => sum + value, 0n)
}

/**
 * Native coins of one key.
 *
 * @throws {AntaraError} as `readCoins`, and `foreign_coin` for one that pays anything else
 */
export function readNativeCoins(
  outpoints: readonly Outpoint[],
  pubkey: string,
  sources: CoinSources,
): SpentCoin[] {
  const coins = readCoins(outpoints, 'native', sources, 'coins')
  const own = [pubkeyScript(pubkey), pubkeyHashScript(pubkey)]
  for (const [at, { script }] of coins.entries()) {
    if (own.includes(script)) continue
    throw new AntaraError('foreign_coin', {
      path: `coins[${at}]`,
      expected: own.join(' or '),
      actual: script,
    })
  }
  return coins
}
