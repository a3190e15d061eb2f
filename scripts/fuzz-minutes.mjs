// The total running time of every fuzz target on the sources that it reads. Many hours need several
// runs; minutes on older sources do not count.
//
//   npm run fuzz:all -- --minutes 20 --record
//   npm run fuzz:all -- --recorded

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { scriptTargets } from './fuzz-script.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = `${root}test/fuzz/minutes.json`
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const readRecords = () => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
/** The sources that a verdict may read. */
const rooms = [
  'chain',
  'condition',
  'primitives',
  'request',
  'script',
  'signing',
  'token',
  'transaction',
  'verification',
]

/** Git's names of what a target runs, as committed, in one. */
function sourceOf(name) {
  const trees = git('ls-tree', 'HEAD', ...placesOf(name))
  return createHash('sha1').update(trees).digest('hex')
}

function placesOf(name) {
  const target = `test/fuzz/${name}.mjs`
  if (name === 'engines') return ['native/core', 'native/seam', 'native/wasm', target]
  if (name === 'observers')
    return [...[...rooms, 'journal', 'rpc'].map((room) => `src/${room}`), target]
  if (scriptTargets.includes(name)) return [...rooms.map((room) => `src/${room}`), target]
  const program = name.split('-')[0]
  const seam = program === 'seam' ? ['native/seam'] : []
  return ['native/core', ...seam, `native/fuzz/${program}_fuzz.cpp`]
}

/** @returns {number} minutes of the processor that a target has had on its sources of today */
export function minutesOf(name) {
  const record = readRecords()[name]
  return record?.source === sourceOf(name) ? record.minutes : 0
}

/** @param {{ name: string, executions: number, processorMinutes: number, finding?: string }} run */
export function recordMinutes({ name, executions, processorMinutes, finding }) {
  const records = readRecords()
  const source = sourceOf(name)
  const before = records[name]?.source === source ? records[name] : undefined
  records[name] = {
    source,
    commit: git('rev-parse', '--short', 'HEAD'),
    date: new Date().toISOString().slice(0, 10),
    minutes: Number(((before?.minutes ?? 0) + processorMinutes).toFixed(2)),
    executions: (before?.executions ?? 0) + executions,
    findings: [...(before?.findings ?? []), ...(finding === undefined ? [] : [finding])],
  }
  const sorted = Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}

/** @param {readonly string[]} names @returns {string} a table in Markdown */
export function minutesTable(names) {
  const records = readRecords()
  const rows = names.map((name) => {
    const record = records[name]
    if (record === undefined) return `| ${name} | 0 | 0 | | |`
    const { minutes, executions, findings, commit, source } = record
    const when = source === sourceOf(name) ? commit : `${commit}, sources edited since`
    const found = findings.length === 0 ? 'none' : findings.join(', ')
    return `| ${name} | ${executions.toLocaleString('en')} | ${minutes.toFixed(1)} | ${found} | ${when} |`
  })
  return [
    '| target | executions | minutes of processor | findings | last run at |',
    '| --- | ---: | ---: | --- | --- |',
    ...rows,
  ].join('\n')
}
