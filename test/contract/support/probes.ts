import type * as Rpc from '../../../src/rpc/index.ts'

/**
 * Calls everything at `origin` and tells what came of it, as plain JSON.
 *
 * Runs in Node and, as its own source text, in a browser: it uses nothing from outside.
 */
export async function runProbes(
  rpc: typeof Rpc,
  origin: string,
  calls: readonly { readonly method: string; readonly params?: readonly unknown[] }[],
): Promise<{ recorded: unknown[]; faults: { [name: string]: string } }> {
  const credentials = { user: 'user', password: 'pass', retry: false as const }
  const plain = (value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`
    if (rpc.isLosslessNumber(value)) return `number ${value}`
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]))
  }
  const outcome = (error: unknown): string => {
    if (!rpc.isRpcError(error)) return `unexpected ${String(error)}`
    return `${error.kind} ${error.reason}`
  }

  const recordedCall = async (at: number): Promise<unknown> => {
    const { method, params = [] } = calls[at] ?? { method: '' }
    const client = rpc.createDaemonClient({ url: `${origin}/recorded/${at}`, ...credentials })
    return client
      .call(method, params)
      .then(plain, (error) =>
        rpc.isRpcError(error) ? [error.kind, error.code, error.message] : outcome(error),
      )
  }
  const recorded: unknown[] = []
  for (let at = 0; at < calls.length; at += 6) {
    const some = [...calls.keys()].slice(at, at + 6)
    recorded.push(...(await Promise.all(some.map(recordedCall))))
  }

  const faults: { [name: string]: string } = {}
  for (const name of ['redirect', 'silent', 'large', 'latin', 'unauthorized', 'cut']) {
    const limits = { timeoutMs: name === 'silent' ? 200 : 10_000, maxResponseBytes: 1_000_000 }
    const url = `${origin}/${name}`
    const client = rpc.createDaemonClient({ url, ...credentials, ...limits })
    faults[name] = await client.getblockcount().then(() => 'an answer', outcome)
  }
  const controller = new AbortController()
  const client = rpc.createDaemonClient({ url: `${origin}/silent`, ...credentials })
  setTimeout(() => controller.abort(), 50)
  faults.aborted = await client
    .getblockcount({}, { signal: controller.signal })
    .then(() => 'an answer', outcome)
  return { recorded, faults }
}
