// The daemon that the command `node` forks from.

import type { DevNodeOptions } from '../node/dev-node-options.ts'
import { ForkError } from '../node/fork/fork-error.ts'
import { RpcError } from '../rpc/errors.ts'
import {
  type ParsedArguments,
  refuseOptions,
  type Terminal,
  UsageError,
  withOption,
} from './command.ts'

/** Options for the connection to the daemon of `--fork`. */
const reaching = ['conf', 'allow-host'] as const
/** Options that a fork cannot have: a file of its own chain, or blocks of which it has all. */
const apart = ['state', 'load', 'electrum', 'proof-of-work'] as const

export async function forkOf(
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<Pick<DevNodeOptions, 'fork'>> {
  const url = parsed.options.get('fork')
  if (url === undefined) {
    refuseOptions(parsed, reaching, 'needs --fork')
    return {}
  }
  refuseOptions(parsed, apart, 'cannot be combined with --fork')
  const { createDaemonClient } = await import('../rpc/daemon/client.ts')
  const { argumentErrorAsUsage, daemonOptions } = await import('./connection.ts')
  try {
    return await argumentErrorAsUsage(async () => ({
      fork: createDaemonClient(await daemonOptions(withOption(parsed, 'url', url), terminal)),
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
