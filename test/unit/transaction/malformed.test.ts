import { describe, expect, test } from 'vitest'

import { words } from '../../../src/engine/call.ts'
import {
  decodeRawTransaction,
  decodeTransaction,
  decodeTransactions,
  encodeTransaction,
  isAntaraError,
  transactionId,
  transactionIds,
} from '../../../src/index.ts'
import { disagreement } from '../../support/differential.ts'
import { refusalOf, withoutStackTraces } from '../../support/refusal.ts'
import { isQuick, placesOf, shareOf } from '../../support/share.ts'
import { chain, readVectors } from '../../support/vectors.ts'
import { readByOracle } from '../../support/wire-oracle.ts'

withoutStackTraces()

// The families of malformed transactions that a decoder of wire bytes owes an answer to. The code
// and the offset of each are written by hand.

const input = `${'11'.repeat(32)}0000000000ffffffff`
const output = 'e80300000000000000'
const version1 = (inputs: string, outputs: string) => `01000000${inputs}${outputs}00000000`
const minimal = version1(`01${input}`, `01${output}`)
/** Version 4 up to its value balance: the count of shielded spends follows, at byte 26. */
const version4 = `0400008085202f890000${'00'.repeat(16)}`

/** CompactSize, shortest form, up to four bytes. */
function compactSize(value: number): string {
  const bytes = Buffer.alloc(5)
  if (value < 0xfd) return Buffer.of(value).toString('hex')
  const isShort = value <= 0xffff
  bytes[0] = isShort ? 0xfd : 0xfe
  bytes.writeUInt32LE(value, 1)
  return bytes.subarray(0, isShort ? 3 : 5).toString('hex')
}

function expectRefused(hex: string, code: string, offset: number): void {
  for (const decode of [decodeTransaction, transactionId, decodeRawTransaction]) {
    if (decode === decodeRawTransaction && /trailing|segwit/.test(code)) continue
    expect(refusalOf(() => decode(hex))).toEqual({ code, offset })
    expect(refusalOf(() => decode(Buffer.from(hex, 'hex')))).toEqual({ code, offset })
  }
  for (const decodeBatch of [decodeTransactions, transactionIds]) {
    const path = 'sources[1]'
    expect(refusalOf(() => decodeBatch([minimal, hex, '']))).toEqual({ code, offset, path })
  }
}

interface Case {
  name: string
  hex: string
  code: string
  offset: number
}

function refuses(cases: readonly Case[]): void {
  test.each(cases)('$name: $code at $offset', ({ hex, code, offset }) => {
    expectRefused(hex, code, offset)
  })
}

describe('sizes', () => {
  const places = [
    { name: 'inputs', before: '01000000', after: `${input}0000000000` },
    { name: 'scriptSig', before: `0100000001${'11'.repeat(36)}`, after: '51ffffffff0000000000' },
    { name: 'outputs', before: `0100000001${input}`, after: `${output}00000000` },
    { name: 'script', before: `0100000001${input}01e803000000000000`, after: '5100000000' },
    { name: 'spends', before: version4, after: `${'22'.repeat(384)}0000${'33'.repeat(64)}` },
    {
      name: 'shielded outputs',
      before: `${version4}00`,
      after: `${'22'.repeat(948)}00${'33'.repeat(64)}`,
    },
    { name: 'JoinSplits', before: `${version4}0000`, after: '22'.repeat(1698 + 96) },
  ]
  const forms = [
    { form: 'fd0100', code: 'non_canonical_length' },
    { form: 'fdfc00', code: 'non_canonical_length' },
    { form: 'fe01000000', code: 'non_canonical_length' },
    { form: 'feffff0000', code: 'non_canonical_length' },
    { form: 'ff0100000000000000', code: 'non_canonical_length' },
    { form: 'ffffffffff00000000', code: 'non_canonical_length' },
    { form: 'fe01000002', code: 'length_over_limit' },
    { form: 'feffffffff', code: 'length_over_limit' },
    { form: 'ff0000000001000000', code: 'length_over_limit' },
    { form: 'ffffffffffffffffff', code: 'length_over_limit' },
  ]

  test.each(places)('accepts right sizes of $name', ({ before, after }) => {
    expect(encodeTransaction(decodeTransaction(`${before}01${after}`))).toBe(`${before}01${after}`)
  })

  describe.each(forms)('spelled $form', ({ form, code }) => {
    refuses(
      places.map(({ name, before, after }) => ({
        name,
        hex: before + form + after,
        code,
        offset: before.length / 2,
      })),
    )
  })
})

describe('counts that no input can hold', () => {
  const hostile = [
    { name: '2^32 - 1 inputs', count: 'feffffffff', code: 'length_over_limit' },
    { name: '2^64 - 1 inputs', count: 'ffffffffffffffffff', code: 'length_over_limit' },
    { name: '2^25 inputs, the most there may be', count: 'fe00000002', code: 'count_over_input' },
    { name: 'one input too many', count: '02', code: 'count_over_input' },
  ]
  refuses([
    ...hostile.map(({ name, count, code }) => ({
      name,
      hex: `01000000${count}${'00'.repeat(50)}`,
      code,
      offset: 4,
    })),
    {
      name: '2^25 outputs',
      hex: `0100000000fe00000002${'00'.repeat(50)}`,
      code: 'count_over_input',
      offset: 5,
    },
    // Counts whose product with the element size is small again in 32 bits.
    ...[384, 948, 1698].map((bytes, index) => ({
      name: `2^32 / ${bytes} elements of ${bytes} bytes`,
      hex: `${version4}${'00'.repeat(index)}${compactSize(Math.ceil(2 ** 32 / bytes))}${'00'.repeat(4000)}`,
      code: 'count_over_input',
      offset: 26 + index,
    })),
    {
      name: '2^32 / 1802 JoinSplits of version 2',
      hex: `02000000000000000000${compactSize(Math.ceil(2 ** 32 / 1802))}${'00'.repeat(4000)}`,
      code: 'count_over_input',
      offset: 10,
    },
  ])

  test('grow nothing, whatever they are', () => {
    const before = words.length
    for (const { count, code } of hostile) {
      expectRefused(`01000000${count}${'00'.repeat(50)}`, code, 4)
    }
    expect(words.length).toBe(before)
  })
})

describe('scripts', () => {
  refuses([
    {
      name: 'a scriptSig beyond the end',
      hex: `0100000001${'11'.repeat(36)}fd000151ffffffff`,
      code: 'truncated',
      offset: 44,
    },
    {
      name: 'a script one byte short',
      hex: `0100000001${input}01e803000000000000065151515151`,
      code: 'truncated',
      offset: 56,
    },
  ])

  test('longer than any that can be run are data like others', () => {
    const script = '00'.repeat(10_001)
    const hex = version1(`01${input}`, `01e803000000000000${compactSize(10_001)}${script}`)
    expect(decodeTransaction(hex).outputs[0]!.script).toBe(script)
  })
})

describe('lists that are empty', () => {
  test('are not a fault of the encoding', () => {
    expect(decodeTransaction(version1('00', `01${output}`)).inputs).toEqual([])
    expect(decodeTransaction(version1(`01${input}`, '00')).outputs).toEqual([])
    expect(decodeTransaction(version1('00', '00'))).toMatchObject({ inputs: [], outputs: [] })
  })
})

describe('transactions with witnesses', () => {
  const witnessed = (witness: string) => `010000000001${`01${input}01${output}`}${witness}00000000`
  refuses([
    { name: 'a witness', hex: witnessed('0102aaaa'), code: 'segwit_unsupported', offset: 4 },
    { name: 'an empty witness', hex: witnessed('00'), code: 'segwit_unsupported', offset: 4 },
    {
      name: 'a witness of 2^32 - 1 items',
      hex: witnessed('feffffffff'),
      code: 'segwit_unsupported',
      offset: 4,
    },
    {
      name: 'a witness item of 2^32 - 1 bytes',
      hex: witnessed('01feffffff'),
      code: 'segwit_unsupported',
      offset: 4,
    },
    {
      name: 'the marker and nothing',
      hex: '01000000000100',
      code: 'segwit_unsupported',
      offset: 4,
    },
  ])

  test('are distinguished from no inputs and one output, which looks the same', () => {
    expect(decodeTransaction(version1('00', `01${output}`)).outputs.length).toBe(1)
  })
})

describe('versions', () => {
  refuses(
    [
      ['negative', 'ffffffff85202f89'],
      ['5 with its group id', '050000800a27a726'],
      ['5 with the group id of 4', '0500008085202f89'],
      ['4 with the group id of 3', '040000807082c403'],
      ['3 with the group id of 4', '0300008085202f89'],
      ['4 with the group id reversed', '04000080892f2085'],
      ['2, overwintered', '0200008000000000'],
      ['0, overwintered', '0000008000000000'],
    ].map(([name, header]) => ({
      name: name!,
      hex: `${header}0000${'00'.repeat(19)}`,
      code: 'unknown_transaction_format',
      offset: 0,
    })),
  )

  test('versions without the flag are read whatever their number', () => {
    expect(decodeTransaction(`00000000${'00'.repeat(6)}`).version).toBe(0)
    expect(decodeTransaction(`ffffff7f${'00'.repeat(7)}`).version).toBe(2 ** 31 - 1)
  })
})

describe('JoinSplits and shielded parts', () => {
  const phgr = `${'00'.repeat(304)}${['02', '03', '0a', '02', '02', '03', '02', '02']
    .map((lead) => lead + '55'.repeat(lead === '0a' ? 64 : 32))
    .join('')}${'66'.repeat(1202)}`
  const keyAndSignature = '77'.repeat(96)
  const version2 = (joinSplits: string) => `02000000000000000000${joinSplits}`

  refuses([
    {
      name: 'version 4 with a JoinSplit of version 2',
      hex: `${version4}000001${phgr}${keyAndSignature}`,
      code: 'trailing_bytes',
      offset: 29 + 1698 + 96,
    },
    {
      name: 'version 2 with a JoinSplit of version 4',
      hex: version2(`01${'00'.repeat(1698)}${keyAndSignature}`),
      code: 'count_over_input',
      offset: 10,
    },
    {
      name: 'a proof whose second point starts impossibly',
      hex: version2(`01${phgr.replace('03', '04')}${keyAndSignature}`),
      code: 'malformed_proof',
      offset: 11 + 304 + 33,
    },
    {
      name: 'a JoinSplit without key and signature',
      hex: version2(`01${phgr}`),
      code: 'truncated',
      offset: 11 + 1802,
    },
    {
      name: 'a JoinSplit with half a signature',
      hex: version2(`01${phgr}${'77'.repeat(64)}`),
      code: 'truncated',
      offset: 11 + 1802 + 32,
    },
    {
      name: 'key and signature without a JoinSplit',
      hex: version2(`00${keyAndSignature}`),
      code: 'trailing_bytes',
      offset: 11,
    },
    {
      name: 'a spend without the binding signature',
      hex: `${version4}01${'22'.repeat(384)}0000`,
      code: 'truncated',
      offset: 29 + 384,
    },
    {
      name: 'the binding signature without a spend',
      hex: `${version4}000000${'99'.repeat(64)}`,
      code: 'trailing_bytes',
      offset: 29,
    },
  ])

  test('valid JoinSplits and shielded parts are accepted', () => {
    const hex = version2(`01${phgr}${keyAndSignature}`)
    expect(decodeTransaction(hex).joinSplits.length).toBe(1)
  })
})

describe('numbers at their limits', () => {
  const values = [
    ['ffffffffffffffff', -1n],
    ['0000000000000080', -(2n ** 63n)],
    ['ffffffffffffff7f', 2n ** 63n - 1n],
    ['0100c16ff2862300', 10_000_000_000_000_001n],
    ['0100000000002000', 2n ** 53n + 1n],
  ] as const

  test.each(values)('the value %s is %d', (wire, value) => {
    const hex = version1('00', `01${wire}00`)
    expect(decodeTransaction(hex).outputs[0]!.value).toBe(value)
    expect(encodeTransaction(decodeTransaction(hex))).toBe(hex)
  })

  test('are kept in lock time, expiry, sequence and index', () => {
    const [most, sequence] = ['ffffffff', `${'11'.repeat(32)}ffffffff00fffffffe`]
    const hex = `0400008085202f8901${sequence}00${most}${most}${'ff'.repeat(8)}000000`
    expect(decodeTransaction(hex)).toMatchObject({
      inputs: [{ vout: 2 ** 32 - 1, sequence: 0xfeffffff }],
      lockTime: 2 ** 32 - 1,
      expiryHeight: 2 ** 32 - 1,
      valueBalance: -1n,
    })
  })

  test('do not make two equal inputs malformed: that is for a validator', () => {
    const { inputs } = decodeTransaction(version1(`02${input}${input}`, '00'))
    expect(inputs[0]).toEqual(inputs[1])
  })

  test('a transaction of 64 bytes, which could pose as a node of a merkle tree, is one', () => {
    const hex = version1(`01${input}`, '01e8030000000000000451515151')
    expect(hex.length / 2).toBe(64)
    expect(encodeTransaction(decodeTransaction(hex))).toBe(hex)
  })
})

describe('input of the size of a block', () => {
  const scriptBytes = 4_000_000 - 23
  const largest = version1(
    '00',
    `01${'00'.repeat(8)}${compactSize(scriptBytes)}${'51'.repeat(scriptBytes)}`,
  )

  test('is decoded, from text and from bytes', () => {
    expect(largest.length / 2).toBe(4_000_000)
    expect(decodeTransaction(largest).outputs[0]!.script.length / 2).toBe(scriptBytes)
    const raw = Buffer.from(largest, 'hex')
    expect(decodeTransaction(raw).txid).toBe(transactionId(largest))
  })

  test('is refused one byte later, before any of it is read', () => {
    const tooLong = { code: 'input_over_limit', offset: 4_000_000 }
    expect(refusalOf(() => decodeTransaction(`${largest}00`))).toEqual(tooLong)
    expect(refusalOf(() => decodeTransaction(`${'zz'.repeat(4_000_001)}`))).toEqual(tooLong)
    expect(refusalOf(() => decodeTransaction(new Uint8Array(4_000_001)))).toEqual(tooLong)
    expect(refusalOf(() => decodeTransactions([`${largest}00`]))).toMatchObject(tooLong)
  })

  test('is not encoded either', () => {
    // Outputs of 9 bytes, or of 100 in a quick run, beside 14 or 12 bytes of the transaction.
    const [script, count] = isQuick ? ['51'.repeat(91), 40_000] : ['', 444_444]
    const outputs = Array.from({ length: count }, () => ({ value: 0n, script }))
    const fields = { version: 1, overwintered: false, inputs: [], outputs, lockTime: 0 }
    expect(refusalOf(() => encodeTransaction(fields))).toEqual({ code: 'input_over_limit' })
    const fitting = encodeTransaction({ ...fields, outputs: outputs.slice(2) })
    expect(decodeTransaction(fitting).outputs.length).toBe(count - 2)
  })
})

describe('text that is not hex', () => {
  const digits = minimal.slice(0, 60)
  test.each([
    { name: 'nothing', text: '', code: 'empty_input', offset: 0 },
    { name: 'one digit', text: '0', code: 'odd_length_hex', offset: 0 },
    { name: 'half a byte too much', text: `${minimal}0`, code: 'odd_length_hex', offset: 60 },
    { name: 'a prefix', text: `0x${minimal}`, code: 'malformed_hex', offset: 0 },
    { name: 'a space', text: `${digits} ${minimal}0`, code: 'malformed_hex', offset: 30 },
    { name: 'a line break', text: `${minimal}\n`, code: 'odd_length_hex', offset: 60 },
    { name: 'two line breaks', text: `${minimal}\r\n`, code: 'malformed_hex', offset: 60 },
    { name: 'NUL', text: `${digits}\0${minimal}0`, code: 'malformed_hex', offset: 30 },
    { name: 'a letter beyond f', text: `${digits}0g`, code: 'malformed_hex', offset: 30 },
    { name: 'an emoji', text: `${digits}\u{1f9ff}`, code: 'malformed_hex', offset: 30 },
    { name: 'a lone surrogate', text: `${digits}\ud83d0`, code: 'malformed_hex', offset: 30 },
    { name: 'a digit of full width', text: `\uff10${minimal}`, code: 'malformed_hex', offset: 0 },
    {
      name: 'a letter whose low byte is a digit',
      text: `${digits}\u0130\u0131`,
      code: 'malformed_hex',
      offset: 30,
    },
    {
      name: 'a wide letter behind another fault',
      text: `zz${digits}\u0130`,
      code: 'malformed_hex',
      offset: 0,
    },
    { name: 'an error message', text: 'TX decode failed', code: 'malformed_hex', offset: 0 },
  ])('$name: $code at $offset', ({ text, code, offset }) => {
    expect(refusalOf(() => decodeTransaction(text))).toEqual({ code, offset })
    expect(refusalOf(() => transactionId(text))).toEqual({ code, offset })
    expect(refusalOf(() => decodeTransactions([minimal, text]))).toEqual({
      code,
      offset,
      path: 'sources[1]',
    })
  })

  test('is refused at every place of a long text, by every block of it', () => {
    const hex = chain.find(({ hex }) => hex.length > 400)!.hex
    const wrong: object[] = []
    for (let position = 0; position < hex.length; position += 1) {
      for (const bad of shareOf(['/', ':', '@', 'G', '`', 'g', '\x80', '\xff', '\u0141'])) {
        const text = hex.slice(0, position) + bad + hex.slice(position + 1)
        const error = refusalOf(() => decodeTransaction(text))
        if (error.code !== 'malformed_hex' || error.offset !== position >> 1) {
          wrong.push({ bad, position, error })
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('upper case is hex, and comes back in lower case', () => {
    const { hex, txid } = chain[20]!
    const mixed = hex.replace(/[a-f]/g, (digit, at) => (at % 3 ? digit : digit.toUpperCase()))
    expect(mixed).not.toBe(hex)
    for (const text of [hex.toUpperCase(), mixed]) {
      expect(decodeTransaction(text).txid).toBe(txid)
      expect(encodeTransaction(decodeTransaction(text))).toBe(hex)
      expect(decodeTransactions([hex, text])[1]).toEqual(decodeTransaction(hex))
    }
  })
})

// Every truncation, and every change of one byte, of transactions that somebody really made or, for
// shielded parts, that the daemon's authors did. The oracle says what each must come to.

const byTxid = new Map(chain.map(({ txid, hex }) => [txid, hex]))
const { txids } = readVectors<{ txids: Record<string, string> }>('komodod/keys.json')
const signed = readVectors<{ rows: [hex: string][] }>('signing/komodo-sighash.json').rows

/** The smallest that the daemon's authors made with the parts that are asked for. */
function smallestWith(prefix: string, joinSplits: boolean, shielded: boolean): string {
  return signed
    .map(([hex]) => hex)
    .filter((hex) => hex.startsWith(prefix))
    .filter((hex) => {
      const outcome = readByOracle(Buffer.from(hex, 'hex'))
      if (!('tx' in outcome)) return false
      const { joinSplitSig, bindingSig } = outcome.tx
      return (joinSplitSig !== undefined) === joinSplits && (bindingSig !== undefined) === shielded
    })
    .reduce((smallest, hex) => (hex.length < smallest.length ? hex : smallest))
}

/** Every other value of every byte is tried on these. */
const exhaustive = {
  coinbase: chain[0]!.hex,
  'token transfer': byTxid.get(txids.transfer_partial!)!,
  'version 1': readVectors<{ transactions: { hex: string }[] }>('docs/raw-transactions.json')
    .transactions[0]!.hex,
}
const sampled = {
  'token create': byTxid.get(txids.fungible!)!,
  'NFT create': byTxid.get(txids.nft_ok_f1!)!,
  'version 3 with JoinSplits': smallestWith('03000080', true, false),
  'version 4 with shielded parts': smallestWith('04000080', false, true),
  'version 4 with everything': smallestWith('04000080', true, true),
}
const real = Object.entries({ ...exhaustive, ...sampled }).map(([name, hex]) => ({
  name,
  hex,
  raw: Buffer.from(hex, 'hex'),
}))

/** Collects what the engine and the oracle disagree about; a mutant's name is made when needed. */
function collector() {
  const found: string[] = []
  let mutants = 0
  return {
    check(raw: Buffer, source: string | Uint8Array, name: () => string) {
      mutants += 1
      const problem = disagreement(raw, source)
      if (problem !== undefined) found.push(`${name()}: ${problem}`)
    },
    expectNone(expectedMutants: number) {
      expect(found).toEqual([])
      expect(mutants).toBe(expectedMutants)
    },
  }
}

describe.each(real)('$name', ({ name, hex, raw }) => {
  const isExhaustive = name in exhaustive

  test('is read as the oracle reads it', () => {
    expect(readByOracle(raw)).toHaveProperty('tx')
    expect(disagreement(raw)).toBeUndefined()
    expect(disagreement(raw, hex)).toBeUndefined()
  })

  test('cut at any byte is truncated', () => {
    const mutants = collector()
    for (const length of placesOf(raw.length)) {
      const cut = raw.subarray(0, length)
      mutants.check(cut, hex.slice(0, 2 * length), () => `first ${length} bytes`)
      const { code, offset } = refusalOf(() => decodeTransaction(cut))
      const isExpected =
        length === 0 ? code === 'empty_input' : /^(truncated|count_over_input)$/.test(code)
      if (!isExpected || offset! > length) expect({ length, code, offset }).toBe('truncated')
    }
    mutants.expectNone(placesOf(raw.length).length)
  })

  test('$name with any byte changed is read exactly or refused', () => {
    const mutants = collector()
    const changes =
      isExhaustive && !isQuick
        ? Array.from({ length: 255 }, (_, index) => index + 1)
        : isQuick
          ? [1, 0x80]
          : [1, 2, 0x80, 0xff]
    const mutant = Buffer.from(raw)
    const places = placesOf(raw.length)
    for (const position of places) {
      for (const change of changes) {
        mutant[position] = raw[position]! ^ change
        mutants.check(mutant, mutant, () => `byte ${position} ^ ${change}`)
      }
      mutant[position] = raw[position]!
    }
    mutants.expectNone(places.length * changes.length)
  })

  test('$name with any byte left out or put in is read exactly or refused', () => {
    const mutants = collector()
    const added =
      isExhaustive && !isQuick ? [0x00, 0x01, 0x02, 0x7f, 0xfc, 0xfd, 0xfe, 0xff] : [0x00, 0xfd]
    const places = placesOf(raw.length)
    for (const position of places) {
      const [before, after] = [raw.subarray(0, position), raw.subarray(position)]
      const shorter = Buffer.concat([before, after.subarray(1)])
      mutants.check(shorter, shorter, () => `without byte ${position}`)
      for (const byte of added) {
        const longer = Buffer.concat([before, Buffer.of(byte), after])
        mutants.check(longer, longer, () => `${byte} before byte ${position}`)
      }
    }
    mutants.expectNone(places.length * (1 + added.length))
  })

  test('followed by anything is refused where that begins', () => {
    for (const rest of ['00', '0100', hex]) {
      expect(refusalOf(() => decodeTransaction(hex + rest))).toEqual({
        code: 'trailing_bytes',
        offset: raw.length,
      })
    }
  })
})

test('every transaction that was made for signing tests is read as the oracle reads it', () => {
  for (const [hex] of signed) expect(disagreement(Buffer.from(hex, 'hex'), hex)).toBeUndefined()
  expect(signed.length).toBe(250)
})

test('every refusal of data is an AntaraError whose message names the place', () => {
  const [error] = ['', '01', '00zz', minimal.slice(2)].map((text) => {
    try {
      return decodeTransaction(text)
    } catch (caught) {
      return caught
    }
  })
  expect(isAntaraError(error, 'empty_input')).toBe(true)
  expect(String(error)).toBe(
    'AntaraError: the input is empty at byte 0 (antara-tx explain empty_input)',
  )
})
