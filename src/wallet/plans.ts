// Plans by the word that the journal has for them. All but those of transfers are loaded when they
// are needed: a page that sends tokens does without the others.

import { burnKeysOf } from '../chain/modules.ts'
import type { PlanContext } from './choice.ts'
import type { BuiltPayment } from './pay-plans.ts'
import type { Plan } from './plan.ts'
import { readRecorded } from './recorded-request.ts'
import type { CreateRequest } from './requests/create.ts'
import type { MergeRequest } from './requests/merge.ts'
import type { BidRequest, CancelRequest, FillRequest, OfferRequest } from './requests/order.ts'
import type { PayRequest } from './requests/pay.ts'
import type { BurnRequest, TransferRequest } from './requests/transfer.ts'
import type { BuiltTerms } from './trade.ts'
import { transferPlan } from './transfer-plan.ts'

const payments = () => import('./pay-plans.ts')
const trade = () => import('./trade.ts')

export type PlanOf<Request, Built = BuiltTerms> = (
  context: PlanContext,
  request: Request,
  builtTerms?: Built,
) => Promise<Plan>

export const plans: {
  readonly pay: PlanOf<PayRequest, BuiltPayment>
  readonly transfer: PlanOf<TransferRequest>
  readonly burn: PlanOf<TransferRequest>
  readonly createToken: PlanOf<CreateRequest>
  readonly merge: PlanOf<MergeRequest, BuiltPayment>
  readonly ask: PlanOf<OfferRequest>
  readonly bid: PlanOf<BidRequest>
  readonly fill: PlanOf<FillRequest>
  readonly cancel: PlanOf<CancelRequest>
} = {
  pay: async (context, request, terms) => (await payments()).payPlan(context, request, terms),
  transfer: async (context, request) => transferPlan(context, request, false),
  burn: async (context, request) => transferPlan(context, request, true),
  createToken: async (context, request) =>
    (await import('./create-plan.ts')).createPlan(context, request),
  merge: async (context, request, terms) => (await payments()).mergePlan(context, request, terms),
  ask: async (context, request, terms) => (await trade()).askPlan(context, request, terms),
  bid: async (context, request, terms) => (await trade()).bidPlan(context, request, terms),
  fill: async (context, request) => (await trade()).fillPlan(context, request),
  cancel: async (context, request) => (await trade()).cancelPlan(context, request),
}

/** Sends units to the burn key of the chain. */
export const burnPlan: PlanOf<BurnRequest> = (context, request) => {
  const [to = ''] = burnKeysOf[context.network.conditions] ?? []
  return plans.burn(context, { ...request, to })
}

/**
 * Returns the plan of a payment of the journal; `undefined` for one that no wallet made.
 *
 * @throws {AntaraError} `malformed_case`
 * @throws {TypeError} for a request that this version of the wallet would not take
 */
export async function recordedPlan(context: PlanContext, text: string): Promise<Plan | undefined> {
  const { operation, wallet: kind, keys: _keys, own: _own, ...request } = readRecorded(text)
  if (operation !== 'wallet') return undefined
  if (kind === 'mergeStep') {
    return (await import('./merge-step-plan.ts')).mergeStepPlan(context, request as never)
  }
  if (typeof kind !== 'string' || !Object.hasOwn(plans, kind)) return undefined
  if (kind === 'ask' || kind === 'bid') {
    const { expiryHeight, ...offer } = request
    return plans[kind](context, offer as never, { expiryHeight } as BuiltTerms)
  }
  if (kind === 'pay' || kind === 'merge') {
    const { lockTime, expiryHeight, expiryBlocksMax, maxChangeOutputs, redeemScripts, ...paid } =
      request
    const builtTerms = { lockTime, expiryHeight, expiryBlocksMax, maxChangeOutputs, redeemScripts }
    return plans[kind](context, paid as never, builtTerms as BuiltPayment)
  }
  return plans[kind as keyof typeof plans](context, request as never)
}
