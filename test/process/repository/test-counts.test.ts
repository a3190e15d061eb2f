// The last line of `npm test` counts every test once, and its summary names what was skipped.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'

import { root } from '../../support/built.ts'
import { textOf } from '../../support/files.ts'

interface Counts {
  readonly passed: number
  readonly failures: readonly { readonly name: string; readonly message: string }[]
  readonly skips: readonly { readonly name: string; readonly reason: string }[]
  readonly repeated?: readonly { readonly name: string; readonly message: string }[]
}
const { countJunit, countVitest }: Record<string, (text: string, root?: string) => Counts> =
  await import(new URL('../../../scripts/test-counts.mjs', import.meta.url).href)

const folder = `${root}out/test-counts`
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fixture = `
import { expect, test } from 'vitest'
import { describeUnless, testUnless } from '../../../../test/support/skip.ts'
test('passes', () => expect(1).toBe(1))
test.each([1, 0])('asserts of %s', (count) => {
  if (count === 0) return
  expect(count).toBe(1)
})
testUnless(false)('runs', () => expect(1).toBe(1))
let attempts = 0
test('passes at last', { retry: 1 }, () => expect(++attempts).toBe(2))
testUnless(false, 'no engine')('alone', () => {})
testUnless('no disk', 'no engine').each([[1], [2]])('row %i', () => {})
describeUnless('no network')('group', () => test('member', () => {}))
test${'.skip'}('silent', () => {})
`

test('counts what vitest ran, with the reason of every skipped test', () => {
  mkdirSync(`${folder}/test/unit`, { recursive: true })
  writeFileSync(`${folder}/test/unit/fixture.test.ts`, fixture)
  const report = `${folder}/report.json`
  const args = ['--no', 'vitest', 'run', '--root', folder, '--config', `${root}vitest.config.ts`]
  const { status } = spawnSync('npx', [...args, '--reporter=json', `--outputFile=${report}`], {
    cwd: root,
    env: { ...process.env, VITEST: undefined },
    shell: process.platform === 'win32',
  })
  expect(status).toBe(1)
  const file = 'test/unit/fixture.test.ts'
  expect(countVitest!(readFileSync(report, 'utf8'), `${folder}/`)).toEqual({
    passed: 4,
    // The second one is what expect.requireAssertions of vitest.config.ts is for.
    failures: [
      {
        name: `${file}: asserts of 0`,
        message: expect.stringContaining('expected any number of assertion'),
      },
      { name: `${file}: silent`, message: 'skipped without a reason' },
    ],
    skips: [
      { name: `${file}: alone`, reason: 'no engine' },
      { name: `${file}: row 1`, reason: 'no disk' },
      { name: `${file}: row 2`, reason: 'no disk' },
      { name: `${file}: group member`, reason: 'no network' },
    ],
    repeated: [
      {
        name: `${file}: passes at last`,
        message: expect.stringContaining('expected 1 to be 2'),
      },
    ],
  })
})

test('counts a file that does not load as a failure', () => {
  const message = 'Failed to load \u001B[31mx\u001B[39m'
  const testResults = [
    { name: '/a/test/x.test.ts', status: 'failed', message, assertionResults: [] },
  ]
  const text = JSON.stringify({ numPassedTests: 0, testResults })
  const failures = [{ name: 'test/x.test.ts', message: 'Failed to load x' }]
  expect(countVitest!(text, '/a/')).toMatchObject({ passed: 0, failures })
})

test('counts the JUnit reports of node:test and ctest', () => {
  // As node:test 20 and ctest 3.25 write them.
  const nodeTest = `<testsuites>
<testcase name="a > b" time="0.1" classname="test"/>
<testcase name="of a peer" time="0.1" classname="test">
<skipped type="skipped" message="it&apos;s not installed"/>
</testcase>
<testcase name="fails" time="0.1" classname="test">
<failure type="testCodeFailure" message="x">x</failure>
</testcase>
</testsuites>`
  expect(countJunit!(nodeTest)).toEqual({
    passed: 1,
    failures: [{ name: 'fails', message: 'x' }],
    skips: [{ name: 'of a peer', reason: "it's not installed" }],
  })
  const ctest = `<testsuite name="x" tests="3" failures="1" disabled="0" skipped="1">
<testcase name="script_test" classname="script_test" time="0.1" status="run"><system-out>ok</system-out></testcase>
<testcase name="seam_test" classname="seam_test" time="0.1" status="fail"><failure message=""/></testcase>
<testcase name="other" classname="other" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
</testsuite>`
  expect(countJunit!(ctest)).toEqual({
    passed: 1,
    failures: [{ name: 'seam_test', message: '' }],
    skips: [{ name: 'other', reason: 'SKIP_RETURN_CODE=77' }],
  })
})

test('CI runs the same command, after the same set-up', () => {
  const ci = textOf('.ci/run')
  expect(ci).toMatch(/\nnpm ci\nnpm test -- --wasm\n$/)
  expect(ci).not.toContain('better-sqlite3')
})
