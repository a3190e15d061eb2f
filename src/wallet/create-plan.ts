// The plan of a creation.

import { buildTokenCreate } from '../builders/create.ts'
import { defaultFee, markerSats } from '../chain/limits.ts'
import { requireRequest } from '../request/members.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { evidenceOf, furtherKeys, keysOf, requestText, spending } from './case-terms.ts'
import {
  changeMargin,
  isOf,
  type PlanContext,
  payingKey,
  plainCoins,
  spendableCoins,
  withEarlier,
  withSharedCoins,
} from './choice.ts'
import { ownScriptsOf } from './own-scripts.ts'
import type { Plan } from './plan.ts'
import { type CreateRequest, createTokenForms } from './requests/create.ts'

/** The version of tokens that a request without `version` creates. */
const versionDefault = 2

export function createPlan(context: PlanContext, request: CreateRequest): Plan {
  requireRequest(request, createTokenForms)
  const { network, publicKeys } = context
  const { description = '', name, supply, data = '', version } = request
  const intent = { ...request, description, network }
  // A request that names the default version creates the same token.
  const module = version === versionDefault ? undefined : version
  return {
    key: JSON.stringify(['create', name, `${supply}`, description, data.toLowerCase(), module]),
    mayBe: ({ outputs }) => outputs.some(({ value }) => value === supply),
    request: () => requestText(context, { wallet: 'createToken', ...request }),
    build: (taken, limits) =>
      withSharedCoins(taken, async (isFree, isShared) => {
        const view = await context.sync(limits)
        const sum = supply + markerSats + (request.fee ?? defaultFee)
        const earlier = plainCoins(context, view, isShared)
        // The first key, unless another one has the coins for it.
        const plain = plainCoins(context, view, isFree)
        const owner = earlier[0]?.publicKey ?? payingKey(context, plain, sum)
        const wanted = { publicKey: owner, needed: supply }
        const offered = spendableCoins(context, view, isFree, wanted)
        const { coins, spend } = withEarlier(
          earlier.filter(isOf(owner)),
          offered,
          sum + changeMargin,
        )
        const native = spending(context, view, coins, 'tokens')
        return buildTokenCreate({ ...intent, owner, ...(spend && { spend }), ...native })
      }),
    async caseOf(hex, state, options) {
      const evidence = await evidenceOf(context, hex, state, options)
      const makers = ownScriptsOf(keysOf(context, options), network)
      const { inputs, outputs } = decodeTransaction(hex)
      const spent = inputs.flatMap(({ txid, vout }) => context.known.get(txid)?.outputs[vout] ?? [])
      const owners = [...spent, ...outputs].flatMap(({ script }) => makers.ownerOf(script) ?? [])
      // The coin of a further key may be the first one, so the key that gets the units counts.
      const found = owners.find(({ holds }) => holds === 'units') ?? owners[0]
      const owner = found?.publicKey ?? publicKeys[0]!
      const asked = { ...intent, owner, ...furtherKeys(context, options, owner) }
      return { operation: 'tokencreate', intent: asked, hex, evidence }
    },
  }
}
