// Proofs of the wallet's token units, from their ancestors alone.

import type { Network } from '../chain/network.ts'
import type { ChainOptions } from '../chain-source/source.ts'
import { finish } from '../primitives/steps.ts'
import type { CreatePayload } from '../token/payload/payload.ts'
import { createTokenHistory } from '../token/proof/history.ts'
import { rulesOf } from '../token/rules/network.ts'
import type { Outpoint } from '../transaction/types.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import type { KnownTransactions } from './transactions.ts'

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

/** Ancestors that are fetched before a proof stays open. */
const ancestorsMax = 20_000

/**
 * Up to this many ancestors, each level is proven before the next is fetched. A proof checks the whole
 * history anew, so later proofs wait until the number of ancestors has doubled.
 */
const provenEachLevel = 64

/** How many ancestors may be fetched. */
interface ProofLimit {
  /** True if all tokens share the limit, as those that one transaction moves. */
  readonly isShared: boolean
  /** Default 20,000. */
  readonly most?: number
  /** True for all tokens of a list, which strangers may have sent. */
  readonly isForList?: boolean
}

interface ProofContext {
  readonly known: KnownTransactions
  readonly network: Network
}

/**
 * Proves all coins of one token. Signatures count: anyone can write a history that nobody signed.
 */
export async function proveCoins(
  tokenid: string,
  coins: readonly Outpoint[],
  context: ProofContext,
  options: ChainOptions,
): Promise<TokenProofs> {
  const proofs = await proveTokens(new Map([[tokenid, coins]]), context, options, {
    isShared: false,
  })
  return proofs.get(tokenid)!
}

/** A token whose proof is open. */
interface Reach {
  readonly coins: readonly Outpoint[]
  /** Ancestors that were asked for last. */
  fresh: readonly string[]
  /** The number of ancestors that were asked for. */
  fetched: number
  /** The value of `fetched` at the last proof. */
  fetchedAtProof: number
}

/** Proves the coins of several tokens. Ancestors of all are fetched together, level by level. */
export async function proveTokens(
  coinsByToken: ReadonlyMap<string, readonly Outpoint[]>,
  context: ProofContext,
  options: ChainOptions,
  { isShared, isForList = false, most = ancestorsMax }: ProofLimit,
): Promise<ReadonlyMap<string, TokenProofs>> {
  const { known } = context
  const made = [...coinsByToken.values()].flatMap((coins) => coins.map(({ txid }) => txid))
  const absent = new Set(await known.fetch([...coinsByToken.keys(), ...made], options))
  const proven = new Map<string, TokenProofs>()
  /** The rest of each limit, by the token; under no name if all share one. */
  const left = new Map<string, number>()
  const open = new Map<string, Reach>()
  for (const [tokenid, coins] of coinsByToken) {
    open.set(tokenid, { coins, fresh: [], fetched: 0, fetchedAtProof: 0 })
  }
  while (open.size > 0) {
    const wanted = new Set<string>()
    for (const [tokenid, reach] of open) {
      const share = isShared ? '' : tokenid
      const rest = left.get(share) ?? most
      const askable = (txids: readonly string[]) =>
        txids.filter((txid) => !absent.has(txid) && !known.has(txid)).slice(0, rest)
      let some = isProofDue(reach) ? [] : askable(parentsOf(tokenid, reach, context))
      if (some.length === 0) {
        const { proofs, missing } = proofsOf(tokenid, reach.coins, context)
        proven.set(tokenid, proofs)
        reach.fetchedAtProof = reach.fetched
        some = askable(missing)
      }
      if (some.length === 0) {
        open.delete(tokenid)
        continue
      }
      left.set(share, rest - some.length)
      reach.fresh = some
      reach.fetched += some.length
      for (const txid of some) wanted.add(txid)
    }
    const unread = await known.fetch(wanted, { ...options, isForList })
    for (const txid of unread) absent.add(txid)
  }
  return proven
}

function isProofDue({ fetched, fetchedAtProof }: Reach): boolean {
  return fetched <= provenEachLevel || fetched >= 2 * fetchedAtProof
}

/** Returns the token transactions that the latest ancestors spend, without checking any rule. */
function parentsOf(
  tokenid: string,
  { coins, fresh }: Reach,
  { known, network }: ProofContext,
): readonly string[] {
  const latest = new Set(fresh)
  const sources = {
    has: (txid: string) => latest.has(txid) && known.has(txid),
    get: (txid: string) => (latest.has(txid) ? known.get(txid) : undefined),
  }
  const rules = rulesOf(network, known.get(tokenid)?.outputs, known.get(coins[0]!.txid)?.outputs)
  return finish(createTokenHistory(tokenid, sources, rules).missingFor(fresh))
}

/** Proves with what is known, and returns the ancestors that are missing. */
function proofsOf(
  tokenid: string,
  coins: readonly Outpoint[],
  { known, network }: ProofContext,
): { readonly proofs: TokenProofs; readonly missing: readonly string[] } {
  const txids = [...new Set(coins.map(({ txid }) => txid))]
  const rules = rulesOf(network, known.get(tokenid)?.outputs, known.get(txids[0]!)?.outputs)
  const history = createTokenHistory(tokenid, known, rules, {
    signatures: true,
    network,
    candidates: txids,
  })
  const found = coins.map((coin) => finish(history.prove([coin]))[0]!)
  const isOpen = found.some(({ verdict }) => verdict === 'incomplete')
  const verdicts = new Map(coins.map((coin, at) => [keyOfOutpoint(coin), found[at]!.verdict]))
  const { created } = history
  return {
    missing: isOpen ? finish(history.missingFor(txids)).filter((txid) => !known.has(txid)) : [],
    proofs: {
      ...(created !== undefined && { created }),
      verdictOf(coin) {
        const verdict = verdicts.get(keyOfOutpoint(coin))
        return verdict === 'proven' || verdict === 'disproven' ? verdict : 'open'
      },
    },
  }
}
