import type { AuditedBlock } from './block.ts'
import type { Ledger } from './ledger.ts'
import type { ChainBlock } from './sources.ts'
import { OtherChainError } from './store.ts'

/**
 * What is added at a time, and lost at most when the process is killed. Txids lie all over their
 * index: the more are written together, the fewer of its pages are written for each.
 */
const batchBytes = 4 << 20
const batchBlocks = 8000

/**
 * Brings a ledger forward by the blocks that it does not have yet.
 *
 * @throws {OtherChainError} if the last block that both have is not the same
 */
export async function bringForward(
  ledger: Ledger,
  blocks: AsyncIterable<ChainBlock> | Iterable<ChainBlock>,
  onAdded: (height: number) => void = () => undefined,
): Promise<void> {
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
  let before: ChainBlock | undefined
  for await (const block of blocks) {
    const { height, hash, size } = block
    const { tip } = ledger
    if (tip !== undefined && height <= tip.height) {
      if (height === tip.height) requireSame(tip.hash, hash, height)
      before = block
      continue
    }
    if (batch.length === 0) firstHeight = height
    batch.push(block.read())
    bytes += size
    if (bytes >= batchBytes || batch.length >= batchBlocks) await add()
  }
  await add()
  // Blocks that end below the ledger's last one tell nothing new, but they may be of another chain.
  const known = before && ledger.hashAt(before.height)
  if (before !== undefined && known !== undefined) requireSame(known, before.hash, before.height)
}

function requireSame(known: string, hash: string, height: number): void {
  if (known === hash) return
  throw new OtherChainError(
    `the ledger has block ${known} at height ${height}, where this chain has ${hash}: begin a new one`,
  )
}
