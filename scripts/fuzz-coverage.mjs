// Which lines fuzz targets reach: of the core by clang's counters, of dist/ by those of V8.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * @param {string} root
 * @param {ReturnType<typeof import('./fuzz-targets.mjs').nativeTarget>[]} targets
 * @returns {{ [folder: string]: { total: number, covered: number } }} of native/core
 */
export function nativeLines(root, targets) {
  if (targets.length === 0) return {}
  const out = `${root}out/coverage`
  const profiles = targets.map(({ name }) => `${out}/${name}.profraw`)
  targets.forEach(({ program, found, seeds, environment }, index) => {
    spawnSync(`${out}/${program}`, ['-runs=0', found, seeds], {
      stdio: 'ignore',
      env: { ...environment, LLVM_PROFILE_FILE: profiles[index] },
    })
  })
  const merged = `${out}/all.profdata`
  spawnSync('llvm-profdata', ['merge', '-sparse', ...profiles.filter(existsSync), '-o', merged])
  const [program, ...others] = new Set(targets.map((target) => `${out}/${target.program}`))
  const args = ['export', '-summary-only', `-instr-profile=${merged}`, program]
  const { stdout } = spawnSync('llvm-cov', [...args, ...others.flatMap((it) => ['-object', it])], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const sums = {}
  for (const { filename, summary } of JSON.parse(stdout).data[0].files) {
    const folder = /native\/core\/\w+/.exec(filename)?.[0]
    if (folder !== undefined) addTo(sums, folder, summary.lines.count, summary.lines.covered)
  }
  return sums
}

/**
 * @param {string} root
 * @param {string[]} folders - that NODE_V8_COVERAGE named
 * @returns {{ [folder: string]: { total: number, covered: number } }} of src, where lines are those
 *   of the built files
 */
export function scriptLines(root, folders) {
  const covered = new Map()
  for (const folder of folders.filter(existsSync)) {
    for (const file of readdirSync(folder)) {
      for (const script of JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')).result) {
        if (!script.url.startsWith('file:')) continue
        const path = fileURLToPath(script.url)
        if (!path.startsWith(`${root}dist/`)) continue
        const lines = reachedLines(readFileSync(path, 'utf8'), script.functions)
        const before = covered.get(path) ?? lines.map(() => false)
        covered.set(
          path,
          lines.map(
            (line, index) =>
              line && { ...line, isReached: line.isReached || before[index]?.isReached === true },
          ),
        )
      }
    }
  }
  const sums = {}
  for (const [path, lines] of covered) {
    // A module that only re-exports has no map.
    if (!existsSync(`${path}.map`)) continue
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
    for (const [index, line] of lines.entries()) {
      if (!line) continue
      const { originalSource = '' } = map.findEntry(index, line.column)
      const folder = /src\/(?:verification|token|condition)(?=\/)/.exec(originalSource)?.[0]
      if (folder !== undefined) addTo(sums, folder, 1, line.isReached ? 1 : 0)
    }
  }
  return sums
}

/**
 * For each line whether its code ran and in which column that begins, or nothing where there is
 * none. Inner ranges come later.
 */
function reachedLines(source, functions) {
  const counts = new Uint8Array(source.length).fill(1)
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges) {
      counts.fill(count > 0 ? 1 : 0, startOffset, endOffset)
    }
  }
  const isProse = blankProse(source)
  let at = 0
  return source.split('\n').map((line) => {
    const start = at
    at += line.length + 1
    let column
    for (let index = start; index < start + line.length; index += 1) {
      if (isProse[index] || /[\s{}()[\];,]/.test(source[index])) continue
      column ??= index - start
      if (counts[index] === 0) return { column, isReached: false }
    }
    return column === undefined ? undefined : { column, isReached: true }
  })
}

function blankProse(source) {
  const isProse = new Uint8Array(source.length)
  for (const { 0: found, index } of source.matchAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)) {
    isProse.fill(1, index, index + found.length)
  }
  return isProse
}

function addTo(sums, folder, total, covered) {
  sums[folder] ??= { total: 0, covered: 0 }
  const sum = sums[folder]
  sum.total += total
  sum.covered += covered
}
