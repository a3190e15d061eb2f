// examples/journal-postgres against a real PostgreSQL, in a cluster of its own.

import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { journalConformance } from '../../src/journal/conformance.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { createDevNode } from '../../src/node/index.ts'
import { createDaemonClient, createToken, transferToken } from '../../src/rpc/index.ts'
import { root } from '../support/built.ts'
import { testUnless } from '../support/skip.ts'

const example = join(root, 'examples/journal-postgres')
const programs = '/usr/lib/postgresql'
const version = existsSync(programs) ? readdirSync(programs).sort().at(-1) : undefined
const isRoot = process.geteuid?.() === 0
/** PostgreSQL refuses to run as root; its package brings a user. */
const user = isRoot ? spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }) : undefined
const lacks = [
  ...(version !== undefined && user?.status !== 1 ? [] : ['postgresql']),
  ...(existsSync(join(example, 'node_modules'))
    ? []
    : ['npm ci --prefix examples/journal-postgres']),
]
const test = testUnless(lacks.length > 0 && `missing: ${lacks.join(', ')}`)

interface Pool {
  query(text: string): Promise<unknown>
  end(): Promise<void>
}
type OpenJournal = (pool: Pool, name: string) => Promise<Journal>

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-postgres-'))
let pool: Pool
let postgresJournal: OpenJournal

function run(program: string, ...args: readonly string[]): void {
  const path = join(programs, version!, 'bin', program)
  const command = isRoot ? ['runuser', '-u', 'postgres', '--', path, ...args] : [path, ...args]
  execFileSync(command[0]!, command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] })
}

beforeAll(async () => {
  if (lacks.length > 0) return
  if (isRoot) chownSync(folder, Number(user!.stdout), -1)
  const data = join(folder, 'data')
  run('initdb', '-D', data, '-A', 'trust', '-U', 'test', '--no-sync')
  // No port: the socket is in a folder of its own.
  run(
    'pg_ctl',
    '-D',
    data,
    '-w',
    '-l',
    join(folder, 'log'),
    '-o',
    `-k ${folder} -c listen_addresses=`,
    'start',
  )
  const pg = await import(/* @vite-ignore */ join(example, 'node_modules/pg/lib/index.js'))
  pool = new pg.default.Pool({ host: folder, user: 'test', database: 'postgres' })
  ;({ postgresJournal } = await import(/* @vite-ignore */ join(example, 'journal.mjs')))
}, 120_000)

afterAll(async () => {
  if (lacks.length === 0) {
    await pool.end()
    run('pg_ctl', '-D', join(folder, 'data'), '-m', 'immediate', 'stop')
  }
  rmSync(folder, { recursive: true, force: true })
})

let names = 0

test.each(journalConformance.map((it) => [it.name, it.run] as const))(
  'a journal in PostgreSQL: %s',
  async (_, check) => {
    const name = `journal ${++names}`
    const open = () => postgresJournal(pool, name)
    await expect(check({ open, isShared: true })).resolves.toBe(undefined)
  },
)

test('of 8 processes that pay one id at once, one pays', async () => {
  const node = await createDevNode({ listen: false, time: 1_800_000_000 })
  const [own, other] = [node.identities[0]!, node.identities[1]!]
  const newClient = () =>
    createDaemonClient({ ...own, url: 'http://127.0.0.1/', fetch: node.fetch, retry: false })
  const creation = { name: 'GOLD', supply: 1000n, description: '', owner: own.pubkey }
  const { txid: tokenid } = (await createToken(newClient(), creation)) as { txid: string }
  const intent = { tokenid, amount: 7n, from: own.pubkey, destination: other.pubkey }
  const results = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const journal = await postgresJournal(pool, 'payroll')
      return transferToken(newClient(), intent, { journal, id: 'salary' })
    }),
  )
  expect(new Set(results.map(({ txid }) => txid)).size).toBe(1)
  const { balance } = (await node.request('tokenbalance', [tokenid, other.pubkey])) as {
    balance: number
  }
  expect(balance).toBe(7)
  await node.close()
})
