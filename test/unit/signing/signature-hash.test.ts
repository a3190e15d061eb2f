import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import {
  type AntaraError,
  decodeTransaction,
  signatureHash,
  signatureHashes,
  signaturePreimage,
  verifyInputs,
} from '../../../src/index.ts'

function vectors(path: string) {
  return JSON.parse(readFileSync(new URL(`../../vectors/${path}`, import.meta.url), 'utf8'))
}

function reversed(hex: string): string {
  return Buffer.from(hex, 'hex').reverse().toString('hex')
}

function errorOf(call: () => unknown): Partial<AntaraError> {
  try {
    call()
  } catch (error) {
    return error as AntaraError
  }
  return {}
}

function codeOf(call: () => unknown): string {
  return errorOf(call).code ?? 'none'
}

interface RecordedHash {
  txid: string
  input: number
  scriptCode: string
  amount: number
  consensusBranchId: string
  hashType: number
  sighash: string
}

describe.each([
  ['komodod', 105],
  ['tokeld', 61],
])('inputs mined by %s', (daemon, count) => {
  const chain = new Map<string, string>()
  for (const { txid, hex } of vectors(`${daemon}/90-chain-dump.json`).transactions) {
    chain.set(txid, hex)
  }
  const recorded: RecordedHash[] = vectors(`${daemon}/91-sighash.json`).vectors

  test(`all ${count} have the hash that was signed`, () => {
    expect(recorded.length).toBe(count)
    for (const { txid, input, scriptCode, amount, hashType, sighash, ...row } of recorded) {
      const branchId = Number.parseInt(row.consensusBranchId, 16)
      const options = { scriptCode, value: BigInt(amount), hashType }
      expect(signatureHash(chain.get(txid)!, input, options)).toBe(sighash)
      expect(signatureHash(chain.get(txid)!, input, { ...options, branchId })).toBe(sighash)
      const bytes = Buffer.from(chain.get(txid)!, 'hex')
      expect(signatureHash(bytes, input, options)).toBe(sighash)
    }
  })
})

test('all 250 rows of komodo: legacy, ZIP 143 and ZIP 243, any hash type, JoinSplits', () => {
  const { rows } = vectors('signing/komodo-sighash.json')
  expect(rows.length).toBe(250)
  for (const [hex, scriptCode, input, hashType, branchId, hash] of rows) {
    const options = { scriptCode, value: 0n, hashType: hashType >>> 0, branchId }
    expect(signatureHash(hex, input, options)).toBe(reversed(hash))
  }
})

test('all ZIP 143 vectors, with and without an input', () => {
  const { rows } = vectors('signing/zip-0143.json')
  expect(rows.length).toBe(10)
  for (const [hex, scriptCode, input, hashType, amount, branchId, hash] of rows) {
    const options = { scriptCode, value: BigInt(amount), hashType, branchId }
    expect(signatureHash(hex, input, options)).toBe(hash)
  }
})

/** Bitcoin takes code separators out of the scriptCode; this family leaves them in. */
function withoutCodeSeparators(script: string): string {
  const bytes = Buffer.from(script, 'hex')
  const kept: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const opcode = bytes[start]!
    let end = start + 1
    if (opcode < 0x4c) end += opcode
    else if (opcode === 0x4c) end += 1 + (bytes[start + 1] ?? 0)
    else if (opcode === 0x4d) end += 2 + bytes.readUInt16LE(start + 1)
    else if (opcode === 0x4e) end += 4 + bytes.readUInt32LE(start + 1)
    if (opcode !== 0xab) kept.push(bytes.subarray(start, end))
    start = end
  }
  return Buffer.concat(kept).toString('hex')
}

function hash256(bytes: Buffer): string {
  const once = createHash('sha256').update(bytes).digest()
  return createHash('sha256').update(once).digest('hex')
}

test('all 250 rows of Bitcoin, where the rules are the same', () => {
  const { rows } = vectors('signing/bitcoin-sighash.json')
  expect(rows.length).toBe(250)
  for (const [hex, script, input, hashType, hash] of rows) {
    // The transactions have random versions, which this family would read as having JoinSplits.
    // The test decodes them as version 1 and restores their own version in the preimage.
    const asVersion1 = `01000000${hex.slice(8)}`
    const options = {
      scriptCode: withoutCodeSeparators(script),
      value: 0n,
      hashType: hashType >>> 0,
    }
    const preimage = signaturePreimage(asVersion1, input, options)
    expect(signatureHash(asVersion1, input, options)).toBe(hash256(Buffer.from(preimage, 'hex')))
    expect(hash256(Buffer.from(hex.slice(0, 8) + preimage.slice(8), 'hex'))).toBe(reversed(hash))
  }
})

const input = `${'11'.repeat(32)}0000000000ffffffff`
const output = '010000000000000000'
const v1 = `0100000001${input}01${output}00000000`
const twoInputs = `0100000002${input}${input}01${output}00000000`

describe('an input that cannot be hashed', () => {
  const options = { scriptCode: '51', value: 1n }

  test.each([
    ['an input that is not there', () => signatureHash(v1, 1, options), 'input_index_out_of_range'],
    [
      'SIGHASH_SINGLE without its output',
      () => signatureHash(twoInputs, 1, { ...options, hashType: 3 }),
      'single_without_output',
    ],
    [
      'a value below zero',
      () => signatureHash(v1, 0, { ...options, value: -1n }),
      'amount_out_of_range',
    ],
    [
      'a scriptCode that is not hex',
      () => signatureHash(v1, 0, { ...options, scriptCode: '5g' }),
      'malformed_hex',
    ],
    [
      'half a byte of scriptCode',
      () => signatureHash(v1, 0, { ...options, scriptCode: '5' }),
      'odd_length_hex',
    ],
    ['a transaction cut short', () => signatureHash(v1.slice(0, -2), 0, options), 'truncated'],
    ['bytes after the transaction', () => signatureHash(`${v1}00`, 0, options), 'trailing_bytes'],
  ])('%s', (_, call, code) => {
    expect(codeOf(call)).toBe(code)
  })

  test.each([0xffffffff, 0xfffffffe, 1])('index %i is refused', (index) => {
    expect(errorOf(() => signatureHash(v1, index, options))).toMatchObject({
      code: 'input_index_out_of_range',
      context: { path: 'inputIndex', actual: index },
    })
  })

  // Without an input there is no output beside it, and no input that could sign alone.
  test.each([
    [3, 'single_without_output'],
    [0x81, 'input_index_out_of_range'],
    [0x82, 'input_index_out_of_range'],
    [0x83, 'input_index_out_of_range'],
  ])('hash type %i needs an input in version 1', (hashType, code) => {
    expect(errorOf(() => signatureHash(v1, -1, { ...options, hashType }))).toMatchObject({
      code,
      context: {
        path: 'inputIndex',
        expected: `an input for hash type ${hashType} in versions 1 and 2`,
        actual: -1,
      },
    })
  })

  test('a wrong index is told that -1 is allowed', () => {
    expect(() => signatureHash(v1, -2, options)).toThrow(
      'inputIndex: expected -1, or an integer from 0 to 2^32 - 1, got -2',
    )
    expect(() => signatureHash(v1, '0' as never, options)).toThrow('inputIndex: expected a number')
  })

  test('misuse is a TypeError', () => {
    const wrong = (change: object) => () => signatureHash(v1, 0, { ...options, ...change })
    expect(wrong({ value: 1 })).toThrow(TypeError)
    expect(wrong({ scriptCode: 1 })).toThrow(TypeError)
    expect(wrong({ hashType: -1 })).toThrow(TypeError)
    expect(wrong({ hashType: 2 ** 32 })).toThrow(TypeError)
    expect(wrong({ branchId: 1.5 })).toThrow(TypeError)
    expect(() => signatureHash(v1, -2, options)).toThrow(TypeError)
    expect(() => signatureHash(v1, 0, undefined as never)).toThrow(TypeError)
    expect(() => signatureHash(1 as never, 0, options)).toThrow(TypeError)
  })
})

test('upper-case hex is hashed like lower-case', () => {
  const options = { scriptCode: 'abcd', value: 1n }
  const upper = { ...options, scriptCode: 'ABCD' }
  expect(signatureHash(v1.toUpperCase(), 0, upper)).toBe(signatureHash(v1, 0, options))
})

describe('outputs that are spent', () => {
  const raw = vectors('komodod/90-chain-dump.json').transactions.find(
    ({ hex }: { hex: string }) => decodeTransaction(hex).inputs.length > 2,
  ).hex
  const scripts = decodeTransaction(raw).inputs.map(() => `76a914${'11'.repeat(20)}88ac`)
  const prevoutsWith = (script: string) =>
    scripts.map((usual, index) => ({ value: 1n, script: index === 1 ? script : usual }))

  test.each([
    ['no hex', '5z', 'malformed_hex'],
    ['characters that would be cut to digits', '\u013535', 'malformed_hex'],
    ['half a byte', '515', 'odd_length_hex'],
  ])('are named when their script is %s', (_, script, code) => {
    for (const call of [signatureHashes, verifyInputs]) {
      expect(errorOf(() => call(raw, prevoutsWith(script)))).toMatchObject({
        code,
        context: { path: 'prevouts[1].script' },
      })
    }
  })

  test('are not named when it is the transaction that is not hex', () => {
    const error = errorOf(() => signatureHashes(`zz${raw.slice(2)}`, prevoutsWith('51')))
    expect(error).toMatchObject({ code: 'malformed_hex' })
    expect(error.context).not.toHaveProperty('path')
  })

  test('may be spelled in upper case', () => {
    const upper = prevoutsWith('51').map(({ value, script }) => ({
      value,
      script: script.toUpperCase(),
    }))
    expect(signatureHashes(raw, upper)).toEqual(signatureHashes(raw, prevoutsWith('51')))
  })
})
