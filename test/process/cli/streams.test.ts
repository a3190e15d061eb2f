import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'

import { isTerminal, writeNow } from '../../../src/cli/streams.ts'
import { describeUnless } from '../../support/skip.ts'

const folder = mkdtempSync(`${tmpdir()}/antara-tx-streams-`)

function opened<T>(path: string, flags: string | number, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags)
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

test('a file is not a terminal', () => {
  writeFileSync(`${folder}/file`, '')
  expect(opened(`${folder}/file`, 'r', isTerminal)).toBe(false)
})

test('a descriptor that is not open is not a terminal', () => {
  expect(isTerminal(12_345)).toBe(false)
})

describeUnless(process.platform === 'win32' && 'Windows has no FIFOs in folders')('output', () => {
  test('a file is written at once', () => {
    const path = `${folder}/written`
    expect(opened(path, 'w', (file) => writeNow(file, Buffer.from('a verdict')))).toHaveLength(0)
    expect(readFileSync(path, 'utf8')).toBe('a verdict')
  })

  test('a device is left to the stream of Node', () => {
    const bytes = Buffer.from('a verdict')
    expect(opened('/dev/null', 'w', (device) => writeNow(device, bytes))).toEqual(bytes)
    expect(opened('/dev/null', 'r', isTerminal)).toBe(false)
  })

  test('the rest of a full pipe is returned, and nothing is lost or written twice', () => {
    const path = `${folder}/pipe`
    execFileSync('mkfifo', [path])
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
    opened(path, constants.O_RDWR | constants.O_NONBLOCK, (pipe) => {
      const left = writeNow(pipe, bytes)
      expect(left.length).toBeGreaterThan(0)
      expect(left.length).toBeLessThan(bytes.length)
      const taken = Buffer.alloc(bytes.length)
      const length = readSync(pipe, taken)
      expect(Buffer.concat([taken.subarray(0, length), left]).equals(bytes)).toBe(true)
    })
  })

  test('a reader that is gone is an error', () => {
    const path = `${folder}/gone`
    execFileSync('mkfifo', [path])
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    opened(path, 'w', (pipe) => {
      closeSync(reader)
      expect(() => writeNow(pipe, Buffer.from('a'))).toThrow('EPIPE')
    })
  })

  test('a file that cannot be written is an error', () => {
    writeFileSync(`${folder}/read-only`, '')
    const write = (file: number) => writeNow(file, Buffer.from('a'))
    expect(() => opened(`${folder}/read-only`, 'r', write)).toThrow('EBADF')
  })
})
