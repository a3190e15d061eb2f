// The command that compares two builds of each binary: with a compiler that is a script, it sees bytes
// that depend on the folder, and a build that fails.

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { root } from '../../support/built.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command in a repository whose builds run `code`, with `target` in scope. */
function check(code: string, targets: string, ...more: string[]) {
  const repository = mkdtempSync(join(folder, 'repository-'))
  const files = ['scripts/release-check.mjs', 'scripts/platforms.mjs', 'src/engine/native.ts']
  for (const path of files) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    cpSync(join(root, path), join(repository, path))
  }
  const build = `import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
    const target = process.argv[3]
    mkdirSync('prebuilds/' + target, { recursive: true })
    const write = (text) => writeFileSync('prebuilds/' + target + '/antara_tx.node', text)
    ${code}`
  writeFileSync(join(repository, 'scripts/build-platform.mjs'), build)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository })
  git('init', '--quiet')
  git('add', '.')
  const script = join(repository, 'scripts/release-check.mjs')
  const list = join(repository, 'BINARIES')
  const args = [script, '--target', targets, '--out', list, ...more]
  return { repository, ...spawnSync(process.execPath, args, { encoding: 'utf8' }) }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('two builds with the same bytes pass, and their hashes are listed', () => {
  const { status, stdout, stderr } = check('write(target)', 'linux-x64,win32-x64')
  expect(stderr.replaceAll(/\d+ s$/gm, '0 s')).toBe(
    'linux-x64: the same bytes, 0 s\nwin32-x64: the same bytes, 0 s\n' +
      '2 of 2 binaries have the same bytes twice\n',
  )
  expect(stdout).toBe(
    ['linux-x64', 'win32-x64'].map((name) => `${sha256(name)}  ${name}/antara_tx.node\n`).join(''),
  )
  expect(status).toBe(0)
})

test('bytes that depend on the folder fail, and the platform is named', () => {
  const code = "write(target === 'linux-x64' ? process.cwd() : target)"
  const { status, stderr } = check(code, 'linux-arm64,linux-x64')
  expect(stderr).toMatch(/^linux-x64: [0-9a-f]{64} and [0-9a-f]{64}$/m)
  expect(stderr).toMatch(/^linux-x64: other bytes/m)
  expect(stderr).not.toMatch(/^linux-arm64: [0-9a-f]{64}|bytes twice/m)
  expect(status).toBe(1)
})

test('a run that ends early has listed what it compared before', () => {
  const { repository, status, stdout } = check(
    "if (target === 'win32-x64') process.exit(3); write(target)",
    'linux-x64,win32-x64',
  )
  const line = `${sha256('linux-x64')}  linux-x64/antara_tx.node\n`
  expect(stdout).toBe(line)
  expect(readFileSync(join(repository, 'BINARIES'), 'utf8')).toBe(line)
  expect(status).toBe(1)
})

test('each build has a cache of its own', () => {
  const code = "write(process.env.ZIG_GLOBAL_CACHE_DIR.replace(process.cwd(), '.'))"
  const { status, stdout } = check(code, 'linux-x64')
  expect(stdout).toContain(sha256('./cache'))
  expect(status).toBe(0)
})

const compiling = `
  const abi = 'out/prebuild/' + target
  mkdirSync(abi, { recursive: true })
  writeFileSync(abi + '/abi', '15')
`

test('with --keep, the packer has what was compared', () => {
  const code = `${compiling}; write(target)`
  const { repository, status } = check(code, 'linux-x64', '--keep')
  const read = (path: string) => readFileSync(join(repository, path), 'utf8')
  expect(read('prebuilds/linux-x64/antara_tx.node')).toBe('linux-x64')
  expect([read('out/prebuild/linux-x64/abi'), status]).toEqual(['15', 0])
})

test('with --keep, nothing is kept of builds that differ', () => {
  const { repository, status } = check(`${compiling}; write(process.cwd())`, 'linux-x64', '--keep')
  expect([existsSync(join(repository, 'prebuilds')), status]).toEqual([false, 1])
})

test('the compiler that the first build fetched is copied to the second', () => {
  const code = `mkdirSync('.cache/platforms', { recursive: true })
    const isThere = existsSync('.cache/platforms/zig')
    if (!isThere) writeFileSync('.cache/platforms/zig', '')
    write(isThere + '')`
  const { stderr } = check(code, 'linux-x64')
  expect(stderr).toMatch(/^linux-x64: other bytes/m)
})

test('a build that fails ends the command', () => {
  expect(check('process.exit(3)', 'linux-x64').status).toBe(1)
})
