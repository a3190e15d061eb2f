// A guard with the operator's parts: users, rules, record and metrics, over real connections.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Operator, openOperator } from '../../src/guard/operator.ts'
import { hashPassword } from '../../src/guard/users.ts'
import { type Answer, reply, startServer, type TestServer } from '../contract/support/server.ts'
import { outcomeOf, runCommand } from '../support/cli.ts'
import { testUnless } from '../support/skip.ts'
import { callText, guardOf, password, user } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'

let folder: string
let daemon: TestServer
let seen: string[]
const open: { close(): Promise<void> }[] = []
const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'antara-guard-'))
  seen = []
  const answer: Answer = ({ body, headers }, response) => {
    seen.push(`${headers.authorization} ${body}`)
    reply(response, 200, '{"result":1,"error":null,"id":1}\n')
  }
  daemon = await startServer(answer)
  open.push(daemon)
})
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

const anything = { recipients: 'any', coins: 'any', tokens: 'any' }

async function start(rules: object) {
  const operator: Operator = await openOperator({
    folder: join(folder, 'state'),
    policy: JSON.stringify({ ...anything, ...rules }),
  })
  const { policy, record, users, metrics, health } = operator
  const guard = await guardOf(daemon.url, { policy, record, users, metrics, health })
  open.push(operator, guard)
  const ask = (method: string, name: string, secret: string) =>
    rawRequest(guard.url, {
      body: callText(method),
      headers: { authorization: basic(name, secret) },
    })
  return { operator, guard, ask }
}

describe('a guard with users', () => {
  test('lets them in by their own passwords, and the daemon sees its own', async () => {
    const users = {
      alice: { password: await hashPassword('a secret') },
      bob: { password: await hashPassword('b secret'), methods: ['getbalance'] },
    }
    const { ask } = await start({ users })
    expect((await ask('getinfo', 'alice', 'a secret')).status).toBe(200)
    expect((await ask('getinfo', 'alice', 'b secret')).status).toBe(401)
    expect((await ask('getinfo', user, password)).status).toBe(401)
    expect((await ask('getbalance', 'bob', 'b secret')).status).toBe(200)
    const refused = await ask('getinfo', 'bob', 'b secret')
    expect(refused.body).toContain('users.bob.methods')
    expect(seen).toHaveLength(2)
    expect(seen.every((it) => it.startsWith(basic(user, password)))).toBe(true)
  })

  test('takes a user from no header of a client', async () => {
    const users = {
      alice: { password: await hashPassword('a') },
      bob: { password: await hashPassword('b') },
    }
    const { guard, operator } = await start({ users, methods: [] })
    await rawRequest(guard.url, {
      body: callText('stop'),
      headers: {
        authorization: basic('bob', 'b'),
        'x-forwarded-user': 'alice',
        'remote-user': 'alice',
      },
    })
    await expect.poll(() => operator.head().count).toBe(3)
    const text = readFileSync(join(folder, 'state', 'record.ndjson'), 'utf8')
    expect(text).toContain('"user":"bob"')
    expect(text).not.toContain('alice')
  })
})

describe('the paths of an operator', () => {
  test('need no password and show no user, method or amount', async () => {
    const { guard, ask } = await start({})
    await ask(wif, user, password)
    await ask('stop', user, password)
    const { status, body } = await rawRequest(guard.url, { method: 'GET', path: '/metrics' })
    expect(status).toBe(200)
    expect(body).toContain('antara_guard_calls_total{class="unknown",decision="refused"} 1')
    expect(body).toContain('antara_guard_calls_total{class="administration",decision="refused"} 1')
    expect(body).toContain('antara_guard_healthy 1')
    expect(body).not.toMatch(/stop|KwDiBf|user/)
  })

  test('tell that the record failed, and reads continue', async () => {
    const { guard, ask } = await start({})
    const health = () => rawRequest(guard.url, { method: 'GET', path: '/health' })
    expect(await health()).toMatchObject({ status: 200, body: 'ok\n' })
    writeFileSync(join(folder, 'state', 'record.ndjson'), '')
    await ask('stop', user, password)
    await expect.poll(async () => (await health()).status).toBe(503)
    expect((await health()).body).toContain('payments are held')
    expect((await ask('getinfo', user, password)).status).toBe(200)
  })
})

describe('the record of a guard', () => {
  test('has a line for each refusal, no line for a read, and no secret', async () => {
    const { operator, ask } = await start({})
    await ask('getinfo', user, password)
    await ask('dumpprivkey', user, password)
    await ask(wif, user, password)
    await expect.poll(() => operator.head().count).toBe(4)
    const path = join(folder, 'state', 'record.ndjson')
    const text = readFileSync(path, 'utf8')
    expect(text).toContain('"method":"dumpprivkey","class":"secret","decision":"refused"')
    for (const secret of [wif, password, 'getinfo']) expect(text).not.toContain(secret)
    const { status, output } = await runCommand(['guard', '--verify-log', path])
    expect(status).toBe(0)
    expect(output).toContain('Lines 1 to 4 follow each other.')
    const [, anchor] = /^anchor (.*)$/m.exec(output)!
    writeFileSync(path, `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`)
    const cut = await runCommand(['guard', '--verify-log', path, '--anchor', anchor!])
    expect(cut).toMatchObject({ status: 1 })
    expect(cut.output).toContain('it ends at line 3, and the anchor has 4 lines')
  })
})

describe('the command line', () => {
  const policyFile = (text: string) => {
    const path = join(folder, 'policy.json')
    writeFileSync(path, text)
    return path
  }

  test('checks a policy, and names the place of what is wrong', async () => {
    const valid = await runCommand(['guard', '--check', policyFile(JSON.stringify(anything))])
    expect(valid).toMatchObject({ status: 0, errors: '' })
    expect(valid.output).toContain('The policy is valid: any recipient')
    const wrong = policyFile('{\n  "recipients": "any",\n  "coin": "any"\n}')
    const invalid = await runCommand(['guard', '--check', wrong])
    expect(invalid.status).toBe(2)
    expect(invalid.errors).toContain('coin')
    expect(invalid.errors).toContain('line 3, column 3')
    const marked = await runCommand([
      'guard',
      '--check',
      policyFile(`\uFEFF${JSON.stringify(anything)}`),
    ])
    expect(marked.errors).toContain('a byte order mark')
  })

  test('prints the stored form of a password, which a policy takes', async () => {
    const { status, output } = await runCommand(['guard', '--hash-password'], 'a secret\n')
    expect(status).toBe(0)
    const users = { alice: { password: output.trim() } }
    const path = policyFile(JSON.stringify({ ...anything, users }))
    expect((await runCommand(['guard', '--check', path])).output).toContain('1 users')
  })

  test('does not start with a policy that is malformed', async () => {
    const args = ['guard', '--daemon', daemon.url, '--policy', policyFile('{')]
    const state = ['--state', join(folder, 'state')]
    process.env.ANTARA_RPC_USER = user
    process.env.ANTARA_RPC_PASSWORD = password
    const { status, errors } = await runCommand([...args, ...state])
    expect(status).toBe(2)
    expect(errors).toContain('line 1, column 2')
  })

  testUnless(process.platform === 'win32' && 'Windows has no such signal')(
    'reads the policy again on SIGHUP, and keeps the old one if the new one is malformed',
    async () => {
      const path = policyFile(JSON.stringify({ ...anything, methods: ['@read'] }))
      const { status } = await whileRunning(['--policy', path], async (child, lines) => {
        const { url } = JSON.parse(await lines.out())
        const ask = () =>
          rawRequest(url, {
            body: callText('getinfo'),
            headers: { authorization: basic(user, password) },
          })
        expect((await ask()).status).toBe(200)
        policyFile('{"recipients": "any"')
        child.kill('SIGHUP')
        expect(await lines.error()).toContain('the old policy stays')
        expect((await ask()).status).toBe(200)
        policyFile(JSON.stringify({ ...anything, methods: [] }))
        child.kill('SIGHUP')
        expect(await lines.error()).toContain('the policy was read again')
        expect((await ask()).body).toContain('methods')
      })
      expect(status).toBe(0)
    },
  )

  testUnless(process.platform === 'win32' && 'Windows has no such signal')(
    'goes on after SIGHUP without a policy',
    async () => {
      const { status } = await whileRunning([], async (child, lines, ended) => {
        await lines.out()
        child.kill('SIGHUP')
        const line = 'SIGHUP: the guard has no policy file to read again'
        expect(await Promise.race([lines.error(), ended])).toBe(line)
      })
      expect(status).toBe(0)
    },
  )

  testUnless(process.platform === 'win32' && 'Windows has no such signal')(
    'opens no debugger on SIGUSR1',
    async () => {
      const ended = await whileRunning([], async (child, lines) => {
        await lines.out()
        child.kill('SIGUSR1')
        // Node would print the address of its debugger.
        await setTimeout(1_000)
      })
      expect(ended).toMatchObject({ status: 0, errors: '' })
    },
  )
})

type Outcome = ReturnType<typeof outcomeOf>
type Lines = ReturnType<typeof linesOf>

/** Runs `work` with a guard in a process of its own, ends the guard, and returns its outcome. */
async function whileRunning(
  args: readonly string[],
  work: (child: ChildProcess, lines: Lines, ended: Outcome) => Promise<void>,
): Outcome {
  const child = startProcess(args)
  const ended = outcomeOf(child)
  try {
    await work(child, linesOf(child), ended)
  } finally {
    child.kill('SIGTERM')
  }
  return ended
}

/** Starts a guard of the daemon in a process of its own. */
function startProcess(more: readonly string[]): ChildProcess {
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
  const args = ['guard', '--daemon', daemon.url, '--state', folder, '--json', ...more]
  const env = { ...process.env, ANTARA_RPC_USER: user, ANTARA_RPC_PASSWORD: password }
  return spawn(process.execPath, [main, ...args], { env })
}

/** The lines of a process, one at a time. */
function linesOf(child: ChildProcess) {
  const reader = (stream: NonNullable<ChildProcess['stdout']>) => {
    let text = ''
    stream.on('data', (chunk) => {
      text += chunk
    })
    return async () => {
      while (!text.includes('\n')) await once(stream, 'data')
      const [line = '', ...rest] = text.split('\n')
      text = rest.join('\n')
      return line
    }
  }
  return { out: reader(child.stdout!), error: reader(child.stderr!) }
}
