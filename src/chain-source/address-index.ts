import type { Network } from '../chain/network.ts'
import { createCache } from '../primitives/cache.ts'
import { addressOfScript } from '../script/script.ts'
import { templateOf } from '../script/template.ts'

/** Addresses of one kind: a daemon keeps an index for conditions and one for everything else. */
export interface AddressIndex {
  readonly addresses: readonly string[]
  readonly isCondition: boolean
}

interface Indexed {
  /** Absent where the script has none, or several. */
  readonly address?: string
  readonly isCondition: boolean
}

const scriptsMax = 10_000

/**
 * Returns a function that gives the addresses of scripts by their index, without an index that has
 * none. A wallet asks for the same scripts again at each look.
 */
export function addressIndexes(network: Network): (scripts: readonly string[]) => AddressIndex[] {
  const known = createCache<Indexed>(scriptsMax)
  const read = (script: string): Indexed => {
    const address = addressOfScript(script, network)
    const isCondition = templateOf(script).type === 'condition'
    return { ...(address !== undefined && { address }), isCondition }
  }
  return (scripts) => {
    const all = known.getAll(scripts, (missing) => missing.map(read))
    const addressesOf = (wanted: boolean): string[] => [
      ...new Set(all.flatMap((it) => (it.isCondition === wanted ? (it.address ?? []) : []))),
    ]
    return [false, true]
      .map((isCondition) => ({ addresses: addressesOf(isCondition), isCondition }))
      .filter(({ addresses }) => addresses.length > 0)
  }
}
