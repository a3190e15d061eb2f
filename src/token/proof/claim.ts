import { finish } from '../../primitives/steps.ts'
import type { Checked } from './check.ts'
import type { Disproof } from './proof.ts'
import { walk } from './walk.ts'

/**
 * Returns a function that finds two ancestors that spend the same output, and so cannot both be on
 * a chain.
 *
 * All transactions passed to that function count as parents of one common child, which spends from
 * all of them; of two conflicting ones, the later is at fault. No other transaction influences the
 * result.
 */
export function createClaims(
  checked: ReadonlyMap<string, Checked>,
): (txid: string) => Disproof | undefined {
  const claimed = new Set<string>()
  const verdicts = new Map<string, Disproof | undefined>()

  function claim(txid: string): Disproof | undefined {
    const { restsOn, spends } = checked.get(txid)!
    for (const parent of restsOn) {
      const disproof = verdicts.get(parent)
      if (disproof !== undefined) return disproof
    }
    if (spends.some((key) => claimed.has(key))) return { txid, rule: 'double_spend' }
    for (const key of spends) claimed.add(key)
    return undefined
  }

  return (target) => {
    const steps = walk(
      target,
      (txid) => (verdicts.has(txid) ? undefined : checked.get(txid)?.restsOn),
      (txid) => verdicts.set(txid, claim(txid)),
    )
    finish(steps)
    return verdicts.get(target)
  }
}
