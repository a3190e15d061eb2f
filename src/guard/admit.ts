// The decision about a call before anything is requested: carried out, passed on, or refused.

import { isAntaraError } from '../errors/antara-error.ts'
import { notify } from '../primitives/observers.ts'
import type { CallLine } from './call.ts'
import type { DecisionEntry, DecisionRecord, GuardedCall, Metrics, Policy } from './decision.ts'
import { NothingPaid } from './forbidden.ts'
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
export type CarryOutOf<Call, Answered = string> = (call: Call) => Promise<Answered>

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

interface AdmittedCall extends GuardedCall {
  /** The header `Idempotency-Key`. */
  readonly key?: string
  readonly isForbidden?: boolean
  readonly line?: CallLine
}

/** Longest name of a method; a longer one is in no table. */
const methodCharactersMax = 100

/**
 * Returns the function that carries the call out; `undefined` if it is passed on.
 *
 * @throws {RpcFailure} for a call that is refused
 */
export async function admitted<Call extends AdmittedCall, Answered>(
  { policy, carriedOut, verifiable, repeatable, onDecision }: AdmissionParts<Call, Answered>,
  call: Call,
): Promise<CarryOutOf<Call, Answered> | undefined> {
  const { user, method, methodClass } = call
  const shown = { user, method: method.slice(0, methodCharactersMax), methodClass }
  const noted = { ...shown, ...(call.key !== undefined && { key: call.key }) }
  const refuse = async (refusal: Refusal): Promise<never> => {
    await onDecision({ ...noted, decision: 'refused', reason: refusal.reason })
    throw refusal
  }
  const rule = policy?.admit(shown)
  const carryOut = carriedOut.get(method)
  if (rule !== undefined && rule !== 'allow') {
    const find = repeatable.has(method) ? carryOut : undefined
    if (find === undefined) return refuse(refusedByPolicy(rule))
    return async (given) => {
      const line = { isWritten: false }
      try {
        return await find({ ...given, line, isForbidden: true })
      } catch (error) {
        if (line.isWritten) throw error
        const isNothing =
          error instanceof NothingPaid || isRefusedParameter(error) || isTaken(error)
        const txids = error instanceof NothingPaid ? error.txids : []
        if (isNothing) return refuse(refusedByPolicy(rule, txids))
        if (error instanceof Refusal) return refuse(error)
        // A failure to look for the earlier payment refuses the call too.
        await onDecision({ ...noted, decision: 'refused', reason: rule.rule })
        throw error
      }
    }
  }
  if (carryOut !== undefined) {
    return async (given) => {
      const line = { isWritten: false }
      try {
        return await carryOut({ ...given, line })
      } catch (error) {
        // Programs repeat a call that failed, and this one can never succeed.
        const refusal = isTaken(error) ? heldName() : error
        if (refusal instanceof Refusal && !line.isWritten) return refuse(refusal)
        throw error
      }
    }
  }
  // A policy that names them means payments within its limits, which only a verified call keeps.
  if (verifiable.has(method)) return refuse(refusedWithoutKey(call))
  if (methodClass !== 'read' && rule !== 'allow') return refuse(refusedMethod(call))
  if (call.key !== undefined) {
    return refuse(refusedKey('it only with a call that the guard verifies'))
  }
  await onDecision({ ...shown, decision: 'passed' })
  return undefined
}

/** Returns true if a call gave a payment the name of another one. */
function isTaken(error: unknown): boolean {
  return isAntaraError(error) && error.code === 'id_conflict'
}

export async function timed<Call, T>(
  { onTime }: Pick<AdmissionParts<Call, unknown>, 'onTime'>,
  call: Call,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    onTime(call, performance.now() - started)
  }
}

interface Observers {
  readonly record?: DecisionRecord | undefined
  readonly metrics?: Metrics | undefined
  readonly onDecision?: ((entry: DecisionEntry) => unknown) | undefined
  readonly onFailure?: ((error: unknown) => unknown) | undefined
}

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
