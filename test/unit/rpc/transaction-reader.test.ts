// The reader of transactions is a part that a page loads when a flow begins.

import { expect, test, vi } from 'vitest'

import { putModulesBack } from '../../support/own-modules.ts'

putModulesBack()

test('is loaded again after a page could not load it once', async () => {
  vi.resetModules()
  let isThere = false
  vi.doMock('../../../src/verification/open.ts', () => ({
    get openTransaction() {
      if (!isThere) throw new TypeError('Failed to fetch dynamically imported module')
      return () => ({ tx: 'read' })
    },
  }))
  const { readTransaction } = await import('../../../src/rpc/safe-flow/transaction.ts')
  await expect(readTransaction('00')).rejects.toThrow('Failed to fetch')
  isThere = true
  expect(await readTransaction('00')).toBe('read')
  vi.doUnmock('../../../src/verification/open.ts')
})
