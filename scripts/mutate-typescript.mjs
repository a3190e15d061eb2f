// StrykerJS with its vitest runner, on a copy of the tree.

import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** As they are when the run begins: somebody may work on them meanwhile. */
const sources = new Map()

export const keepSource = (file, text) => sources.set(file, text)

export const excludedMutations = [
  // Codes and paths of findings are typed, messages are for people, and both are compared where
  // they matter; the rest of what this mutator makes is noise.
  'StringLiteral',
  // `{}` for a record is refused by the types of nearly all of ours. Stryker's checker, which would
  // know, needs the API of TypeScript 6; version 7 has none.
  'ObjectLiteral',
]

const options = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', `${root}scripts/mutate-reporter.mjs`],
  vitest: { configFile: 'test/mutation/vitest.config.mjs', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // A mutant that loops counts as killed. One that only waits for a busy processor must not.
  timeoutMS: 60_000,
  // Code that runs once, when a module is loaded, would need all tests for each mutant.
  ignoreStatic: true,
  mutator: {
    excludedMutations,
  },
  // Its rewriting needs that API too. A file that is not there is not rewritten.
  tsconfigFile: 'no-tsconfig.json',
  tempDirName: 'out/mutate/stryker',
  ignorePatterns: [
    'out',
    'dist',
    'bench',
    'third_party',
    'prebuilds',
    'native/fuzz',
    'native/test',
  ],
  reporters: ['survivors'],
  clearTextReporter: { allowColor: false },
  disableTypeChecks: false,
  allowEmpty: true,
  logLevel: 'warn',
}

/**
 * @param {{ places: string[], tests: string[], say: (text: string) => void }} given
 * @returns {Promise<{ file: string, line: number, original: string, mutant: string, status: string }[]>}
 */
export async function mutateTypeScript({ places, tests, say }) {
  const { Stryker } = await import('@stryker-mutator/core')
  for (const place of places) {
    const file = place.replace(/:[\d-]+$/, '')
    keepSource(file, readFileSync(`${root}${file}`, 'utf8'))
  }
  process.env.ANTARA_MUTATION_TESTS = JSON.stringify(tests)
  say(`${places.length} places, ${tests.length} kinds of tests`)
  const results = await new Stryker({ ...options, mutate: places }).runMutationTest()
  return results.map(resultOf)
}

const statuses = {
  Killed: 'killed',
  Timeout: 'killed',
  Survived: 'survived',
  NoCoverage: 'survived',
  Ignored: 'ignored',
}

export function resultOf({ fileName, location, replacement, status }) {
  const file = relative(root, fileName).replaceAll('\\', '/')
  const source = sources.get(file)
  // Both count from one.
  const { start, end } = location
  const lines = source.split('\n')
  const before = lines[start.line - 1].slice(0, start.column - 1)
  const after = lines[end.line - 1].slice(end.column - 1)
  const inOneLine = (text) => text.trim().replace(/\s+/g, ' ')
  return {
    file,
    line: start.line,
    original: inOneLine(lines.slice(start.line - 1, end.line).join('\n')),
    mutant: inOneLine(`${before}${replacement}${after}`),
    status: isWronglyTyped({ before, replacement, after })
      ? 'ignored'
      : (statuses[status] ?? 'invalid'),
  }
}

/** Returns true for mutants that the compiler always refuses. */
function isWronglyTyped({ before, replacement, after }) {
  // The element that Stryker adds to an empty list seldom has the right type.
  if (replacement === '["Stryker was here"]') return true
  // exactOptionalPropertyTypes: a member may be absent, but not undefined
  return replacement === 'true' && before.endsWith('...(') && /^ && (?:!?[\w.]+ && )?\{/.test(after)
}
