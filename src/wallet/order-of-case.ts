// The plans of orders whose cases another machine signed.

import { argumentError, requireBigint } from '../primitives/arguments.ts'
import type { AskedFor } from '../request/case.ts'
import { feesOf } from './case-terms.ts'
import type { PlanContext } from './choice.ts'
import type { Plan } from './plan.ts'
import type { FeeTerms } from './requests/common.ts'
import type { FillRequest, OfferRequest } from './requests/order.ts'
import { askPlan, bidPlan, cancelPlan, fillPlan } from './trade.ts'

/** Returns the plan for the order of a prepared case; `undefined` for another operation. */
export function orderPlan(context: PlanContext, { operation, intent }: AskedFor): Plan | undefined {
  switch (operation) {
    case 'tokenask':
      return askPlan(context, offerOf(intent), { expiryHeight: intent.expiryHeight })
    case 'tokenbid': {
      const { allowUnenforcedPrice, expiryHeight } = intent
      const allowed = allowUnenforcedPrice === undefined ? {} : { allowUnenforcedPrice }
      return bidPlan(context, { ...offerOf(intent), ...allowed }, { expiryHeight })
    }
    case 'tokenfillask':
      return fillPlan(
        context,
        fillOf(intent, 'priceMax' in intent ? intent.priceMax : intent.price),
      )
    case 'tokenfillbid':
      return fillPlan(
        context,
        fillOf(intent, 'priceMin' in intent ? intent.priceMin : intent.price),
      )
    case 'tokencancelask':
    case 'tokencancelbid':
      return cancelPlan(context, { order: intent.order, ...feesOf(intent) })
    default:
      return undefined
  }
}

type Priced = FeeTerms & { readonly units: bigint; readonly price: bigint }

function offerOf(intent: Priced & { readonly tokenid: string }): OfferRequest {
  const { tokenid, units: amount } = intent
  return { tokenid, amount, price: priceOfEach(intent), ...feesOf(intent) }
}

function fillOf(
  intent: FeeTerms & { readonly units: bigint; readonly order: string },
  price: bigint,
): FillRequest {
  const { order, units } = intent
  return { order, amount: units, price: priceOfEach({ units, price }), ...feesOf(intent) }
}

/** Cases state the price of all units, and the wallet's requests that of each. */
function priceOfEach({ units, price }: Priced): bigint {
  requireBigint(units, 'signed.intent.units')
  requireBigint(price, 'signed.intent.price')
  if (units > 0n && price % units === 0n) return price / units
  throw argumentError('signed.intent.price', 'a multiple of the units, which are above 0', price)
}
