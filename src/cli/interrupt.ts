import type { CallOptions } from '../rpc/options.ts'

/** Runs something that an interrupt of the user aborts. */
export async function interruptible<T>(
  work: (options: CallOptions & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const onInterrupt = (): void => controller.abort(new Error('interrupted'))
  process.once('SIGINT', onInterrupt)
  try {
    return await work({ signal: controller.signal })
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}
