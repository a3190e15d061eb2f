// Lets one call at a time work on a payment, and detects a call that would wait for itself.

import { oncePerObject } from '../../primitives/once-per-object.ts'
import { untilStopped } from '../clock.ts'
import { abortedBy } from '../errors.ts'

/** By journal. */
const turnsOf = oncePerObject((_owner: object) => new Map<string, Promise<void>>())

/**
 * Runs `work` after all earlier work for the same payment, because two calls at once would not know
 * of each other's attempts.
 *
 * @param owner - the journal that has the payment
 * @throws {RpcError} of kind `aborted` while it waits
 */
export async function inTurn<T>(
  owner: object,
  key: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const turns = turnsOf(owner)
  const before = turns.get(key) ?? Promise.resolve()
  let leave = (): void => undefined
  const turn = new Promise<void>((resolve) => {
    leave = resolve
  })
  const last = before.then(() => turn)
  turns.set(key, last)
  try {
    if (signal === undefined) await before
    else {
      await untilStopped(before, signal).catch(() => {
        throw abortedBy(signal)
      })
    }
    return await work()
  } finally {
    leave()
    // A caller that stops waiting leaves the others at work; the queue ends with the last of them.
    void last.then(() => {
      if (turns.get(key) === last) turns.delete(key)
    })
  }
}

/** Returns true while a call works on a payment. */
export function isTurnTaken(owner: object, key: string): boolean {
  return turnsOf(owner).has(key)
}

/** Names of payments, by journal. */
const callbacksOf = oncePerObject((_owner: object) => new Set<string>())

/**
 * Runs a function of the caller's for one payment. A further call for the payment would wait for
 * itself if the function waits for it, so `isCallbackRunning` is true meanwhile.
 *
 * @param owner - the journal that has the payment
 */
export async function runCallback<T>(
  owner: object,
  name: string,
  work: () => T | Promise<T>,
): Promise<T> {
  const names = callbacksOf(owner)
  names.add(name)
  try {
    return await work()
  } finally {
    names.delete(name)
  }
}

export function isCallbackRunning(owner: object, name: string): boolean {
  return callbacksOf(owner).has(name)
}
