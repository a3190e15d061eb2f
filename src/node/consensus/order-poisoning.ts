// A defect of komodod, for tests that want to meet it.

import type { KomodoCreatePayload } from '../../token/payload/payload.ts'
import { lastPayload, nonFungibleEvalCode } from '../../token/rules/komodo.ts'
import type { Transaction } from '../../transaction/types.ts'

/**
 * The eval code of a non-fungible token's data stays in the memory of the process that validated a
 * step of its order, accepted or not. From then on this process looks for fungible asks at the wrong
 * address, and refuses to fill or cancel them. Daemons that did not see the step accept them, so
 * the chain can split.
 *
 * @see komodo src/cc/assets.cpp, AssetsValidate, which sets cp->additionalTokensEvalcode2
 */
export interface OrderPoisoning {
  isOn: boolean
  /** True once a step of a non-fungible token was validated. */
  isPoisoned: boolean
}

/** Validates a step of an order as a process with the defect does; undefined if it does not refuse. */
export function poisonedRefusal(
  poisoning: OrderPoisoning,
  { outputs }: Transaction,
  creationOf: (tokenid: string) => KomodoCreatePayload | undefined,
): string | undefined {
  const payload = lastPayload(outputs)
  if (!poisoning.isOn || payload?.kind !== 'transfer') return undefined
  const created = creationOf(payload.tokenid)
  if (created !== undefined && nonFungibleEvalCode(created) !== undefined) {
    poisoning.isPoisoned = true
    return undefined
  }
  const order = payload.extras.find(({ kind }) => kind === 'assets')?.order
  const isOfAsk = order?.action === 'fillAsk' || order?.action === 'cancelAsk'
  return poisoning.isPoisoned && isOfAsk ? 'invalid vin assets CCaddr' : undefined
}
