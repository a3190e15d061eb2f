// The plan of a transaction that another machine signed.

import type { Network } from '../chain/network.ts'
import { argumentError } from '../primitives/arguments.ts'
import type { AskedFor, Case } from '../request/case.ts'
import { pubkeyHashScript } from '../script/key-script.ts'
import { addressOfScript } from '../script/script.ts'
import { scriptsOfName } from '../signing/own-scripts.ts'
import { readableTransaction } from '../transaction/readable.ts'
import { feesOf, keysOf, type PlanContext } from './choice.ts'
import { createPlan } from './create-plan.ts'
import { mergePlan, payPlan } from './pay-plans.ts'
import type { Plan } from './send.ts'
import { orderPlan } from './trade.ts'
import { transferPlan } from './transfer-plan.ts'

/** A transaction that another machine signed. */
interface Signed {
  readonly hex: string
  /** Names of the caller's own that the wallet does not have. */
  readonly own: readonly string[]
}

/** A plan for a transaction that another machine signed: it builds nothing. */
export function submittedPlan(
  context: PlanContext,
  requested: AskedFor,
  { hex: signed, own: furtherOwn }: Signed,
): Plan {
  const { operation, intent } = requested
  const plan = planOfIntent(context, requested)
  if (plan === undefined) {
    throw argumentError('signed.operation', 'an operation that the wallet prepares', operation)
  }
  return {
    ...plan,
    // The request that was prepared, fees and all, and the evidence of this wallet.
    async caseOf(hex, state, options) {
      // An earlier attempt was prepared with another expiry height.
      if (hex !== signed.toLowerCase() && hex !== signed) return plan.caseOf(hex, state, options)
      // A report names malformed hex: there is no evidence for it.
      if (readableTransaction(hex) === undefined) {
        return { operation, intent, hex, evidence: { previousTransactions: [] } } as Case
      }
      const own = await plan.caseOf(hex, state, options)
      const keys = [...keysOf(context, options), ...furtherOwn]
      const asked = byOwnKeys(intent, own.intent, keys, context.network)
      return { operation, intent: asked, hex, evidence: own.evidence } as Case
    },
  }
}

/** Members that name the key which pays, and to which change, units and orders belong. */
const ownKeyMembers: readonly string[] = ['from', 'owner']

/**
 * Returns the intent without keys of strangers in the place of the wallet's own. A case that was on
 * its way could name one, and the change or the order would then be the stranger's.
 *
 * @param known - the intent that the wallet itself would verify
 */
function byOwnKeys(intent: object, known: object, keys: readonly string[], network: Network) {
  const scripts = new Set(keys.flatMap((key) => scriptsOfName(key, network)))
  const isForeign = (name: unknown): boolean =>
    typeof name === 'string' && scriptsOfName(name, network).some((script) => !scripts.has(script))
  const members = Object.entries(intent).map(([name, value]) => {
    if (name === 'own' && typeof value === 'function') return [name, keys]
    if (name === 'own' && Array.isArray(value)) return [name, value.filter((it) => !isForeign(it))]
    if (!ownKeyMembers.includes(name) || !isForeign(value)) return [name, value]
    return [name, (known as Readonly<Record<string, unknown>>)[name]]
  })
  return Object.fromEntries(members)
}

function planOfIntent(context: PlanContext, requested: AskedFor): Plan | undefined {
  const { operation, intent } = requested
  if (operation === 'payment') {
    const recipients = intent.recipients.map(({ address, script, amount }) => ({
      to: address ?? addressOfScript(script ?? '', context.network) ?? '',
      amount,
    }))
    const { nulldata, fee, maxFee, feeRate } = intent
    if (isMerge(context, intent)) return mergePlan(context, feesOf(intent))
    return payPlan(context, {
      recipients,
      ...(nulldata !== undefined && { nulldata }),
      ...(fee !== undefined && { fee }),
      ...(maxFee !== undefined && { maxFee }),
      ...(feeRate !== undefined && { feeRate }),
    })
  }
  if (operation === 'tokentransfer') {
    const { tokenid, destination, destinationKeys, amount, burn } = intent
    const to = destinationKeys ?? destination
    return transferPlan(context, { tokenid, to, amount, ...feesOf(intent) }, burn === true)
  }
  if (operation === 'tokencreate') {
    const { name, supply, description, data, version } = intent
    const more = { ...(data !== undefined && { data }), ...(version !== undefined && { version }) }
    return createPlan(context, { name, supply, description, ...more, ...feesOf(intent) })
  }
  return orderPlan(context, requested)
}

/** A merge may follow a merge, while one payment is made once. */
function isMerge(
  { publicKeys }: PlanContext,
  { recipients, nulldata }: AskedFor<'payment'>['intent'],
): boolean {
  const [first, second] = recipients
  const [to] = publicKeys
  const isAll = first?.amount === 'max' && second === undefined && nulldata === undefined
  return isAll && first.script?.toLowerCase() === pubkeyHashScript(to!)
}
