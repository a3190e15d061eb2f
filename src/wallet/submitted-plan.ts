// The plan of a transaction that another machine signed.

import { argumentError } from '../primitives/arguments.ts'
import type { AskedFor, Case } from '../request/case.ts'
import { pubkeyHashScript } from '../script/key-script.ts'
import { addressOfScript } from '../script/script.ts'
import { readableTransaction } from '../transaction/readable.ts'
import { feesOf, type PlanContext } from './choice.ts'
import { createPlan } from './create-plan.ts'
import { mergePlan, payPlan } from './pay-plans.ts'
import type { Plan } from './send.ts'
import { orderPlan } from './trade.ts'
import { transferPlan } from './transfer-plan.ts'

/**
 * A plan for a transaction that another machine signed: it builds nothing.
 *
 * @param signed - its hex
 */
export function submittedPlan(context: PlanContext, requested: AskedFor, signed: string): Plan {
  const { operation, intent } = requested
  const plan = planOfIntent(context, requested)
  if (plan === undefined) {
    throw argumentError('signed.operation', 'an operation that the wallet prepares', operation)
  }
  return {
    ...plan,
    // The request that was prepared, fees and all, and the evidence of this wallet.
    async caseOf(hex, state, options) {
      // An earlier attempt was prepared with another expiry height.
      if (hex !== signed.toLowerCase() && hex !== signed) return plan.caseOf(hex, state, options)
      // A report names malformed hex: there is no evidence for it.
      const isWhole = readableTransaction(hex) !== undefined
      const evidence = isWhole
        ? (await plan.caseOf(hex, state, options)).evidence
        : { previousTransactions: [] }
      return { operation, intent, hex, evidence } as Case
    },
  }
}

function planOfIntent(context: PlanContext, requested: AskedFor): Plan | undefined {
  const { operation, intent } = requested
  if (operation === 'payment') {
    const recipients = intent.recipients.map(({ address, script, amount }) => ({
      to: address ?? addressOfScript(script ?? '', context.network) ?? '',
      amount,
    }))
    const { nulldata, fee, maxFee, feeRate } = intent
    if (isMerge(context, intent)) return mergePlan(context, feesOf(intent))
    return payPlan(context, {
      recipients,
      ...(nulldata !== undefined && { nulldata }),
      ...(fee !== undefined && { fee }),
      ...(maxFee !== undefined && { maxFee }),
      ...(feeRate !== undefined && { feeRate }),
    })
  }
  if (operation === 'tokentransfer') {
    const { tokenid, destination, destinationKeys, amount, burn } = intent
    const to = destinationKeys ?? destination
    return transferPlan(context, { tokenid, to, amount, ...feesOf(intent) }, burn === true)
  }
  if (operation === 'tokencreate') {
    const { name, supply, description, data, version } = intent
    const more = { ...(data !== undefined && { data }), ...(version !== undefined && { version }) }
    return createPlan(context, { name, supply, description, ...more, ...feesOf(intent) })
  }
  return orderPlan(context, requested)
}

/** A merge may follow a merge, while one payment is made once. */
function isMerge(
  { publicKeys }: PlanContext,
  { recipients, nulldata }: AskedFor<'payment'>['intent'],
): boolean {
  const [first, second] = recipients
  const [to] = publicKeys
  const isAll = first?.amount === 'max' && second === undefined && nulldata === undefined
  return isAll && first.script?.toLowerCase() === pubkeyHashScript(to!)
}
