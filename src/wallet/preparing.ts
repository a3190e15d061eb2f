// The calls of a wallet that build for another machine, and neither sign nor send.

import { requireObject } from '../primitives/arguments.ts'
import { snapshot } from '../primitives/snapshot.ts'
import type { Preparing } from './contract.ts'
import { requireSignal } from './options.ts'
import { burnPlan, type PlanOf, plans } from './plans.ts'
import type { Prepared, PrepareOptions, Preparer } from './prepare.ts'
import type { CreateRequest } from './requests/create.ts'
import type { MergeRequest } from './requests/merge.ts'
import type { BidRequest, CancelRequest, FillRequest, OfferRequest } from './requests/order.ts'
import type { PayRequest } from './requests/pay.ts'
import type { BurnRequest, TransferRequest } from './requests/transfer.ts'
import type { Session } from './session.ts'

export function preparingCalls({ planContext }: Session, preparer: Preparer): Preparing {
  async function prepared<Request extends object>(
    given: Request & PrepareOptions,
    planOf: PlanOf<Request>,
  ): Promise<Prepared> {
    requireObject(given, 'request')
    const { id, signal, ...request } = given
    requireSignal(signal)
    const plan = await planOf(planContext, snapshot(request, 'request') as unknown as Request)
    return preparer.prepare(plan, { ...(id !== undefined && { id }), ...(signal && { signal }) })
  }

  return {
    pay: (request) => prepared<PayRequest>(request, plans.pay),
    transfer: (request) => prepared<TransferRequest>(request, plans.transfer),
    burn: (request) => prepared<BurnRequest>(request, burnPlan),
    createToken: (request) => prepared<CreateRequest>(request, plans.createToken),
    merge: (request = {}) => prepared<MergeRequest>(request, plans.merge),
    ask: (request) => prepared<OfferRequest>(request, plans.ask),
    bid: (request) => prepared<BidRequest>(request, plans.bid),
    fill: (request) => prepared<FillRequest>(request, plans.fill),
    cancel: (request) => prepared<CancelRequest>(request, plans.cancel),
  }
}
