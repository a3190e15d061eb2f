// Reports why nodes do not relay a payment that is otherwise right: only a miner can mine it.

import { sigopsMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { type Effect, type Finding, finding } from '../request/report.ts'
import { addressedScript } from '../script/addressed-script.ts'
import { readScripts } from '../script/describe.ts'
import { sigopsOf } from '../script/sigops.ts'
import { standardKeysMax, whyNonstandard } from '../script/standard.ts'
import type { Transaction } from '../transaction/types.ts'

/** Reports the scripts of requested outputs that nodes refuse. */
export function checkOutputScripts(effects: readonly Effect[], network: Network): Finding[] {
  const paid = effects.filter(
    ({ role, script }) =>
      (role === 'destination' || role === 'native-change') && addressedScript(script) === undefined,
  )
  if (paid.length === 0) return []
  const scriptPubKeys = [...new Set(paid.map(({ script }) => script))]
  const read = readScripts({ scriptSigs: [], scriptPubKeys, network, showSighash: false })
  const refused = new Map(
    read.scriptPubKeys.flatMap(({ type, hashes }, at) => {
      const script = scriptPubKeys[at]!
      const why = whyNonstandard({ type, keys: hashes.length }, script, network)
      return why === undefined ? [] : [[script, why] as const]
    }),
  )
  return paid.flatMap(({ output, script }) => {
    const actual = refused.get(script)
    if (actual === undefined) return []
    const expected = `a script that nodes relay, of at most ${standardKeysMax} keys`
    return [finding('nonstandard', `outputs[${output}].script`, { expected, actual })]
  })
}

/** The most that a script counts for each output, and each spent script hash. */
const sigopsOfOutput = 20
const sigopsOfInput = 15

/**
 * Reports more signature checks than nodes relay.
 *
 * @param spent - of each input, the redeem script; '' if there is none
 */
export function checkSigops({ outputs }: Transaction, spent: readonly string[]): Finding[] {
  const most = sigopsOfOutput * outputs.length + sigopsOfInput * spent.length
  if (most <= sigopsMax) return []
  const actual =
    outputs.reduce((sum, { script }) => sum + sigopsOf(script, false), 0) +
    spent.reduce((sum, script) => sum + sigopsOf(script, true), 0)
  if (actual <= sigopsMax) return []
  const details = { expected: `at most ${sigopsMax} signature checks`, actual }
  return [finding('nonstandard', 'outputs', details)]
}
