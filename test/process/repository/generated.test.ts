// Generated files are current, and C++ sources are formatted.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { root, runProgram } from '../../support/built.ts'

test("the picture of a verdict's way is current, and every file in it is there", () => {
  expect(() => runProgram(process.execPath, ['scripts/draw-verdict.mjs', '--check'])).not.toThrow()
})

test.each(['draw-rooms', 'draw-benchmarks', 'draw-transfer', 'draw-demo', 'generate-reference'])(
  'the output of scripts/%s.mjs is current',
  (script) => {
    expect(() => runProgram(process.execPath, [`scripts/${script}.mjs`, '--check'])).not.toThrow()
  },
)

describe('C++ sources', () => {
  test('are as clang-format writes them, or keep within 100 columns where it is missing', () => {
    expect(() =>
      runProgram(process.execPath, ['scripts/clang-format.mjs', '--check']),
    ).not.toThrow()
  })

  test('C++ sources with a line too long would be found', () => {
    const folder = mkdtempSync(join(tmpdir(), 'antara-tx-format-'))
    try {
      cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
      cpSync(join(root, '.clang-format'), join(folder, '.clang-format'))
      mkdirSync(join(folder, 'native'))
      const script = join(folder, 'scripts/clang-format.mjs')
      const check = () => runProgram(process.execPath, [script, '--check'])
      writeFileSync(join(folder, 'native/good.h'), 'int x;\n')
      expect(check).not.toThrow()
      writeFileSync(join(folder, 'native/bad.h'), `int x;  // ${'x'.repeat(100)}\n`)
      expect(check).toThrow('native/bad.h:1: 111 columns, at most 100')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('generated files', () => {
  test('are current', () => {
    expect(() =>
      runProgram(process.execPath, ['scripts/generate-errors.mjs', '--check']),
    ).not.toThrow()
  })
})
