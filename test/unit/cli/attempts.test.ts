// The payment that `antara-tx attempts forget` forgets: a wrong one could be paid twice.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test, vi } from 'vitest'
import { networks } from '../../../src/chain/network.ts'
import { run } from '../../../src/cli/run.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { fileJournal } from '../../../src/journal/index.ts'
import type { JournalRecord } from '../../../src/journal/records.ts'
import { encodeWif } from '../../../src/signing/wif.ts'
import { runCommand } from '../../support/cli.ts'
import { testUnless } from '../../support/skip.ts'

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
  const forgotten = await attempts('forget', other, '--yes', '--json')
  expect(forgotten.status).toBe(0)
  expect(JSON.parse(forgotten.output)).toEqual({ forgotten: `id ${one}`, attempts: [other] })
  expect(JSON.parse((await attempts('--json')).output)).toMatchObject([{ id: 'invoice-7' }])
  expect((await attempts('forget', one, '--yes')).status).toBe(0)
  expect(JSON.parse((await attempts('--json')).output)).toEqual([])
})

test('a list shows the beginning of a request with thousands of recipients', async () => {
  const path = `${folder}/payout`
  const journal = fileJournal(path)
  const book = bookOf(journal)
  const recipients = Array.from({ length: 2000 }, (_, at) => ({ to: `R${at}`, amount: '10000' }))
  const request = JSON.stringify({ operation: 'wallet', wallet: 'pay', recipients })
  const about = { payment: 'id hour 1', id: 'hour 1', txid: one, at: '2026-11-27T00:00:00.000Z' }
  const attempt = { kind: 'attempt', ...about, terms: '{}', request, hex: '00' } as const
  await book.append(attempt, book.next)
  await journal.close()
  const { output } = await runCommand(['attempts', '--journal', path])
  expect(output.length).toBeLessThan(1500)
  expect(output).toContain(`… (${request.length} characters)`)
  expect(output).toContain(one)
  const { output: whole } = await runCommand(['attempts', '--json', '--journal', path])
  expect(JSON.parse(whole)).toMatchObject([{ request }])
})

test('forget shows a name that the journal lacks, except what may be a private key', async () => {
  const journal = fileJournal(`${folder}/empty`)
  await journal.read(0)
  await journal.close()
  const forget = (name: string, ...args: string[]) =>
    runCommand(['attempts', 'forget', name, '--yes', '--journal', `${folder}/empty`, ...args])
  const wif = encodeWif('07'.repeat(32), networks.assetChain)
  for (const [name, shown] of [
    ['invoice-7', 'invoice-7'],
    [one, one],
    [wif, 'what may be a private key'],
  ]) {
    expect(await forget(name!)).toMatchObject({
      status: 1,
      output: '',
      errors: expect.stringContaining(`antara-tx attempts: ${shown}: no such payment\n`),
    })
    const { status, output } = await forget(name!, '--json')
    expect([status, JSON.parse(output)]).toEqual([
      1,
      {
        error: {
          code: 'no-such-payment',
          message: `${shown}: no such payment`,
          explain: 'antara-tx attempts --help',
        },
      },
    ])
  }
})

test('a handed-over transaction is listed as such, and --send takes only txids', async () => {
  const path = `${folder}/handed-over`
  const journal = fileJournal(path)
  const book = bookOf(journal)
  const about = { payment: 'id a', id: 'a', terms: '{}', request: '{}', txid: one, hex: '00' }
  const at = '2026-11-27T00:00:00.000Z'
  await book.append({ kind: 'handed-over', ...about, at }, book.next)
  await journal.close()
  const listed = await runCommand(['attempts', '--journal', path])
  expect(listed.output).toBe(`id a: unsettled\n  {}\n  ${one} handed-over, recorded ${at}\n`)
  const resumed = await runCommand(['attempts', 'resume', '--send', 'x', '--journal', path])
  expect([resumed.status, resumed.output]).toEqual([64, ''])
  expect(resumed.errors).toContain('--send: expected txids')
  for (const args of [
    ['--send', one],
    ['list', '--send', 'zz'],
    ['forget', 'a', '--send', one],
  ]) {
    const refused = await runCommand(['attempts', ...args, '--yes', '--journal', path])
    expect([refused.status, refused.output]).toEqual([64, ''])
    expect(refused.errors).toContain('--send is only for resume')
  }
})

test('resume refuses a --send of a transaction that it would skip, and sends nothing', async () => {
  vi.stubEnv('ANTARA_RPC_USER', 'user')
  vi.stubEnv('ANTARA_RPC_PASSWORD', 'password')
  const at = '2026-11-27T00:00:00.000Z'
  const about = (id: string, txid: string) =>
    ({ payment: `id ${id}`, id, terms: '{}', request: '{}', txid, hex: '00', at }) as const
  const journals: [string, JournalRecord[]][] = [
    ['none', []],
    ['another', [{ kind: 'handed-over', ...about('a', one) }]],
    [
      'dead',
      [
        { kind: 'handed-over', ...about('b', other) },
        { kind: 'dead', ...about('b', other) },
      ],
    ],
  ]
  for (const [name, records] of journals) {
    const path = `${folder}/send-${name}`
    const journal = fileJournal(path)
    const book = bookOf(journal)
    await book.catchUp()
    for (const record of records) await book.append(record, book.next)
    await journal.close()
    const resume = (...txids: string[]) =>
      runCommand([
        ...['attempts', 'resume', '--send', txids.join(), '--journal', path],
        ...['--url', 'http://127.0.0.1:1'],
      ])
    const refused = await resume(...(name === 'another' ? [one, other] : [other]))
    expect([refused.status, refused.output]).toEqual([64, ''])
    expect(refused.errors).toContain(`--send: ${other} is in no payment of the journal`)
    if (name === 'another') expect((await resume(one.toUpperCase())).status).toBe(75)
  }
  vi.unstubAllEnvs()
})

test('forget refuses a settled payment, and with --json names each refusal by a code', async () => {
  const path = `${folder}/refusals`
  const journal = fileJournal(path)
  const book = bookOf(journal)
  const at = '2026-11-27T00:00:00.000Z'
  for (const [id, txid] of [
    ['settled', one],
    ['open', other],
  ] as const) {
    const about = { payment: `id ${id}`, id, terms: '{}', request: '{}', txid, hex: '00', at }
    await book.append({ kind: 'attempt', ...about }, book.next)
  }
  const fate = { kind: 'settled', payment: 'id settled', txid: one, height: 7, at } as const
  await book.append(fate, book.next)
  await journal.close()
  const refusal = async (name: string) => {
    let output = ''
    const status = await run(['attempts', 'forget', name, '--json', '--journal', path], {
      print: (text) => {
        output += text
      },
      printError: () => undefined,
      readStdin: async () => '',
      isInteractive: true,
      hasColor: false,
      ask: async () => 'no',
    })
    return [status, JSON.parse(output).error]
  }
  for (const name of ['settled', one]) {
    const plain = await runCommand(['attempts', 'forget', name, '--yes', '--journal', path])
    const errors = `antara-tx attempts: ${name}: it is settled and cannot be forgotten\n`
    expect([plain.status, plain.output]).toEqual([1, ''])
    expect(plain.errors).toContain(errors)
  }
  const settled = { code: 'settled', explain: 'antara-tx attempts --help' }
  expect(await refusal('settled')).toEqual([1, expect.objectContaining(settled)])
  const declined = { code: 'declined', explain: 'antara-tx attempts --help' }
  expect(await refusal('open')).toEqual([1, expect.objectContaining(declined)])
})

/** Records payments, and returns what resume prints of them where no daemon answers. */
async function resumedWith(path: string, records: readonly JournalRecord[]) {
  const journal = fileJournal(path)
  const book = bookOf(journal)
  for (const record of records) await book.append(record, book.next)
  await journal.close()
  vi.stubEnv('ANTARA_RPC_USER', 'user')
  vi.stubEnv('ANTARA_RPC_PASSWORD', 'password')
  const url = ['--url', 'http://127.0.0.1:1']
  const outcome = await runCommand(['attempts', 'resume', '--journal', path, ...url])
  vi.unstubAllEnvs()
  return outcome
}

const ofA = {
  ...{ payment: 'id a', id: 'a', terms: '{}', request: '{}', hex: '00' },
  at: '2026-11-27T00:00:00.000Z',
}

test.each([
  ['a quote', `it's the guard's`, `it'\\''s the guard'\\''s`],
  ['64 hex digits', one, one],
  ['more than 140 characters', 'e-f'.repeat(60), 'e-f'.repeat(60)],
  ...(process.platform === 'win32' ? [] : [['a backslash', 'back\\slash', 'back\\slash']]),
])('resume shows commands that name the same journal: %s in its path', async (_, file, shown) => {
  const path = `${folder}/my ${file}`
  const { output } = await resumedWith(path, [{ kind: 'handed-over', ...ofA, txid: one }])
  const named = `--journal '${folder}/my ${shown}'`
  expect(output).toContain(`    antara-tx attempts resume --send ${one} ${named}\n`)
  expect(output).toContain(`    antara-tx attempts forget ${one} ${named}\n`)
})

const windows = process.platform === 'win32' && 'Windows has no such file names'
testUnless(windows)('resume escapes a control character in the path of the journal', async () => {
  const path = `${folder}/a\u001b[31m`
  const { output } = await resumedWith(path, [{ kind: 'handed-over', ...ofA, txid: one }])
  expect(output).toContain(`--journal '${folder}/a\\u{1b}[31m'\n`)
  expect(output).not.toContain('\u001b')
})

const dead = { kind: 'dead', payment: 'id a', txid: other, at: ofA.at } as const
test.each<[string, string, JournalRecord[]]>([
  ['is handed over too', 'Only if none of these can be mined any more', []],
  ['can never be mined', 'If no program can send it any more', [dead]],
])('resume names the condition of forget, if another transaction %s', async (_, end, more) => {
  const { output } = await resumedWith(`${folder}/two ${more.length}`, [
    { kind: 'handed-over', ...ofA, txid: other },
    { kind: 'handed-over', ...ofA, txid: one },
    ...more,
  ])
  expect(output).toContain(`  ${end}:\n    antara-tx attempts forget ${one} `)
})

test('resume names the way on for a payment of which every attempt is dead', async () => {
  const attempt = { kind: 'attempt', ...ofA, txid: other } as const
  const { output } = await resumedWith(`${folder}/dead`, [attempt, dead])
  expect(output).toContain(`id a: dead\n  {}\n  ${other} dead`)
  expect(output).toContain('none of these can be mined. If the payment is still due,\n  repeat its')
})

test.each(['not JSON', 'null', '7'])(
  'resume lists a payment of the request %s',
  async (request) => {
    const path = `${folder}/request ${request}`
    const records = [
      { kind: 'handed-over', ...ofA, request, txid: one },
      { kind: 'attempt', ...ofA, payment: 'id b', id: 'b', request, txid: other },
    ] as const
    const { status, output, errors } = await resumedWith(path, records)
    expect([status, errors]).toEqual([75, expect.not.stringContaining('internal')])
    expect(output).toContain(`id a: unsettled\n  ${request}\n  ${one} handed-over`)
    expect(output).toContain(`id b: unsettled\n  ${request}\n  ${other} uncertain`)
    expect(output).toContain(`antara-tx attempts resume --send ${one} --journal '${path}'`)
  },
)

test('resume appends the journal to commands, and not to words', async () => {
  const path = `${folder}/settlers`
  const journal = fileJournal(path)
  const book = bookOf(journal)
  const at = '2026-11-27T00:00:00.000Z'
  for (const [id, request, txid] of [
    ['earlier', '{"operation":"withdraw"}', one],
    ['present', '{"operation":"withdraw","intent":{}}', other],
    ['wallet', '{"operation":"wallet"}', 'ef'.repeat(32)],
  ] as const) {
    const about = { payment: `id ${id}`, id, terms: '{}', request, txid, hex: '00', at }
    await book.append({ kind: 'attempt', ...about }, book.next)
  }
  await journal.close()
  vi.stubEnv('ANTARA_RPC_USER', 'user')
  vi.stubEnv('ANTARA_RPC_PASSWORD', 'password')
  const url = ['--url', 'http://127.0.0.1:1']
  const { output } = await runCommand(['attempts', 'resume', '--journal', path, ...url])
  vi.unstubAllEnvs()
  expect(output.split('\n').filter((line) => line.includes('settle it'))).toEqual([
    '  settle it with the same withdrawal, made again',
    expect.stringMatching(/^ {2}settle it with antara-tx attempts resume framework --journal /),
    expect.stringMatching(/^ {2}settle it with antara-tx wallet resume --journal /),
  ])
})
