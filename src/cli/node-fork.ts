// The daemon that the command `node` forks from.

import type { DevNodeOptions } from '../node/dev-node-options.ts'
import { ForkError } from '../node/fork/fork-error.ts'
import { RpcError } from '../rpc/errors.ts'
import { type ParsedArguments, type Terminal, UsageError } from './command.ts'

/** Options for the connection to the daemon of `--fork`. */
const reaching = ['conf', 'allow-host'] as const
/** Options that a fork cannot have: a file of its own chain, or blocks of which it has all. */
const apart = ['state', 'load', 'electrum', 'proof-of-work'] as const

export async function forkOf(
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<Pick<DevNodeOptions, 'fork'>> {
  const { options, flags } = parsed
  const url = options.get('fork')
  if (url === undefined) {
    const alone = reaching.find((name) => options.has(name))
    if (alone !== undefined) throw new UsageError(`--${alone} needs --fork`)
    return {}
  }
  for (const name of apart) {
    if (options.has(name) || flags.has(name))
      throw new UsageError(`--${name} cannot be combined with --fork`)
  }
  const { createDaemonClient } = await import('../rpc/daemon/client.ts')
  const { argumentErrorAsUsage, daemonOptions } = await import('./connection.ts')
  const asked = { ...parsed, options: new Map([...options, ['url', url]]) }
  try {
    return await argumentErrorAsUsage(async () => ({
      fork: createDaemonClient(await daemonOptions(asked, terminal)),
    }))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(error.message.replaceAll('--url', '--fork'))
  }
}

/** Returns the error of the client where there is one, because its kind sets the exit status. */
export function startError(error: unknown): unknown {
  if (!(error instanceof ForkError)) return error
  return error.cause instanceof RpcError ? error.cause : new UsageError(`--fork: ${error.message}`)
}
