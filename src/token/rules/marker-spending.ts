// The rules of tokeld for the marker of a token, by which wallets find it.

import { burnKeysOf } from '../../chain/modules.ts'
import type { Transaction } from '../../transaction/types.ts'
import { conditionPart } from './condition-script.ts'
import { tokenInputs } from './fulfillment.ts'
import type { TokenRules } from './rules.ts'

interface MarkedToken {
  readonly rules: TokenRules
  readonly tokenid: string
  /** The published key of the module, hex. */
  readonly moduleKey: string
  /** The data of the creation, hex. */
  readonly data: string | undefined
  /** Units that the creation issued. */
  readonly supply: bigint
}

/**
 * Returns why a transaction may not spend what the module's key holds; `undefined` if it spends
 * none of it. It may only remove a token of one unit that has data, and burns that unit.
 *
 * @see tokel src/cc/CCtokens_impl.h, CheckMarkerSpending
 */
export function markerRefusal(transaction: Transaction, token: MarkedToken): string | undefined {
  const { rules, tokenid, moduleKey, data = '', supply } = token
  const spent = tokenInputs(transaction, rules.evalCode).filter(({ key }) => key === moduleKey)
  const isAllowed = spent.every(
    ({ txid }) =>
      txid === tokenid && data !== '' && supply === 1n && burned(transaction, token) === 1n,
  )
  return isAllowed ? undefined : `marker spending is not allowed for tokenid=${tokenid}`
}

/** @see tokel src/cc/CCtokens_impl.h, HasBurnedTokensvouts */
function burned({ outputs }: Transaction, { rules, data = '' }: MarkedToken): bigint {
  const scripts = new Set(
    burnKeysOf.tokel!.flatMap((key) =>
      ['', data].map((named) => conditionPart(rules.issuanceScript(key, named))),
    ),
  )
  return outputs.reduce(
    (sum, { value, script }) => (scripts.has(conditionPart(script) ?? '') ? sum + value : sum),
    0n,
  )
}
