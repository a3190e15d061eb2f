// A node for tests: one for each worker, put back as it was before each test.

import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createDevNode } from './dev-node.ts'
import type { DevNodeOptions } from './dev-node-options.ts'
import type { DevNode } from './dev-node-types.ts'
import type { Identities, IdentitiesOf } from './identity-types.ts'

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
>(
  options?: DevNodeOptions & { readonly identities?: Given; readonly load?: Load },
): () => DevNode<IdentitiesOf<Given, Load>> {
  let running: DevNode<IdentitiesOf<Given, Load>> | undefined
  let start = ''
  beforeAll(async () => {
    running = await createDevNode(options)
    start = running.snapshot()
  })
  beforeEach(() => {
    running!.revert(start)
    running!.faults.clear()
  })
  afterAll(() => running?.close())
  return () => {
    if (running === undefined)
      throw new TypeError('the node runs while tests do: ask for it in one')
    return running
  }
}
