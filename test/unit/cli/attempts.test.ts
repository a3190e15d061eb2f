// The payment that `antara-tx attempts forget` forgets: a wrong one could be paid twice.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test } from 'vitest'

import { bookOf } from '../../../src/journal/book.ts'
import { fileJournal } from '../../../src/journal/index.ts'
import { runCommand } from '../../support/cli.ts'

const folder = mkdtempSync(`${tmpdir()}/antara-tx-attempts-`)
afterAll(() => rmSync(folder, { recursive: true }))

const [one, other] = ['ab'.repeat(32), 'cd'.repeat(32)]

test('a text that calls two payments forgets neither', async () => {
  const path = `${folder}/journal`
  const journal = fileJournal(path)
  const book = bookOf(journal)
  for (const [id, txid] of [
    [one, other],
    ['invoice-7', one],
  ] as const) {
    const terms = { terms: '{}', request: '{}', hex: '00', at: '2026-11-27T00:00:00.000Z' }
    const attempt = { kind: 'attempt', payment: `id ${id}`, id, txid, ...terms } as const
    await book.append(attempt, book.next)
  }
  await journal.close()
  const attempts = (...args: string[]) => runCommand(['attempts', ...args, '--journal', path])
  const refused = await attempts('forget', one, '--yes')
  expect([refused.status, refused.output]).toEqual([64, ''])
  expect(refused.errors).toContain(`${one} is in id ${one} and id invoice-7`)
  expect(JSON.parse((await attempts('--json')).output)).toHaveLength(2)
  expect((await attempts('forget', other, '--yes')).status).toBe(0)
  expect(JSON.parse((await attempts('--json')).output)).toMatchObject([{ id: 'invoice-7' }])
  expect((await attempts('forget', one, '--yes')).status).toBe(0)
  expect(JSON.parse((await attempts('--json')).output)).toEqual([])
})
