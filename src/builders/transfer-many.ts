// Several tokens at once, as tokenv2transfermany moves them: outputs that name their token
// themselves.

import { AntaraError } from '../errors/antara-error.ts'
import type { TokenTransferRequest } from '../request/transfer.ts'
import type { TransactionOutput } from '../transaction/types.ts'
import { inOrder } from './choose.ts'
import { type CoinSources, readCoins, sumOf } from './coins.ts'
import {
  checkTokens,
  type FoundCreation,
  findCreation,
  heldBy,
  requireMovable,
} from './moved-token.ts'
import { type Payee, requireV2 } from './transfer-request.ts'
import type { SpentCoin } from './unsigned.ts'

interface Several {
  readonly tokens: readonly SpentCoin[]
  readonly outputs: readonly TransactionOutput[]
  readonly unproven: readonly SpentCoin[]
}

interface Wanted {
  readonly tokenids: readonly string[]
  /** The recipient's share of the first token. */
  readonly creation: FoundCreation
  readonly from: string
  readonly payee: Payee
  readonly sources: CoinSources
}

/**
 * For each token: the spent coins, the units that are given, and the units that are left.
 *
 * @throws {AntaraError} `foreign_coin` for a coin of another token, and as for one token
 * @see tokel src/cc/CCtokens_impl.h, TokenAddTransferVout
 */
export function severalTokens(request: TokenTransferRequest, wanted: Wanted): Several {
  const { tokenids, creation, sources } = wanted
  const coins = readCoins(request.tokenCoins, 'token', sources, 'tokenCoins')
  const byToken = new Map(tokenids.map((tokenid) => [tokenid, [] as SpentCoin[]]))
  for (const [at, coin] of coins.entries()) {
    const tokenid = tokenIn(coin, creation, sources)
    const own = byToken.get(tokenid ?? '')
    if (own === undefined) {
      const details = {
        path: `tokenCoins[${at}]`,
        expected: tokenids.join(' or '),
        actual: tokenid,
      }
      throw new AntaraError('foreign_coin', details)
    }
    own.push(coin)
  }
  const parts = [...byToken].map(([tokenid, own]) => {
    const { network } = request
    const found =
      tokenid === tokenids[0]
        ? creation
        : findCreation(
            { previousTransactions: request.previousTransactions },
            tokenid,
            sources,
            network!,
          )
    return oneOfSeveral(request, { ...wanted, creation: found }, own)
  })
  return {
    tokens: parts.flatMap((it) => it.tokens),
    outputs: parts.flatMap((it) => it.outputs),
    unproven: parts.flatMap((it) => it.unproven),
  }
}

/** By the coin's own transaction alone. */
function tokenIn(
  { txid, vout }: SpentCoin,
  { rules }: FoundCreation,
  sources: CoinSources,
): string | undefined {
  const transaction = sources.get(txid)!
  return rules.tokenOf({ txid, transaction, payload: rules.payloadOf(transaction.outputs) }, vout)
}

function oneOfSeveral(
  request: TokenTransferRequest,
  { creation, from, payee, sources }: Wanted,
  offered: readonly SpentCoin[],
): Several {
  const tokenid = creation.transaction.txid
  requireV2(creation.rules.layout)
  requireMovable(creation, request.dataCodes)
  const unproven = checkTokens(offered, heldBy(from, creation), sources)
  const tokens = inOrder(offered, payee.amount, request.spend)
  const change = sumOf(tokens) - payee.amount
  if (change < 0n) {
    throw new AntaraError('insufficient_tokens', {
      path: 'tokenCoins',
      expected: payee.amount,
      actual: sumOf(offered),
    })
  }
  const { scriptsOf } = creation.rules.placesOf(creation.payload)
  const [given, left] = scriptsOf([payee.holder, from], tokenid) as [string, string]
  return {
    tokens,
    outputs: [
      { value: payee.amount, script: given },
      ...(change > 0n ? [{ value: change, script: left }] : []),
    ],
    unproven: unproven.filter((it) => tokens.includes(it)),
  }
}
