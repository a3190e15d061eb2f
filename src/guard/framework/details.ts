import { defaultNetwork } from '../../chain/network.ts'
import { formatCoins } from '../../primitives/amount.ts'
import type { Report } from '../../request/report.ts'
import type { WithdrawIntent } from '../../request/withdraw.ts'
import { addressOfScript } from '../../script/script.ts'

/**
 * Writes the details of a withdrawal that was handed over before, as the server writes them. All
 * that they say follows from the verified bytes; the payers are the wallet's own addresses.
 */
export function detailsOf(
  { hex, txid, effects, inputsMinusOutputs: fee = 0n }: Report,
  { coin, to, network = defaultNetwork }: WithdrawIntent,
  own: ReadonlySet<string>,
): string {
  const sum = (list: Report['effects']) => list.reduce((total, { value }) => total + value, 0n)
  const spent = sum(effects) + fee
  const received = sum(effects.filter(({ script }) => own.has(script)))
  const from = [...own].flatMap((script) => addressOfScript(script, network) ?? [])
  return JSON.stringify({
    tx_hex: hex,
    tx_hash: txid,
    from: [...new Set(from)],
    to: [to],
    total_amount: formatCoins(spent),
    spent_by_me: formatCoins(spent),
    received_by_me: formatCoins(received),
    my_balance_change: formatCoins(received - spent),
    block_height: 0,
    timestamp: Math.floor(Date.now() / 1000),
    fee_details: { type: 'Utxo', coin, amount: formatCoins(fee) },
    coin,
    internal_id: '',
    transaction_type: 'StandardTransfer',
    memo: null,
  })
}
