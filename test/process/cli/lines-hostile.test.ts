// One of four lines is made to end the process that answers it. The other three are answered,
// whether the hostile one is malformed, fails inside antara-tx, or ends its thread.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

import { compileSources, root } from '../../support/built.ts'
import { type Outcome, outcomeOf } from '../../support/cli.ts'
import { shareOf } from '../../support/share.ts'

const { entry, env } = compileSources('lines-hostile')
const main = fileURLToPath(new URL('cli/main.js', entry))
const folder = mkdtempSync(`${tmpdir()}/antara-tx-hostile-`)
afterAll(() => rmSync(folder, { recursive: true }))

const example = (name: string) => JSON.parse(readFileSync(`${root}examples/${name}.json`, 'utf8'))
const agrees = example('transfer')
const { cases } = JSON.parse(readFileSync(`${root}test/operations/payment.json`, 'utf8'))
const payment = cases[0].case

/** The line of the review: it parsed, and every verifier threw a TypeError. */
const malformed = { ...payment, intent: { ...payment.intent, redeemScripts: ['x'] } }

/**
 * Code that a thread runs before anything else. Marked lines end the thread, or make it throw an
 * error that no line should be able to cause.
 */
const sabotage = `
import { isMainThread, parentPort } from 'node:worker_threads'
const parse = JSON.parse
JSON.parse = (text, ...rest) => {
  if (!isMainThread && String(text).includes('END')) process.exit(9)
  return parse(text, ...rest)
}
const lower = String.prototype.toLowerCase
String.prototype.toLowerCase = function () {
  if (this.startsWith('FAIL')) throw new RangeError('stack of ${'k'.repeat(50)}')
  return lower.call(this)
}`
const hostile = {
  malformed: { line: malformed, code: 'malformed_case', status: 2 },
  failing: {
    line: { ...agrees, intent: { ...agrees.intent, tokenid: 'FAIL' } },
    code: 'internal_error',
    status: 70,
  },
  ending: { line: { ...agrees, note: 'END' }, code: 'internal_error', status: 70 },
}

function verifyLines(args: string[], input: string): Promise<Outcome> {
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(sabotage)}`]
  const child = spawn(process.execPath, [...preload, main, 'verify', '--lines', ...args, input], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return outcomeOf(child)
}

const answersOf = (output: string) =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const { ok, error } = JSON.parse(line)
      return ok ?? error.code
    })

interface Row {
  readonly kind: keyof typeof hostile
  readonly at: number
  readonly jobs: string
  readonly resume: boolean
}

const rows: Row[] = (['malformed', 'failing', 'ending'] as const).flatMap((kind) =>
  [0, 1, 3].flatMap((at) =>
    ['1', '2'].flatMap((jobs) => [false, true].map((resume) => ({ kind, at, jobs, resume }))),
  ),
)

/** Without threads of its own, nothing outlives a line that ends the process. */
const isContained = ({ kind, jobs, resume }: Row) => kind !== 'ending' || jobs !== '1' || resume

describe('a hostile line is answered in its place', () => {
  test.each(shareOf(rows.filter(isContained)).map((row) => ({ ...row, number: row.at + 1 })))(
    '$kind, line $number of 4, --jobs $jobs, --resume: $resume',
    async ({ kind, at, jobs, resume }) => {
      const { line, code, status } = hostile[kind]
      const name = `${folder}/${kind}-${at}-${jobs}-${resume}`
      const lines = [agrees, agrees, agrees, agrees].with(at, line)
      writeFileSync(name, lines.map((it) => `${JSON.stringify(it)}\n`).join(''))
      const args = ['--jobs', jobs, ...(resume ? ['--resume', `${name}.checkpoint`] : [])]
      const outcome = await verifyLines(args, name)
      expect(answersOf(outcome.output)).toEqual([true, true, true, true].with(at, code as never))
      expect({ status: outcome.status, errors: outcome.errors }).toEqual({ status, errors: '' })
      expect(outcome.output).not.toContain('kkkk')
      if (!resume) return
      const { tally, bytes } = JSON.parse(readFileSync(`${name}.checkpoint`, 'utf8'))
      expect(tally).toMatchObject({ lines: 4, findings: 0 })
      expect(tally.malformed + tally.failed).toBe(1)
      expect(bytes).toBe(readFileSync(name).length)
      // The command answers the line added since, and does not read the hostile line again.
      writeFileSync(name, `${JSON.stringify(agrees)}\n`, { flag: 'a' })
      const next = await verifyLines(args, name)
      expect({ answers: answersOf(next.output), status: next.status }).toEqual({
        answers: [true],
        status,
      })
    },
  )
})

test('goes on from what an earlier version left, which counted no failures', async () => {
  const name = `${folder}/earlier`
  const line = `${JSON.stringify(agrees)}\n`
  writeFileSync(name, line)
  const args = ['--resume', `${name}.checkpoint`]
  await verifyLines(args, name)
  const checkpoint = JSON.parse(readFileSync(`${name}.checkpoint`, 'utf8'))
  const { failed: _, ...tally } = checkpoint.tally
  writeFileSync(`${name}.checkpoint`, JSON.stringify({ ...checkpoint, tally }))
  writeFileSync(name, line, { flag: 'a' })
  const { output, status } = await verifyLines(args, name)
  expect({ answers: answersOf(output), status }).toEqual({ answers: [true], status: 0 })
  expect(JSON.parse(readFileSync(`${name}.checkpoint`, 'utf8')).tally).toEqual({
    lines: 2,
    findings: 0,
    malformed: 0,
    failed: 0,
  })
})

test('threads that cannot start end the run, because no line is at fault', async () => {
  const name = `${folder}/broken`
  writeFileSync(name, `${JSON.stringify(agrees)}\n`.repeat(3))
  const broken = `
import { isMainThread } from 'node:worker_threads'
if (!isMainThread) throw new Error('no thread today')`
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(broken)}`]
  const child = spawn(
    process.execPath,
    [...preload, main, 'verify', '--lines', '--jobs', '2', name],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const { status, output, errors } = await outcomeOf(child)
  expect({ status, output }).toEqual({ status: 70, output: '' })
  expect(errors).toContain('no thread today')
})
