// The result of a payment of the wallet: what is printed, and the exit status.

import { printable } from '../primitives/printable.ts'
import { formatReport } from '../verification/format-report.ts'
import type { MergePlan } from '../wallet/merge.ts'
import type { Sent } from '../wallet/send.ts'
import {
  exitAgrees,
  exitFindings,
  exitUnsettled,
  jsonText,
  type ParsedArguments,
  type Terminal,
} from './command.ts'
import type { WalletCall } from './sending.ts'
import { isColored } from './style.ts'

/** Prints the result, and returns the exit status. */
export function printSent(sent: Sent, { parsed, terminal }: WalletCall): number {
  if (sent.repeated) {
    terminal.printError(
      'This payment was made before; nothing new was sent. To make it again, give another --id.\n',
    )
  }
  terminal.print(parsed.flags.has('json') ? jsonText(sent) : resultText(sent, parsed, terminal))
  return statusOf(sent)
}

/** Returns the exit status of a result. */
export function statusOf(sent: Sent): number {
  if (sent.status === 'uncertain') return exitUnsettled
  return sent.status === 'accepted' || sent.held === 'dry-run' ? exitAgrees : exitFindings
}

function resultText(sent: Sent, parsed: ParsedArguments, terminal: Terminal): string {
  const { status, txid, held, merge, report } = sent
  if (status === 'accepted') return `${txid}\n`
  if (status === 'uncertain') return uncertainText(sent, parsed)
  if (merge !== undefined) return `NOT sent: ${mergeText(merge)}`
  const picture = `\n${formatReport(report, { color: isColored(terminal, 'output') })}\n`
  return `${held === 'declined' ? '' : picture}NOT sent: ${held}\n`
}

function uncertainText({ txid, error, report }: Sent, { flags, options }: ParsedArguments): string {
  const why = error instanceof Error ? printable(error.message) : ''
  const what = `UNCERTAIN: ${txid} may have been sent (${why}).\n`
  if (flags.has('no-journal')) {
    return `${what}Do NOT run the same command again: without a journal, it would pay a second time.
Look for this txid first. If no server has it, send these bytes again, which pay only once:
  ${report.hex}
`
  }
  if (options.has('id')) {
    return `${what}Run the same command again: it sends no second payment.\n`
  }
  return `${what}Settle it with: antara-tx wallet resume
The same command without --id is a new payment once a block has this one and ten minutes passed.
`
}

function mergeText({ tokenid, steps, fee, sendable }: MergePlan): string {
  const unit = tokenid === undefined ? 'satoshis' : 'units'
  const command = tokenid === undefined ? '--all' : `--token ${tokenid}`
  return (
    `it needs too many inputs; one transaction sends at most ${sendable} ${unit}.\n` +
    `Merge coins first: ${steps.length} transactions, ${fee} satoshis of fees for this payment.\n` +
    `Run: antara-tx wallet merge ${command}\n`
  )
}
