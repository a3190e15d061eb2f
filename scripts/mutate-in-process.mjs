// Changes as StrykerJS makes them, all in one process: each test runs again for each change that it
// reaches, and nothing is loaded anew. test/mutation/mutant-runner.mjs runs the tests.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { excludedMutations, keepSource, resultOf } from './mutate-typescript.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}out/mutate/in-process`
const vitest = `${root}node_modules/vitest/vitest.mjs`

/**
 * @param {{ places: string[], tests: string[], testMs: number, sample?: number,
 *   say: (text: string) => void }} given - a test that takes longer than `testMs` runs for no
 *   change; of the changes of each file only every `sample`th is tried and returned
 * @returns {Promise<{ file: string, line: number, original: string, mutant: string, status: string }[]>}
 */
export async function mutateInProcess({ places, tests, testMs, sample = 1, say }) {
  const { files, mutants: all } = await instrumented(places)
  const mutants = sampleOf(all, sample)
  mkdirSync(folder, { recursive: true })
  const plan = { files, ids: mutants.filter((it) => it.status === undefined).map((it) => it.id) }
  writeFileSync(`${folder}/plan.json`, JSON.stringify({ ...plan, testMs }))
  rmSync(`${folder}/results`, { force: true })
  say(`${places.length} places, ${plan.ids.length} changes, ${tests.length} kinds of tests`)
  let results = runTests(tests)
  // A change that loops or takes all memory ends the process: it counts as killed.
  for (; !results.isDone; results = runTests(tests)) {
    if (results.begun === undefined) throw new Error('the tests do not run without a change')
    say(`a change did not end: ${results.begun}`)
    writeFileSync(`${folder}/results`, `killed ${results.begun}\n`, { flag: 'a' })
  }
  for (const name of results.broken)
    say(`fails when it runs again, so it counts for nothing: ${name}`)
  return mutants.map((mutant) => {
    const { start, end } = mutant.location
    const fromOne = ({ line, column }) => ({ line: line + 1, column: column + 1 })
    const location = { start: fromOne(start), end: fromOne(end) }
    const status = mutant.status ?? results.statusOf(mutant.id)
    return resultOf({ ...mutant, location, status })
  })
}

/**
 * Returns every `sample`th change of each file, and all that are not to be tried.
 *
 * @template {{ fileName: string, status?: string }} Mutant
 * @param {readonly Mutant[]} all
 * @param {number} sample
 * @returns {Mutant[]}
 */
export function sampleOf(all, sample) {
  const counts = new Map()
  return all.filter(({ fileName, status }) => {
    if (status !== undefined) return true
    const at = counts.get(fileName) ?? 0
    counts.set(fileName, at + 1)
    return at % sample === 0
  })
}

/** Returns Stryker's mutants, and the sources with all of them, by absolute path. */
async function instrumented(places) {
  const ranges = new Map()
  for (const place of places) {
    const [, file, first, last] = /^(.*?)(?::(\d+)-(\d+))?$/.exec(place)
    if (first === undefined) ranges.set(file, true)
    else if (ranges.get(file) !== true) {
      const [start, end] = [
        { line: first - 1, column: 0 },
        { line: last - 1, column: 1 << 20 },
      ]
      ranges.set(file, [...(ranges.get(file) ?? []), { start, end }])
    }
  }
  const given = [...ranges].map(([file, mutate]) => {
    const content = readFileSync(`${root}${file}`, 'utf8')
    keepSource(file, content)
    return { name: `${root}${file}`, content, mutate }
  })
  // It comes with Stryker's core, and is not a dependency of its own.
  const require = createRequire(createRequire(import.meta.url).resolve('@stryker-mutator/core'))
  const { Instrumenter } = await import(require.resolve('@stryker-mutator/instrumenter'))
  const { createParser } = await partOf(require, 'parsers')
  const { print } = await partOf(require, 'printers')
  const { transform } = await partOf(require, 'transformers')
  const quiet = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false }
  const instrumenter = new Instrumenter(quiet, createParser, print, transform)
  const options = { plugins: null, excludedMutations, ignorers: [], noHeader: false }
  const { files, mutants } = await instrumenter.instrument(given, options)
  return { files: Object.fromEntries(files.map((it) => [it.name, it.content])), mutants }
}

function partOf(require, name) {
  const index = require.resolve('@stryker-mutator/instrumenter')
  return import(index.replace(/index\.js$/, `${name}/index.js`))
}

function runTests(tests) {
  spawnSync(process.execPath, [vitest, 'run', '--config', 'test/mutation/in-process.config.mjs'], {
    cwd: root,
    env: { ...process.env, CI: 'true', ANTARA_MUTATION_TESTS: JSON.stringify(tests) },
    stdio: 'ignore',
  })
  return readResults()
}

function readResults() {
  const path = `${folder}/results`
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const textsAfter = (word) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  const [killed, reached, loaded] = ['killed', 'reached', 'loaded'].map(
    (it) => new Set(textsAfter(it)),
  )
  const last = lines.at(-2)
  return {
    isDone: last === 'done',
    begun: /^begun (\S+)/.exec(last ?? '')?.[1],
    broken: new Set(textsAfter('broken')),
    statusOf(id) {
      if (killed.has(id)) return 'Killed'
      if (reached.has(id)) return 'Survived'
      return loaded.has(id) ? 'Ignored' : 'NoCoverage'
    },
  }
}
