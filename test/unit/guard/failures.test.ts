// The words of failures for clients of a guard.

import { expect, test } from 'vitest'
import { AntaraError } from '../../../src/errors/antara-error.ts'
import { failureOf } from '../../../src/guard/failures.ts'
import { RpcError } from '../../../src/rpc/errors.ts'

test('a failure says what its code means, and names no file of the operator', () => {
  const path = '/var/lib/guard/journal'
  expect(failureOf(new AntaraError('journal_locked', { path }), 'daemon')).toMatchObject({
    code: -32603,
    message:
      'guard: the call failed (journal_locked): another process uses the journal, or this one opened it twice',
    isUncertain: false,
  })
})

test('a server that cannot be reached is named, whatever the guard asked it', () => {
  const lost = new RpcError('transport', 'no connection', { reason: 'not_connected' })
  expect(failureOf(lost, 'framework').message).toBe('guard: no connection to the framework')
})

test('a payment whose record may be stored is uncertain: a later call would send it', () => {
  const error = new AntaraError('journal_failed', { path: 'journal', uncertain: true })
  expect(failureOf(error, 'daemon')).toMatchObject({
    message: expect.stringContaining('repeat the same call'),
    isUncertain: true,
  })
})
