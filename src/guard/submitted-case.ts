// The case of guard_submit is text of a client. The operator's bounds hold for it, too.

import { defaultFee, defaultMaxFee } from '../chain/limits.ts'
import { defaultNetwork } from '../chain/network.ts'
import type { AskedFor } from '../request/case.ts'
import { refusedParameter } from './refusals.ts'
import type { RequestTerms } from './token-method.ts'

const intentPath = 'params[1].intent'

/**
 * Returns the request with the guard's network, and with its highest fee where it has none.
 *
 * @throws {RpcFailure} for a request that allows more than the guard does
 */
export function withinTerms(asked: AskedFor, terms: RequestTerms): AskedFor {
  const { intent } = asked
  const { network = defaultNetwork } = intent
  if (network.name !== terms.network.name) {
    throw refusedParameter('params[1].network', `${terms.network.name}, the network of the guard`)
  }
  if ('allowUnenforcedPrice' in intent && intent.allowUnenforcedPrice === true) {
    if (!terms.allowsUnenforcedPrices) {
      throw refusedParameter(`${intentPath}.allowUnenforcedPrice`, 'false')
    }
  }
  const bounds = { network: terms.network, ...feeWithin(asked, terms) }
  return { ...asked, intent: { ...intent, ...bounds } } as AskedFor
}

function feeWithin({ operation, intent }: AskedFor, terms: RequestTerms): { maxFee?: bigint } {
  const { fee, maxFee } = intent
  const most = terms.maxFee ?? defaultMaxFee(defaultFee)
  for (const [name, value] of Object.entries({ fee, maxFee })) {
    if (value === undefined || value <= most) continue
    throw refusedParameter(`${intentPath}.${name}`, `at most ${most} satoshis`)
  }
  if (maxFee !== undefined) return {}
  // A payment with a fee alone has exactly that fee.
  if (fee !== undefined && operation === 'payment') return {}
  const usual = defaultMaxFee(fee ?? defaultFee)
  return { maxFee: usual < most ? usual : most }
}
