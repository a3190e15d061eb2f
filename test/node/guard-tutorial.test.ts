// The commands of docs/guard-tutorial.md run as they stand, on ports that are free. Waits by the
// clock become waits for what they stand for.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { textOf } from '../support/files.ts'
import { freePort } from '../support/free-port.ts'
import { commandsOf, runCommands } from '../support/pages.ts'
import { testUnless } from '../support/skip.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-guard-tutorial-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hasTools = ['bash', 'curl', 'sed'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
)
const skipped = !hasTools && 'bash, curl or sed is not installed'

let output = ''
let record: { method?: string; decision?: string; reason?: string }[] = []

beforeAll(async () => {
  if (skipped) return
  const [commands] = textOf('docs/guard-tutorial.md').split('## With your own daemon')
  const [chainPort, guardPort] = [await freePort(), await freePort()]
  const until = (condition: string, server: string) =>
    `until ${condition}; do kill -0 ${server} || exit 8; sleep 0.1; done`
  const waits = [
    until('[ -s node.json ]', '$chain'),
    until(`curl -s -o health http://127.0.0.1:${guardPort}/health`, '$guard'),
    until("grep -q 'the policy was read again' errors", '$guard'),
  ]
  const script = commandsOf(commands!)
    .replaceAll('17771', String(chainPort))
    .replaceAll(':7790', `:${guardPort}`)
    .replaceAll(/^sleep \d$/gm, () => waits.shift() ?? 'exit 9')
  const { stdout, status, errors } = runCommands(script, folder, '$guard $chain')
  expect(waits).toEqual([])
  expect(status, errors).toBe(0)
  output = stdout
  const lines = readFileSync(join(folder, 'guard-state/record.ndjson'), 'utf8').trim().split('\n')
  record = lines.map((line) => JSON.parse(line))
}, 120_000)

testUnless(skipped)('the tutorial pays once, and shows what was refused', () => {
  const paid = record.filter(({ method }) => method === 'sendtoaddress')
  expect(paid.map(({ decision, reason }) => [decision, reason])).toEqual([
    ['sent', undefined],
    ['refused', 'coins.perPayment'],
    ['refused', 'coins.perPayment'],
  ])
  expect(output).toContain('"KMDversion"')
  expect(output).toContain('guard: dumpprivkey is refused')
  expect(output).toMatch(/"result":"[0-9a-f]{64}","error":null/)
})

testUnless(skipped)('a refusal of the tutorial is the one that its page shows', () => {
  const [shown] = /guard: the policy refuses this \(coins.perPayment\): 60[^`]*/.exec(
    textOf('docs/guard-tutorial.md'),
  )!
  expect(output).toContain(shown)
})

testUnless(skipped)('the signal of the tutorial reaches the guard, which has the new limit', () => {
  expect(readFileSync(join(folder, 'errors'), 'utf8')).toContain('the policy was read again')
  expect(output).toContain('20.00000000 coins, at most 5.00000000 coins')
})

testUnless(skipped)('the record of the tutorial verifies', () => {
  expect(output).toMatch(/^Lines 1 to \d+ follow each other\.$/m)
})
