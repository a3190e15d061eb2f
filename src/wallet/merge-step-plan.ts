// The plan of one of several merges.

import { requestText } from './case-terms.ts'
import { type PlanContext, plainCoins } from './choice.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import { consolidationOf } from './pay-plans.ts'
import type { Plan } from './plan.ts'
import type { FeeTerms } from './requests/common.ts'
import { transferPlan } from './transfer-plan.ts'
import type { WalletCoin } from './view.ts'

/** One of several merges: of coins that are known, under a key that names the first of them. */
interface MergeStepRequest extends FeeTerms {
  /** `txid:vout`: the smallest outpoint of the coins that this step spends. It names the step. */
  readonly first: string
  /** With `amount` and `to`: the token whose coins are merged. */
  readonly tokenid?: string
  /** The key of the wallet that holds the units. */
  readonly to?: string
  readonly amount?: bigint
}

/** @param coins - `txid:vout`; absent for a step of the journal, which is never built again */
export function mergeStepPlan(
  context: PlanContext,
  request: MergeStepRequest,
  coins: readonly string[] = [],
): Plan {
  const { first, tokenid = '', to = '', amount = 0n, ...fees } = request
  const chosen = new Set(coins)
  const isChosen = (coin: WalletCoin) => chosen.has(keyOfOutpoint(coin))
  const plan =
    request.tokenid === undefined
      ? consolidationOf(context, fees, (view, isFree) =>
          plainCoins(context, view, (coin) => isFree(coin) && isChosen(coin)),
        )
      : transferPlan(context, { tokenid, to, amount, ...fees }, false, { isMerged: isChosen })
  return {
    ...plan,
    key: JSON.stringify(['merge step', tokenid, first]),
    request: () => requestText(context, { wallet: 'mergeStep', ...request }),
  }
}
