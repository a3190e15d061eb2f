import { RpcError } from '../rpc/errors.ts'
import type { CallOptions } from '../rpc/options.ts'

/** Signals by which a user or a service manager ends a program. */
export const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs work that an interrupt, or the end of the service, aborts. */
export async function interruptible<T>(
  work: (options: CallOptions & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const onInterrupt = (): void => controller.abort(new RpcError('aborted', 'interrupted'))
  for (const name of endings) process.once(name, onInterrupt)
  try {
    return await work({ signal: controller.signal })
  } finally {
    for (const name of endings) process.off(name, onInterrupt)
  }
}
