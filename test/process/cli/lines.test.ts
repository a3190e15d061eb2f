// Lines in, lines out: processes of their own, because pipes, threads and kills are seen nowhere
// else.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'

import { progressLine, summaryLine } from '../../../src/cli/lines/progress.ts'
import { readBlocks } from '../../../src/cli/lines/read-blocks.ts'
import { decodeTransaction } from '../../../src/transaction/decode.ts'
import { transactionJson } from '../../../src/transaction/transaction-json.ts'
import { compileSources, root } from '../../support/built.ts'
import { type Outcome, outcomeOf, runCommand } from '../../support/cli.ts'
import { readVectors } from '../../support/komodod.ts'
import { onWindows, testUnless } from '../../support/skip.ts'
import { chain } from '../../support/vectors.ts'

const { entry, env } = compileSources('lines')
const main = fileURLToPath(new URL('cli/main.js', entry))
const folder = mkdtempSync(`${tmpdir()}/antara-tx-lines-`)
afterAll(() => rmSync(folder, { recursive: true }))

const example = (name: string) =>
  JSON.stringify(JSON.parse(readFileSync(`${root}examples/${name}.json`, 'utf8')))
const agrees = example('transfer')
const stolen = example('transfer-stolen-change')
const hexes = chain.map(({ hex }) => hex)

function antaraTx(args: string[]): ChildProcess {
  return spawn(process.execPath, [main, ...args], { cwd: root, env })
}

/** Returns what the command prints, in its own process, for lines that come from a pipe. */
async function piped(args: string[], input: string | Buffer): Promise<Outcome> {
  const child = antaraTx(args)
  const ended = outcomeOf(child)
  child.stdin!.on('error', () => undefined)
  child.stdin!.end(input)
  return ended
}

const real = readVectors<{ transactions: { hex: string }[] }>('real/transactions.json')
const linesOf = (text: string) => text.split('\n').slice(0, -1)

describe('a line is answered as the same item alone', () => {
  const kinds: [string[], readonly string[]][] = [
    [['verify'], [agrees, stolen, '{}', '{"operation":"tokentransfer"}', '[', '']],
    [['txid'], [hexes[0]!, hexes[5]!.toUpperCase(), '00', 'zz', '0', '"', '\u{131}']],
    [
      ['decode', '--json'],
      [hexes[1]!, hexes[40]!, `${hexes[3]}00`, '', 'ff'],
    ],
    [
      ['decode', '--json', '--legacy', '--network', 'komodo'],
      [hexes[1]!, hexes[12]!, 'x'],
    ],
    [
      ['condition', 'encode'],
      ['{"type":"preimage-sha-256","preimage":"00"}', '{"type":1}', '5'],
    ],
    [
      ['condition', 'uri'],
      ['a0028000', 'a002800', 'nonsense'],
    ],
    [
      ['condition', 'decode'],
      ['a0028000', 'ni:///sha-256;x', 'ff00'],
    ],
  ]

  test.each(kinds)('%j', async (args, items) => {
    const hasJson = args.includes('--json') ? args : [...args, '--json']
    const alone = new Map<string, unknown>()
    for (const item of new Set(items)) {
      const { status, output, errors } = await runCommand([...hasJson, '-'], item)
      const code = /^antara-tx \w+: (\w+):/.exec(errors)?.[1]
      alone.set(item, status === 2 ? { malformed: code } : JSON.parse(output))
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...items), { minLength: 1, maxLength: 20 }),
        async (chosen) => {
          const { status, output } = await runCommand(
            [...args, '--lines'],
            `${chosen.join('\n')}\n`,
          )
          const answers = linesOf(output).map((line) => {
            const answer = JSON.parse(line)
            return answer.error === undefined ? answer : { malformed: answer.error.code }
          })
          expect(answers).toEqual(chosen.map((item) => alone.get(item)))
          const hasMalformed = answers.some((answer) => 'malformed' in answer)
          const hasFindings = answers.some((answer) => answer.ok === false)
          expect(status).toBe(hasMalformed ? 2 : hasFindings ? 1 : 0)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('decode without --json says what JSON.stringify says of the transaction', () => {
    const all = [...hexes, ...real.transactions.map(({ hex }) => hex)]
    let reported = 0
    for (const hex of all) {
      const tx = decodedOf(hex)
      if (tx === undefined) continue
      reported += 1
      const text = JSON.stringify(tx, (_, value) =>
        typeof value === 'bigint' ? value.toString() : value,
      )
      expect(transactionJson(tx)).toBe(text)
    }
    expect(reported).toBeGreaterThan(300)
  })

  /** Some of other chains are not transactions here. */
  function decodedOf(hex: string) {
    try {
      return decodeTransaction(hex)
    } catch {
      return undefined
    }
  }
})

describe('pipes', () => {
  test('pipes that are slow are answered as they come, whatever the pieces', async () => {
    const child = antaraTx(['txid', '--lines'])
    let output = ''
    child.stdout!.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    const closed = once(child, 'close')
    for (const [index, { hex, txid }] of chain.slice(0, 3).entries()) {
      child.stdin!.write(hex.slice(0, 50))
      await sleep(40)
      child.stdin!.write(`${hex.slice(50)}\n${hexes[9]!.slice(0, 8)}`)
      while (linesOf(output).length < 2 * index + 1) await sleep(5)
      expect(JSON.parse(linesOf(output).at(-1)!)).toEqual({ txid })
      child.stdin!.write(`${hexes[9]!.slice(8)}\n`)
    }
    child.stdin!.end()
    expect((await closed)[0]).toBe(0)
    expect(linesOf(output).length).toBe(6)
  })

  test.each(['1', '3'])('cases that are large keep their order: --jobs %s', async (jobs) => {
    const input = Array.from({ length: 20_000 }, (_, index) => chain[index % chain.length]!)
    const { status, output, errors } = await piped(
      ['txid', '--lines', '--jobs', jobs],
      input.map(({ hex }) => `${hex}\r\n`).join(''),
    )
    expect({ status, errors }).toEqual({ status: 0, errors: '' })
    expect(output).toBe(input.map(({ txid }) => `{"txid":"${txid}"}\n`).join(''))
  })

  test('pipes of cases end with 1 when something speaks against one, on threads too', async () => {
    const input = [agrees, stolen, agrees]
    for (const jobs of ['1', '2']) {
      const { status, output } = await piped(
        ['verify', '--lines', '--jobs', jobs],
        input.join('\n'),
      )
      expect(status).toBe(1)
      expect(linesOf(output).map((line) => JSON.parse(line).ok)).toEqual([true, false, true])
    }
  })

  test('answer a malformed line in its place, and end with 2', async () => {
    const input = Buffer.concat([
      Buffer.from(`${agrees}\n`),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(`${agrees.slice(0, 100)}\n\n${stolen}\n`),
    ])
    const { status, output } = await piped(['verify', '--lines'], input)
    expect(status).toBe(2)
    const answers = linesOf(output).map((line) => JSON.parse(line))
    expect(answers.map(({ ok, error }) => ok ?? error.code)).toEqual([
      true,
      'text_mismatch',
      'malformed_case',
      'malformed_case',
      false,
    ])
    expect(answers[2].error).toMatchObject({ path: 'case', expected: 'JSON', offset: 100 })
  })

  testUnless(onWindows)('may be closed by who has read enough', async () => {
    for (const jobs of ['1', '2']) {
      const child = antaraTx(['txid', '--lines', '--jobs', jobs])
      const closed = once(child, 'close')
      let errors = ''
      child.stderr!.setEncoding('utf8').on('data', (text) => {
        errors += text
      })
      child.stdin!.on('error', () => undefined)
      child.stdout!.once('data', () => child.stdout!.destroy())
      // Without an end: it stops by itself, or never.
      let isOpen = true
      child.on('close', () => {
        isOpen = false
      })
      const some = `${hexes.join('\n')}\n`
      while (isOpen) {
        child.stdin!.write(some)
        await sleep(1)
      }
      // The lines that were not answered may be those that do not agree.
      expect({ status: (await closed)[0], errors }).toEqual({ status: 141, errors: '' })
    }
  })

  test('pipes without an engine end with 69, on threads too', async () => {
    for (const jobs of ['1', '2']) {
      const child = spawn(process.execPath, [main, 'txid', '--lines', '--jobs', jobs], {
        env: { ...env, ANTARA_TX_ADDON: `${root}nowhere.node`, ANTARA_TX_ENGINE: '' },
      })
      child.stdin.on('error', () => undefined)
      child.stdin.end(`${hexes[0]}\n`)
      const { status, output } = await outcomeOf(child)
      expect({ status, output }).toEqual({ status: 69, output: '' })
    }
  })
})

describe('--resume', () => {
  const input = `${folder}/input`
  const items = Array.from({ length: 60_000 }, (_, index) =>
    index % 1000 === 7 ? { hex: 'zz', txid: '' } : chain[index % chain.length]!,
  )
  writeFileSync(input, items.map(({ hex }) => `${hex}\n`).join(''))
  const isAnswered = (line: string, index: number) => {
    const answer = JSON.parse(line)
    return (answer.error?.code ?? answer.txid) === (items[index]!.txid || 'malformed_hex')
  }

  interface Attempt {
    readonly output: string
    readonly checkpoint: string
    readonly jobs?: string
  }

  function start({ output, checkpoint, jobs = '2' }: Attempt): ChildProcess {
    const out = openSync(output, 'a')
    const args = ['txid', '--lines', '--jobs', jobs, '--resume', checkpoint, input]
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', out, 'pipe'] })
    closeSync(out)
    return child
  }

  test('killed again and again, it answers every line once', async () => {
    const attempt = { output: `${folder}/killed`, checkpoint: `${folder}/killed.checkpoint` }
    let kills = 0
    for (let turn = 0; turn < 6; turn += 1) {
      const child = start(attempt)
      const closed = once(child, 'close')
      const size = existsSync(attempt.output) ? statSync(attempt.output).size : 0
      // In the middle of writing: as soon as more is there than was.
      while (child.exitCode === null && statSync(attempt.output).size <= size) await sleep(1)
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        kills += 1
      }
      await closed
    }
    expect(kills).toBeGreaterThan(0)
    const [status] = await once(start(attempt), 'close')
    expect(status).toBe(2)
    const lines = linesOf(readFileSync(attempt.output, 'utf8'))
    expect(lines.length).toBe(items.length)
    expect(lines.findIndex((line, index) => !isAnswered(line, index))).toBe(-1)
    const checkpoint = JSON.parse(readFileSync(attempt.checkpoint, 'utf8'))
    expect(checkpoint.tally).toEqual({ lines: items.length, findings: 0, malformed: 60, failed: 0 })
    expect(checkpoint.bytes).toBe(statSync(input).size)
  })

  test('refuses a second run on the same checkpoint while the first one runs', async () => {
    const [output, checkpoint] = [`${folder}/twice`, `${folder}/twice.checkpoint`]
    const args = ['txid', '--lines', '--resume', checkpoint]
    const first = antaraTx(args)
    const answered = outcomeOf(first)
    first.stdin!.write(`${hexes[0]}\n`)
    await once(first.stdout!, 'data')
    const second = await once(start({ output, checkpoint }), 'close')
    expect([second[0], readFileSync(output, 'utf8')]).toEqual([64, ''])
    const { errors } = await piped(args, hexes[0]!)
    expect(errors).toContain(`--resume: another run is using ${checkpoint}; wait until it ends`)
    first.stdin!.end(`${hexes[1]}\n`)
    const both = chain.slice(0, 2).map(({ txid }) => `{"txid":"${txid}"}\n`)
    expect(await answered).toMatchObject({ status: 0, output: both.join('') })
    const again = await piped(args, `${hexes.slice(0, 3).join('\n')}\n`)
    expect(again).toMatchObject({ status: 0, output: `{"txid":"${chain[2]!.txid}"}\n` })
  })

  test('opens no file of another user through a link in the place of its lock', async () => {
    const checkpoint = `${folder}/linked.checkpoint`
    const target = `${folder}/linked.target`
    writeFileSync(target, 'precious')
    symlinkSync(target, `${checkpoint}.lock`)
    const { status, output, errors } = await piped(
      ['txid', '--lines', '--resume', checkpoint],
      hexes[0]!,
    )
    expect([status, output]).toEqual([64, ''])
    expect(errors).toContain(`--resume: cannot write ${checkpoint}.lock: ELOOP`)
    expect(readFileSync(target, 'utf8')).toBe('precious')
  })

  test('goes on with what was added since, and refuses another input, job or output', async () => {
    const grown = `${folder}/grown`
    const checkpoint = `${folder}/grown.checkpoint`
    writeFileSync(grown, `${hexes[0]}\n${hexes[1]}\n`)
    const args = ['txid', '--lines', '--resume', checkpoint]
    expect(linesOf((await piped([...args, grown], '')).output).length).toBe(2)
    writeFileSync(grown, `${hexes[2]}\n`, { flag: 'a' })
    const third = { status: 0, output: `{"txid":"${chain[2]!.txid}"}\n`, errors: '' }
    expect(await piped([...args, grown], '')).toEqual(third)
    expect((await piped([...args, grown], '')).output).toBe('')
    const fromPipe = `${hexes.slice(0, 3).join('\n')}\nzz\n`
    expect((await piped(args, fromPipe)).output).toMatch(/^\{"error":\{"code":"malformed_hex"/)
    const other = await piped([...args, input], '')
    expect(other.status).toBe(64)
    expect(other.errors).toContain('another input')
    // A version of November 2026 hashed only the first 4096 bytes of the input.
    const early = JSON.parse(readFileSync(checkpoint, 'utf8'))
    const earlyFile = `${folder}/early.checkpoint`
    writeFileSync(earlyFile, JSON.stringify({ ...early, head: { ...early.head, bytes: 1 } }))
    const continued = await piped(['txid', '--lines', '--resume', earlyFile, grown], '')
    expect([continued.status, continued.output]).toEqual([64, ''])
    expect(continued.errors).toContain('an early version wrote it; begin again with another FILE')
    const shorter = await piped(args, `${hexes[0]}\n`)
    expect([shorter.status, shorter.output]).toEqual([64, ''])
    expect(shorter.errors).toContain('another input')
    const otherJob = await piped(['decode', '--lines', '--resume', checkpoint, grown], '')
    expect(otherJob.status).toBe(64)
    expect(otherJob.errors).toContain('another run')
    writeFileSync(checkpoint, '{}')
    expect((await piped([...args, grown], '')).status).toBe(64)
    const lost = { output: `${folder}/lost`, checkpoint: `${folder}/lost.checkpoint` }
    await once(start(lost), 'close')
    rmSync(lost.output)
    expect(await once(start(lost), 'close')).toEqual([64, null])
  })

  test('refuses an input of which an answered line was changed, wherever it is', async () => {
    const changed = `${folder}/changed`
    const args = ['txid', '--lines', '--resume', `${folder}/changed.checkpoint`, changed]
    const lines = items.slice(0, 100).map(({ hex }) => hex)
    const write = () => writeFileSync(changed, lines.map((hex) => `${hex}\n`).join(''))
    write()
    expect((await piped(args, '')).status).toBe(2)
    lines.push(hexes[2]!)
    write()
    expect((await piped(args, '')).output).toBe(`{"txid":"${chain[2]!.txid}"}\n`)
    lines[90] = lines[90]!.toUpperCase()
    lines.push(hexes[2]!)
    write()
    const { status, output, errors } = await piped(args, '')
    expect([status, output]).toEqual([64, ''])
    expect(errors).toContain('another input')
  })

  test('says that a line has become longer which had no line end when it was answered', async () => {
    const growing = `${folder}/growing`
    const args = ['txid', '--lines', '--resume', `${folder}/growing.checkpoint`, growing]
    const [whole, half] = [`${hexes[0]}\n`, hexes[1]!.slice(0, 20)]
    writeFileSync(growing, `${whole}${half}`)
    expect((await piped(args, '')).status).toBe(2)
    // As long as nothing is added, the answer is right.
    expect((await piped(args, '')).output).toBe('')
    writeFileSync(growing, `${whole}${hexes[1]}\n`)
    const { status, output, errors } = await piped(args, '')
    expect([status, output]).toEqual([64, ''])
    expect(errors).toContain('the last answered line had no line end, and has become longer since')
    expect(errors).not.toContain('another input')
  })

  test('a refused --resume takes nothing back of the output', async () => {
    const [checkpoint, one, two] = ['kept.checkpoint', 'kept.one', 'kept.two'].map(
      (name) => `${folder}/${name}`,
    )
    writeFileSync(one!, `${hexes[0]}\n`)
    writeFileSync(two!, `${hexes[1]}\n`)
    const into = async (output: string, path: string) => {
      const out = openSync(output, 'a')
      const args = ['txid', '--lines', '--resume', checkpoint!, path]
      const stdio = ['ignore', out, 'pipe'] as const
      const child = spawn(process.execPath, [main, ...args], { env, stdio: [...stdio] })
      closeSync(out)
      return outcomeOf(child)
    }
    const answers = `${folder}/kept.answers`
    expect((await into(answers, one!)).status).toBe(0)
    const foreign = `${folder}/kept.foreign`
    const words = 'important\n'.repeat(500)
    writeFileSync(foreign, words)
    const otherInput = await into(foreign, two!)
    expect([otherInput.status, readFileSync(foreign, 'utf8')]).toEqual([64, words])
    expect(otherInput.errors).toContain('another input')
    writeFileSync(answers, 'half a line', { flag: 'a' })
    expect((await into(answers, one!)).status).toBe(0)
    expect(readFileSync(answers, 'utf8')).toBe(`{"txid":"${chain[0]!.txid}"}\n`)
    // Only Linux tells which file the output is.
    if (process.platform === 'linux') {
      const otherOutput = await into(foreign, one!)
      expect([otherOutput.status, readFileSync(foreign, 'utf8')]).toEqual([64, words])
      expect(otherOutput.errors).toContain('the output is not the file')
    }
  })
})

describe('options', () => {
  test.each([
    [['txid', '--lines', '--jobs', '0', '-'], '--jobs: expected a number from 1 to 256'],
    [['txid', '--lines', '--jobs', 'all', '-'], '--jobs: expected a number from 1 to 256'],
    [['txid', '--jobs', '2', hexes[0]!], '--jobs needs --lines'],
    [['verify', '--resume', 'x', '-'], '--resume needs --lines'],
    [['decode', '--lines', '--daemon', '-'], '--lines cannot be combined with --daemon'],
    [['condition', '--lines', '-'], 'expected decode, encode or uri'],
    [['txid', '--lines', 'no-such-file'], 'no such file: no-such-file'],
    [['txid', '--lines', '--resume', root, '-'], 'EISDIR'],
    [['txid', '--lines', '--resume', 'no/such/folder', '-'], '--resume: cannot write no/such/fold'],
    [['decode', '--lines', '--legacy', '-'], '--legacy needs --json'],
    [['decode', '--legacy', hexes[0]!], '--legacy needs --json'],
  ])('%j', async (args, message) => {
    const { status, output, errors } = await runCommand(args, '')
    expect({ status, output }).toEqual({ status: 64, output: '' })
    expect(errors).toContain(message)
  })
})

describe('blocks', () => {
  const collect = async (
    chunks: Uint8Array[],
    isHungry: () => boolean,
    onBytes: (bytes: Uint8Array) => void = () => undefined,
  ) => {
    const source = (async function* () {
      yield* chunks
    })()
    const blocks = []
    for await (const block of readBlocks(source, isHungry, { onBytes })) blocks.push(block)
    return blocks
  }

  test('are whole lines, and together what came in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 12 }).map((it) => it.map((byte) => byte % 12))),
        fc.boolean(),
        async (chunks, isHungry) => {
          const blocks = await collect(chunks, () => isHungry)
          expect(Buffer.concat(blocks.map(({ bytes }) => bytes))).toEqual(Buffer.concat(chunks))
          expect(blocks.slice(0, -1).every(({ bytes }) => bytes.at(-1) === 0x0a)).toBe(true)
          expect(blocks.every(({ bytes, inputBytes }) => bytes.length === inputBytes)).toBe(true)
        },
      ),
    )
  })

  test('hold no line that is too long, and count its bytes', async () => {
    const part = new Uint8Array(1 << 20).fill(0x30)
    const before = Buffer.from('00\n')
    const after = Buffer.from('00\n11\n12')
    const source = [before, ...Array.from({ length: 65 }, () => part), after]
    let hashed = 0
    const onBytes = (bytes: Uint8Array) => {
      hashed += bytes.length
    }
    const blocks = await collect(source, () => true, onBytes)
    expect(hashed).toBe(Buffer.concat(source).length)
    expect(blocks.map(({ isOverlong }) => isOverlong)).toEqual([false, true, false, false])
    expect(blocks.map(({ inputBytes }) => inputBytes)).toEqual([3, 65 * (1 << 20) + 3, 3, 2])
    const cut = await collect(source.slice(0, -1), () => true)
    expect(cut.at(-1)).toMatchObject({ isOverlong: true, inputBytes: 65 << 20 })
  })
})

test.each([
  ['a case file', readFileSync(`${root}examples/transfer.json`, 'utf8'), true],
  ['a case file with Windows line ends', '{\r\n  "operation": "payment"\r\n}\r\n', true],
  ['cases on lines', `${agrees}\n`, false],
  ['a malformed line before a case', `{\n${agrees}\n`, false],
])('%s is named as a text over several lines, if it is one', async (_, text, isNamed) => {
  const path = join(folder, 'indented.json')
  writeFileSync(path, text)
  const { errors } = await runCommand(['verify', '--lines', path])
  expect(errors.includes('is one JSON text over several lines')).toBe(isNamed)
  expect(errors.includes('jq -c . FILE')).toBe(isNamed)
})

test('a line that is too long is refused unread, and the next one answered', async () => {
  const { status, output } = await piped(
    ['txid', '--lines'],
    `${'0'.repeat((1 << 26) + 10)}\n${hexes[0]}\n`,
  )
  expect(status).toBe(2)
  const [long, next] = linesOf(output).map((line) => JSON.parse(line))
  expect(long.error.code).toBe('size_out_of_range')
  expect(next).toEqual({ txid: chain[0]!.txid })
})

describe('progress', () => {
  const tally = { lines: 12_345, findings: 2, malformed: 1, failed: 0 }
  const progress = { tally, linesNow: 10_000, bytesNow: 1000, bytes: 2000, seconds: 4 }

  test('says how much, how fast, what was found and how long it takes', () => {
    expect(progressLine({ ...progress, bytesTotal: 8000 })).toBe(
      '[======                  ] 25 % 12,345 lines, 2,500/s, 2 with findings, 1 malformed, 0:24 left',
    )
    expect(progressLine({ ...progress, bytesTotal: 3_602_000 })).toMatch(/, 4:00:00 left$/)
    expect(
      progressLine({ ...progress, tally: { lines: 1, findings: 0, malformed: 0, failed: 0 } }),
    ).toBe('1 line, 2,500/s')
    expect(summaryLine(progress)).toBe(
      '12,345 lines in 4.0 s, 2,500/s, 2 with findings, 1 malformed',
    )
    expect(summaryLine({ ...progress, tally: { ...tally, failed: 3 } })).toMatch(
      /, 1 malformed, 3 failed$/,
    )
  })

  testUnless(!existsSync('/usr/bin/script') && 'the program script is not installed')(
    'is shown on a terminal, and nowhere else',
    async () => {
      const input = `${folder}/shown`
      writeFileSync(input, `${hexes[0]}\n`)
      const line = `'${process.execPath}' '${main}' txid --lines '${input}' > '${folder}/shown.out'`
      const shown = spawn('script', ['-qec', line, '/dev/null'], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const { status, output } = await outcomeOf(shown)
      expect(status).toBe(0)
      expect(output).toMatch(/\r\u001b\[K1 line in \d+\.\d s, \d+\/s\r?\n$/)
      expect(readFileSync(`${folder}/shown.out`, 'utf8')).toBe(`{"txid":"${chain[0]!.txid}"}\n`)
    },
  )
})

test('memory does not grow with the number of lines', async () => {
  /** The most memory that a run held at any time, as the kernel counts it. */
  const peakOf = async (lines: number) => {
    const file = `${folder}/memory`
    const text = `${hexes[9]}\n`
    const out = openSync(file, 'w')
    for (let done = 0; done < lines; done += 10_000) writeFileSync(out, text.repeat(10_000))
    closeSync(out)
    const atEnd = 'process.on("exit", () => process._rawDebug(process.resourceUsage().maxRSS))'
    const answers = openSync(`${folder}/memory.out`, 'w')
    const child = spawn(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(atEnd)}`,
        main,
        'txid',
        '--lines',
        file,
      ],
      { env, stdio: ['ignore', answers, 'pipe'] },
    )
    closeSync(answers)
    const { status, errors } = await outcomeOf(child)
    expect({ status, kib: Number(errors) > 0 }).toEqual({ status: 0, kib: true })
    return { bytes: statSync(`${folder}/memory.out`).size, kib: Number(errors) }
  }
  const few = await peakOf(20_000)
  const many = await peakOf(400_000)
  expect(many.bytes).toBe(20 * few.bytes)
  // The command writes some 30 MB and reads more: it keeps none of it.
  expect(many.bytes).toBeGreaterThan(30e6)
  expect(many.kib - few.kib).toBeLessThan(24 << 10)
})
