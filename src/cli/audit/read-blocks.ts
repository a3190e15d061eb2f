// Adds blocks to a ledger, and shows the progress on a terminal.

import { availableParallelism } from 'node:os'
import { bringForward, fromFirst, withoutLast } from '../../audit/audit.ts'
import { Ledger } from '../../audit/ledger.ts'
import { SignatureChecks } from '../../audit/signatures.ts'
import { hasLedger, settingOf } from '../../audit/store.ts'
import { type ParsedArguments, UsageError } from '../command.ts'
import type { Question } from './answers.ts'
import type { Blocks } from './blocks.ts'

export async function readBlocks(
  blocks: Blocks,
  { database, network, parsed, terminal }: Omit<Question, 'value'>,
): Promise<void> {
  const checks = new SignatureChecks(availableParallelism() - 1)
  const isUnsigned = hasLedger(database) && settingOf(database, 'signatures') === 'false'
  const signatures = !parsed.flags.has('unsigned') && !isUnsigned
  const ledger = new Ledger(database, { network, signatures, checks })
  const started = performance.now()
  const isShown = terminal.streams?.isErrorTerminal === true
  const showProgress = (height: number): void => {
    const { blocks, tokenTransactions } = ledger.counts
    const rate = Math.round((1000 * tokenTransactions) / (performance.now() - started))
    const text = `block ${height}, ${blocks} read, ${tokenTransactions} token transactions, ${rate}/s`
    if (isShown) terminal.printError(`\r\u001b[K${text}`)
  }
  try {
    const isTrusted = parsed.flags.has('trusted')
    const kept = withoutLast(blocks, behindOf(parsed))
    const read = ledger.tip === undefined ? fromFirst(kept) : kept
    await bringForward(ledger, read, { onAdded: showProgress, isTrusted })
  } finally {
    await checks.close()
  }
  if (isShown) terminal.printError('\r\u001b[K')
}

/** The blocks that are left out are held in memory. */
const behindMax = 10_000

/** Returns how many blocks at the end of the chain are left out. */
export function behindOf({ options }: ParsedArguments): number {
  const text = options.get('behind') ?? '0'
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= behindMax) return Number(text)
  throw new UsageError(`--behind: expected a number from 0 to ${behindMax}`)
}
