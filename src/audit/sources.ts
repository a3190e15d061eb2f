import { leadingHeader } from '../block/header.ts'
import { merkleRootOf } from '../block/merkle.ts'
import { within } from '../errors/within.ts'
import { readDump } from '../node/dump.ts'
import { append } from '../primitives/append.ts'
import { bytesFromHex } from '../primitives/hex.ts'
import { zeroHex32 } from '../primitives/hex-forms.ts'
import { coinbaseHeight } from '../transaction/coinbase.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import { type AuditedBlock, readBlock, requireDistinct } from './block.ts'

/** A block of a chain, which is read when it is needed. */
export interface ChainBlock {
  readonly height: number
  readonly hash: string
  /** Approximate size in bytes. */
  readonly size: number
  /** True for a block of a list, which has no header. */
  readonly isListed?: true
  read(): AuditedBlock
}

/**
 * Reads blocks in hex, one per line, as `getblock HASH 0` prints them, in the order of the chain.
 *
 * @throws {AntaraError} for a malformed block; `path` names it
 */
export async function* blocksOfLines(lines: AsyncIterable<string>): AsyncGenerator<ChainBlock> {
  let height: number | undefined
  let index = 0
  for await (const line of lines) {
    const path = `blocks[${index}]`
    index += 1
    const text = line.trim().replace(/^"(.*)"$/, '$1')
    if (text === '') continue
    const bytes = bytesFromHex(text, path)
    const { hash } = within(path, () => leadingHeader(bytes)).header
    const read = (): AuditedBlock => within(path, () => readBlock(bytes))
    height = height === undefined ? heightOf(read()) : height + 1
    yield { height, hash, size: bytes.length, read }
  }
}

/**
 * Reads the output of a development node's `dump`, or a chain as a list of `{ height, hex }`.
 *
 * @throws {AntaraError} `malformed_case`, and as `decodeTransaction`
 */
export function* blocksOfDump(text: string): Generator<ChainBlock> {
  let height: number | undefined
  for (const [index, { transactions }] of readDump(text).blocks.entries()) {
    const block = within(`blocks[${index}]`, () => headless(transactions))
    height = height === undefined ? heightOf(block) : height + 1
    const size = transactions.reduce((sum, hex) => sum + hex.length / 2, 0)
    yield { height, hash: block.hash, size, isListed: true, read: () => block }
  }
}

/** Makes a block from its transactions alone, which may be in any order. */
function headless(transactions: readonly string[]): AuditedBlock {
  const given = transactions.map((hex) => [decodeWithTxid(hex).txid, hex] as const)
  requireDistinct(given.map(([txid]) => txid))
  const waiting = new Map(given)
  const ordered: Uint8Array[] = []
  const txids: string[] = []
  const place = (txid: string): void => {
    const pending = [txid]
    for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
      const hex = waiting.get(top)
      const parents = hex === undefined ? [] : decodeWithTxid(hex).inputs.map((it) => it.txid)
      const missing = parents.filter((parent) => parent !== top && waiting.has(parent))
      if (missing.length > 0) {
        append(pending, missing)
        continue
      }
      pending.pop()
      if (hex === undefined) continue
      waiting.delete(top)
      ordered.push(bytesFromHex(hex))
      txids.push(top)
    }
  }
  for (const txid of [...waiting.keys()]) place(txid)
  return { hash: merkleRootOf(txids), transactions: ordered }
}

/** Returns the height that the coinbase names, or 0 if it names none. */
export function heightOf({ previousHash, transactions }: AuditedBlock): number {
  if (previousHash === zeroHex32 || transactions[0] === undefined) return 0
  return coinbaseHeight(decodeWithTxid(transactions[0])) ?? 0
}
