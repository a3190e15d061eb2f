// Files that hold keys or decide what is verified: nobody else reads them, and nothing that another user
// put in the way is written to.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect } from 'vitest'

import { hasSqlite, openDatabase } from '../../src/audit/sqlite.ts'
import { emptyTally } from '../../src/cli/lines/job.ts'
import { writeCheckpoint } from '../../src/cli/lines/resume.ts'
import { createDevNode } from '../../src/node/index.ts'
import { keepState } from '../../src/node/state-file.ts'
import { testUnless } from '../support/skip.ts'

const root = mkdtempSync(join(tmpdir(), 'antara-tx-replace-'))
afterAll(() => rmSync(root, { recursive: true }))

const onWindows = process.platform === 'win32' && 'Windows has no such modes and links'
const noSqlite = !(await hasSqlite()) && 'neither better-sqlite3 nor node:sqlite loads'

let path: string
let beside: string
let victim: string
beforeEach(() => {
  const folder = mkdtempSync(join(root, 'case-'))
  path = join(folder, 'file.json')
  beside = `${path}.new`
  victim = join(folder, 'victim')
  writeFileSync(victim, 'precious', { mode: 0o644 })
})

async function writeState(): Promise<void> {
  await using node = await createDevNode({ listen: false, mine: 'manual' })
  keepState(node, path, 3_600_000).end()
}

function writeResumeCheckpoint(): void {
  const head = { bytes: 0, sha256: '' }
  writeCheckpoint(path, { job: { command: 'txid' }, bytes: 0, tally: emptyTally(), head })
}

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)

const writers: [string, () => void | Promise<void>][] = [
  ['the state of a node', writeState],
  ['the checkpoint of a run', writeResumeCheckpoint],
]
const onUnix = testUnless(onWindows).each(writers)

onUnix('%s is its owner’s alone, whatever was there', async (_, write) => {
  const umask = process.umask(0)
  try {
    await write()
    expect(modeOf(path)).toBe('600')
    for (const file of [path, beside]) {
      writeFileSync(file, '{}')
      chmodSync(file, 0o666)
    }
    await write()
    expect(modeOf(path)).toBe('600')
  } finally {
    process.umask(umask)
  }
})

onUnix('%s is written whatever the umask is', async (_, write) => {
  const umask = process.umask(0o777)
  try {
    await write()
  } finally {
    process.umask(umask)
  }
  expect(modeOf(path)).toBe('600')
})

onUnix('%s follows no link at FILE or FILE.new', async (_, write) => {
  const absent = `${victim}.absent`
  for (const target of [victim, absent]) {
    symlinkSync(target, path)
    symlinkSync(target, beside)
    await write()
    expect(readFileSync(victim, 'utf8')).toBe('precious')
    expect([modeOf(victim), existsSync(absent)]).toEqual(['644', false])
    expect(lstatSync(path).isFile()).toBe(true)
    rmSync(path)
  }
})

onUnix('%s is not written where FILE.new cannot be replaced', async (_, write) => {
  mkdirSync(beside)
  await expect(async () => write()).rejects.toThrow()
  expect(existsSync(path)).toBe(false)
})

onUnix('%s leaves nothing beside it', async (_, write) => {
  await write()
  await write()
  expect(readdirSync(join(path, '..')).sort()).toEqual(['file.json', 'victim'])
})

testUnless(onWindows, noSqlite)('a ledger is not made where a link to no file points', async () => {
  const absent = `${victim}.absent`
  symlinkSync(absent, path)
  await expect(openDatabase(path)).rejects.toThrow('Cannot open database: a symbolic link to no')
  expect(existsSync(absent)).toBe(false)
  rmSync(path)
  symlinkSync(`${victim}.sqlite`, path)
  writeFileSync(`${victim}.sqlite`, '')
  const database = await openDatabase(path)
  database.close()
  expect(existsSync(`${victim}.sqlite`)).toBe(true)
})
