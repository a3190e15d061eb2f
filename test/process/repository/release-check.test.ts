// The command that compares two builds of each binary: with a compiler that is a script, it sees bytes
// that depend on the folder, and a build that fails.

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { root } from '../../support/built.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command in a repository whose builds run `code`, with `target` in scope. */
function check(code: string, targets: string) {
  const repository = mkdtempSync(join(folder, 'repository-'))
  const files = ['scripts/release-check.mjs', 'scripts/platforms.mjs', 'src/engine/native.ts']
  for (const path of files) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    cpSync(join(root, path), join(repository, path))
  }
  const build = `import { mkdirSync, writeFileSync } from 'node:fs'
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
  const args = [script, '--target', targets, '--out', list]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('two builds with the same bytes pass, and their hashes are listed', () => {
  const { status, stdout, stderr } = check('write(target)', 'linux-x64,win32-x64')
  expect(stderr).toBe('2 of 2 binaries have the same bytes twice\n')
  expect(stdout).toBe(
    ['linux-x64', 'win32-x64'].map((name) => `${sha256(name)}  ${name}/antara_tx.node\n`).join(''),
  )
  expect(status).toBe(0)
})

test('bytes that depend on the folder fail, and the platform is named', () => {
  const code = "write(target === 'linux-x64' ? process.cwd() : target)"
  const { status, stderr } = check(code, 'linux-arm64,linux-x64')
  expect(stderr).toMatch(/^linux-x64: [0-9a-f]{64} and [0-9a-f]{64}$/m)
  expect(stderr).not.toMatch(/^linux-arm64|same bytes/m)
  expect(status).toBe(1)
})

test('each build has a cache of its own', () => {
  const code = "write(process.env.ZIG_GLOBAL_CACHE_DIR.replace(process.cwd(), '.'))"
  const { status, stdout } = check(code, 'linux-x64')
  expect(stdout).toContain(sha256('./cache'))
  expect(status).toBe(0)
})

test('a build that fails ends the command', () => {
  expect(check('process.exit(3)', 'linux-x64').status).toBe(1)
})
