// Runs komodo's own test of tokens, from a copy that somebody fetched, against the node and through
// guards. Both runs must end alike.

import { afterEach, expect } from 'vitest'
import { createGuard, type Guard } from '../../src/guard/index.ts'
import type { DevIdentity } from '../../src/node/index.ts'
import { komodoTests, runKomodoTests } from '../support/komodo-tests.ts'
import { testUnless } from '../support/skip.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function guardBefore({ url, user, password, pubkey }: DevIdentity): Promise<string> {
  const guard: Guard = await createGuard({
    daemon: { url, credentials: () => ({ user, password }) },
    pubkey,
    allowUnenforcedPrices: true,
    // The test makes the same offer twice within seconds, and names none.
    repeatMs: 0,
    policy: {
      // The test stops its daemons when it ends.
      admit: ({ method }) => (method === 'stop' ? 'allow' : undefined),
      decide: () => ({ verdict: 'allow' }),
    },
  })
  open.push(guard)
  return guard.url
}

testUnless(komodoTests === undefined && 'ANTARA_KOMODO_TESTS names no folder')(
  "komodo's test of tokens ends through guards as without them",
  { timeout: 600_000 },
  async () => {
    const files = ['cc_modules/test_token.py']
    const direct = await runKomodoTests(files)
    expect(direct.passed, direct.output).toEqual(['test_token'])
    const guarded = await runKomodoTests(files, guardBefore)
    expect(guarded.passed, guarded.output).toEqual(['test_token'])
  },
)
