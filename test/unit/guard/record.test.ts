// The record of decisions: its chain, its anchor, and a disk that fails or is changed by others.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DecisionEntry } from '../../../src/guard/decision.ts'
import { anchorPath, readAnchor } from '../../../src/guard/record/anchor.ts'
import { FileRecord } from '../../../src/guard/record/record-file.ts'
import { verifyRecord } from '../../../src/guard/record/verify-record.ts'
import { placesOf } from '../../support/share.ts'
import {
  type DiskOperation,
  type Kept,
  SimulatedDisk,
  systemError,
} from '../../support/simulated-disk.ts'
import { noon, token } from './support.ts'

const path = '/state/record.ndjson'
const txid = 'cd'.repeat(32)
const now = () => noon

const refused: DecisionEntry = {
  user: 'alice',
  method: 'tokentransfer',
  methodClass: 'build',
  decision: 'refused',
  reason: `tokens.${token}.perDay`,
}
const sent: DecisionEntry = { ...refused, decision: 'sent', reason: 'allowed', txid }

/** A disk with one record, whose process can fail at an operation. */
function world(segmentBytesMax?: number, hasPolicy = true) {
  const disk = new SimulatedDisk()
  let fault: { operation: DiskOperation; code: string } | undefined
  const start = () => {
    const process = disk.process((operation) => {
      if (fault?.operation === operation) throw systemError(fault.code)
    })
    const options = {
      disk: process,
      now,
      hasPolicy,
      ...(segmentBytesMax !== undefined && { segmentBytesMax }),
    }
    return FileRecord.open(path, options)
  }
  const text = (name = path) => new TextDecoder().decode(disk.bytes(name) ?? new Uint8Array())
  const change = (next: string, name = path) =>
    disk.change(name, { bytes: new TextEncoder().encode(next) })
  return {
    disk,
    start,
    text,
    change,
    fail: (operation: DiskOperation, code: string) => {
      fault = { operation, code }
    },
    repair: () => {
      fault = undefined
    },
    anchor: () => readAnchor(text(anchorPath(path))),
  }
}

async function* chunksOf(content: string | Uint8Array, size = 100) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const verify = (text: string, anchor?: ReturnType<typeof readAnchor>) =>
  verifyRecord([{ name: 'record', bytes: chunksOf(text) }], anchor)

/** A record with `count` decisions that was closed. */
async function recorded(count: number, segmentBytesMax?: number) {
  const made = world(segmentBytesMax)
  const record = await made.start()
  for (let at = 0; at < count; at += 1) await record.append(at % 2 === 0 ? refused : sent)
  await record.close()
  return made
}

describe('a record', () => {
  test('has a line for each decision, with its number and the hash of the line before', async () => {
    const { text, anchor } = await recorded(3)
    const lines = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ n, event, decision }) => [n, event ?? decision])).toEqual([
      [1, 'begin'],
      [2, 'start'],
      [3, 'refused'],
      [4, 'sent'],
      [5, 'refused'],
    ])
    expect(lines[3]).toMatchObject({ user: 'alice', method: 'tokentransfer', class: 'build', txid })
    expect(lines[2].reason).toBe(`tokens.${token}.perDay`)
    expect(await verify(text(), anchor())).toMatchObject({ ok: true, lines: 5, torn: 0 })
  })

  test('continues its chain after a restart', async () => {
    const { start, text, anchor } = await recorded(2)
    const record = await start()
    await record.append(sent)
    await record.close()
    const report = await verify(text(), anchor())
    expect(report).toMatchObject({ ok: true, lines: 6, first: 1 })
    expect(record.handedOver).toEqual([{ txid, time: noon, isLimited: true }])
  })

  test('tells in every file that no policy was on', async () => {
    const made = world(700, false)
    const record = await made.start()
    const file = () => made.text().trimEnd().split('\n')
    // A later file has no line of the start, so its first line has to tell it.
    const isLater = () => file().length === 2 && file()[0]!.includes('"segment"')
    for (let at = 0; at < 10 && !isLater(); at += 1) await record.append(sent)
    await record.close()
    expect(isLater()).toBe(true)
    expect((await made.start()).handedOver).toEqual([{ txid, time: noon, isLimited: false }])
  })

  test('a record of a guard that did not tell it counts as one with a policy', async () => {
    const made = world(undefined, false)
    const record = await made.start()
    await record.close()
    const lines = made.text().split('\n').slice(0, 1)
    const plain = JSON.stringify({ n: 2, at: new Date(noon).toISOString(), event: 'start' })
    const chained = (line: string, before: string) => {
      const previous = createHash('sha256').update(before).digest('hex')
      return JSON.stringify({ ...JSON.parse(line), previous })
    }
    lines.push(chained(plain, lines[0]!))
    const left = { n: 3, at: new Date(noon).toISOString(), decision: 'sent', txid }
    lines.push(chained(JSON.stringify(left), lines[1]!))
    made.change(`${lines.join('\n')}\n`)
    const hash = createHash('sha256').update(lines[2]!).digest('hex')
    made.change(`3:${hash}`, anchorPath(path))
    expect((await made.start()).handedOver).toEqual([{ txid, time: noon, isLimited: true }])
  })

  test('writes 200 concurrent decisions in one chain, with fewer syncs than lines', async () => {
    const made = world()
    let syncs = 0
    const process = made.disk.process((operation) => {
      if (operation === 'sync') syncs += 1
    })
    const record = await FileRecord.open(path, { disk: process, now })
    await Promise.all(Array.from({ length: 200 }, () => record.append(refused)))
    await record.close()
    expect(await verify(made.text(), made.anchor())).toMatchObject({ ok: true, lines: 202 })
    expect(syncs).toBeLessThan(10)
  })

  test('begins a further file at its size, and the chain goes through all of them', async () => {
    const { disk, text, anchor } = await recorded(20, 2_000)
    const names = Array.from({ length: 30 }, (_, first) =>
      Array.from({ length: 30 }, (_, last) => {
        const digits = (count: number) => `${count}`.padStart(12, '0')
        return `${path}.${digits(first)}-${digits(last)}`
      }),
    )
      .flat()
      .filter((name) => disk.bytes(name) !== undefined)
    expect(names.length).toBeGreaterThan(1)
    const segments = (order: readonly string[]) =>
      order.map((name) => ({ name, bytes: chunksOf(text(name)) }))
    const all = [...names, path]
    expect(await verifyRecord(segments(all), anchor())).toMatchObject({ ok: true, first: 1 })
    const swapped = [names[1]!, names[0]!, ...names.slice(2), path]
    expect(await verifyRecord(segments(swapped), anchor())).toMatchObject({
      ok: false,
      fault: { name: names[0] },
    })
    const missing = [names[0]!, ...names.slice(2), path]
    expect((await verifyRecord(segments(missing), anchor())).ok).toBe(false)
    const last = await verifyRecord(segments([path]), anchor())
    expect(last.ok).toBe(true)
    expect(last.first).toBeGreaterThan(1)
  })
})

test('a record that cannot write the line of its start leaves its files free', async () => {
  const made = await recorded(1)
  made.fail('write', 'EIO')
  await expect(made.start()).rejects.toMatchObject({ code: 'record_failed' })
  made.repair()
  await (await made.start()).close()
})

test('payments of earlier files are found for 60 days, if those files are there', async () => {
  const made = world(700)
  const record = await made.start()
  await record.append(sent)
  for (let at = 0; at < 20; at += 1) await record.append(refused)
  await record.close()
  const opened = async (days: number) => {
    const later = () => noon + days * 86_400_000
    const again = await FileRecord.open(path, { disk: made.disk.process(), now: later })
    await again.close()
    return again.handedOver
  }
  const payments = [{ txid, time: noon, isLimited: true }]
  expect(await opened(59)).toEqual(payments)
  expect(await opened(61)).toEqual([])
  const first = /"earlier":"([0-9-]+)"/.exec(made.text())![1]!
  made.disk.remove(`${path}.${first}`)
  expect(await opened(1)).toEqual([])
})

describe('an earlier file', () => {
  async function twoFiles() {
    const made = world(700)
    const record = await made.start()
    await record.append(sent)
    for (let at = 0; at < 3; at += 1) await record.append(refused)
    await record.close()
    const earlier = `${path}.${/"earlier":"([0-9-]+)"/.exec(made.text())![1]!}`
    return { ...made, earlier }
  }
  const payments = [{ txid, time: noon, isLimited: true }]

  test('is read once if it names itself as the one before', async () => {
    const { start, text, change, earlier } = await twoFiles()
    change(text(), earlier)
    await (await start()).close()
    expect(text()).toContain('"segment"')
  })

  test('may be read-only, and is left as it is', async () => {
    const { disk, start, text, earlier } = await twoFiles()
    const before = text(earlier)
    disk.change(earlier, { mode: 0o100400 })
    const record = await start()
    await record.close()
    expect(record.handedOver).toEqual(payments)
    expect(text(earlier)).toBe(before)
  })

  test('is not made if it is missing', async () => {
    const { disk, start, earlier } = await twoFiles()
    disk.remove(earlier)
    await (await start()).close()
    expect(disk.bytes(earlier)).toBeUndefined()
  })

  test('is named in the error if it cannot be read', async () => {
    const { disk, earlier } = await twoFiles()
    const process = disk.process((operation, name) => {
      if (operation === 'read' && name === earlier) throw systemError('EIO')
    })
    await expect(FileRecord.open(path, { disk: process, now })).rejects.toMatchObject({
      code: 'record_failed',
      context: { path: earlier, actual: 'EIO' },
    })
  })
})

describe('a request that is too long for a line', () => {
  test.each([
    ['many recipients', { recipients: Array.from({ length: 24_000 }, () => ({ amount: 1 })) }],
    [
      'characters of three bytes',
      { names: Array.from({ length: 1_300 }, () => '\u20ac'.repeat(300)) },
    ],
  ])('is recorded by its hash, so that the record can be verified: %s', async (_, request) => {
    const made = world()
    const record = await made.start()
    await record.append({ ...sent, request: JSON.stringify(request) })
    await record.close()
    expect(made.text()).toMatch(/"\(\d+ characters of JSON with the SHA-256 [0-9a-f]{64}\)"/)
    expect(await verify(made.text(), made.anchor())).toMatchObject({ ok: true, lines: 3 })
  })
})

describe('verification of a record', () => {
  test('finds every change of a character', async () => {
    const { text, anchor } = await recorded(3)
    const whole = text()
    for (const at of placesOf(whole.length)) {
      const other = whole[at] === '0' ? '1' : '0'
      const changed = whole.slice(0, at) + other + whole.slice(at + 1)
      expect(await verify(changed, anchor()), `character ${at}`).toMatchObject({ ok: false })
    }
  })

  test('finds a tail that was cut at the end of a line', async () => {
    const { text, anchor } = await recorded(3)
    const cut = `${text().trimEnd().split('\n').slice(0, -1).join('\n')}\n`
    expect((await verify(cut)).ok).toBe(true)
    expect(await verify(cut, anchor())).toMatchObject({
      ok: false,
      fault: { fault: 'it ends at line 4, and the anchor has 5 lines' },
    })
  })

  test('finds lines that were left out or change places', async () => {
    const { text, anchor } = await recorded(4)
    const lines = text().trimEnd().split('\n')
    const without = [...lines.slice(0, 3), ...lines.slice(4)].join('\n')
    const moved = [...lines.slice(0, 3), lines[4], lines[3], ...lines.slice(5)].join('\n')
    for (const changed of [without, moved]) {
      expect((await verify(`${changed}\n`, anchor())).ok).toBe(false)
    }
  })

  test('finds bytes that are no UTF-8 where a line had a replacement character', async () => {
    const made = world()
    const record = await made.start()
    await record.append({ ...refused, method: 'a\ufffdb' })
    await record.append(sent)
    await record.close()
    const bytes = Buffer.from(made.text())
    const at = bytes.indexOf('\ufffd')
    const changed = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.of(0xff),
      bytes.subarray(at + Buffer.byteLength('\ufffd')),
    ])
    expect(
      await verifyRecord([{ name: 'record', bytes: chunksOf(changed) }], made.anchor()),
    ).toMatchObject({ ok: false, fault: { line: 4, fault: 'the line before it was changed' } })
    made.disk.change(path, { bytes: changed })
    await expect(made.start()).rejects.toMatchObject({ code: 'record_malformed' })
  })

  test('names the line by its number in its file', async () => {
    const { text, anchor } = await recorded(3)
    const lines = text().trimEnd().split('\n')
    const file = (name: string, some: readonly string[]) => ({
      name,
      bytes: chunksOf(some.map((line) => `${line}\n`).join('')),
    })
    const changed = [lines[3]!.replace('alice', 'carol'), lines[4]!]
    const files = [file('older', lines.slice(0, 3)), file('newer', changed)]
    expect(await verifyRecord(files, anchor())).toMatchObject({
      ok: false,
      fault: { name: 'newer', line: 2, fault: 'the line before it was changed' },
    })
    const torn = { name: 'newer', bytes: chunksOf(`${lines[3]}\n{"n":5`) }
    const last = file('last', lines.slice(4))
    expect(
      await verifyRecord([file('older', lines.slice(0, 3)), torn, last], anchor()),
    ).toMatchObject({
      ok: false,
      fault: { name: 'newer', line: 2, fault: 'the last line is unfinished' },
    })
    const cut = [file('older', lines.slice(0, 3)), file('newer', lines.slice(3, 4))]
    expect(await verifyRecord(cut, anchor())).toMatchObject({
      ok: false,
      fault: { name: 'newer', line: 1, fault: 'it ends at line 4, and the anchor has 5 lines' },
    })
  })

  test('an empty file before the first line changes nothing', async () => {
    const { text } = await recorded(3)
    const later = text().split('\n').slice(3).join('\n')
    const files = [
      { name: 'empty', bytes: chunksOf('') },
      { name: 'later', bytes: chunksOf(later) },
    ]
    expect(await verifyRecord(files)).toMatchObject({ ok: true, first: 4, lines: 2 })
  })

  test('an anchor is not reached without a file', async () => {
    const { anchor } = await recorded(1)
    expect((await verifyRecord([], anchor())).ok).toBe(false)
    expect((await verifyRecord([])).ok).toBe(true)
  })

  test('an anchor of lines that were not given is not said to differ', async () => {
    const { text, anchor } = await recorded(3)
    const later = text().split('\n').slice(3).join('\n')
    expect(await verify(later, { ...anchor()!, count: 1 })).toMatchObject({
      ok: false,
      fault: {
        fault:
          'the anchor has 1 lines, and the first line here is 4: the files between were not given',
      },
    })
  })

  test.each([100_000, 4_000_000])(
    'refuses a line that is too long, in chunks of %i bytes',
    async (size) => {
      const { text } = await recorded(1)
      const bytes = chunksOf(`${text()}${' '.repeat(1_048_577)}\n`, size)
      expect(await verifyRecord([{ name: 'record', bytes }])).toMatchObject({
        ok: false,
        fault: { line: 4, fault: 'a line of over 1048576 bytes' },
      })
    },
  )

  test('tells of a last line that is not finished', async () => {
    const { text, anchor } = await recorded(3)
    expect(await verify(`${text()}{"n":6`, anchor())).toMatchObject({ ok: true, torn: 6 })
  })

  test('accepts an anchor that is older than the record', async () => {
    const { start, text, anchor } = await recorded(2)
    const older = anchor()
    const record = await start()
    await record.append(refused)
    await record.close()
    expect((await verify(text(), older)).ok).toBe(true)
    expect((await verify(text(), { ...older!, hash: token })).ok).toBe(false)
  })
})

describe('a start', () => {
  test.each([
    [
      'a tail cut at the end of a line',
      (text: string) => text.split('\n').slice(0, -2).join('\n').concat('\n'),
    ],
    ['nothing, as after copytruncate', () => ''],
    ['a changed line', (text: string) => text.replace('alice', 'carol')],
    ['text of another program', () => 'hello\n'],
  ])('is refused on a record with %s', async (_, change) => {
    const made = await recorded(3)
    made.change(change(made.text()))
    await expect(made.start()).rejects.toMatchObject({ code: 'record_malformed' })
  })

  test('is refused on a record without its anchor', async () => {
    const made = await recorded(1)
    made.disk.remove(anchorPath(path))
    await expect(made.start()).rejects.toMatchObject({ code: 'record_malformed' })
  })

  test.each([
    ['empty', ''],
    ['half written', '3:ab'],
    ['full of zero bytes', '\0'.repeat(128)],
  ])('names the way out if the anchor is %s', async (_, half) => {
    const made = await recorded(3)
    made.change(half, anchorPath(path))
    await expect(made.start()).rejects.toMatchObject({
      code: 'record_malformed',
      context: {
        path: anchorPath(path),
        expected: expect.stringContaining(`antara-tx guard --verify-log ${path} prints`),
      },
    })
    // The command prints the head of the record.
    const { head } = await verify(made.text())
    made.change(`${head.count}:${head.hash}\n`, anchorPath(path))
    const again = await made.start()
    expect(again.head.count).toBe(head.count + 1)
    await again.close()
  })

  test('is refused while another guard has the record', async () => {
    const made = world()
    await made.start()
    await expect(made.start()).rejects.toMatchObject({ code: 'journal_locked' })
  })

  test('cuts off a torn last line, tells so, and continues the chain', async () => {
    const made = await recorded(1)
    made.change(`${made.text()}{"n":4,"at":"2026`)
    const record = await made.start()
    await record.close()
    expect(made.text()).toContain('"event":"torn","bytes":17')
    expect(await verify(made.text(), made.anchor())).toMatchObject({ ok: true, torn: 0 })
  })

  test.each<Kept>(['none', 'half', 'zeros', 'all'])(
    'a start after a power failure that keeps %s of a write has every line that was confirmed',
    async (kept) => {
      const made = world()
      let isHanging = false
      const process = made.disk.process((operation) =>
        isHanging && operation === 'sync' ? new Promise(() => undefined) : undefined,
      )
      const first = await FileRecord.open(path, { disk: process, now })
      await first.append(sent)
      isHanging = true
      void first.append(refused)
      await new Promise((resolve) => setTimeout(resolve, 5))
      process.end()
      made.disk.powerFails(kept)
      const again = await made.start()
      await again.close()
      expect(again.handedOver).toEqual([{ txid, time: noon, isLimited: true }])
      expect(await verify(made.text(), made.anchor())).toMatchObject({ ok: true })
    },
  )

  test('continues after a power failure between the two names of a rotation', async () => {
    const made = world(600)
    const record = await made.start()
    let renames = 0
    // A rotation stops for ever before its second rename.
    const process = made.disk.process((operation) =>
      operation === 'rename' && ++renames === 2 ? new Promise(() => undefined) : undefined,
    )
    await record.close()
    const stopping = await FileRecord.open(path, { disk: process, now, segmentBytesMax: 900 })
    void stopping.append(sent)
    void stopping.append(sent)
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.end()
    made.disk.powerFails('all')
    const again = await made.start()
    await again.append(refused)
    await again.close()
    expect((await verify(made.text(), made.anchor())).ok).toBe(true)
  })
})

describe('a disk', () => {
  test('a disk that is full rejects the entry, leaves no part of it, and works again later', async () => {
    const made = world()
    const record = await made.start()
    made.fail('write', 'ENOSPC')
    await expect(record.append(sent)).rejects.toMatchObject({ code: 'record_failed' })
    expect(record.lastFailure?.code).toBe('record_failed')
    made.repair()
    await record.append(refused)
    expect(record.lastFailure).toBeUndefined()
    await record.close()
    expect(await verify(made.text(), made.anchor())).toMatchObject({ ok: true, lines: 3 })
    expect(made.text()).not.toContain(txid)
  })

  test('a disk that fails a sync stops the record until the next start', async () => {
    const made = world()
    const record = await made.start()
    made.fail('sync', 'EIO')
    await expect(record.append(sent)).rejects.toMatchObject({ code: 'record_failed' })
    made.repair()
    await expect(record.append(refused)).rejects.toMatchObject({ code: 'record_failed' })
    expect(record.failure?.code).toBe('record_failed')
  })
})

describe('another program', () => {
  test.each([
    [
      'truncates the file, as copytruncate does',
      (made: ReturnType<typeof world>) => made.change(''),
    ],
    ['appends to the file', (made: ReturnType<typeof world>) => made.change(`${made.text()}{}\n`)],
    ['removes the file', (made: ReturnType<typeof world>) => made.disk.remove(path)],
    [
      'swaps the file',
      (made: ReturnType<typeof world>) => {
        const text = made.text()
        made.disk.remove(path)
        made.change(text)
      },
    ],
  ])('another program that %s stops the record', async (_, act) => {
    const made = world()
    const record = await made.start()
    act(made)
    await expect(record.append(sent)).rejects.toMatchObject({ code: 'record_malformed' })
    expect(record.failure?.code).toBe('record_malformed')
  })
})

describe('a secret', () => {
  const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'
  const signed = '0400008085202f89'.padEnd(800, 'ab')
  test.each<[string, Partial<DecisionEntry>, string]>([
    ['a private key as a method', { method: wif }, wif],
    ['a private key as a name', { key: wif }, wif],
    ['a private key in a request', { request: JSON.stringify({ to: wif }) }, wif],
    ['a private key as a member', { request: JSON.stringify({ [wif]: 1 }) }, wif],
    ['a private key in hex', { request: JSON.stringify({ to: '5'.repeat(64) }) }, '5'.repeat(64)],
    ['a signed transaction', { request: JSON.stringify([signed]) }, signed.slice(0, 320)],
    ['what is not JSON', { request: `{"password": "${wif}` }, wif],
  ])('is not recorded: %s', async (_, more, secret) => {
    const made = world()
    const record = await made.start()
    await record.append({ ...sent, ...more })
    await record.close()
    expect(made.text()).toContain('"decision":"sent"')
    expect(made.text()).not.toContain(secret)
  })

  test('hides no tokenid, address, script or amount', async () => {
    const made = world()
    const record = await made.start()
    const request = {
      tokenid: token,
      recipients: [{ address: 'RVVeUg43rNcq3mZFnvZ8yqagyzqFgUnq4u', amount: '100' }],
      script: '2103682b255c40d0cde8faee381a1a50bbb89980ff24539cb8518e294d3a63cefe12ac',
    }
    await record.append({ ...sent, request: JSON.stringify(request) })
    await record.close()
    expect(JSON.parse(made.text().trimEnd().split('\n').at(-1)!).request).toEqual(request)
  })

  test('cannot end a line: text of a client stays in its line', async () => {
    const made = world()
    const record = await made.start()
    await record.append({ ...refused, method: 'a\n{"n":1}', reason: 'b\u2028\u202ec' })
    await record.close()
    expect(made.text().trimEnd().split('\n')).toHaveLength(3)
    expect(made.text()).not.toContain('\u202e')
  })
})
