// A node's state on disk: whole or as it was before, whatever happens in between.

import { existsSync, readFileSync } from 'node:fs'
import type { DevNode } from './dev-node-types.ts'
import { replaceFile } from './replace-file.ts'

/** The state holds keys, if only throw-away ones. */
const ownerOnly = 0o600

interface StateFile {
  /** Writes the state if it changed since. */
  save(): void
  /** Writes it a last time and looks at it no more. */
  end(): void
}

/** How the node was reached, so that its clients find it after a restart. */
export interface KeptServer {
  readonly port: number
  readonly user: string
  readonly password: string
}

/** Returns the server of a state that `keepState` wrote; `undefined` for a state without one. */
export function serverOfState(text: string): KeptServer | undefined {
  // Text that is not a state is refused where the chain is read.
  const { server } = Object(jsonOf(text)) as { readonly server?: unknown }
  const { port, user, password } = Object(server) as Partial<Record<keyof KeptServer, unknown>>
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) <= 65_535
  if (!isPort || typeof user !== 'string' || typeof password !== 'string') return undefined
  return { port: Number(port), user, password }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Adds the server to a dump, which is one JSON object. */
function stateOf(node: DevNode): string {
  const dump = node.dump()
  const [first] = node.identities
  if (first === undefined || first.url === '') return dump
  const { url, user, password } = first
  const server: KeptServer = { port: Number(new URL(url).port), user, password }
  return `${dump.slice(0, -1)},"server":${JSON.stringify(server)}}`
}

export function readState(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/**
 * Keeps a node's state in a file, written every so often and at the end.
 *
 * Written beside the file and renamed, so that a reader finds one state or the other. Ending
 * the process loses at most the changes since the last write. If a write fails, the node calls
 * `onFailure` once, and tries again.
 *
 * @throws {Error} of the file system, if it cannot be written at first or at the end
 */
export function keepState(
  node: DevNode,
  path: string,
  everyMilliseconds = 1000,
  onFailure: (error: unknown) => void = () => undefined,
): StateFile {
  let last: string | undefined
  let isReported = false
  const save = (): void => {
    const text = stateOf(node)
    if (text === last) return
    replaceFile(path, text, ownerOnly)
    last = text
  }
  save()
  const timer = setInterval(() => {
    try {
      save()
      isReported = false
    } catch (error) {
      if (!isReported) onFailure(error)
      isReported = true
    }
  }, everyMilliseconds)
  timer.unref()
  return {
    save,
    end() {
      clearInterval(timer)
      save()
    },
  }
}
