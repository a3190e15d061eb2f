// A node for tests of Node's own runner: one for each file, restored before each test.

import { after, before, beforeEach } from 'node:test'
import type { DevNode } from './dev-node-types.ts'
import type { Identities, IdentitiesOf } from './identity-types.ts'
import { type NodeOptionsOf, nodeForTests } from './node-for-tests.ts'

/**
 * Starts a node before the tests of a file and closes it after them. Before each test it restores
 * the state of the start, so no test sees what another one did.
 *
 * @param options - those of `createDevNode`
 * @returns a function that returns the node; call it inside a test
 * @example
 * const node = useDevNode()
 * test('a wallet shows what it has', async () => {
 *   await node().request('tokencreate', ['GOLD', '1'])
 * })
 */
export function useDevNode<
  const Given extends Identities | undefined = undefined,
  Load extends string | undefined = undefined,
>(options?: NodeOptionsOf<Given, Load>): () => DevNode<IdentitiesOf<Given, Load>> {
  return nodeForTests({ beforeAll: before, beforeEach, afterAll: after }, options)
}
