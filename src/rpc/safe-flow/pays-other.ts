import type { Checked } from './check.ts'

/**
 * Returns true if the transaction pays anything else. Only the bounds of the fee and of the price
 * of an order may differ: the price had to be right when the transaction was made.
 */
export function paysOther({ report }: Checked): boolean {
  return report.findings.some(
    ({ code, severity }) => severity === 'reject' && !/^(?:fee_|order_price$)/.test(code),
  )
}
