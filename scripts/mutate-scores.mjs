// The results of mutation runs by file, kept between runs. A whole run of a file records its
// survivors; a run of some lines removes the ones that were killed.
//
//   npm run mutate -- --scope token --files src/token/read --record
//   npm run mutate -- --scope token --scores

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { transformSync } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}test/mutation/scores`
const keyOf = ({ original, mutant }) => JSON.stringify([original, mutant])
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/**
 * Returns a hash of what a file does: comments, blanks, the names of locals and imports, and the
 * places of other files do not change it. So a rename does not make a recorded score stale.
 *
 * @param {string} file - its name tells the language
 * @param {string} text - its content
 */
export function codeHash(file, text) {
  return createHash('sha1').update(codeOf(file, text)).digest('hex')
}

function codeOf(file, text) {
  if (!file.endsWith('.ts')) {
    return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/\s+/g, ' ')
  }
  const { code } = transformSync(text, {
    loader: 'ts',
    minify: true,
    format: 'esm',
    legalComments: 'none',
  })
  return code.replace(
    /\b(?:import|export)\s*(?:\*[^;"]*|\{[^}]*\})?(?:\s*from)?\s*(?:"[^"]*")?;/g,
    '',
  )
}

const hashOf = (file) => codeHash(file, readFileSync(`${root}${file}`, 'utf8'))

/**
 * @param {string} scope
 * @returns {{ [file: string]: { source: string, commit: string, date: string, killed: number,
 *   equivalent: number, survivors: { original: string, mutant: string }[], sample?: number } }} by
 *   file; `source` is the code hash of the contents whose changes were all tried; with `sample`,
 *   only every Nth of them
 */
export function readScores(scope) {
  const path = `${folder}/${scope}.json`
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/**
 * @param {{ scope: string, results: { file: string, original: string, mutant: string,
 *   status: string }[], files: string[], isWhole: boolean, date: string, sample: number }} run
 */
export function recordScores({ scope, results, files, isWhole, date, sample }) {
  const scores = readScores(scope)
  const commit = git('rev-parse', '--short', 'HEAD')
  for (const file of files) {
    const own = results.filter((result) => result.file === file)
    const before = scores[file]
    if (!isWhole && before === undefined) continue
    scores[file] = isWhole
      ? { source: hashOf(file), commit, date, ...(sample > 1 && { sample }), ...countsOf(own) }
      : { ...before, commit, date, ...updated(before, own) }
  }
  const sorted = Object.fromEntries(
    Object.entries(scores)
      .filter(([file]) => existsSync(`${root}${file}`))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${scope}.json`, `${JSON.stringify(sorted, undefined, 2)}\n`)
}

function countsOf(results) {
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length
  return {
    killed: count('killed'),
    equivalent: count('equivalent', 'same'),
    survivors: results
      .filter(({ status }) => status === 'survived')
      .map(({ original, mutant }) => ({ original, mutant })),
  }
}

/** Survivors that were run again; what else is on their lines has been counted before. */
function updated({ killed, equivalent, survivors }, results) {
  const status = new Map(results.map((result) => [keyOf(result), result.status]))
  const now = (wanted) => survivors.filter((it) => wanted.includes(status.get(keyOf(it)))).length
  return {
    killed: killed + now(['killed']),
    equivalent: equivalent + now(['equivalent', 'same']),
    survivors: survivors.filter((it) => {
      const seen = status.get(keyOf(it))
      return seen === undefined || seen === 'survived'
    }),
  }
}

/**
 * A table for people, in Markdown. Files that were never run whole, or are others now, are said.
 */
export function scoresTable(scope, files) {
  const scores = readScores(scope)
  const rows = files.map((file) => {
    const score = scores[file]
    if (score === undefined) return `| \`${file}\` | not run | | | |`
    const { killed, equivalent, survivors, commit, source, sample } = score
    const part = sample === undefined ? commit : `${commit}, one change of ${sample}`
    const when = source === hashOf(file) ? part : `${part}, edited since`
    return `| \`${file}\` | ${killed} | ${survivors.length} | ${equivalent} | ${when} |`
  })
  const sum = (count) =>
    files.reduce((all, file) => all + (scores[file] ? count(scores[file]) : 0), 0)
  const [killed, survived] = [sum((it) => it.killed), sum((it) => it.survivors.length)]
  const percent = killed === 0 ? 0 : (100 * killed) / (killed + survived)
  return [
    '| file | killed | survived | equivalent | commit |',
    '| --- | ---: | ---: | ---: | --- |',
    ...rows,
    `| all, ${percent.toFixed(1)} % | ${killed} | ${survived} | ${sum((it) => it.equivalent)} | |`,
  ].join('\n')
}

/**
 * A row for each scope, in Markdown. Counts are of the recorded runs, also of files edited since.
 *
 * @param {readonly (readonly [scope: string, files: readonly string[]])[]} scopes
 */
export function scopesTable(scopes) {
  const rows = scopes.map(([scope, files]) => {
    const scores = readScores(scope)
    const known = files.filter((file) => scores[file] !== undefined)
    const current = known.filter((file) => scores[file].source === hashOf(file))
    const sampled = known.filter((file) => scores[file].sample !== undefined).length
    const sum = (count) => known.reduce((all, file) => all + count(scores[file]), 0)
    const [killed, survived] = [sum((it) => it.killed), sum((it) => it.survivors.length)]
    const percent = killed === 0 ? '' : `${((100 * killed) / (killed + survived)).toFixed(1)} %`
    const counts = [killed, survived, sum((it) => it.equivalent)].join(' | ')
    return `| ${scope} | ${files.length} | ${known.length} | ${sampled} | ${current.length} | ${percent} | ${counts} |`
  })
  return [
    '| scope | files | run | sampled | not edited since | score | killed | survived | equivalent |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}
