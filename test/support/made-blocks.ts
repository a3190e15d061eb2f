// Blocks with headers that nobody solved, and the records of a daemon's files.

import { leadingHeader } from '../../src/block/header.ts'
import { merkleRootOf } from '../../src/block/merkle.ts'
import { AntaraError, encodeTransaction, transactionId } from '../../src/index.ts'
import { readVectors } from './vectors.ts'

const [komodo] = readVectors<{ block: string }[]>('headers/public-blocks.json')
const header = komodo!.block.slice(0, 2 * 1487)
const reversed = (hex: string) => hex.match(/../g)!.reverse().join('')

export const zeros = '00'.repeat(32)
const easy = '0f0f0f20'
/** A target that takes more work than that of other blocks. */
export const hard = '0f0f0f1f'

/** A transaction that spends one output; without one, it is a coinbase of height 4242. */
export const madeTransaction = (txid: string, lockTime = 0, script = '51') =>
  encodeTransaction({
    version: 1,
    overwintered: false,
    inputs: [{ txid, vout: txid === zeros ? 0xffffffff : 0, scriptSig: '029210', sequence: 0 }],
    outputs: [{ value: 1n, script }],
    lockTime,
  })

/** A block after another one, with a coinbase of height 4242. */
export function blockAfter(previousHash: string, { bits = easy, time = 0, script = '51' } = {}) {
  const coinbase = madeTransaction(zeros, time, script)
  const root = reversed(merkleRootOf([transactionId(coinbase)]))
  const parts = [header.slice(0, 8), reversed(previousHash), root, header.slice(136, 208), bits]
  const hex = `${parts.join('')}${header.slice(216)}01${coinbase}`
  return { hex, hash: leadingHeader(Buffer.from(hex, 'hex')).header.hash }
}

/** A block as a file of a daemon has it: magic bytes, the size, the block. */
export function recordOf(hex: string, size = hex.length / 2): Buffer {
  const head = Buffer.from('f9eee48d00000000', 'hex')
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, Buffer.from(hex, 'hex')])
}

/** The code and context of the error that a function throws; `undefined` if it throws none. */
export function errorOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (error instanceof AntaraError) return { code: error.code, ...error.context }
    throw error
  }
  return undefined
}
