// The plan of a transaction that another machine signed.

import {
  argumentError,
  requireArray,
  requireObject,
  requireString,
} from '../primitives/arguments.ts'
import { isHex } from '../primitives/hex-forms.ts'
import type { AskedFor, Case } from '../request/case.ts'
import { requestText } from '../request/format-case.ts'
import type { Recipient } from '../request/transfer.ts'
import { createKey, transferKey } from '../rpc/safe-flow/payment-keys.ts'
import { pubkeyHashScript, scriptHashOf } from '../script/key-script.ts'
import { addressOfScript } from '../script/script.ts'
import { scriptsOfName } from '../signing/own-scripts.ts'
import { readableTransaction } from '../transaction/readable.ts'
import { tokenCreate } from '../verification/operations/create.ts'
import { tokenTransfer } from '../verification/operations/transfer.ts'
import { feesOf, keysOf } from './case-terms.ts'
import type { PlanContext } from './choice.ts'
import { createPlan } from './create-plan.ts'
import { orderPlan } from './order-of-case.ts'
import { type BuiltPayment, mergePlan, payPlan } from './pay-plans.ts'
import type { Plan } from './plan.ts'
import type { Preparer } from './prepare.ts'
import { withOwn } from './recorded-request.ts'
import type { TokenPayee } from './requests/transfer.ts'
import { transferPlan } from './transfer-plan.ts'

/** The arguments of `submit`: another machine returned them. */
interface Submitted {
  /** The hex alone, or the case. */
  readonly taken: string | Case
  readonly id?: string | undefined
  /** Names of the caller's own that the wallet does not have. */
  readonly own: readonly string[]
}

/**
 * Returns the plan for a transaction that another machine signed: it builds nothing. What this
 * wallet prepared is verified as it was prepared, whatever the case says that comes back.
 *
 * @throws {AntaraError} `id_conflict` for an id under which another request was prepared here
 * @throws {TypeError} for hex without a case that was not prepared here, and for a request that the
 *   wallet does not prepare
 */
export function submittedPlan(
  context: PlanContext,
  preparer: Preparer,
  { taken, id, own: furtherOwn }: Submitted,
): { readonly plan: Plan; readonly hex: string } {
  if (typeof taken !== 'string') requireObject(taken, 'signed')
  const signed = typeof taken === 'string' ? taken : taken.hex
  requireString(signed, 'signed.hex')
  const found = preparer.find(signed)
  if (found === undefined && typeof taken === 'string') {
    throw argumentError('signed', 'hex that this wallet prepared, or its case', 'other hex')
  }
  // The hex of one payment does not make the case of another one.
  const planOf = (asked: AskedFor) => planOfIntent(context, asked, furtherOwn)
  const keyOf = (asked: AskedFor) => planOf(asked).key
  const isOf = found && (typeof taken === 'string' || keyOf(taken) === keyOf(found.case))
  const same = isOf ? found : undefined
  const given = same?.plan ?? planOf(taken as AskedFor)
  preparer.requireSame(id, given)
  const prepared = same ?? preparer.ofId(id)
  const plan = prepared?.plan ?? given
  const { operation, intent } = prepared?.case ?? (taken as AskedFor)
  const submitted: Plan = {
    ...plan,
    // Without the further names, `resume` would take change to them for a stranger's.
    ...(operation === 'payment' && { request: () => withOwn(plan.request(), furtherOwn) }),
    ...(found === undefined && { isBuiltElsewhere: true as const }),
    async caseOf(hex, state, options) {
      // An earlier attempt was prepared with another expiry height.
      if (hex !== signed.toLowerCase() && hex !== signed) return plan.caseOf(hex, state, options)
      // A report names malformed hex: there is no evidence for it.
      if (readableTransaction(hex) === undefined) {
        return { operation, intent, hex, evidence: { previousTransactions: [] } } as Case
      }
      const known = await plan.caseOf(hex, state, options)
      const keys = [...keysOf(context, options), ...furtherOwn]
      const named = byOwnKeys(intent, known.intent, { keys, furtherOwn, ...context })
      // A network of the case could read another script from an address.
      const asked = { ...named, network: context.network }
      return { operation, intent: asked, hex, evidence: known.evidence } as Case
    },
  }
  return { plan: submitted, hex: signed }
}

/** Members that name the key which pays, and to which change, units and orders belong. */
const ownKeyMembers: readonly string[] = ['from', 'owner']

interface OwnNames {
  /** All of the wallet's own, and the caller's further ones. */
  readonly keys: readonly string[]
  readonly furtherOwn: readonly string[]
}

/**
 * Returns the intent without keys of strangers in the place of the wallet's own. A case that was on
 * its way could name one, and the change or the order would then be the stranger's.
 *
 * @param known - the intent that the wallet itself would verify
 */
function byOwnKeys(
  intent: object,
  known: object,
  { keys, furtherOwn, network }: OwnNames & Pick<PlanContext, 'network'>,
) {
  const scripts = new Set(keys.flatMap((key) => scriptsOfName(key, network)))
  const isForeign = (name: unknown): boolean =>
    typeof name === 'string' && scriptsOfName(name, network).some((script) => !scripts.has(script))
  const members = Object.entries(intent).map(([name, value]) => {
    if (name === 'own' && typeof value === 'function') return [name, keys]
    if (name === 'own' && Array.isArray(value)) {
      return [name, [...new Set([...value.filter((it) => !isForeign(it)), ...furtherOwn])]]
    }
    if (name === 'ownKeys' && Array.isArray(value)) {
      return [name, value.filter((it) => !isForeign(it))]
    }
    if (name === 'redeemScripts') return [name, namedRedeemScripts(value, scripts)]
    if (!ownKeyMembers.includes(name) || !isForeign(value)) return [name, value]
    return [name, (known as Readonly<Record<string, unknown>>)[name]]
  })
  return Object.fromEntries(members)
}

/**
 * Returns the redeem scripts whose addresses are own. A script that only the case has would take the
 * coins with it.
 */
function namedRedeemScripts<Value>(value: Value, own: ReadonlySet<string>): Value {
  if (!Array.isArray(value)) return value
  return value.filter(
    (it) => typeof it !== 'string' || !isHex(it) || own.has(scriptHashOf(it)),
  ) as Value
}

/** @throws {TypeError} for a request that the wallet does not prepare */
function planOfIntent(
  context: PlanContext,
  requested: AskedFor,
  furtherOwn: readonly string[],
): Plan {
  requireObject(requested.intent, 'signed.intent')
  const plan = planOfOwn(context, requested, furtherOwn)
  const asked = { ...requested, intent: { ...requested.intent, network: context.network } }
  const key = wholeKeyOf(asked as AskedFor)
  // The text is no request of a wallet, so `resume` passes it over: it would verify too little.
  return key === undefined ? plan : { ...plan, key, request: () => requestText(asked as AskedFor) }
}

/**
 * Returns the key of a request about tokens with members that the wallet's own requests lack; its
 * own keys would be equal for two of them. `undefined` for other requests.
 */
function wholeKeyOf({ operation, intent }: AskedFor): string | undefined {
  if (operation === 'tokentransfer') {
    const { tokenids, fromKeys } = intent
    if ((tokenids ?? fromKeys) === undefined) return undefined
    return transferKey(tokenTransfer.validate(intent).intent)
  }
  if (operation !== 'tokencreate' || intent.properties === undefined) return undefined
  return createKey(tokenCreate.validate(intent).intent)
}

/** Returns the plan of those members that the wallet's own requests have. */
function planOfOwn(context: PlanContext, requested: AskedFor, furtherOwn: readonly string[]): Plan {
  const { operation, intent } = requested
  if (operation === 'payment') {
    requireArray(intent.recipients, 'signed.intent.recipients')
    for (const [at, it] of intent.recipients.entries()) {
      requireObject(it, `signed.intent.recipients[${at}]`)
    }
    const recipients = intent.recipients.map(({ address, script, amount }) => ({
      to: address ?? addressOfScript(script ?? '', context.network) ?? '',
      amount,
    }))
    const { nulldata, feeRate } = intent
    const builtTerms = builtTermsOf(context, intent, furtherOwn)
    if (isMerge(context, intent)) return mergePlan(context, feesOf(intent), builtTerms)
    const request = {
      recipients,
      ...(nulldata !== undefined && { nulldata }),
      ...feesOf(intent),
      ...(feeRate !== undefined && { feeRate }),
    }
    return payPlan(context, request, builtTerms)
  }
  if (operation === 'tokentransfer') {
    const { tokenid, tokenids, destination, destinationKeys, amount, recipients, burn } = intent
    const paid =
      recipients === undefined
        ? { to: destinationKeys ?? destination, amount }
        : { recipients: recipientsIn(recipients) }
    const request = { tokenid, ...paid, ...feesOf(intent) }
    return transferPlan(context, request, burn === true, { tokenids })
  }
  if (operation === 'tokencreate') {
    const { name, supply, description = '', data, version } = intent
    const more = { ...(data !== undefined && { data }), ...(version !== undefined && { version }) }
    return createPlan(context, { name, supply, description, ...more, ...feesOf(intent) })
  }
  const plan = orderPlan(context, requested)
  if (plan !== undefined) return plan
  throw argumentError('signed.operation', 'an operation that the wallet prepares', operation)
}

function recipientsIn(recipients: readonly Recipient[]): readonly TokenPayee[] {
  requireArray(recipients, 'signed.intent.recipients')
  return recipients.map((it, at) => {
    requireObject(it, `signed.intent.recipients[${at}]`)
    return { to: it.pubkey, amount: it.amount }
  })
}

/**
 * Returns the terms that the wallet's own requests do not have. Keys of the wallet have no redeem
 * script, so a redeem script counts only if the caller named its address.
 */
function builtTermsOf(
  { network }: PlanContext,
  intent: AskedFor<'payment'>['intent'],
  furtherOwn: readonly string[],
): BuiltPayment {
  const { lockTime, expiryHeight, expiryBlocksMax, maxChangeOutputs, redeemScripts } = intent
  const own = new Set(furtherOwn.flatMap((name) => scriptsOfName(name, network)))
  return {
    lockTime,
    expiryHeight,
    expiryBlocksMax,
    maxChangeOutputs,
    redeemScripts: namedRedeemScripts(redeemScripts, own),
  }
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
