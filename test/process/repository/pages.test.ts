// Pages that are whole programs: they compile against the types of the package, run, and print what
// stands below them. A page's programs are its TypeScript blocks; in a tutorial all are one.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { root } from '../../support/built.ts'
import { textOf } from '../../support/files.ts'

// Within the package, so that its own name leads to it.
const folder = `${root}out/pages/`

interface Program {
  readonly name: string
  readonly heading: string
  readonly code: string
  /** The output of the program; `…` stands for anything on a line. */
  readonly printed: string
}

function programsOf(page: string): Program[] {
  const found: { heading: string; code: string; printed: string }[] = []
  let heading = ''
  for (const [, title, kind, text] of textOf(`docs/${page}.md`).matchAll(
    /^#+ ([^\n]*)$|^```(ts|text)\n(.*?)^```$/gms,
  )) {
    if (title !== undefined) heading = title
    else if (kind === 'ts') found.push({ heading, code: text!, printed: '' })
    else if (found.length > 0) found.at(-1)!.printed += text!
  }
  return found.map((program, at) => ({ ...program, name: `${page}-${at}` }))
}

function joined(programs: readonly Program[], name: string): Program {
  const all = (member: 'code' | 'printed') => programs.map((one) => one[member]).join('')
  return { name, heading: name, code: all('code'), printed: all('printed') }
}

const programs: Program[] = [
  joined(programsOf('tutorial'), 'tutorial'),
  joined(programsOf('wallet-tutorial'), 'wallet-tutorial'),
  ...['cookbook', 'migrate-from-utxo-lib', 'migrate-from-trezor', 'migrate-from-nspv'].flatMap(
    programsOf,
  ),
]

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { name, code } of programs) {
    writeFileSync(`${folder}${name}.mts`, code)
    // as a reader saves them: no types in them
    writeFileSync(`${folder}${name}.mjs`, code)
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])(
  'their programs compile strictly for a user with module %s, resolved by %s',
  (module, resolution) => {
    const compilerOptions = {
      ...{ target: 'es2023', lib: ['es2023', 'dom'], module, moduleResolution: resolution },
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
      ...{ noImplicitOverride: true, noImplicitReturns: true, noFallthroughCasesInSwitch: true },
      ...{ noPropertyAccessFromIndexSignature: true, allowUnreachableCode: false },
      ...{ verbatimModuleSyntax: true, isolatedModules: true },
      ...{ types: ['node'], noEmit: true, skipLibCheck: true },
    }
    writeFileSync(`${folder}tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*.mts'] }))
    const { stdout, status } = spawnSync('npx', ['--no', '--', 'tsc', '-p', folder], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    expect(stdout.trim()).toBe('')
    expect(status).toBe(0)
  },
)

test.each(programs)('$name, $heading, prints what it says', ({ name, printed }) => {
  const output = execFileSync(process.execPath, [`${folder}${name}.mjs`], { encoding: 'utf8' })
  const lines = output.trimEnd().split('\n')
  const reported = printed.trimEnd().split('\n')
  expect(lines.map((line, at) => (isAlike(line, reported[at]) ? reported[at] : line))).toEqual(
    reported,
  )
  expect(printed, 'a program without output shows nothing').not.toBe('')
})

function isAlike(line: string, reported = ''): boolean {
  const [start = '', ...rest] = reported.split('…')
  if (rest.length === 0) return line === reported
  let at = line.startsWith(start) ? start.length : -1
  for (const part of rest) at = at < 0 ? -1 : afterPart(line, part, at)
  return at >= 0 && (line.endsWith(rest.at(-1)!) || rest.at(-1) === '')
}

function afterPart(line: string, part: string, from: number): number {
  const found = line.indexOf(part, from)
  return found < 0 ? -1 : found + part.length
}
