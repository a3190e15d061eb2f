// The decision about a call before anything is requested: carried out, passed on, or refused.

import { isAntaraError } from '../errors/antara-error.ts'
import { notify } from '../primitives/observers.ts'
import { RpcFailure } from '../server/json-rpc.ts'
import type { DecisionEntry, DecisionRecord, GuardedCall, Metrics, Policy } from './decision.ts'
import { NothingPaid } from './forbidden.ts'
import {
  guardFailure,
  isRefusedParameter,
  refusedByPolicy,
  refusedMethod,
  refusedParameter,
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
  const refuse = async (reason: string, failure: RpcFailure): Promise<never> => {
    await onDecision({ ...shown, decision: 'refused', reason })
    throw failure
  }
  const rule = policy?.admit(shown)
  const carryOut = carriedOut.get(method)
  if (rule !== undefined && rule !== 'allow') {
    const find = repeatable.has(method) ? carryOut : undefined
    if (find === undefined) return refuse(rule.rule, refusedByPolicy(rule))
    return async (given) => {
      try {
        return await find({ ...given, isForbidden: true })
      } catch (error) {
        const isConflict = isAntaraError(error) && error.code === 'id_conflict'
        const isNothing = error instanceof NothingPaid || isRefusedParameter(error) || isConflict
        // A failure to look for the earlier payment refuses the call too. The guard noted its own.
        if (!isNothing && !(error instanceof RpcFailure)) {
          await onDecision({ ...shown, decision: 'refused', reason: rule.rule })
        }
        if (!isNothing) throw error
        const txids = error instanceof NothingPaid ? error.txids : []
        return refuse(rule.rule, refusedByPolicy(rule, txids))
      }
    }
  }
  if (carryOut !== undefined) return carryOut
  // A policy that names them means payments within its limits, which only a verified call keeps.
  if (verifiable.has(method)) return refuse('class', refusedWithoutKey(call))
  if (methodClass !== 'read' && rule !== 'allow') return refuse('class', refusedMethod(call))
  if (call.key !== undefined) {
    return refuse(
      'idempotency-key',
      refusedParameter('Idempotency-Key', 'it only with a call that the guard verifies'),
    )
  }
  await onDecision({ ...shown, decision: 'passed' })
  return undefined
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
