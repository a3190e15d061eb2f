// A node for tests in Jest: one for each file, put back as it was before each test.

import type { DevNode } from './dev-node-types.ts'
import type { Identities, IdentitiesOf } from './identity-types.ts'
import { type NodeOptionsOf, nodeForTests, type TestHooks } from './node-for-tests.ts'

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
  return nodeForTests(jestHooks(), options)
}

/**
 * Returns the hooks of Jest, which are globals of each file of tests.
 *
 * @throws {TypeError} outside of such a file, and where `injectGlobals` is false
 */
function jestHooks(): TestHooks {
  const { beforeAll, beforeEach, afterAll } = globalThis as unknown as TestHooks
  const isJest = [beforeAll, beforeEach, afterAll].every((it) => typeof it === 'function')
  if (!isJest) throw new TypeError('Jest has no globals here: call useDevNode in a file of tests')
  return { beforeAll, beforeEach, afterAll }
}
