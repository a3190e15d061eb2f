// Changes the code in one place after another and runs the tests: what nothing notices is shown.
// docs/testing.md says how to read it.
//
//   npm run mutate -- --scope verification --since main

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { scopes } from '../test/mutation/scopes.mjs'
import { readScores, recordScores, scopesTable, scoresTable } from './mutate-scores.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const usage = `Usage: npm run mutate -- --scope NAME [OPTION]

Scopes: ${Object.keys(scopes).join(', ')}

--files PATH,...   only these of the scope, or folders of them
--since COMMIT     only lines that differ from this commit
--again            only lines that something survived on in the last run, wherever they are now;
                   with --since, these as well; with --record, the last run is the recorded one
--tests GLOB,...   other tests than those of the scope; --tests= leaves native with ctest alone
--in-process       all changes in one process, where no test is loaded anew: a first run of many files
--test-ms MS       with --in-process, no test that takes more of the processor (500)
--sample N         with --in-process, only every Nth change; recorded scores are marked as a sample
--record           what it came to goes into test/mutation/scores, by file; with --again, what of the
                   survivors there is noticed now
--scores           no run, but what was recorded, as a table; without --scope, a row for each scope
--json             the result as JSON, and nothing else, on standard output
`

const options = readOptions()
if (options.scope === undefined) {
  console.log(scopesTable(Object.entries(scopes).map(([name, it]) => [name, filesOf(it)])))
  process.exit(0)
}
const scope = scopes[options.scope]
const say = (text) => (options.json ? process.stderr : process.stdout).write(`${text}\n`)
const known = knownEquivalents()
const keyOf = ({ file, original, mutant }) => JSON.stringify([file, original, mutant])
const reasons = new Map(known.map((entry) => [keyOf(entry), entry]))

// not at the commas of `{a,b}`
const tests = options.tests?.split(/,(?![^{]*})/).filter((glob) => glob !== '') ?? scope.tests
const files = chosenFiles()
if (options.scores) {
  console.log(scoresTable(options.scope, files))
  process.exit(0)
}
const changes = chosenLines()
const wanted = changes === undefined ? files : files.filter((file) => changes.has(file))
if (wanted.length === 0) {
  say('nothing to mutate')
  process.exit(0)
}
const started = Date.now()
const run = await (options.scope === 'native' ? runNative() : runTypeScript())
const report = summaryOf(run)
mkdirSync(`${root}out/mutate`, { recursive: true })
writeFileSync(
  `${root}out/mutate/${options.scope}.json`,
  `${JSON.stringify(report, undefined, 2)}\n`,
)
if (options.record) {
  const isWhole = changes === undefined
  const of = { scope: options.scope, results: run, files: wanted, isWhole, date: report.date }
  recordScores({ ...of, sample: Number(options.sample) })
}
if (options.json) console.log(JSON.stringify(report, undefined, 2))
else printReport(report)
process.exit(report.survivors.length === 0 && report.stale.length === 0 ? 0 : 1)

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        scope: { type: 'string' },
        files: { type: 'string' },
        since: { type: 'string' },
        again: { type: 'boolean', default: false },
        tests: { type: 'string' },
        'in-process': { type: 'boolean', default: false },
        'test-ms': { type: 'string', default: '500' },
        sample: { type: 'string', default: '1' },
        record: { type: 'boolean', default: false },
        scores: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    if (!/^[1-9]\d*$/.test(values.sample) || (values.sample !== '1' && !values['in-process'])) {
      throw new Error('--sample: expected a number, with --in-process')
    }
    if (values.scope in scopes || (values.scope === undefined && values.scores)) return values
    throw new Error(
      values.scope === undefined ? '--scope is missing' : `no scope is called ${values.scope}`,
    )
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`)
    process.exit(64)
  }
}

function knownEquivalents() {
  const path = `${root}test/mutation/equivalent/${options.scope}.json`
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).mutants : []
}

function chosenFiles() {
  const only = options.files?.split(',').map((path) => path.replace(/\/$/, ''))
  return filesOf(scope).filter(
    (file) => only?.some((path) => file === path || file.startsWith(`${path}/`)) ?? true,
  )
}

function filesOf({ files, ending }) {
  const all = files.flatMap((path) => {
    if (/\.\w+$/.test(path)) return [path]
    const names = readdirSync(`${root}${path}`, { recursive: true, encoding: 'utf8' })
    return names.filter((name) => ending.test(name)).map((name) => `${path}/${name}`)
  })
  return all.sort()
}

/** Ranges of lines by file; all lines if there is nothing to choose by. */
function chosenLines() {
  if (!options.again && options.since === undefined) return undefined
  const survived = options.again ? survivorLines() : new Map()
  const changed = options.since === undefined ? new Map() : changedLines(options.since)
  const both = [...new Set([...survived.keys(), ...changed.keys()])].filter((file) =>
    files.includes(file),
  )
  return new Map(
    both.map((file) => [file, [...(survived.get(file) ?? []), ...(changed.get(file) ?? [])]]),
  )
}

function survivorLines() {
  const survivors = options.record
    ? Object.entries(readScores(options.scope)).flatMap(([file, { survivors: all }]) =>
        all.map((survivor) => ({ file, ...survivor })),
      )
    : JSON.parse(readFileSync(`${root}out/mutate/${options.scope}.json`, 'utf8')).survivors
  const found = new Map()
  for (const { file, original } of survivors) {
    if (!existsSync(`${root}${file}`)) continue
    found.set(file, [...(found.get(file) ?? []), ...placesOf(file, original)])
  }
  return found
}

/** Where a file has a text of some lines, however they are broken and indented. */
function placesOf(file, text) {
  const inOneLine = (part) => part.trim().replace(/\s+/g, ' ')
  const lines = readFileSync(`${root}${file}`, 'utf8').split('\n').map(inOneLine)
  const wanted = inOneLine(text)
  return lines.flatMap((_, first) => {
    let joined = ''
    for (let last = first; last < lines.length && joined.length <= wanted.length; last += 1) {
      joined = `${joined} ${lines[last]}`.trim()
      if (joined === wanted && lines[first] !== '') return [[first + 1, last + 1]]
    }
    return []
  })
}

/** Lines that a commit does not have, by file. */
function changedLines(commit) {
  const diff = execFileSync('git', ['diff', '-U0', '--no-color', commit, '--', ...scope.files], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const found = new Map()
  let lines = []
  for (const line of diff.split('\n')) {
    const file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1]
    if (file !== undefined) {
      lines = []
      found.set(file, lines)
    }
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (hunk === null) continue
    const first = Number(hunk[1])
    lines.push([first, first + Number(hunk[2] ?? 1) - 1])
  }
  return found
}

async function runNative() {
  const { mutateNative } = await import('./mutate-native.mjs')
  const isWanted = (file, line) =>
    changes?.get(file).some(([first, last]) => first <= line && line <= last) ?? true
  const isKnown = (mutant) => reasons.has(keyOf(mutant))
  return mutateNative({ files: wanted, isWanted, isKnown, tests, say })
}

async function runTypeScript() {
  const places = wanted.flatMap((file) =>
    changes === undefined
      ? [file]
      : changes
          .get(file)
          .flatMap(([first, last]) => (last < first ? [] : [`${file}:${first}-${last}`])),
  )
  const results = await (options['in-process'] ? runInProcess(places) : runStryker(places))
  return results.map((result) =>
    result.status === 'survived' && reasons.has(keyOf(result))
      ? { ...result, status: 'equivalent' }
      : result,
  )
}

async function runStryker(places) {
  const { mutateTypeScript } = await import('./mutate-typescript.mjs')
  return mutateTypeScript({ places, tests, say })
}

async function runInProcess(places) {
  const { mutateInProcess } = await import('./mutate-in-process.mjs')
  const [testMs, sample] = [Number(options['test-ms']), Number(options.sample)]
  return mutateInProcess({ places, tests, testMs, sample, say })
}

/** Mutants that do not compile, make the same code or are no different in effect do not count. */
function summaryOf(results) {
  const count = (status) => results.filter((result) => result.status === status).length
  const survivors = results.filter(({ status }) => status === 'survived')
  const [killed, counted] = [count('killed'), count('killed') + survivors.length]
  return {
    scope: options.scope,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
    }).trim(),
    date: new Date(started).toISOString().slice(0, 10),
    minutes: Number(((Date.now() - started) / 60_000).toFixed(1)),
    score: counted === 0 ? 100 : Number(((100 * killed) / counted).toFixed(1)),
    killed,
    survived: survivors.length,
    equivalent: count('equivalent') + count('same'),
    notCounted: count('invalid') + count('ignored'),
    byFile: byFile(results),
    survivors: survivors.map(({ file, line, original, mutant }) => ({
      file,
      line,
      original,
      mutant,
    })),
    stale: staleEntries(results),
  }
}

function byFile(results) {
  return Object.fromEntries(
    wanted.map((file) => {
      const own = results.filter((result) => result.file === file)
      const count = (status) => own.filter((result) => result.status === status).length
      return [file, { killed: count('killed'), survived: count('survived') }]
    }),
  )
}

/**
 * Returns entries that are listed as equivalent and are not: the code has changed, or a test
 * notices. A run of some lines, or of a sample, cannot tell.
 */
function staleEntries(results) {
  if (changes !== undefined || options.sample !== '1') return []
  const equivalent = new Set(results.filter(({ status }) => status === 'equivalent').map(keyOf))
  return known.filter((entry) => wanted.includes(entry.file) && !equivalent.has(keyOf(entry)))
}

function printReport({ survivors, stale, byFile: files, ...rest }) {
  for (const { file, line, original, mutant } of survivors) {
    say(`\n${file}:${line}\n- ${original}\n+ ${mutant}`)
  }
  for (const { file, original, mutant } of stale) {
    say(`\nlisted as equivalent, but killed or gone: ${file}\n- ${original}\n+ ${mutant}`)
  }
  say('')
  for (const [file, { killed, survived }] of Object.entries(files)) {
    say(`${String(killed).padStart(5)} of ${String(killed + survived).padEnd(5)} ${file}`)
  }
  say(
    `${rest.scope} at ${rest.commit}${options.sample === '1' ? '' : `, a sample, one change of ${options.sample}`}: ${rest.score} %, ${rest.killed} killed, ${rest.survived} survived, ` +
      `${rest.equivalent} equivalent, ${rest.notCounted} not counted, ${rest.minutes} minutes`,
  )
}
