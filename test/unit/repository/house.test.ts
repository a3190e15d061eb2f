import { describe, expect, test } from 'vitest'

import { errorCodeOfNumber, errorSummaries } from '../../../src/errors/codes.ts'
import config from '../../../vitest.config.ts'
import { filesBelow, textOf } from '../../support/files.ts'

const isText = (path: string) =>
  !path.startsWith('native/fuzz/corpus/') && !/\.(?:wasm|lzma|png)$/.test(path)
const files = filesBelow('.').filter(isText)
/** Recorded elsewhere and kept as found. */
const isVector = (path: string) => path.startsWith('test/vectors/')
/** Written elsewhere and kept as released; our README there is held by third-party.test.ts. */
const isThirdParty = (path: string) => path.startsWith('third_party/')
const written = files.filter((path) => !isVector(path) && !isThirdParty(path))

const offenders = (paths: readonly string[], isWrong: (text: string) => boolean) =>
  paths.filter((path) => isWrong(textOf(path)))

describe('every file that was written', () => {
  test('is found by this test', () => {
    expect(written.length).toBeGreaterThan(200)
    expect(written).toContain('native/core/tx/parse.cpp')
    expect(written).toContain('.ci/run')
  })

  test('has lines that end in LF, the last one too, and no blanks before that', () => {
    expect(offenders(files, (text) => text.includes('\r'))).toEqual([])
    expect(offenders(written, (text) => text !== '' && !text.endsWith('\n'))).toEqual([])
    expect(offenders(written, (text) => /[ \t]$/m.test(text))).toEqual([])
    // gofmt indents by tabs.
    const spaced = written.filter((path) => !path.endsWith('.go'))
    expect(offenders(spaced, (text) => text.includes('\t'))).toEqual([])
  })

  test('is finished: nothing is left to do in it', () => {
    // Put together here, so that this file is not its own first offender.
    const marks = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`)
    expect(offenders(written, (text) => marks.test(text))).toEqual([])
  })

  test('cites public sources, no notes outside of the repository', () => {
    const notes = /\b(?:spec|design)\/[\w-]+\.md/
    expect(offenders(written, (text) => notes.test(text))).toEqual([])
  })

  test('skips tests by test/support/skip.ts alone, which names the reason', () => {
    const tests = written.filter((path) => /^(?:test|bench|examples)\/.*\.[cm]?[jt]s$/.test(path))
    const skipping = /\b(?:test|it|describe)(?:\.\w+)*\.(?:skip|skipIf|runIf|todo|only)\b/
    const others = offenders(tests, (text) => skipping.test(text))
    expect(others).toEqual(['test/support/skip.ts'])
  })

  test('is no quick test that starts a process or a server', () => {
    const quick = written.filter((path) => /^test\/(?:unit|property|explore)\//.test(path))
    expect(quick.length).toBeGreaterThan(100)
    const starting =
      /^import .* from '(?:node:(?:child_process|https?|net)|.*\/chromium\.ts)'|^import .*\bWorker\b.*'node:worker_threads'/m
    const building = /\b(?:runProgram|compileSources)\(/
    expect(offenders(quick, (text) => starting.test(text) || building.test(text))).toEqual([])
  })

  test('replaces modules in a quick test only where the shared ones are put back', () => {
    const quick = written.filter((path) => /^test\/(?:unit|property|explore)\//.test(path))
    // A hoisted mock would stay for the files that come next.
    expect(offenders(quick, (text) => /^vi\.mock\(/m.test(text))).toEqual([])
    const replacing = /\bvi\.resetModules\(/
    const isAlone = (text: string) => replacing.test(text) && !/^putModulesBack\(\)$/m.test(text)
    expect(offenders(quick, isAlone)).toEqual([])
  })

  test('knows no machine it was written on', () => {
    const machinePath =
      /(?<![\w.~-])(?:\/home\/(?!you\b|me\b)\w|\/(?:root|Users|work)\/\w|[A-Z]:\\\w)/
    expect(offenders(written, (text) => machinePath.test(text))).toEqual([])
  })
})

test('a quick run passes its share on to every project', () => {
  const sharesIn = (mode: string) => {
    const { projects } = config({ mode, command: 'serve' }).test as {
      projects: { test: { name: string; env?: Record<string, string> } }[]
    }
    return projects.map(({ test: { name, env } }) => [name, env?.ANTARA_TEST_SHARE])
  }
  for (const mode of ['quick', 'share']) {
    expect(sharesIn(mode)).toEqual([
      ['quick', 'quick'],
      ['process', 'quick'],
    ])
  }
  expect(sharesIn('test').map(([, share]) => share)).toEqual(['whole', 'whole'])
})

describe('error codes', () => {
  const numbers: Record<string, number> = JSON.parse(textOf('test/error-numbers.json'))

  test('keep the number they were published with', () => {
    const current = Object.fromEntries(
      [...errorCodeOfNumber].map(([number, code]) => [code, number]),
    )
    expect(current).toEqual(numbers)
    expect(Object.keys(errorSummaries).sort()).toEqual(Object.keys(numbers).sort())
  })

  test('are snake_case words with a summary each', () => {
    for (const [code, summary] of Object.entries(errorSummaries)) {
      expect(code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
      expect(summary.length).toBeGreaterThan(10)
    }
  })
})

test('every test that SECURITY.md names is there, and every promise names one', () => {
  const rows = textOf('SECURITY.md').match(/^\| (?!promise|---).*$/gm)!
  const named = rows.map((row) => row.match(/`((?:test|native)\/[^`]+)`/g) ?? [])
  expect(named.length).toBeGreaterThan(10)
  expect(rows.filter((_, at) => named[at]!.length === 0)).toEqual([])
  const paths = new Set(named.flat().map((name) => name.slice(1, -1)))
  const isThere = (path: string) => files.some((file) => file === path || file.startsWith(path))
  expect([...paths].filter((path) => !isThere(path))).toEqual([])
})

describe('test vectors', () => {
  test('name their source, or the README does', () => {
    const vectors = files.filter((path) => isVector(path) && path.endsWith('.json'))
    expect(vectors.length).toBeGreaterThan(20)
    const readme = textOf('test/vectors/README.md')
    const isExplained = (path: string) => {
      const within = path.replace('test/vectors/', '')
      const [folder] = within.split('/')
      const { source } = JSON.parse(textOf(path))
      return (
        typeof source === 'string' ||
        readme.includes(`\`${within}\``) ||
        readme.includes(`| \`${folder}/\` |`)
      )
    }
    expect(vectors.filter((path) => !isExplained(path))).toEqual([])
  })
})
