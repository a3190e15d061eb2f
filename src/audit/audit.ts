import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { AuditedBlock } from './block.ts'
import type { Ledger } from './ledger.ts'
import type { ChainBlock } from './sources.ts'
import { OtherChainError } from './store.ts'

/**
 * Limits of one batch: a process that is killed loses at most one. Txids are spread over their
 * index, so a larger batch writes fewer pages for each transaction.
 */
const batchBytes = 4 << 20
const batchBlocks = 8000

interface BringForwardOptions {
  readonly onAdded?: (height: number) => void
  /** True to accept that blocks without headers follow the ledger's last one. */
  readonly isTrusted?: boolean
}

const optionNames = memberNames<BringForwardOptions>({ onAdded: true, isTrusted: true })

/**
 * Brings a ledger forward by the blocks that it does not have yet.
 *
 * @throws {OtherChainError} if a block that both have is not the same, or if blocks without headers
 *   are given that do not begin at a block that both have
 * @throws {TypeError} for an unknown option
 */
export async function bringForward(
  ledger: Ledger,
  blocks: AsyncIterable<ChainBlock> | Iterable<ChainBlock>,
  options: BringForwardOptions = {},
): Promise<void> {
  requireKnownMembers(options, optionNames, 'options')
  const { onAdded = () => undefined, isTrusted = false } = options
  let batch: AuditedBlock[] = []
  let bytes = 0
  let firstHeight = 0
  const add = async (): Promise<void> => {
    if (batch.length === 0) return
    await ledger.add(batch, firstHeight)
    onAdded(firstHeight + batch.length - 1)
    batch = []
    bytes = 0
  }
  let meets = isTrusted
  for await (const block of blocks) {
    const { height, hash, size } = block
    const { tip } = ledger
    if (tip !== undefined && height <= tip.height) {
      const known = ledger.hashAt(height)
      if (known !== undefined) requireSame(known, hash, height)
      meets ||= height === tip.height
      continue
    }
    const read = block.read()
    if (tip !== undefined && !meets && read.previousHash === undefined) {
      throw new OtherChainError(
        `cannot tell whether block ${height} follows block ${tip.height} of the ledger: give the list from the ledger's last block, or --trusted`,
      )
    }
    meets = true
    if (batch.length === 0) firstHeight = height
    batch.push(read)
    bytes += size
    if (bytes >= batchBytes || batch.length >= batchBlocks) await add()
  }
  await add()
  ledger.index()
}

/**
 * Passes the blocks of a new ledger on, which begin with the first of the chain; some lists leave out
 * block 0, which has no coins. Later ones alone would make false answers: no token from before would
 * be there, and no coin that pays for a creation.
 *
 * @throws {OtherChainError}
 */
export async function* fromFirst(
  blocks: AsyncIterable<ChainBlock> | Iterable<ChainBlock>,
): AsyncGenerator<ChainBlock> {
  let isFirst = true
  for await (const block of blocks) {
    if (isFirst && block.height > 1) {
      throw new OtherChainError(
        `the blocks begin at height ${block.height}: a new ledger needs them from the first one on, which a pruned daemon does not have`,
      )
    }
    isFirst = false
    yield block
  }
}

function requireSame(known: string, hash: string, height: number): void {
  if (known === hash) return
  throw new OtherChainError(
    `the ledger has block ${known} at height ${height}, and this chain has ${hash}: make a new ledger`,
  )
}
