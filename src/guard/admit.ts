// The decision about a call before anything is requested: carried out, passed on, or refused.

import { isAntaraError } from '../errors/antara-error.ts'
import { notify } from '../primitives/observers.ts'
import type { Admitted, ReadCall } from './call.ts'
import type { DecisionEntry, Policy, PolicyRefusal } from './decision.ts'
import { NothingPaid } from './forbidden.ts'
import type { CommonOptions } from './options.ts'
import {
  guardFailure,
  heldName,
  isRefusedParameter,
  Refusal,
  refusedByPolicy,
  refusedKey,
  refusedMethod,
  refusedWithoutKey,
} from './refusals.ts'

/** Answers one call: by the JSON text of its answer without a newline, or by a reply. */
export type CarryOutOf<Call, Answered = string> = (call: Admitted<Call>) => Promise<Answered>

export interface AdmissionParts<Call, Answered = string> {
  readonly policy: Policy | undefined
  /** The methods that the guard carries out or verifies itself. */
  readonly carriedOut: ReadonlyMap<string, CarryOutOf<Call, Answered>>
  /** The methods that the guard would verify, if it had the key or the coin of the wallet. */
  readonly verifiable: ReadonlySet<string>
  /** The carried-out methods that find an earlier payment if `isForbidden` is true. */
  readonly repeatable: ReadonlySet<string>
  /** Rejects if a call must not be passed on, because its line could not be written. */
  readonly onDecision: (entry: DecisionEntry) => Promise<void>
  readonly onTime: (call: Call, milliseconds: number) => void
}

/** Longest name of a method; a longer one is in no table. */
const methodCharactersMax = 100

/**
 * Answers one call, and reports the time that it takes.
 *
 * @param pass - passes the call on to the server
 * @throws {RpcFailure} for a call that is refused
 */
export async function answered<Call extends ReadCall, Answered, Passed>(
  parts: AdmissionParts<Call, Answered>,
  call: Call,
  pass: () => Promise<Passed>,
): Promise<Answered | Passed> {
  const started = performance.now()
  try {
    return await decided(parts, call, pass)
  } finally {
    parts.onTime(call, performance.now() - started)
  }
}

async function decided<Call extends ReadCall, Answered, Passed>(
  { policy, carriedOut, verifiable, repeatable, onDecision }: AdmissionParts<Call, Answered>,
  call: Call,
  pass: () => Promise<Passed>,
): Promise<Answered | Passed> {
  const { user, method, methodClass, key } = call
  const shown = { user, method: method.slice(0, methodCharactersMax), methodClass }
  const noteRefused = (reason: string): Promise<void> =>
    onDecision({ ...shown, ...(key !== undefined && { key }), decision: 'refused', reason })
  const refuse = async (refusal: Refusal): Promise<never> => {
    await noteRefused(refusal.reason)
    throw refusal
  }
  const rule = policy?.admit(shown)
  const forbidding = rule === 'allow' ? undefined : rule
  const carryOut = carriedOut.get(method)
  if (forbidding !== undefined && (carryOut === undefined || !repeatable.has(method))) {
    return refuse(refusedByPolicy(forbidding))
  }
  if (carryOut !== undefined) {
    const line = { isWritten: false }
    try {
      return await carryOut({ ...call, line, isForbidden: forbidding !== undefined })
    } catch (error) {
      if (line.isWritten) throw error
      const refusal = refusalFor(error, forbidding)
      if (refusal !== undefined) return refuse(refusal)
      // A failure to look for the earlier payment refuses the call too.
      if (forbidding !== undefined) await noteRefused(forbidding.rule)
      throw error
    }
  }
  // A policy that names them means payments within its limits, which only a verified call keeps.
  if (verifiable.has(method)) return refuse(refusedWithoutKey(call))
  if (methodClass !== 'read' && rule !== 'allow') return refuse(refusedMethod(call))
  if (key !== undefined) return refuse(refusedKey('it only with a call that the guard verifies'))
  await onDecision({ ...shown, decision: 'passed' })
  return pass()
}

/** Returns the refusal that an error means; `undefined` for a failure. */
function refusalFor(error: unknown, forbidding: PolicyRefusal | undefined): Refusal | undefined {
  const isTaken = isAntaraError(error, 'id_conflict')
  if (forbidding !== undefined) {
    if (error instanceof NothingPaid) return refusedByPolicy(forbidding, error.txids)
    if (isTaken || isRefusedParameter(error)) return refusedByPolicy(forbidding)
  }
  // Programs repeat a call that failed, and this one can never succeed.
  if (isTaken) return heldName()
  return error instanceof Refusal ? error : undefined
}

type Observers = Pick<CommonOptions, 'record' | 'metrics' | 'onDecision' | 'onFailure'>

/** Returns the function that passes a decision to the metrics and to `onDecision`. */
export function noteTo({ metrics, onDecision }: Observers): (entry: DecisionEntry) => void {
  return (entry) => {
    metrics?.count(entry)
    notify(onDecision, entry)
  }
}

/** Returns the function that notes and records a decision about a call that pays nothing yet. */
export function recordIn(observers: Observers): (entry: DecisionEntry) => Promise<void> {
  const { record, onFailure } = observers
  const note = noteTo(observers)
  return async (entry) => {
    note(entry)
    const written = record?.append(entry).catch((error: unknown) => {
      notify(onFailure, error)
      throw guardFailure('the record failed, so the call is not passed on')
    })
    // A call that the operator allows by name may pay. A read and a refusal wait for no line.
    if (entry.decision === 'passed' && entry.methodClass !== 'read') await written
    else void written?.catch(() => undefined)
  }
}
