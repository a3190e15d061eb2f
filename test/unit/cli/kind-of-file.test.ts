// Each kind of file, given to each command that reads one: the error names the kind and its command.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'

import { kindOfFile } from '../../../src/cli/kind-of-file.ts'
import { runCommand } from '../../support/cli.ts'
import { textOf } from '../../support/files.ts'

const folder = mkdtempSync(`${tmpdir()}/antara-tx-kinds-`)
afterAll(() => rmSync(folder, { recursive: true }))

const outpoints = [{ txid: '11'.repeat(32), vout: 0 }]
const payment = { own: ['R'], coins: outpoints, previousTransactions: [], tipHeight: 1 }
const files: readonly [kind: string, command: string, text: string][] = [
  ['a case file', 'verify', textOf('examples/transfer.json')],
  ['the hex of a transaction', 'decode', JSON.parse(textOf('examples/transfer.json')).hex],
  ['a transfer request', 'transfer', textOf('examples/transfer-request.json')],
  ['a request for a new token', 'create', textOf('examples/create-request.json')],
  ['a request for an order', 'order', textOf('examples/order-request.json')],
  ['a payment request', 'pay', JSON.stringify({ ...payment, recipients: [] })],
  ['a request to merge coins', 'pay --merge', JSON.stringify(payment)],
  ['a selection file', 'select', textOf('examples/select.json')],
  ['a selection file', 'select', textOf('examples/select-transfer.json')],
  ['a framework script', 'node --framework', textOf('examples/framework.json')],
]
const commands = ['verify', 'sign', 'transfer', 'create', 'order', 'pay', 'pay --merge', 'select']
/** A case file is what two commands take. */
const takes = (command: string, own: string) =>
  command === own || (command === 'sign' && own === 'verify')

test.each(files)('%s is known as what antara-tx %s takes', (name, command, text) => {
  expect(kindOfFile(text)).toMatchObject({ name, command })
  expect(kindOfFile(`\n${text}\n`)).toMatchObject({ name, command })
})

describe.each(commands)('antara-tx %s', (command) => {
  test.each(files.filter(([, own]) => !takes(command, own)))(
    'says of %s that antara-tx %s takes it',
    async (name, own, text) => {
      const { status, output, errors } = await runCommand([...command.split(' '), '-'], text)
      expect({ status, output }).toEqual({ status: 2, output: '' })
      expect(errors).toContain('malformed_case')
      expect(errors).toContain(`found "${name}, which antara-tx ${own} accepts"`)
    },
  )

  test('tells a mistake in a file of its own kind as it is', async () => {
    const [, , text] = files.find(([, own]) => takes(command, own))!
    const file = JSON.stringify({ ...JSON.parse(text), nonsense: 1 })
    const { status, errors } = await runCommand([...command.split(' '), '-'], file)
    expect(status).toBe(2)
    expect(errors).toContain('nonsense')
    expect(errors).not.toContain('antara-tx verify accepts')
  })
})

test('antara-tx node --framework says it of a file that it is given', async () => {
  const path = `${folder}/case.json`
  writeFileSync(path, textOf('examples/transfer.json'))
  const { status, errors } = await runCommand(['node', '--framework', path])
  expect(status).toBe(2)
  expect(errors).toContain(
    'expected "a framework script", found "a case file, which antara-tx verify accepts"',
  )
})

test('guesses nothing about other texts, and repeats nothing of a key', async () => {
  for (const text of ['', '{', '[]', 'null', '5', '{}', '{"a":1}', 'ffff', 'zz'.repeat(20)]) {
    expect(kindOfFile(text)).toBeUndefined()
  }
  const key = textOf('examples/throw-away-key.txt')
  expect(kindOfFile(key)).toBeUndefined()
  const { errors } = await runCommand(['verify', '-'], key)
  expect(errors).toContain('malformed_case')
  expect(errors).not.toContain(key.trim())
})
