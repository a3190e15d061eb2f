// Reports the signatures that nodes do not relay: those in a transaction, and those that its outputs
// will need. A page that only transfers does without the rest of these checks.

import { pushBytesMax } from '../chain/limits.ts'
import { type Finding, finding } from '../request/report.ts'
import { stepsOf } from '../script/template.ts'
import { whySpendNotRelayed } from '../token/rules/relayed-spend.ts'
import type { Holder } from '../token/rules/rules.ts'
import type { Transaction } from '../transaction/types.ts'

/** Reports pushes that are too long for nodes, as those of many keys' signatures are. */
export function checkScriptSigs({ inputs }: Transaction): Finding[] {
  return inputs.flatMap(({ scriptSig }, index) => {
    if (scriptSig.length <= 2 * pushBytesMax) return []
    const steps = stepsOf(scriptSig) ?? []
    const actual = steps.reduce((most, { data }) => Math.max(most, data.length / 2), 0)
    if (actual <= pushBytesMax) return []
    const details = { expected: `pushes of at most ${pushBytesMax} bytes`, actual }
    return [finding('nonstandard', `inputs[${index}].scriptSig`, details)]
  })
}

/** Warns of keys whose units no node relays a spend of, as builders refuse them. */
export function checkSpends(holders: readonly Holder[]): Finding[] {
  return holders.flatMap((holder) => {
    const why = typeof holder === 'string' ? undefined : whySpendNotRelayed(holder)
    return why === undefined ? [] : [finding('spend_nonstandard', 'destinationKeys', why)]
  })
}
