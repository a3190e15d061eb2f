import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { answererOf } from '../../src/cli/lines/answerers.ts'
import { answerBlock, reusedRoom } from '../../src/cli/lines/block.ts'
import { type CoreForm, coreFormOf, type LineJob } from '../../src/cli/lines/job.ts'
import { decodeTransaction, isAntaraError } from '../../src/index.ts'
import { withoutStackTraces } from '../support/refusal.ts'
import { share } from '../support/share.ts'
import { chain, readVectors } from '../support/vectors.ts'

withoutStackTraces()

// Two ways answer lines of hex: the native core, and objects in JavaScript. docs/adr/0042 lists the
// lines for which their answers could differ.

const jobs: readonly (readonly [CoreForm, LineJob])[] = [
  ['txid', { command: 'txid' }],
  ['fields', { command: 'decode', form: 'fields', network: 'assetChain' }],
]

const real = readVectors<{ transactions: { hex: string }[] }>('real/transactions.json')
const hexes = [...chain, ...real.transactions].map(({ hex }) => hex)
const shielded = hexes.find((hex) => {
  try {
    const { joinSplits, shieldedOutputs } = decodeTransaction(hex)
    return joinSplits.length + shieldedOutputs.length > 0
  } catch (error) {
    if (!isAntaraError(error)) throw error
    return false
  }
})!
const [plain] = hexes
const quoted = (hex: string) => `"${hex}"`
const escaped = `"\\u0030${plain!.slice(1)}"`

/** Lines as bytes, because not all are UTF-8. */
const hostile: readonly Buffer[] = [
  '',
  ' ',
  '"',
  '""',
  '0',
  'zz',
  '00',
  'null',
  plain!.slice(0, -2),
  `${plain}00`,
  `${plain}\0`,
  `\0${plain}`,
  `${plain} ${plain}`,
  `${plain}\r`,
  `\t ${plain}\v\f\r`,
  plain!.toUpperCase(),
  quoted(plain!),
  quoted(` ${plain}`),
  quoted(plain!.slice(1)),
  `"${plain}`,
  escaped,
  `\ufeff${plain}`,
  `${plain}\u00a0`,
  `\u2028${plain}`,
  plain!.replace('0', '\u0131'),
  plain!.replace('0', '\u{1d7d8}'),
  '00'.repeat(300_000),
].map((line) => Buffer.from(line))
const notUtf8 = [
  Buffer.from([0xff]),
  Buffer.from(`${plain}\xff`, 'latin1'),
  Buffer.from([0xed, 0xa0]),
]

function block(lines: readonly Uint8Array[], end: string) {
  const joined = lines.flatMap((line, index) => [
    line,
    Buffer.from(index === lines.length - 1 ? end : '\n'),
  ])
  const bytes = new Uint8Array(Buffer.concat(joined))
  return { bytes, inputBytes: bytes.length, isOverlong: false }
}

async function expectSame(form: CoreForm, job: LineJob, given: ReturnType<typeof block>) {
  const answer = await answererOf(job)
  const core = answerBlock(given, answer, { coreForm: form, room: reusedRoom() })
  const objects = answerBlock(given, answer)
  expect(Buffer.from(core.output).toString()).toBe(Buffer.from(objects.output).toString())
  expect(core.tally).toEqual(objects.tally)
}

describe.each(jobs)('%s', (form, job) => {
  test('answers every recorded transaction as objects do', async () => {
    expect(coreFormOf(job)).toEqual({ coreForm: form })
    await expectSame(
      form,
      job,
      block(
        hexes.map((hex) => Buffer.from(hex)),
        '\n',
      ),
    )
  })

  test.each(['\n', '', '\r\n'])(
    'answers each hostile line as objects do, with the end %j',
    async (end) => {
      for (const line of [...hostile, ...notUtf8]) {
        await expectSame(form, job, block([Buffer.from(plain!), line], end))
      }
    },
  )

  test('answers any mixture of lines as objects do', async () => {
    const line = fc.oneof(
      fc.constantFrom(...[...hexes, shielded].map((hex) => Buffer.from(hex))),
      fc.constantFrom(...hostile.slice(0, -1), ...notUtf8),
      fc
        .uint8Array({ maxLength: 40 })
        .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10))),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 60 }),
        fc.constantFrom('', '\n', '\r\n'),
        (lines, end) => expectSame(form, job, block(lines, end)),
      ),
      { numRuns: share(100, 25) },
    )
  })

  test('answers more malformed lines than the words of a call have room for', async () => {
    await expectSame(form, job, block(Array<Buffer>(20_000).fill(Buffer.from('z')), '\n'))
  })

  test('answers a block that is too large for the core', async () => {
    const long = Buffer.from('00'.repeat(2_100_000))
    await expectSame(form, job, block([long, Buffer.from(plain!)], '\n'))
  })
})
