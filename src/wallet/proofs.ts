// Proofs of the wallet's token units, from their ancestors alone.

import type { Network } from '../chain/network.ts'
import type { ChainOptions } from '../chain-source/source.ts'
import type { CreatePayload } from '../token/payload/payload.ts'
import { createTokenHistory } from '../token/proof/history.ts'
import { rulesOf } from '../token/rules/network.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { KnownTransactions } from './transactions.ts'
import { keyOfOutpoint } from './view.ts'

/**
 * - `proven`     every ancestor is known, back to the creation, and none breaks a rule
 * - `open`       an ancestor is missing
 * - `disproven`  an ancestor breaks a rule: the output holds nothing, and is never spent
 */
export type TokenVerdict = 'proven' | 'open' | 'disproven'

export interface TokenProofs {
  /** The payload of the creation; absent if the source does not have the creation. */
  readonly created?: CreatePayload
  verdictOf(coin: Outpoint): TokenVerdict
}

/** Ancestors that are fetched for one token before its proof stays open. */
const ancestorsMax = 20_000

/**
 * Proves all coins of one token. Signatures count: anyone can write a history that nobody signed.
 */
export async function proveCoins(
  tokenid: string,
  coins: readonly Outpoint[],
  { known, network }: { readonly known: KnownTransactions; readonly network: Network },
  options: ChainOptions,
): Promise<TokenProofs> {
  const absent = new Set(await known.fetch([tokenid], options))
  const txids = [...new Set(coins.map(({ txid }) => txid))]
  for (let left = ancestorsMax; ; ) {
    const rules = rulesOf(network, known.get(tokenid)?.outputs, known.get(txids[0]!)?.outputs)
    const history = createTokenHistory(tokenid, known, rules, { signatures: true, network })
    const proofs = coins.map((coin) => history.prove([coin])[0]!)
    const isOpen = proofs.some(({ verdict }) => verdict === 'incomplete')
    const wanted = isOpen
      ? history.missingFor(txids).filter((txid) => !absent.has(txid) && !known.has(txid))
      : []
    if (wanted.length === 0 || left <= 0) {
      const verdicts = new Map(coins.map((coin, at) => [keyOfOutpoint(coin), proofs[at]!.verdict]))
      const { created } = history
      return {
        ...(created !== undefined && { created }),
        verdictOf(coin) {
          const verdict = verdicts.get(keyOfOutpoint(coin))
          return verdict === 'proven' || verdict === 'disproven' ? verdict : 'open'
        },
      }
    }
    const some = wanted.slice(0, left)
    left -= some.length
    for (const txid of await known.fetch(some, options)) absent.add(txid)
  }
}
