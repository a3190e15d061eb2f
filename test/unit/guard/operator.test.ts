// The operator's parts together, over restarts on one disk.

import { createHash, scryptSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { AntaraError } from '../../../src/errors/antara-error.ts'
import type { DecisionEntry } from '../../../src/guard/decision.ts'
import { type Operator, openOperator } from '../../../src/guard/operator.ts'
import { readAnchor } from '../../../src/guard/record/anchor.ts'
import { FileRecord } from '../../../src/guard/record/record-file.ts'
import { verifyRecord } from '../../../src/guard/record/verify-record.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { encodeRecord } from '../../../src/journal/records.ts'
import { SimulatedDisk } from '../../support/simulated-disk.ts'
import { coin, noon, open, payment, strangerHash, to } from './support.ts'

const folder = '/state/guard'
const policy = JSON.stringify({ ...open, coins: { perDay: '2' } })

function world() {
  const disk = new SimulatedDisk()
  const start = (more: Partial<Parameters<typeof openOperator>[0]> = {}) => {
    const process = disk.process()
    return openOperator({ folder, policy, disk: process, now: () => noon, ...more })
  }
  return { disk, start }
}

function textOf(disk: SimulatedDisk, name: string): string {
  return new TextDecoder().decode(disk.bytes(`${folder}/${name}`) ?? new Uint8Array())
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Pays as the guard does: limits, then the record, then the hex leaves. */
async function pay(operator: Operator, amount = coin) {
  const asked = payment({ outflows: [to(strangerHash, amount)], fee: 0n })
  const decision = await operator.policy!.decide(asked, { isConfirmed: false })
  if (decision.verdict !== 'allow')
    return decision.verdict === 'refuse' ? decision.reason : 'confirm'
  await decision.reservation!.keep()
  const { user, method, methodClass, txid } = asked
  await operator.record.append({ user, method, methodClass, txid, decision: 'handed-over' })
  return 'allow'
}

/** A payment that a guard without a policy made. */
const paid = (byte: string): DecisionEntry => ({
  user: '',
  method: 'sendtoaddress',
  methodClass: 'build-and-send',
  decision: 'sent',
  txid: byte.repeat(32),
})

const read: DecisionEntry = {
  user: '',
  method: 'getinfo',
  methodClass: 'read',
  decision: 'passed',
}

describe('a restart', () => {
  test('continues limits and record', async () => {
    const { start } = world()
    const first = await start()
    expect(await pay(first)).toBe('allow')
    await first.close()
    const second = await start()
    expect(second.health()).toBeUndefined()
    expect(await pay(second)).toBe('allow')
    expect(await pay(second, 1n)).toContain('0.00000000 coins left')
    expect(second.head().count).toBe(5)
    await second.close()
  })

  test('a restart after a kill between limits and record pays on', async () => {
    const { disk, start } = world()
    const process = disk.process()
    const first = await openOperator({ folder, policy, disk: process, now: () => noon })
    expect(await pay(first)).toBe('allow')
    const asked = payment({ outflows: [to(strangerHash, 1n)], fee: 0n })
    const decision = await first.policy!.decide(asked, { isConfirmed: false })
    if (decision.verdict === 'allow') await decision.reservation!.keep()
    process.end()
    const second = await start()
    expect(second.health()).toBeUndefined()
    expect(await pay(second, 1n)).toBe('allow')
  })

  test.each([
    ['limits', 'the limits lack 1 payments that the record has'],
    ['record.ndjson', 'the record lacks 1 payments'],
  ])(
    'a restart without the file %s holds payments until they are reconciled',
    async (name, reason) => {
      const { disk, start } = world()
      const first = await start()
      expect(await pay(first)).toBe('allow')
      await first.close()
      disk.remove(`${folder}/${name}`)
      disk.remove(`${folder}/${name}.anchor`)
      const second = await start()
      expect(second.health()).toBe(reason)
      expect(await pay(second)).toBe(reason)
      await second.close()
      const third = await start({ isReconciled: true })
      expect(third.health()).toBeUndefined()
      expect(await pay(third)).toBe('allow')
      await third.close()
      // The operator has accepted it once, so a crash of the guard holds nothing.
      const fourth = await start()
      expect(fourth.health()).toBeUndefined()
      await fourth.close()
      disk.remove(`${folder}/limits`)
      expect((await start()).health()).toBe('the limits lack 1 payments that the record has')
    },
  )

  test.each([
    ['without a policy', undefined],
    ['with a policy', policy],
  ])('%s and with an older journal holds payments until they are reconciled', async (_, rules) => {
    const { start } = world()
    const journalOf = async (...txids: string[]) => {
      const journal = memoryJournal()
      const at = new Date(noon).toISOString()
      for (const [index, txid] of txids.entries()) {
        const payment = `terms ${index}`
        const more = { terms: '', request: '{}', hex: '00', at }
        await journal.append(
          2 * index + 1,
          encodeRecord({ kind: 'attempt', payment, txid, ...more }),
        )
        await journal.append(2 * index + 2, encodeRecord({ kind: 'forgotten', payment, at }))
      }
      return journal
    }
    const [first, second] = ['11'.repeat(32), '22'.repeat(32)] as const
    const journal = await journalOf(first, second)
    const begun = await start({ policy: undefined, journal })
    await begun.record.append(paid('11'))
    await begun.record.append(paid('22'))
    await begun.close()
    const whole = await start({ policy: rules, journal })
    expect(whole.health()).toBeUndefined()
    await whole.close()

    const older = await journalOf(first)
    const held = await start({ policy: rules, journal: older })
    const reason = 'the journal lacks 1 payments that the record has'
    expect(held.health()).toBe(reason)
    expect(await pay(held)).toBe(reason)
    const named = { user: '', method: 'sendfrom' }
    for (const methodClass of ['build-and-send', 'secret', 'unknown'] as const) {
      expect(held.policy?.admit({ ...named, methodClass })).toMatchObject({ reason })
    }
    expect(held.policy?.admit({ ...named, methodClass: 'read' })).toBeUndefined()
    await held.close()

    await (await start({ policy: rules, journal: older, isReconciled: true })).close()
    expect((await start({ policy: rules, journal: older })).health()).toBeUndefined()
  })

  test('a restart with a first policy does not count what was paid without one', async () => {
    const { start } = world()
    const first = await start({ policy: undefined })
    await first.record.append(paid('11'))
    await first.close()
    const second = await start()
    expect(second.health()).toBeUndefined()
    expect(await pay(second)).toBe('allow')
    await second.close()
    const third = await start({ policy: undefined })
    await third.record.append(paid('22'))
    await third.close()
    expect((await start()).health()).toBeUndefined()
  })

  test('a restart after a time without a policy still counts what was paid with one', async () => {
    const { disk, start } = world()
    const first = await start()
    expect(await pay(first)).toBe('allow')
    await first.close()
    const second = await start({ policy: undefined })
    await second.record.append(paid('22'))
    await second.close()
    disk.remove(`${folder}/limits`)
    expect((await start()).health()).toBe('the limits lack 1 payments that the record has')
  })

  test.each([2, 14])(
    'a restart after the clock was set back by %i hours pays on',
    async (hours) => {
      const { start } = world()
      const begun = noon + hours * 3_600_000
      for (const days of [0, 1.02]) {
        const before = await start({ now: () => begun + days * 86_400_000 })
        expect(await pay(before)).toBe('allow')
        await before.close()
      }
      const after = await start({ now: () => begun + (1.02 * 24 - hours) * 3_600_000 })
      expect(after.health()).toBeUndefined()
      expect(await pay(after)).toBe('allow')
      await after.close()
    },
  )

  test('a restart with limits of an old backup holds payments, although the clock was a year ahead once', async () => {
    const { disk, start } = world()
    const ahead = await start({ now: () => noon + 365 * 86_400_000 })
    expect(await pay(ahead, 1n)).toBe('allow')
    await ahead.close()
    const backup = disk.bytes(`${folder}/limits`)!.slice()
    const right = await start()
    expect(right.health()).toBeUndefined()
    expect(await pay(right)).toBe('allow')
    await right.close()
    disk.change(`${folder}/limits`, { bytes: backup })
    expect((await start()).health()).toBe('the limits lack 1 payments that the record has')
  })

  test('a restart with limits of an old backup holds payments', async () => {
    const { disk, start } = world()
    const first = await start()
    expect(await pay(first, 1n)).toBe('allow')
    const backup = disk.bytes(`${folder}/limits`)!.slice()
    expect(await pay(first)).toBe('allow')
    await first.close()
    disk.change(`${folder}/limits`, { bytes: backup })
    expect((await start()).health()).toBe('the limits lack 1 payments that the record has')
  })
})

describe('a payment that is sent again', () => {
  const hour = 3_600_000
  const at = (hours: number) => ({ now: () => noon + hours * hour })
  const asked = payment({ outflows: [to(strangerHash, coin)], fee: 0n })

  /** Hands a payment over, the same one each time. */
  async function handOver({ policy, record }: Operator) {
    const decision = await policy!.decide(asked, { isConfirmed: false })
    if (decision.verdict === 'allow') await decision.reservation!.keep()
    await record.append({ ...asked, decision: 'handed-over' })
  }

  test('counts from its first line, so no restart takes the limits for lost', async () => {
    const { start } = world()
    for (const hours of [0, 20]) {
      const operator = await start(at(hours))
      await handOver(operator)
      await operator.close()
    }
    for (const hours of [22, 25, 42]) {
      const operator = await start(at(hours))
      expect(operator.health(), `after ${hours} hours`).toBeUndefined()
      await operator.close()
    }
  })

  test('is one payment that lost limits lack, however many lines it has', async () => {
    const { disk, start } = world()
    const operator = await start()
    await handOver(operator)
    await handOver(operator)
    await operator.close()
    disk.remove(`${folder}/limits`)
    expect((await start()).health()).toBe('the limits lack 1 payments that the record has')
  })

  test('is not expected of a journal that forgot it after 30 days', async () => {
    const { start } = world()
    for (const days of [0, 2]) {
      const operator = await start({ policy: undefined, ...at(24 * days) })
      await operator.record.append(paid('11'))
      await operator.close()
    }
    const restart = { policy: undefined, journal: memoryJournal() }
    const early = await start({ ...restart, ...at(24 * 28) })
    expect(early.health()).toBe('the journal lacks 1 payments that the record has')
    await early.close()
    expect((await start({ ...restart, ...at(24 * 30.6) })).health()).toBeUndefined()
  })
})

test('a full file of the record does not hide that the limits were lost', async () => {
  const { disk, start } = world()
  const first = await start()
  expect(await pay(first)).toBe('allow')
  await first.close()
  const small = { disk: disk.process(), now: () => noon, segmentBytesMax: 1_000 }
  const record = await FileRecord.open(`${folder}/record.ndjson`, small)
  for (let count = 0; count < 20; count += 1) await record.append({ ...read, decision: 'refused' })
  await record.close()
  expect(textOf(disk, 'record.ndjson')).not.toContain('handed-over')
  disk.remove(`${folder}/limits`)
  const second = await start()
  expect(second.health()).toBe('the limits lack 1 payments that the record has')
  await second.close()
  await (await start({ isReconciled: true })).close()
  expect((await start()).health()).toBeUndefined()
})

test('a journal that cannot be read leaves the files free', async () => {
  const { start } = world()
  const broken: Journal = {
    ...memoryJournal(),
    read: () => Promise.reject(new AntaraError('journal_failed', { path: 'the journal' })),
  }
  await expect(start({ journal: broken })).rejects.toMatchObject({ code: 'journal_failed' })
  await (await start()).close()
})

describe('the record in a flood of refusals', () => {
  afterEach(() => void vi.useRealTimers())
  const refusal = (reason: string, user = 'ben'): DecisionEntry => ({
    user,
    method: 'stop',
    methodClass: 'administration',
    decision: 'refused',
    reason,
  })
  const linesOf = (disk: SimulatedDisk) =>
    textOf(disk, 'record.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ decision }) => decision !== undefined)

  test('writes 20 refusals a minute and counts the rest by reason', async () => {
    vi.useFakeTimers()
    const { disk, start } = world()
    const { record, head, close } = await start()
    for (let at = 0; at < 10_000; at += 1) await record.append(refusal('class'))
    const named = { ...refusal('coins.perDay'), key: 'inv-1' }
    for (let at = 0; at < 3; at += 1) await record.append(named)
    await record.append(refusal('class', 'ann'))
    await record.append(paid('cd'))
    expect(linesOf(disk).length).toBe(22)
    await vi.advanceTimersByTimeAsync(60_000)
    const lines = linesOf(disk)
    expect(lines.slice(22)).toMatchObject([
      { user: 'ben', class: 'administration', decision: 'refused', reason: 'class', count: 9_980 },
      { user: 'ben', reason: 'coins.perDay', count: 3 },
    ])
    // The line stands for calls of several names.
    expect(lines.at(-1)).not.toHaveProperty('key')
    await record.append(refusal('class'))
    expect(linesOf(disk).at(-1)).not.toHaveProperty('count')
    const { count } = head()
    await close()
    const bytes = disk.bytes(`${folder}/record.ndjson`)!
    const report = await verifyRecord([{ name: 'record', bytes: Readable.from([bytes]) }])
    expect(report).toMatchObject({ ok: true, head: { count } })
  })

  test('writes the counts when the guard ends', async () => {
    const { disk, start } = world()
    const { record, close } = await start()
    for (let at = 0; at < 25; at += 1) await record.append(refusal('class'))
    await close()
    expect(linesOf(disk).at(-1)).toMatchObject({ reason: 'class', count: 5 })
  })

  test('counts reasons beyond 200 as "other"', async () => {
    const { disk, start } = world()
    const { record, close } = await start()
    for (let at = 0; at < 1_000; at += 1) await record.append(refusal(`reason ${at}`))
    await close()
    const lines = linesOf(disk)
    expect(lines.length).toBe(20 + 201)
    expect(lines.at(-1)).toMatchObject({ reason: 'other', count: 780 })
  })

  test("counts each user's reasons separately", async () => {
    const { disk, start } = world()
    const { record, close } = await start()
    for (let at = 0; at < 1_000; at += 1) await record.append(refusal(`reason ${at}`))
    for (let at = 0; at < 25; at += 1) await record.append(refusal('class', 'ann'))
    await close()
    expect(linesOf(disk).at(-1)).toMatchObject({ user: 'ann', reason: 'class', count: 5 })
  })
})

test('a second guard with the same folder is refused', async () => {
  const { start } = world()
  await start()
  await expect(start()).rejects.toMatchObject({ code: 'journal_locked' })
})

test('a malformed policy leaves the files free', async () => {
  const { start } = world()
  await expect(start({ policy: '{' })).rejects.toMatchObject({ code: 'malformed_policy' })
  await (await start()).close()
})

test('a record that failed is the health of the guard', async () => {
  const { disk, start } = world()
  const operator = await start()
  disk.change(`${folder}/record.ndjson`, { bytes: new Uint8Array() })
  await expect(pay(operator)).rejects.toMatchObject({ code: 'record_malformed' })
  expect(operator.health()).toContain('record of decisions')
  expect((await operator.metrics.text()).body).toContain('antara_guard_healthy 0')
})

test.each(['ENOSPC', 'EIO'])(
  'a journal that meets %s is the health of the guard until a payment is recorded',
  async (code) => {
    let isFull = true
    const memory = memoryJournal()
    const full: Journal = {
      ...memory,
      append: async (position, text) => {
        if (isFull) throw new AntaraError('journal_failed', { path: 'the journal', actual: code })
        return memory.append(position, text)
      },
    }
    const operator = await world().start({ journal: full })
    const attempt = {
      payment: 'id a',
      at: '2026-11-01T00:00:00.000Z',
      terms: '',
      request: '',
      txid: '',
      hex: '',
    }
    const record = encodeRecord({ kind: 'attempt', ...attempt })
    expect(operator.health()).toBeUndefined()
    await expect(operator.journal!.append(1, record)).rejects.toMatchObject({
      code: 'journal_failed',
    })
    expect(operator.health()).toContain('the journal could not be read or written')
    isFull = false
    expect(await operator.journal!.append(1, record)).toBe(true)
    expect(operator.health()).toBeUndefined()
  },
)

test('a record whose disk is full is the health of the guard until a line is written', async () => {
  const disk = new SimulatedDisk()
  let isFull = false
  const process = disk.process((operation, path) => {
    if (isFull && operation === 'write' && path.endsWith('record.ndjson')) {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
  })
  const operator = await openOperator({ folder, policy, disk: process, now: () => noon })
  isFull = true
  await expect(pay(operator)).rejects.toMatchObject({ code: 'record_failed' })
  expect(operator.health()).toContain('ENOSPC')
  expect((await operator.metrics.text()).body).toContain('antara_guard_healthy 0')
  isFull = false
  await operator.record.append({ ...read, decision: 'refused' })
  expect(operator.health()).toBeUndefined()
})

test('limits that cannot be written are the health of the guard', async () => {
  const { disk, start } = world()
  const operator = await start()
  disk.change(`${folder}/limits`, { bytes: new Uint8Array() })
  await expect(pay(operator)).rejects.toMatchObject({ code: 'journal_changed' })
  expect(operator.health()).toContain('another program replaced or changed the journal')
})

test('a read has no line in the record', async () => {
  const { start } = world()
  const operator = await start()
  await operator.record.append(read)
  expect(operator.head().count).toBe(2)
  await operator.record.append({ ...read, decision: 'refused' })
  expect(operator.head().count).toBe(3)
})

describe('a reload of the policy', () => {
  const stricter = JSON.stringify({ ...open, coins: { perDay: '1' } })

  test('is a line with the hashes of both files, and the chain stays whole', async () => {
    const { disk, start } = world()
    const operator = await start()
    await operator.reload(stricter)
    expect(await pay(operator, 2n * coin)).toContain('left of 1.00000000 coins')
    const text = textOf(disk, 'record.ndjson')
    const reload = text.split('\n').find((line) => line.includes('"event":"reload"'))
    expect(JSON.parse(reload!)).toMatchObject({
      by: 'signal',
      at: new Date(noon).toISOString(),
      from: sha256(policy),
      to: sha256(stricter),
    })
    expect(JSON.parse(text.split('\n')[1]!)).toMatchObject({ event: 'start', to: sha256(policy) })
    const segment = { name: 'record', bytes: Readable.from([Buffer.from(text)]) }
    const anchor = readAnchor(textOf(disk, 'record.ndjson.anchor'))
    expect(await verifyRecord([segment], anchor)).toMatchObject({ ok: true, lines: 3 })
    await operator.close()
    expect((await start({ policy: stricter })).health()).toBeUndefined()
  })

  test('the old hash of a second reload is that of the first', async () => {
    const { disk, start } = world()
    const operator = await start()
    await Promise.all([operator.reload(stricter), operator.reload(policy)])
    const reloads = textOf(disk, 'record.ndjson')
      .split('\n')
      .filter((line) => line.includes('"event":"reload"'))
      .map((line) => JSON.parse(line))
    expect(reloads.map(({ from, to }) => [from, to])).toEqual([
      [sha256(policy), sha256(stricter)],
      [sha256(stricter), sha256(policy)],
    ])
  })

  test('a malformed file has no line, and the old rules stay', async () => {
    const { start } = world()
    const operator = await start()
    await expect(operator.reload('{')).rejects.toMatchObject({ code: 'malformed_policy' })
    expect(operator.head().count).toBe(2)
    expect(await pay(operator)).toBe('allow')
  })

  test('a reload that cannot be recorded stops payments', async () => {
    const { disk, start } = world()
    const operator = await start()
    disk.change(`${folder}/record.ndjson`, { bytes: new Uint8Array() })
    await expect(operator.reload(stricter)).rejects.toMatchObject({ code: 'record_malformed' })
    expect(operator.health()).toBeDefined()
    expect(await pay(operator)).toContain('no line in the record')
  })

  test('a reload that finds the disk full stops payments, even if it has room later', async () => {
    const disk = new SimulatedDisk()
    let isFull = false
    const process = disk.process((operation, path) => {
      if (isFull && operation === 'write' && path.endsWith('record.ndjson')) {
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      }
    })
    const start = () => openOperator({ folder, policy, disk: process, now: () => noon })
    const operator = await start()
    const looser = JSON.stringify({ ...open, coins: { perDay: '9' } })
    isFull = true
    await expect(operator.reload(looser)).rejects.toMatchObject({ code: 'record_failed' })
    isFull = false
    expect(operator.health()).toContain('no line in the record')
    expect(await pay(operator, coin / 2n)).toContain('no line in the record')
    await operator.close()
    expect(await pay(await start(), coin / 2n)).toBe('allow')
  })
})

/** The stored form with the least cost that is accepted, which is half of that of a new password. */
function cheapHash(password: string): string {
  const salt = Buffer.alloc(16, password)
  const hash = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1, maxmem: 2 ** 26 })
  const [text, stored] = [salt, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$scrypt$ln=14,r=8,p=1$${text}$${stored}`
}

test('users are those of the policy, as it is now', async () => {
  const { start } = world()
  const users = { alice: { password: cheapHash('a') } }
  const withUsers = JSON.stringify({ ...open, users })
  const operator = await start({ policy: withUsers })
  expect(await operator.users!.authenticate('alice', 'a')).toBe('alice')
  const changed = { alice: { password: cheapHash('b') } }
  await operator.reload(JSON.stringify({ ...open, users: changed }))
  expect(await operator.users!.authenticate('alice', 'a')).toBeUndefined()
  expect((await world().start()).users).toBeUndefined()
})
