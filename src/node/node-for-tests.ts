// The life of a node in a file of tests, for any runner: one node, restored before each test.

import { createDevNode } from './dev-node.ts'
import type { DevNodeOptions } from './dev-node-options.ts'
import type { DevNode } from './dev-node-types.ts'
import type { Identities, IdentitiesOf } from './identity-types.ts'

/** Hooks of a test runner. */
export interface TestHooks {
  readonly beforeAll: (work: () => Promise<void>) => unknown
  readonly beforeEach: (work: () => void) => unknown
  readonly afterAll: (work: () => Promise<void>) => unknown
}

/** Options of a node whose identities the type of the node names. */
export type NodeOptionsOf<Given, Load> = DevNodeOptions & {
  readonly identities?: Given
  readonly load?: Load
}

/** Starts a node before the tests of a file, restores it before each, and ends it after them. */
export function nodeForTests<Given extends Identities | undefined, Load extends string | undefined>(
  { beforeAll, beforeEach, afterAll }: TestHooks,
  options?: NodeOptionsOf<Given, Load>,
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
  afterAll(async () => {
    await running?.close()
  })
  return () => {
    if (running === undefined)
      throw new TypeError('the node runs only while tests run: call this inside a test')
    return running
  }
}
