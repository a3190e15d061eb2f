// The output of a run with `--resume`: which file is cut, where the file cannot be read again.

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { putModulesBack } from '../../support/own-modules.ts'
import { testUnless } from '../../support/skip.ts'

/** The file that stands for standard output, and whether it can be read again. */
const output = { file: -1, isReadable: false }

putModulesBack()
vi.resetModules()
vi.doMock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>()
  const shell = (file: number) => (file === 1 ? output.file : file)
  return {
    ...fs,
    fstatSync: (file: number) => fs.fstatSync(shell(file)),
    fsyncSync: (file: number) => fs.fsyncSync(shell(file)),
    ftruncateSync: (file: number, size: number) => fs.ftruncateSync(shell(file), size),
    openSync(path: string, ...more: [string]) {
      if (path !== '/proc/self/fd/1') return fs.openSync(path, ...more)
      if (!output.isReadable) throw new Error('ENOENT')
      return fs.openSync(`/proc/self/fd/${output.file}`, ...more)
    },
  }
})

const { outputNow, readCheckpoint, rewindOutput } = await import('../../../src/cli/lines/resume.ts')
vi.doUnmock('node:fs')

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-checkpoint-output-'))
afterAll(() => rmSync(folder, { recursive: true }))
const [answers, foreign] = [join(folder, 'answers'), join(folder, 'foreign')]
const job = { command: 'txid' } as const
const facts = { job, bytes: 0, tally: { lines: 0, findings: 0, malformed: 0, failed: 0 } }
const head = { bytes: 0, sha256: '' }

/** Does something with a file as the output. */
function withOutput<T>(path: string, work: () => T): T {
  output.file = openSync(path, 'a')
  try {
    return work()
  } finally {
    closeSync(output.file)
  }
}

beforeEach(() => {
  output.isReadable = false
  writeFileSync(foreign, 'important\n'.repeat(500))
})

test.each(['', 'answered\n'])(
  'cuts the file of the earlier run, and no other, if it cannot be read: %j',
  (answered) => {
    writeFileSync(answers, answered)
    const checkpoint = { ...facts, head, ...withOutput(answers, outputNow) }
    expect(() => withOutput(foreign, () => rewindOutput(checkpoint))).toThrow('is not the file')
    expect(readFileSync(foreign, 'utf8')).toHaveLength(5000)
    writeFileSync(answers, 'half a line', { flag: 'a' })
    withOutput(answers, () => rewindOutput(checkpoint))
    expect(readFileSync(answers, 'utf8')).toBe(answered)
  },
)

testUnless(process.platform !== 'linux' && 'only Linux can read the output again')(
  'cuts no other file if the earlier run had written nothing, though both can be read',
  () => {
    output.isReadable = true
    writeFileSync(answers, '')
    const checkpoint = { ...facts, head, ...withOutput(answers, outputNow) }
    expect(() => withOutput(foreign, () => rewindOutput(checkpoint))).toThrow('is not the file')
    expect(readFileSync(foreign, 'utf8')).toHaveLength(5000)
  },
)

test('cuts nothing for a checkpoint whose tail was recorded where it could be read', () => {
  const checkpoint = { ...facts, head, outputBytes: 10, outputTail: 'ab'.repeat(32) }
  expect(() => withOutput(foreign, () => rewindOutput(checkpoint))).toThrow(
    'cannot tell if the output is the file',
  )
  expect(readFileSync(foreign, 'utf8')).toHaveLength(5000)
})

test('names the option and the file for a checkpoint that is not JSON', () => {
  expect(() => readCheckpoint(foreign, job)).toThrow(
    `--resume ${foreign}: expected a file that antara-tx --resume wrote`,
  )
})
