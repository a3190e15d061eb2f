// Runs the native tests on the core with one edit after another. For an edit only the objects that
// read the file are compiled again, and without optimization; the core is a shared library, so that
// the tests need no linking.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { buildNative, compile, link, linkCore, passes, shadowOf } from './mutate-native-build.mjs'
import { editsOf } from './mutate-operators.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @param {{ files: string[], isWanted: (file: string, line: number) => boolean,
 *   isKnown: (mutant: object) => boolean, tests: string[], say: (text: string) => void }} options
 * @returns {{ file: string, line: number, original: string, mutant: string, status: string,
 *   killedBy?: string }[]}
 */
export function mutateNative({ files, isWanted, isKnown, tests, say }) {
  say('building the core and its tests')
  const build = buildNative(tests)
  return files.flatMap((file) => {
    const source = readFileSync(`${root}${file}`, 'utf8')
    const mutants = editsOf(source).map((edit) => described(file, source, edit))
    const results = [
      ...new Map(mutants.map((mutant) => [`${mutant.line} ${mutant.mutant}`, mutant])).values(),
    ]
      .filter(({ line }) => isWanted(file, line))
      .map(({ text, ...mutant }) => {
        const result = isKnown(mutant)
          ? { ...mutant, status: 'equivalent' }
          : { ...mutant, ...check(build, file, { source, text }) }
        if (result.status === 'survived') {
          say(`${file}:${result.line}\n- ${result.original}\n+ ${result.mutant}`)
        }
        return result
      })
    const survivors = results.filter(({ status }) => status === 'survived')
    say(`${file}: ${results.length} mutants, ${survivors.length} survive`)
    return results
  })
}

function described(file, source, { start, end, replacement }) {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1
  const lineEnd = (source.indexOf('\n', end) + source.length + 1) % (source.length + 1)
  return {
    file,
    line: source.slice(0, start).split('\n').length,
    original: inOneLine(source.slice(lineStart, lineEnd)),
    mutant: inOneLine(source.slice(lineStart, start) + replacement + source.slice(end, lineEnd)),
    text: source.slice(0, start) + replacement + source.slice(end),
  }
}

const inOneLine = (text) => text.trim().replace(/\s+/g, ' ')

function check(build, file, { source, text }) {
  const changed = build.objects.filter(({ reads }) => reads.has(file))
  const kept = changed.map(({ path }) => [path, readFileSync(path)])
  writeFileSync(shadowOf(file), text)
  try {
    for (const object of changed) if (!compile(object)) return { status: 'invalid' }
    if (!linkCore(build)) return { status: 'invalid' }
    const tried = killersOf(build, file)
    const quick = tried.filter(({ isSeam }) => !isSeam).find((program) => !survives(program, file))
    if (quick !== undefined) return { status: 'killed', killedBy: quick.name }
    if (isSameOptimized(changed, kept)) return { status: 'same' }
    const slow = tried.filter(({ isSeam }) => isSeam).find((program) => !survives(program, file))
    return slow === undefined ? { status: 'survived' } : { status: 'killed', killedBy: slow.name }
  } finally {
    writeFileSync(shadowOf(file), source)
    for (const [path, bytes] of kept) writeFileSync(path, bytes)
  }
}

/** Returns the programs that killed mutants of this file before, then the quickest ones. */
function killersOf({ programs }, file) {
  const kills = (program) => program.kills.get(file) ?? 0
  return [...programs].sort((a, b) => kills(b) - kills(a) || a.milliseconds - b.milliseconds)
}

function survives(program, file) {
  const isOwn = program.objects.some(({ reads }) => reads.has(file))
  if (isOwn && !link(program)) return false
  if (passes(program)) return true
  program.kills.set(file, (program.kills.get(file) ?? 0) + 1)
  return false
}

/** An optimizing compiler that makes the same code of both has proved them the same. */
function isSameOptimized(changed, kept) {
  return changed.every((object, index) => {
    return compile(object, '-O2') && readFileSync(object.path).equals(kept[index][1])
  })
}
