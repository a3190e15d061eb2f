// The state file of the command `node`, whose failures name the option.

import type { DevNode } from '../node/dev-node-types.ts'
import type { KeptServer, keepState } from '../node/state-file.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { type Terminal, UsageError } from './command.ts'

/** Returns the state in a file, and the server that it describes; nothing if there is no file. */
export async function stateOf(path: string | undefined): Promise<{
  readonly kept?: string | undefined
  readonly server?: KeptServer | undefined
}> {
  if (path === undefined) return {}
  const { readState, serverOfState } = await import('../node/state-file.ts')
  const kept = ofState('read', path, () => readState(path))
  return { kept, server: kept === undefined ? undefined : serverOfState(kept) }
}

/** Keeps the node's state in a file. A failure to write is told, and does not end the node. */
export async function keptIn(
  path: string,
  running: DevNode,
  terminal: Terminal,
): Promise<ReturnType<typeof keepState>> {
  const file = await import('../node/state-file.ts')
  const tell = (error: unknown): void =>
    terminal.printError(`${stateError('write', path, error).message}; the node goes on\n`)
  return ofState('write', path, () => file.keepState(running, path, 1000, tell))
}

/** Reads or writes the state. @throws {UsageError} for a failure of the file system */
export function ofState<Result>(verb: 'read' | 'write', path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw stateError(verb, path, error)
  }
}

/** Returns an error without a code unchanged, because the file system did not cause it. */
function stateError(verb: 'read' | 'write', path: string, error: unknown): Error {
  const { code } = error as { code?: string }
  if (code === undefined) return error as Error
  return new UsageError(`--state: cannot ${verb} ${redactKey(path)}: ${code}`)
}
