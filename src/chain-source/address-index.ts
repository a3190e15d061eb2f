import type { Network } from '../chain/network.ts'
import { addressOfScript } from '../script/script.ts'
import { templateOf } from '../script/template.ts'

/** Addresses of one kind: a daemon keeps an index for conditions and one for everything else. */
export interface AddressIndex {
  readonly addresses: readonly string[]
  readonly isCondition: boolean
}

/** Returns the addresses of scripts by their index. An index without addresses is left out. */
export function indexesOf(scripts: readonly string[], network: Network): AddressIndex[] {
  const [plain, conditions] = [new Set<string>(), new Set<string>()]
  for (const script of scripts) {
    const address = addressOfScript(script, network)
    if (address === undefined) continue
    const isCondition = templateOf(script).type === 'condition'
    ;(isCondition ? conditions : plain).add(address)
  }
  return [
    { addresses: [...plain], isCondition: false },
    { addresses: [...conditions], isCondition: true },
  ].filter(({ addresses }) => addresses.length > 0)
}
