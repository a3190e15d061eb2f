// Limits on what one request may cost a server of this machine. A caller with the password may err,
// and one request must not keep the others waiting.

import { hasMoreValues } from '../primitives/json.ts'

/** More than any call has. Each value costs about a microsecond before the first call begins. */
const valuesMax = 200_000

export const batchCallsMax = 10_000

/** Why a request is not parsed, or undefined. */
export function sizeFault(text: string): string | undefined {
  if (!hasMoreValues(text, valuesMax)) return undefined
  return `the request holds more than ${valuesMax} JSON values, send it in parts`
}

/** Why a batch is not carried out, or undefined. */
export function batchFault(calls: number): string | undefined {
  if (calls <= batchCallsMax) return undefined
  return `the batch has ${calls} calls, expected at most ${batchCallsMax}`
}

/** Connections at once. More are closed as they come, those that are open go on. */
export const connectionsMax = 4096

/** Bytes of bodies that a server holds for all connections together. */
const heldBytesMax = 1 << 27

/** The bodies that a server holds. One for each server. */
export class HeldBytes {
  #bytes = 0

  /** Counts `bytes` more, and returns whether there is room for them. */
  add(bytes: number): boolean {
    this.#bytes += bytes
    return this.#bytes <= heldBytesMax
  }

  release(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** Waits where the thread was not given back for this long. */
const sliceMs = 20

/** Lets other requests have their turn: await it between the calls of a batch. */
function turnTaker(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < sliceMs) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}

/** Characters of all answers to a batch. Some methods answer a small call with megabytes. */
export const answersMax: number = 1 << 26

/**
 * Answers the calls of a batch one after the other, and returns the text of the list of answers.
 *
 * @param answer - answers one call; `hasRoom` is false once the answers are too large
 */
export async function answerEach<Element>(
  elements: readonly Element[],
  answer: (element: Element, hasRoom: boolean, at: number) => Promise<string>,
): Promise<string> {
  const takeTurns = turnTaker()
  const answers: string[] = []
  let length = 0
  for (const [at, element] of elements.entries()) {
    const text = await answer(element, length < answersMax, at)
    length += text.length
    answers.push(text.trim())
    await takeTurns()
  }
  return `[${answers.join(',')}]`
}
