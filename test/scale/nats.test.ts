// examples/scale with a real nats-server on loopback: workers are killed in the middle, and every
// case is answered once. ANTARA_SCALE_CASES=100000 verifies that many; by default there are few.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'

import { root } from '../support/built.ts'
import { freePort } from '../support/free-port.ts'
import { testUnless } from '../support/skip.ts'

const count = Number(process.env.ANTARA_SCALE_CASES ?? 1500)
const example = `${root}examples/scale`
const folder = mkdtempSync(`${tmpdir()}/antara-tx-scale-`)
const running = new Set<ChildProcess>()
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map((child) => once(child, 'close')))
  rmSync(folder, { recursive: true })
})

const lacks = [
  ...(spawnSync('nats-server', ['--version']).status === 0 ? [] : ['nats-server']),
  ...(existsSync(`${example}/node_modules`) ? [] : ['npm ci --prefix examples/scale']),
]
const lacking = lacks.length > 0 && `missing: ${lacks.join(', ')}`

function start(command: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(command, args, { cwd: example, env: { ...process.env, ...env } })
  running.add(child)
  child.on('close', () => running.delete(child))
  return child
}

async function startServer(): Promise<string> {
  const port = await freePort()
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', `${folder}/jetstream`]
  const server = start('nats-server', args)
  let claimed = ''
  server.stderr!.setEncoding('utf8').on('data', (text) => {
    claimed += text
  })
  while (!claimed.includes('Server is ready')) {
    if (server.exitCode !== null) throw new Error(claimed)
    await sleep(20)
  }
  return `nats://127.0.0.1:${port}`
}

testUnless(lacking)(
  `${count} cases are answered once each, though workers are killed`,
  { timeout: 60_000 + 40 * count },
  async () => {
    const env = { NATS_URL: await startServer(), ACK_WAIT_SECONDS: '2' }
    const outputOf = async (program: string, ...args: string[]): Promise<string> => {
      const child = start(process.execPath, [program, ...args], env)
      let output = ''
      child.stdout!.setEncoding('utf8').on('data', (text) => {
        output += text
      })
      let errors = ''
      child.stderr!.setEncoding('utf8').on('data', (text) => {
        errors += text
      })
      const [status] = await once(child, 'close')
      expect({ program, status, errors }).toEqual({ program, status: 0, errors: '' })
      return output
    }
    const status = async () =>
      JSON.parse(await outputOf('status.mjs')) as Record<
        'waiting' | 'inProgress' | 'reports' | 'dead',
        number
      >

    // One transfer, asked for with as many amounts: one of them agrees.
    const given = JSON.parse(readFileSync(`${root}examples/transfer.json`, 'utf8'))
    const asked = (amount: number) =>
      JSON.stringify({ ...given, intent: { ...given.intent, amount: String(amount) } })
    const amounts = Array.from({ length: count }, (_, index) => index + 1)
    const lines = amounts.map(asked)
    // Written otherwise it is the same case; no case at all is a dead letter.
    const again = JSON.stringify(JSON.parse(lines[0]!), null, 1).replaceAll('\n', ' ')
    writeFileSync(`${folder}/cases.ndjson`, `${[...lines, again, '{"no":"case"}'].join('\n')}\n`)

    const published = outputOf('publish.mjs', `${folder}/cases.ndjson`)
    const workers = [0, 1].map(() => start(process.execPath, ['worker.mjs'], env))
    const total = count + 1
    let answered = 0
    for (const share of [0.1, 0.3, 0.5, 0.7]) {
      while (answered < share * total) {
        await sleep(50)
        const { reports, dead } = await status()
        answered = reports + dead
      }
      const victim = workers.shift()!
      victim.kill('SIGKILL')
      await once(victim, 'close')
      workers.push(start(process.execPath, ['worker.mjs'], env))
    }
    expect(await published).toBe(`${count + 2} published, of which 1 were there\n`)
    // Published again after whatever ended the publisher, nothing is there twice.
    writeFileSync(`${folder}/some.ndjson`, `${lines.slice(-20).join('\n')}\n`)
    expect(await outputOf('publish.mjs', `${folder}/some.ndjson`)).toMatch(/^20 published/)
    let left = await status()
    while (left.waiting + left.inProgress > 0) {
      await sleep(100)
      left = await status()
    }
    for (const worker of workers) worker.kill('SIGTERM')
    await Promise.all(workers.map((worker) => once(worker, 'close')))
    expect(left).toEqual({ waiting: 0, inProgress: 0, reports: count, dead: 1 })

    const reports = (await outputOf('results.mjs', 'REPORTS')).split('\n').slice(0, -1)
    expect(reports.length).toBe(count)
    const agreeing = reports.filter((line) => JSON.parse(line).ok)
    expect(agreeing.length).toBe(count >= Number(given.intent.amount) ? 1 : 0)
    // Each report names the requested amount where it differs: every amount occurs once.
    const reported = reports.map((line) => {
      const { ok, findings } = JSON.parse(line)
      const at = (findings as { path: string; expected?: string }[]).find(
        ({ path, expected }) => path.endsWith('value') && expected !== undefined,
      )
      return ok ? Number(given.intent.amount) : Number(at?.expected)
    })
    expect(reported.sort((one, other) => one - other)).toEqual(amounts)
    const [dead] = (await outputOf('results.mjs', 'DEAD')).split('\n')
    expect(JSON.parse(dead!)).toMatchObject({ reason: 'malformed', case: '{"no":"case"}' })
  },
)
