// Errors whose message has no word of a server. Redaction would show a secret that is one of these
// words, by the gap that it leaves.

import type { RpcError } from './errors.ts'

// Marks objects and not kinds, because a caller's signal may throw an error of any kind and text.
const marked = new WeakSet<RpcError>()

/** Marks an error whose message consists of fixed words and of the client's own numbers. */
export function ownText(error: RpcError): RpcError {
  marked.add(error)
  return error
}

export function hasOwnText(error: RpcError): boolean {
  return marked.has(error)
}
