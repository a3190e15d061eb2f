import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { AuditedBlock } from './block.ts'
import type { Ledger } from './ledger.ts'
import type { ChainBlock } from './sources.ts'
import { OtherChainError, otherForm, UnlinkedBlocksError } from './store.ts'

/**
 * The size at which a batch is written. A process that is killed loses the batch that it has not
 * written yet. A larger batch needs fewer pages of the file for each transaction, because the
 * index of txids has them in random order.
 */
const batchBytesLeast = 4 << 20
const batchBlocksMax = 8000

interface BringForwardOptions {
  /** Called after each batch, with the height of its last block. */
  readonly onAdded?: (height: number) => void
  /** True to accept that blocks without headers follow the ledger's last one. */
  readonly isTrusted?: boolean
}

const optionNames = memberNames<BringForwardOptions>({ onAdded: true, isTrusted: true })

/**
 * Adds the blocks that a ledger does not have yet.
 *
 * @param blocks - in the order of their heights, without a gap; they may begin with blocks that the
 *   ledger has, and below its first one
 * @throws {OtherChainError} if a block differs from the ledger's of the same height, or does not
 *   follow the block before it
 * @throws {UnlinkedBlocksError} if the first new block has no header, and the last block of the
 *   ledger was not among those given
 * @throws {AntaraError} as `ChainBlock.read`
 * @throws {ChangedLedgerError} if another ledger added blocks to the file meanwhile
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
  /** True once the chain is known to be the ledger's, up to the ledger's last block. */
  let isLinked = isTrusted
  for await (const block of blocks) {
    const { height, size } = block
    const { tip } = ledger
    if (tip !== undefined && height <= tip.height) {
      requireSame(ledger, block)
      isLinked ||= height === tip.height
      continue
    }
    const read = block.read()
    if (tip !== undefined && !isLinked && read.previousHash === undefined) {
      throw new UnlinkedBlocksError(
        `cannot tell whether block ${height} follows block ${tip.height} of the ledger, because it has no header`,
      )
    }
    isLinked = true
    // The ledger then refuses the block that leaves a gap.
    if (height !== firstHeight + batch.length) await add()
    if (batch.length === 0) firstHeight = height
    batch.push(read)
    bytes += size
    if (bytes >= batchBytesLeast || batch.length >= batchBlocksMax) await add()
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

/** Leaves out the last blocks of a chain, which a reorganization may still replace. */
export async function* withoutLast(
  blocks: AsyncIterable<ChainBlock> | Iterable<ChainBlock>,
  count: number,
): AsyncGenerator<ChainBlock> {
  const last: ChainBlock[] = []
  for await (const block of blocks) {
    last.push(block)
    if (last.length > count) yield last.shift()!
  }
}

function requireSame(ledger: Ledger, { height, hash, isListed }: ChainBlock): void {
  const known = ledger.hashAt(height)
  // Blocks below the ledger's first one cannot be compared, and are skipped.
  if (known === undefined || known === hash) return
  const form = ledger.formAt(height)
  const given = isListed === true ? 'list' : 'headers'
  if (form !== given) throw new OtherChainError(otherForm[form])
  throw new OtherChainError(
    `the ledger has block ${known} at height ${height}, and this chain has ${hash}: make a new ledger, and leave out the last blocks with --behind`,
  )
}
