// Change that leaves the signer. The request says which keys are the wallet's own, and it comes from
// a machine that may be hostile, while the signer knows its own keys.

import { defaultNetwork } from '../chain/network.ts'
import type { Case } from '../request/case.ts'
import { ownScripts } from '../request/own-scripts.ts'
import { type Finding, finding, type Report } from '../request/report.ts'
import { pubkeyHashScript } from '../script/key-script.ts'
import { templateOf } from '../script/template.ts'
import { addressOf } from '../signing/key.ts'
import { readSigner } from '../signing/signer.ts'
import { prevoutsOf } from './case-signing.ts'
import { changeIn } from './outputs.ts'
import { moreThanReturned } from './returned-change.ts'
import { shownScript } from './shown-script.ts'

interface Held {
  /** Private keys, as for `signTransaction`. */
  readonly keys: readonly string[]
  /** Names of further own scripts, as in `own` of a payment; the caller vouches for them. */
  readonly own?: readonly string[] | undefined
}

/**
 * Returns warnings of change, orders and tokens that go to a key which the request calls own and
 * the signer does not hold. Another signer of the transaction may get back what its own coins were
 * worth.
 *
 * @param report - a report that has no reject but missing signatures
 * @throws {AntaraError} `malformed_private_key`
 * @throws {TypeError} for an own name that is not a key, an address or a script, or is of a module
 */
export function checkHeld(report: Report, given: Case, { keys, own = [] }: Held): Finding[] {
  // A report without a key is a verdict, and nobody signs.
  if (keys.length === 0) return []
  const { network = defaultNetwork } = given.intent
  const forms = keys.flatMap((key, at) => readSigner(key, network, `keys[${at}]`).publicKeys)
  const addresses = forms.filter((it) => it !== '').map((it) => addressOf(it, network))
  // Redeem scripts of the request are left out. Its maker could name own keys in a script that only
  // the file has, and without the script nobody can spend what it holds.
  const held = ownScripts({ own: [...own, ...addresses] }, network)
  // A signer may have a module's published key, which holds nothing: then its address is the problem.
  const problem = held.problems.find(({ path }) => own.some((_, at) => path === `own[${at}]`))
  if (problem !== undefined) {
    throw new TypeError(
      `${problem.path}: expected keys, addresses or scripts, got ${String(problem.actual)}`,
    )
  }
  const isHeld = (script: string) => held.named.has(script) || held.whyLocked(script) === undefined
  return [...checkOwner(given, isHeld), ...checkChange(report, given, isHeld)]
}

/** Checks who gets what is made or bought. A transfer moves only tokens that its sender has. */
function checkOwner({ operation, intent }: Case, isHeld: (script: string) => boolean): Finding[] {
  if (operation === 'payment' || operation === 'tokentransfer') return []
  const member = operation === 'tokencreate' ? 'owner' : 'from'
  const key = (intent as unknown as Readonly<Record<typeof member, string>>)[member].toLowerCase()
  if (isHeld(pubkeyHashScript(key))) return []
  return [finding('change_not_held', `intent.${member}`, { actual: key })]
}

function checkChange(
  { hex, effects }: Report,
  given: Case,
  isHeld: (script: string) => boolean,
): Finding[] {
  const { network = defaultNetwork } = given.intent
  const spent = prevoutsOf(hex, given).map(({ script, value }) => {
    return { payer: payerOf(script), value }
  })
  const unheld = changeIn(effects)
    .filter(({ script }) => !isHeld(script))
    .map((change) => ({ ...change, payee: payerOf(change.script) }))
  return moreThanReturned(unheld, spent).map(({ output, script, value }) => {
    const actual = `${value} to ${shownScript(script, network)}`
    return finding('change_not_held', `outputs[${output}].script`, { actual })
  })
}

/** A key and its hash are one payer. */
function payerOf(script: string): string {
  const template = templateOf(script)
  return template.type === 'pubkey' ? pubkeyHashScript(template.keys[0]!) : script
}
