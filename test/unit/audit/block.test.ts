// These tests cover the blocks that a ledger reads: five real ones, and what a hostile file makes
// of them. No proof of work is checked here, so a header may commit to any transactions.

import { describe, expect, test } from 'vitest'

import { readBlock, requireDistinct } from '../../../src/audit/block.ts'
import { merkleRootOf } from '../../../src/block/merkle.ts'
import { AntaraError, encodeTransaction, transactionId } from '../../../src/index.ts'
import { readVectors } from '../../support/vectors.ts'

/** Main-chain blocks, source: spesmilo/electrumx. */
const real = readVectors<
  { chain: string; hash: string; merkleroot: string; txids: string[]; block: string }[]
>('headers/public-blocks.json')
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const reversed = (hex: string) => hex.match(/../g)!.reverse().join('')

const headerBytes = 1487
const header = real[0]!.block.slice(0, 2 * headerBytes)

/** A block with a header that commits to its transactions. */
function blockOf(transactions: readonly string[], count?: string): Uint8Array {
  const root = merkleRootOf(transactions.map((it) => transactionId(it)))
  const committed = header.slice(0, 72) + reversed(root) + header.slice(136)
  const counted = count ?? transactions.length.toString(16).padStart(2, '0')
  return bytesOf(committed + counted + transactions.join(''))
}

const transaction = (lockTime: number, script = '51') =>
  encodeTransaction({
    version: 1,
    overwintered: false,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0 }],
    outputs: [{ value: 1n, script }],
    lockTime,
  })
const [one, two, three] = [transaction(1), transaction(2), transaction(3)]

function errorOf(block: Uint8Array) {
  try {
    readBlock(block)
  } catch (error) {
    if (error instanceof AntaraError) return { code: error.code, ...error.context }
    throw error
  }
  return undefined
}

describe('a block', () => {
  test.each(real)('a block of $chain is read, with its own bytes', (row) => {
    const { hash, previousHash, transactions } = readBlock(bytesOf(row.block))
    expect(hash).toBe(row.hash)
    expect(previousHash).toBe(reversed(row.block.slice(8, 72)))
    expect(transactions.map((it) => transactionId(it))).toEqual(row.txids)
    expect(row.block.endsWith(transactions.map(hexOf).join(''))).toBe(true)
  })

  test('may have one transaction, none, or more than fit a count of one byte', () => {
    expect(readBlock(blockOf([one])).transactions.map(hexOf)).toEqual([one])
    expect(readBlock(blockOf([])).transactions).toEqual([])
    const many = Array.from({ length: 253 }, (_, at) => transaction(at))
    expect(readBlock(blockOf(many, 'fdfd00')).transactions.map(hexOf)).toEqual(many)
  })

  test('may have a transaction of 200,000 bytes, and no larger one', () => {
    const empty = transaction(9, '').length / 2
    // its length takes four bytes more than that of an empty script
    const filled = (bytes: number) => transaction(9, '6a'.repeat(bytes - empty - 4))
    expect(filled(200_000).length / 2).toBe(200_000)
    expect(readBlock(blockOf([one, filled(200_000)])).transactions).toHaveLength(2)
    expect(errorOf(blockOf([one, filled(200_001)]))).toMatchObject({ code: 'truncated' })
  })
})

describe('a block is refused', () => {
  test('a block that ends before its count is refused, with the offset in the block', () => {
    expect(errorOf(bytesOf(header))).toMatchObject({ code: 'truncated', offset: headerBytes })
    for (const count of ['fd', 'fd05', 'fe050000', 'ff05000000000000']) {
      expect(errorOf(bytesOf(header + count)), count).toMatchObject({
        code: 'truncated',
        offset: headerBytes,
        path: 'transactions',
      })
    }
  })

  test('a block whose count is written in more bytes than it needs is refused', () => {
    expect(errorOf(blockOf([one], 'fd0100'))).toMatchObject({
      code: 'non_canonical_length',
      offset: headerBytes,
    })
  })

  test('a block that counts more transactions than it has bytes is refused', () => {
    const counted = (count: string, rest: string) => errorOf(bytesOf(header + count + rest))
    const over = { code: 'count_over_input', offset: headerBytes }
    expect(counted('02', '00')).toEqual(over)
    expect(counted('fd0001', '00'.repeat(255))).toEqual(over)
    expect(counted('02', '0000')).not.toMatchObject({ code: 'count_over_input' })
    expect(counted('fd0001', '00'.repeat(256))).not.toMatchObject({ code: 'count_over_input' })
  })

  test('a block whose transaction is malformed is refused, with the offset in the block', () => {
    const block = blockOf([one, two])
    const end = block.length
    const inside = errorOf(block.subarray(0, end - 1))
    expect(inside).toMatchObject({ code: 'truncated' })
    // four bytes of the lock time
    expect(inside!.offset).toBe(end - 4)
  })

  test('a block with bytes after its transactions is refused', () => {
    const block = blockOf([one])
    const longer = new Uint8Array([...block, 0])
    expect(errorOf(longer)).toEqual({ code: 'trailing_bytes', offset: block.length })
  })

  test('a block whose header commits to other transactions is refused', () => {
    const block = blockOf([one, two])
    const other = blockOf([one, three])
    const mixed = new Uint8Array([
      ...block.subarray(0, headerBytes),
      ...other.subarray(headerBytes),
    ])
    expect(errorOf(mixed)).toEqual({
      code: 'merkle_root_mismatch',
      expected: merkleRootOf([transactionId(one), transactionId(two)]),
      actual: merkleRootOf([transactionId(one), transactionId(three)]),
    })
  })

  // CVE-2012-2459: both have the same root
  test('a block that repeats its last transactions is refused', () => {
    const honest = blockOf([one, two, three])
    const repeated = blockOf([one, two, three, three])
    expect(hexOf(honest.subarray(0, headerBytes))).toBe(hexOf(repeated.subarray(0, headerBytes)))
    expect(errorOf(repeated)).toEqual({
      code: 'repeated_transaction',
      actual: transactionId(three),
    })
    expect(errorOf(honest)).toBeUndefined()
  })

  test('bytes that are not a block are refused', () => {
    expect(errorOf(new Uint8Array())).toMatchObject({ code: 'empty_input' })
    expect(errorOf(bytesOf(header).subarray(0, 100))).toMatchObject({ code: 'truncated' })
  })
})

test('an error that is not about the block is passed on as it is', () => {
  const thrown = new RangeError('out of memory')
  /** Fails where the count of transactions is read, after the header. */
  class Failing extends Uint8Array {
    override subarray(from?: number, to?: number) {
      if (from === headerBytes) throw thrown
      return super.subarray(from, to)
    }
  }
  expect(() => readBlock(new Failing(blockOf([one])))).toThrow(thrown)
})

test('txids are distinct, however far apart', () => {
  expect(() => requireDistinct([])).not.toThrow()
  expect(() => requireDistinct(['a', 'b', 'c'])).not.toThrow()
  expect(() => requireDistinct(['a', 'b', 'a'])).toThrow(
    expect.objectContaining({ code: 'repeated_transaction' }),
  )
})
