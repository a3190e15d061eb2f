// A node for tests of Node's own runner: one for each file, put back as it was before each test.

import { after, before, beforeEach } from 'node:test'
import type { DevNode } from './dev-node-types.ts'
import type { Identities, IdentitiesOf } from './identity-types.ts'
import { type NodeOptionsOf, nodeForTests } from './node-for-tests.ts'

/**
 * Starts a node before the tests of a file and ends it after them. Each test finds it as it was
 * started: whatever the one before did is taken back.
 *
 * @returns how to get at the node, from within a test
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
