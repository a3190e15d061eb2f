// The development framework as programs start it; its server is loaded when one does.

import type { DevFramework, DevFrameworkOptions } from './dev-framework-types.ts'

/**
 * Starts a Komodo DeFi Framework for tests, on a free port of this machine.
 *
 * Passwords, bans, batches, tasks, devices and errors of configuration are computed as the server
 * computes them. Balances, addresses and heights come from `script`. A call that it does not
 * cover gets the error `NotScripted`.
 *
 * @param options - a `preset`, or a `script` with coins and their answers
 * @returns the server: its `url` and `userpass`, and `close`
 * @throws {AntaraError} `malformed_case` for a script or coins of another form
 * @example
 * const server = await createDevFramework({ preset: 'docs' })
 * const framework = createFrameworkClient(server)
 * const iris = await framework.enableTendermintWithAssets({
 *   ticker: 'IRIS',
 *   nodes: [{ url: 'https://rpc.example' }],
 *   tokens_params: [],
 * })
 * iris.balance // { spendable: '44.147264', unspendable: '0' }
 * await server.close()
 */
export async function createDevFramework(options: DevFrameworkOptions): Promise<DevFramework> {
  // Most nodes are those of a daemon, and start sooner without this code.
  const { openFramework } = await import('./framework-server.ts')
  return openFramework(options)
}
