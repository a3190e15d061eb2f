// The command line on its journal, against a development node: runs that are killed, refused, and
// repeated.

import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, createToken } from '../../src/rpc/index.ts'
import { fileJournal } from '../../src/wallet/index.ts'
import { root } from '../support/built.ts'
import { confOf } from '../support/funded-node.ts'
import { testUnless } from '../support/skip.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-journal-cli-'))
let node: DevNode
let tokenid: string
let state: string
let states = 0

beforeAll(async () => {
  node = await createDevNode()
  const [one] = node.identities
  const { url, user, password, pubkey } = one!
  const client = createDaemonClient({ url, user, password })
  const creation = { name: 'GOLD', supply: 1_000_000n, description: '', owner: pubkey }
  ;({ txid: tokenid } = (await createToken(client, creation)) as { txid: string })
  writeFileSync(join(folder, 'node.conf'), confOf(one!))
  return () => node.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  state = join(folder, `${++states}`)
  node.faults.clear()
})

interface Ended {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

/** Runs the built command line, and kills it after a while if that is given. */
function antaraTx(
  args: readonly string[],
  options: {
    readonly killMs?: number
    /** The time begins when the run has printed this. */
    readonly killAfter?: string
    readonly env?: NodeJS.ProcessEnv
  } = {},
): Promise<Ended> {
  const { killMs, killAfter, env = { ...process.env, XDG_STATE_HOME: state } } = options
  const main = join(root, 'dist/cli/main.js')
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = { output: '', errors: '' }
  child.stdout.on('data', (data) => {
    ended.output += data
  })
  let timer: NodeJS.Timeout | undefined
  const arm = () => {
    if (killMs !== undefined) timer ??= setTimeout(() => child.kill('SIGKILL'), killMs)
  }
  child.stderr.on('data', (data) => {
    ended.errors += data
    if (killAfter !== undefined && ended.errors.includes(killAfter)) arm()
  })
  if (killAfter === undefined) arm()
  return new Promise((resolve) => {
    child.once('close', (status) => {
      clearTimeout(timer)
      resolve({ ...ended, status })
    })
  })
}

function transfer(amount: number, ...more: readonly string[]): string[] {
  const [own, other] = [node.identities[0]!.pubkey, node.identities[1]!.pubkey]
  const what = ['--daemon', tokenid, other, `${amount}`, '--from', own, '--yes']
  return ['transfer', ...what, '--conf', join(folder, 'node.conf'), ...more]
}

const attempts = (...args: readonly string[]) => ['attempts', ...args]
const conf = () => ['--conf', join(folder, 'node.conf')]

async function paid(): Promise<bigint> {
  const { pubkey } = node.identities[1]!
  const { balance } = (await node.request('tokenbalance', [tokenid, pubkey])) as { balance: number }
  return BigInt(balance)
}

describe('transfer --daemon', () => {
  test('prints the path of its journal, which is in the state directory', async () => {
    const { status, output, errors } = await antaraTx(transfer(1))
    expect({ status, errors }).toMatchObject({ status: 0 })
    const path = join(state, 'antara-tx', 'journal')
    expect(errors).toContain(`journal: ${path}\n`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(state, 'antara-tx')).mode & 0o777).toBe(0o700)
    expect(readFileSync(path, 'utf8')).toContain(output.trim())
  })

  test('repeated pays nothing, and says so', async () => {
    const before = await paid()
    const first = await antaraTx(transfer(2))
    const again = await antaraTx(transfer(2))
    expect([again.status, again.output]).toEqual([0, first.output])
    expect(again.errors).toContain('so nothing was sent')
    expect(await paid()).toBe(before + 2n)
  })

  test('pays once for each --id', async () => {
    const before = await paid()
    for (const id of ['a', 'b', 'a']) await antaraTx(transfer(3, '--id', id))
    expect(await paid()).toBe(before + 6n)
    const other = await antaraTx(transfer(4, '--id', 'a'))
    expect(other.status).toBe(2)
    expect(other.errors).toMatch(/id_conflict.*"3.*"4/s)
    expect(await paid()).toBe(before + 6n)
  })

  test('a payment whose answer is lost is settled by the next run', async () => {
    const before = await paid()
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 2 })
    const first = await antaraTx(transfer(5, '--timeout', '2'))
    expect(first.status).toBe(75)
    expect(first.errors).toContain('antara-tx attempts resume')
    const listed = await antaraTx(attempts('list'))
    expect(listed.output).toMatch(/unsettled\n(?:.*\n)*.*uncertain, recorded/)
    node.faults.clear()
    expect((await antaraTx(transfer(5))).status).toBe(0)
    expect(await paid()).toBe(before + 5n)
    const resumed = await antaraTx(attempts('resume', ...conf()))
    expect(resumed.status).toBe(0)
    expect(resumed.output).toContain('settled in block')
    expect((await antaraTx(attempts('list'))).output).toBe('no unsettled payments\n')
    expect((await antaraTx(attempts('list', '--all', '--json'))).output).toContain('"settled"')
  })

  test('with a new journal holds what the lost one paid, and --paid-by records it', async () => {
    const before = await paid()
    const { output } = await antaraTx(transfer(41, '--id', 'a'))
    const txid = output.trim()
    rmSync(state, { recursive: true })
    const held = await antaraTx(transfer(41, '--id', 'a'))
    expect(held.status).toBe(75)
    expect(held.output).toMatch(new RegExp(`--paid-by TXID.*\\n.*\\n${txid}\\n$`))
    const recorded = await antaraTx(transfer(41, '--id', 'a', '--paid-by', txid))
    expect(recorded).toMatchObject({ status: 0, output })
    expect(await antaraTx(transfer(41, '--id', 'a'))).toMatchObject({ status: 0, output })
    const more = ['--id', 'b', '--acknowledge', txid]
    expect((await antaraTx(transfer(41, ...more))).status).toBe(0)
    expect(await paid()).toBe(before + 82n)
    const [second] = (await antaraTx(transfer(40, '--id', 'c'))).output.split('\n')
    const unused = await antaraTx(transfer(41, '--id', 'a', '--paid-by', second!))
    expect(unused).toMatchObject({ status: 0, output })
    expect(unused.errors).toContain(`${second} of --paid-by was not recorded: the payment has`)
    const other = await antaraTx(transfer(39, '--id', 'd', '--paid-by', second!))
    expect(other.status).toBe(1)
    expect(other.errors).toContain(`${second} of --paid-by makes another payment`)
    const wrong = await antaraTx(transfer(41, '--paid-by', 'ab'))
    expect([wrong.status, wrong.errors]).toEqual([64, expect.stringContaining('--paid-by')])
  })

  test('warns if the daemon does not list what the key spent', async () => {
    const quiet = await antaraTx(transfer(42))
    expect(quiet.errors).not.toContain('-addressindex')
    node.faults.add({ kind: 'error', method: 'getaddressdeltas', code: -5, message: 'no index' })
    const { status, errors } = await antaraTx(transfer(43))
    node.faults.clear()
    expect([status, errors.split('-addressindex=1').length]).toEqual([0, 2])
  })

  test('does not send what another machine paid, and attempts resume names the way out', async () => {
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 2 })
    const { errors } = await antaraTx(transfer(44, '--timeout', '2'))
    node.faults.clear()
    const [, lost = ''] = /([0-9a-f]{64}) may have been broadcast/.exec(errors) ?? []
    node.reorg(1, { drop: [lost] })
    // Another height gives the transaction of the other machine another txid.
    node.mine(1)
    const env = { ...process.env, XDG_STATE_HOME: join(state, 'of another machine') }
    const { output } = await antaraTx(transfer(44), { env })
    const resumed = await antaraTx(attempts('resume', ...conf()))
    expect(resumed.status).toBe(75)
    expect(resumed.output).toContain(`--acknowledge ${output.trim()}\n`)
    expect(resumed.output).toContain('--paid-by TXID')
    const again = await antaraTx(transfer(44))
    expect(again.status).toBe(75)
    expect(again.output).toContain(`${output}An earlier run may have sent ${lost}.\n`)
  })

  test('transfer --daemon without a journal warns', async () => {
    const { status, errors } = await antaraTx(transfer(6, '--no-journal'))
    expect(status).toBe(0)
    expect(errors).toContain('warning: without a journal')
    expect(existsSync(state)).toBe(false)
    const both = await antaraTx(transfer(6, '--no-journal', '--journal', 'x'))
    expect(both.status).toBe(64)
  })

  test('refuses to guess where the journal is without a home', async () => {
    const before = await paid()
    const { HOME: _home, XDG_STATE_HOME: _state, ...env } = process.env
    const { status, errors } = await antaraTx(transfer(7), { env })
    expect(status).toBe(64)
    expect(errors).toContain('HOME is not set')
    expect(await paid()).toBe(before)
    const named = join(folder, 'named', 'journal')
    expect((await antaraTx(transfer(7, '--journal', named), { env })).status).toBe(0)
    expect(existsSync(named)).toBe(true)
  })

  test('transfer --daemon in a dry run creates no journal', async () => {
    const { status } = await antaraTx(transfer(8, '--dry-run'))
    expect(status).toBe(0)
    expect(existsSync(state)).toBe(false)
  })
})

describe('a journal that cannot be used', () => {
  let before: bigint
  beforeEach(async () => {
    before = await paid()
  })
  const path = () => join(state, 'antara-tx', 'journal')
  const refusals: readonly (readonly [string, string, () => unknown])[] = [
    ['is a foreign file', 'journal_malformed', () => writeJournal('dear diary')],
    ['is of a newer version', 'journal_version', () => writeJournal('antara-tx journal 7\n')],
    [
      'is readable by others',
      'journal_exposed',
      () => {
        writeJournal('')
        chmodSync(path(), 0o644)
      },
    ],
    ['is a directory', 'journal_exposed', () => mkdirSync(path(), { recursive: true })],
    ['is below a file', 'journal_failed', () => writeFileSync(state, '')],
    [
      'has a device that is full',
      'journal_exposed',
      async () => {
        mkdirSync(join(state, 'antara-tx'), { recursive: true })
        const { symlinkSync } = await import('node:fs')
        symlinkSync('/dev/full', path())
      },
    ],
  ]
  const writeJournal = (text: string) => {
    mkdirSync(join(state, 'antara-tx'), { recursive: true, mode: 0o700 })
    writeFileSync(path(), text, { mode: 0o600 })
  }

  test.each(refusals)(
    'a journal that %s keeps the payment back, and the error says %s',
    async (_, code, prepare) => {
      await prepare()
      const { status, errors } = await antaraTx(transfer(9))
      expect(status).toBe(2)
      expect(errors).toContain(code)
      expect(await paid()).toBe(before)
    },
  )

  test('a journal of another process keeps the payment back', async () => {
    const journal = fileJournal(path())
    await journal.read(0)
    const { status, errors } = await antaraTx(transfer(9))
    await journal.close()
    expect(status).toBe(2)
    expect(errors).toContain('journal_locked')
    expect(await paid()).toBe(before)
  }, 60_000)
})

describe('a file system', () => {
  const mounted = join(folder, 'mounted')
  const mountProblem = (() => {
    mkdirSync(mounted)
    const { status } = spawnSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      'size=8k,mode=0700',
      'tmpfs',
      mounted,
    ])
    return status === 0 ? false : 'a file system of its own needs root'
  })()
  const testMounted = testUnless(mountProblem)
  afterAll(() => {
    if (mountProblem === false) spawnSync('umount', [mounted])
  })

  testMounted(
    'a full file system is an error before anything is sent, and room mends it',
    async () => {
      const before = await paid()
      const journal = join(mounted, 'journal')
      writeFileSync(join(mounted, 'ballast'), 'x'.repeat(4096))
      // The header takes the last page; the first record would need another one.
      const padding = fileJournal(journal)
      await padding.append(
        1,
        JSON.stringify({
          kind: 'forgotten',
          payment: 'x'.repeat(3876),
          at: '2026-11-01T00:00:00.000Z',
        }),
      )
      await padding.close()
      const full = await antaraTx(transfer(11, '--journal', journal))
      expect(full.status).toBe(2)
      expect(full.errors).toMatch(/journal_failed.*ENOSPC/)
      expect(await paid()).toBe(before)
      rmSync(join(mounted, 'ballast'))
      expect((await antaraTx(transfer(11, '--journal', journal))).status).toBe(0)
      expect(await paid()).toBe(before + 11n)
    },
  )

  testMounted('a read-only file system is an error before anything is sent', async () => {
    const before = await paid()
    spawnSync('mount', ['-o', 'remount,ro', mounted])
    const { status, errors } = await antaraTx(transfer(12, '--journal', join(mounted, 'other')))
    expect(status).toBe(2)
    expect(errors).toMatch(/journal_failed.*EROFS/)
    expect(await paid()).toBe(before)
  })
})

describe('a journal that cannot be synced', () => {
  // The first sync after the record of a payment fails, as on a disk that breaks.
  const brokenSync = `
    import { open } from 'node:fs/promises'
    const handle = await open(process.execPath)
    const proto = Object.getPrototypeOf(handle)
    await handle.close()
    const { write, sync } = proto
    let isBroken = false
    proto.write = function (bytes, ...rest) {
      isBroken ||= Buffer.from(bytes).includes('"attempt"')
      return write.call(this, bytes, ...rest)
    }
    proto.sync = function () {
      if (!isBroken) return sync.call(this)
      return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
    }`
  const preload = `--import=data:text/javascript,${encodeURIComponent(brokenSync)}`

  test('leaves a payment that may be recorded, and ends with 75', async () => {
    const before = await paid()
    const env = { ...process.env, XDG_STATE_HOME: state, NODE_OPTIONS: preload }
    const failed = await antaraTx(transfer(13, '--id', 'k1'), { env })
    expect(failed.errors).toMatch(/journal_failed.*EIO.*the record may be stored/)
    expect(failed.errors).toContain('Run the same command again')
    expect(failed.status).toBe(75)
    expect(await paid()).toBe(before)
    const found = await antaraTx(transfer(13, '--id', 'k1'))
    expect({ status: found.status, paid: await paid() }).toEqual({ status: 0, paid: before + 13n })
    expect((await antaraTx(attempts('resume', ...conf()))).status).toBe(0)
    expect(await paid()).toBe(before + 13n)
  })
})

testUnless(process.platform !== 'linux' && 'only Linux has /dev/full')(
  'a payment whose result cannot be printed ends with 75, and its txid is on standard error',
  async () => {
    const main = join(root, 'dist/cli/main.js')
    const toFull = (...args: readonly string[]) => {
      const env = { ...process.env, XDG_STATE_HOME: state }
      const line = `exec '${process.execPath}' '${main}' "$@" > /dev/full`
      const child = spawn('bash', ['-c', line, 'bash', ...args], { env })
      return new Promise<{ status: number | null; errors: string }>((resolve) => {
        let errors = ''
        child.stderr.on('data', (data) => {
          errors += data
        })
        child.once('close', (status) => resolve({ status, errors }))
      })
    }
    const { address } = node.identities[1]!
    const coins = ['sendtoaddress', address, '0.5']
    for (const [args, sent] of [
      [['rpc', 'daemon', ...coins, ...conf()], /sendtoaddress [0-9a-f]{64}\n$/],
      [transfer(14, '--id', 'full', '--json'), /may have been sent: [0-9a-f]{64}\n$/],
    ] as const) {
      const { status, errors } = await toFull(...args)
      expect({ status, errors }).toEqual({ status: 75, errors: expect.stringMatching(sent) })
    }
    const read = await toFull('rpc', 'daemon', 'getinfo', ...conf())
    expect(read.status).toBe(70)
    const again = await antaraTx(transfer(14, '--id', 'full'))
    expect(again.errors).toContain('This payment was made before')
  },
)

test('pays, and resumes, on no other chain than --first-block names', async () => {
  const own = String(await node.request('getblockhash', [1]))
  const named = (hash: string) => ['--first-block', hash]
  const elsewhere = 'ab'.repeat(32)
  const refused = await antaraTx(transfer(51, '--id', 'named', ...named(elsewhere)))
  expect(refused).toMatchObject({ status: 1, output: '' })
  expect(refused.errors).toContain(
    `another chain than firstBlock names, block 1 ${elsewhere}: the daemon shows block 1 ${own}`,
  )
  expect((await antaraTx(attempts('list', '--all'))).output).toBe('no unsettled payments\n')
  const sent = await antaraTx(transfer(51, '--id', 'named', ...named(own)))
  expect(sent.status).toBe(0)
  const resumed = await antaraTx(attempts('resume', ...conf(), ...named(elsewhere)))
  expect(resumed).toMatchObject({ status: 75 })
  expect(resumed.output).toContain('another chain than firstBlock names')
  expect((await antaraTx(attempts('resume', ...conf(), ...named(own)))).status).toBe(0)
  expect((await antaraTx(attempts('list', ...named(own)))).errors).toContain('is only for resume')
})

describe('attempts', () => {
  test('forgets a payment by its id, and only on request', async () => {
    node.faults.add({
      kind: 'error',
      method: 'sendrawtransaction',
      code: -26,
      message: 'no',
      times: 1,
    })
    await antaraTx(transfer(10, '--id', 'x'))
    expect((await antaraTx(attempts('forget', 'x'))).status).toBe(64)
    expect((await antaraTx(attempts('forget', 'y', '--yes'))).status).toBe(1)
    expect((await antaraTx(attempts('forget', 'x', '--yes'))).status).toBe(0)
    expect((await antaraTx(attempts('list', '--all'))).output).toBe('no unsettled payments\n')
  })

  test('lists without an action, as the messages about a payment name the command', async () => {
    await antaraTx(transfer(15, '--id', 'listed'))
    const listed = await antaraTx(attempts('--all'))
    expect(listed.status).toBe(0)
    expect(listed.output).toContain('listed')
    expect(listed.output).toBe((await antaraTx(attempts('list', '--all'))).output)
  })

  test.each([[['list', 'x']], [['resume', 'x']], [['forget']], [['other']]])(
    'refuses %j',
    async (args) => {
      expect((await antaraTx(attempts(...args))).status).toBe(64)
    },
  )
})

/** How many runs are killed; scripts and people set more. */
const kills = Number(process.env.ANTARA_KILLS ?? 12)

test(`each of ${kills} runs that are killed at random moments and run again pays once`, async () => {
  // One run that is not killed says how long a run takes.
  const start = performance.now()
  await antaraTx(transfer(1, '--id', 'warm'))
  const usual = performance.now() - start
  const counts = { beforeRecord: 0, afterRecord: 0, ended: 0 }
  for (let count = 0; count < kills; count += 1) {
    const journal = join(folder, 'kill', `${count}`, 'journal')
    const before = await paid()
    // Each amount is a payment of its own. No id: the request itself is the key.
    const amount = 100 + count
    const args = transfer(amount, '--journal', journal)
    // Half of them at any moment, half around the one at which the first byte leaves.
    const isAtAnyMoment = count % 2 === 0
    const killMs = Math.random() * (isAtAnyMoment ? usual : 60)
    const killAfter = isAtAnyMoment ? undefined : 'verified'
    const killed = await antaraTx(args, { killMs, ...(killAfter && { killAfter }) })
    const isRecorded = existsSync(journal) && readFileSync(journal, 'latin1').includes('"attempt"')
    if (killed.status !== null) counts.ended += 1
    else if (isRecorded) counts.afterRecord += 1
    else counts.beforeRecord += 1
    const again = await antaraTx(args)
    expect(again.status, again.errors).toBe(0)
    expect(await paid()).toBe(before + BigInt(amount))
  }
  console.log(`killed: ${JSON.stringify(counts)}`)
  expect(counts.beforeRecord + counts.afterRecord + counts.ended).toBe(kills)
}, 7_200_000)
