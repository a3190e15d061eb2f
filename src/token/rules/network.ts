import type { Network } from '../../chain/network.ts'
import { komodoRules } from './komodo.ts'
import type { TokenRules } from './rules.ts'
import { rulesV2 } from './tokens-v2.ts'

/** The rules of a network's tokens: those that tokeld runs have tokens v2. */
export function rulesOf({ conditions }: Pick<Network, 'conditions'>): TokenRules {
  return conditions === 'tokel' ? rulesV2 : komodoRules
}
