// The verdict of `antara-tx verify` as a person, a script and a program read it.

import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

import { exitStatuses } from '../../../src/cli/help.ts'
import { runCommand as antaraTx } from '../../support/cli.ts'
import { textOf } from '../../support/files.ts'
import { ancestors } from '../../support/komodod.ts'

const example = (name: string) =>
  fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url))
const oneLine = (name: string) => JSON.stringify(JSON.parse(textOf(`examples/${name}`)))

describe('verify', () => {
  test('keeps its first line, and says in the second whether to broadcast', async () => {
    const { output } = await antaraTx(['verify', example('transfer.json')])
    const [first, second] = output.split('\n')
    expect(first).toBe('AGREES: the transaction does what was asked (0 rejects, 1 warning)')
    expect(second).toMatch(/^Your decision: token ancestry incomplete \(1 ancestor missing\); /)
    const rejected = await antaraTx(['verify', example('transfer-wrong-destination.json')])
    expect(rejected.output.split('\n')[1]).toMatch(/^Do not broadcast: .*; see antara-tx explain /)
  })

  test.each([
    ['transfer.json', [], 0],
    ['transfer.json', ['--strict'], 1],
    ['transfer-wrong-destination.json', ['--strict'], 1],
  ])('verify of %s with %j exits with %i', async (name, options, status) => {
    expect((await antaraTx(['verify', ...options, example(name)])).status).toBe(status)
    expect((await antaraTx(['verify', '--lines', ...options], oneLine(name))).status).toBe(
      name === 'transfer.json' ? status : 1,
    )
  })

  test('verify with --strict passes a transfer that is proven to its creation', async () => {
    const given = JSON.parse(textOf('examples/transfer.json'))
    const text = JSON.stringify({ ...given, previousTransactions: ancestors(given.hex) })
    const { status, output } = await antaraTx(['verify', '--strict', '-'], text)
    expect(output.split('\n')[1]).toBe('Safe to broadcast.')
    expect(status).toBe(0)
  })
})

test('docs/command-line.md lists every exit status as the help does', () => {
  const page = textOf('docs/command-line.md')
  const rows = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, status, meaning]) => [
    Number(status),
    meaning,
  ])
  expect(rows).toEqual(exitStatuses)
})
