import type { Network } from '../../chain/network.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { komodoRules } from './komodo.ts'
import type { TokenRules } from './rules.ts'
import { rulesTokelV1 } from './tokel-v1.ts'
import { rulesV2 } from './tokens-v2.ts'

/**
 * Returns the rules of a network's tokens. Chains of tokeld have tokens v2 and older tokens v1.
 *
 * @param outputs - of the token's creation or of transactions that move it, which decide between
 *   v1 and v2
 */
export function rulesOf(
  { conditions }: Pick<Network, 'conditions'>,
  ...outputs: readonly (readonly TransactionOutput[] | undefined)[]
): TokenRules {
  if (conditions !== 'tokel') return komodoRules
  const known = [rulesV2, rulesTokelV1]
  for (const one of outputs) {
    const rules = one && known.find((it) => it.payloadOf(one) !== undefined)
    if (rules !== undefined) return rules
  }
  return rulesV2
}

/** Returns the rules of newly created tokens. @param version - of the module, on tokeld's chains */
export function rulesOfNew(network: Pick<Network, 'conditions'>, version: 1 | 2): TokenRules {
  return network.conditions === 'tokel' && version === 1 ? rulesTokelV1 : rulesOf(network)
}
