import { expect, test } from 'vitest'

import {
  decodeBlockHeader,
  decodeBlockHeaders,
  equihashFault,
  verifyEquihash,
} from '../../../src/electrum/index.ts'
import { solve } from '../../support/equihash-solver.ts'
import { headersOf, publicBlocks } from '../../support/headers.ts'
import { refusalOf } from '../../support/refusal.ts'

const main = { n: 200, k: 9 }
const chosen = { n: 48, k: 5 }
const komodod = headersOf('komodod-headers.txt')

test.each(publicBlocks)('the header of $chain at $height is decoded as published', (block) => {
  const { hash, previousHash, merkleRoot, solution } = decodeBlockHeader(block.header)
  expect({ hash, previousHash, merkleRoot }).toEqual({
    hash: block.hash,
    previousHash: block.previous,
    merkleRoot: block.merkleroot,
  })
  expect(solution).toHaveLength(2 * 1344)
  expect(verifyEquihash(block.header, main)).toBe(true)
})

test('all members stand for their bytes, and bytes give the same header as hex', () => {
  for (const hex of [komodod[0]!, komodod[1]!, publicBlocks[0]!.header]) {
    const header = decodeBlockHeader(hex)
    const reversed = (text: string) => Buffer.from(text, 'hex').reverse().toString('hex')
    const number = (value: number) => reversed((value >>> 0).toString(16).padStart(8, '0'))
    const length = header.solution.length === 72 ? '24' : 'fd4005'
    const fields = [header.previousHash, header.merkleRoot, header.finalSaplingRoot].map(reversed)
    const times = [number(header.time), number(header.bits), reversed(header.nonce)]
    expect([number(header.version), ...fields, ...times, length, header.solution].join('')).toBe(
      hex,
    )
    expect(decodeBlockHeader(Buffer.from(hex, 'hex'))).toEqual(header)
    expect(decodeBlockHeader(hex.toUpperCase())).toEqual(header)
  }
})

test('headers that follow each other are decoded one by one', () => {
  const headers = decodeBlockHeaders(komodod.join(''))
  expect(headers).toEqual(komodod.map((hex) => decodeBlockHeader(hex)))
  expect(headers[0]!.hash).toBe('027e3758c3a65b12aa1046462b486d0a63bfa1beae327897f56c5cfb7daaae71')
  for (const [at, { previousHash }] of headers.slice(1).entries()) {
    expect(previousHash).toBe(headers[at]!.hash)
  }
})

const [, second] = komodod as [string, string]

test.each([
  ['nothing', '', 'empty_input', 0],
  ['half a header', second.slice(0, 140), 'truncated', 68],
  ['a byte more', `${second}00`, 'trailing_bytes', 177],
  ['another header', second + second, 'trailing_bytes', 177],
  ['a long form of a length', `${second.slice(0, 280)}fd2400`, 'non_canonical_length', 140],
  ['a solution over 1344 bytes', `${second.slice(0, 280)}fd4105`, 'length_over_limit', 140],
  ['a character that is not a digit', `x${second.slice(1)}`, 'malformed_hex', 0],
  ['half a byte', second.slice(1), 'odd_length_hex', 176],
])('%s is refused with the byte offset', (_, hex, code, offset) => {
  expect(refusalOf(() => decodeBlockHeader(hex))).toEqual({ code, offset })
})

test('the proof of work of every header of a real chain holds', () => {
  expect(verifyEquihash(komodod[0]!, main)).toBe(true)
  for (const hex of komodod.slice(1)) expect(equihashFault(hex, chosen)).toBeUndefined()
})

test('a header that is changed in any byte has no proof of work', () => {
  const faults = new Set<string | undefined>()
  for (let byte = 0; byte < 177; byte += 1) {
    if (byte === 140) continue
    const bytes = Buffer.from(second, 'hex')
    bytes[byte]! ^= 1
    faults.add(equihashFault(bytes, chosen))
  }
  expect([...faults].sort()).toEqual(['solution_collision', 'solution_order', 'solution_repeated'])
})

test('a solution counts only for the parameters of its chain', () => {
  expect(equihashFault(second, main)).toBe('solution_length')
  expect(equihashFault(komodod[0]!, chosen)).toBe('solution_length')
  expect(equihashFault(second, { ...chosen, acNk: false })).toBe('solution_collision')
  expect(equihashFault(komodod[0]!, { ...main, acNk: true })).toBe('solution_collision')
})

test('a solver that nobody shares a line with finds solutions which count', () => {
  let solved = 0
  for (let nonce = 0; solved < 5; nonce += 1) {
    const input = Buffer.from(second.slice(0, 280), 'hex')
    input.writeUInt32LE(nonce, 108)
    const solution = solve(input)
    if (solution === undefined) continue
    solved += 1
    expect(equihashFault(Buffer.concat([input, Buffer.of(36), solution]), chosen)).toBeUndefined()
  }
  expect(solved).toBe(5)
})

test.each([
  [{ n: 144, k: 5 }],
  [{ n: 200, k: 5 }],
  [{ n: 48, k: 9 }],
  [{ n: '200', k: '9' }],
  [{ n: 48, k: 5, acNk: 1 }],
  [undefined],
  [null],
])('%j are not parameters of Equihash', (parameters) => {
  expect(() => verifyEquihash(second, parameters as never)).toThrow(TypeError)
})

test.each([[undefined], [7], [{}], [[second]]])('%j is not a header', (source) => {
  expect(() => decodeBlockHeader(source as never)).toThrow(TypeError)
  expect(() => decodeBlockHeaders(source as never)).toThrow(TypeError)
})
