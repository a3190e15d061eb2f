// These methods are about shielded addresses. The wallets of this node have none.

import { formatCoins } from '../../primitives/amount.ts'
import { isLocked } from '../state/wallet.ts'
import { walletCoins } from '../wallet/coins.ts'
import type { Answer } from './answer.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { boolean, integer, type Params, text } from './params.ts'

export const shieldedMethods: Methods = methodsIn('Wallet', [
  method('z_listaddresses ( includeWatchonly )', [0, 1], (_, [all]) => {
    if (all !== undefined) boolean(all)
    return []
  }),
  method('z_listoperationids', [0, 1], (_, [status]) => {
    if (status !== undefined) text(status)
    return []
  }),
  method('z_gettotalbalance ( minconf includeWatchonly )', [0, 2], totalBalance),
])

/** @see komodo src/wallet/rpcwallet.cpp, z_gettotalbalance and getBalanceTaddr */
function totalBalance(context: Context, [minimum, watched]: Params): Answer {
  const least = minimum === undefined ? 1 : integer(minimum)
  if (least < 0) {
    throw failure('parameter', 'Minimum number of confirmations cannot be less than 0')
  }
  const isAll = watched !== undefined && boolean(watched)
  const { rules, wallet } = context
  let sum = 0n
  for (const coin of walletCoins(context, wallet)) {
    const isMature = !coin.coinbase || coin.confirmations >= rules.profile.maturity
    const isCounted = coin.ownership === 'spendable' || isAll
    if (coin.confirmations < least || isLocked(wallet, coin)) continue
    if (isMature && isCounted) sum += coin.value
  }
  const transparent = money(sum)
  return { transparent, interest: money(0n), private: money(0n), total: transparent }
}

/** Formats coins with two decimals, or as many more as are needed. @see komodo src/utilmoneystr.cpp, FormatMoney */
function money(sats: bigint): string {
  return formatCoins(sats).replace(/0{1,6}$/, '')
}
