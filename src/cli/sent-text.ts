// The result of a payment of the wallet: what is printed, and the exit status.

import { printable } from '../primitives/printable.ts'
import { formatReport } from '../verification/format-report.ts'
import { holdingWarnings } from '../wallet/held-warnings.ts'
import type { MergePlan } from '../wallet/merge.ts'
import { isOtherPayment, type Sent } from '../wallet/send-result.ts'
import {
  exitAgrees,
  exitFindings,
  exitUnsettled,
  jsonText,
  type ParsedArguments,
  type Terminal,
} from './command.ts'
import { allowOf, samePaymentText, type WalletCall } from './sending.ts'
import { isColored } from './style.ts'
import { isMergeOfMany } from './wallet-actions.ts'

/** Prints the result, and returns the exit status. */
export function printSent(sent: Sent, { parsed, terminal }: WalletCall): number {
  if (sent.repeated) {
    terminal.printError(
      'This payment was made before; nothing new was sent. To make it again, give another --id.\n' +
        'If the first had none, wait until a block has it and it is ten minutes old.\n',
    )
  }
  const text = resultText(sent, parsed, terminal)
  const isSent = sent.status === 'accepted' || sent.status === 'uncertain'
  terminal.print(parsed.flags.has('json') ? jsonText(sent) : text, isSent ? text : undefined)
  return statusOf(sent, parsed)
}

/** Returns the exit status of a result. A dry run has that of the payment itself. */
export function statusOf(sent: Sent, parsed: ParsedArguments): number {
  const { status, held, unsettled = [], paidBy = [] } = sent
  const agrees = held === 'dry-run' && holdingCodes(sent, parsed).length === 0
  if (status === 'accepted' || agrees) return exitAgrees
  // This call sent nothing, but another one may have made the payment.
  const mayBeMade = status === 'uncertain' || unsettled.length > 0 || paidBy.length > 0
  return mayBeMade ? exitUnsettled : exitFindings
}

/** Returns the codes of the warnings that hold the payment, or would without a dry run. */
function holdingCodes(
  { report, unsettled, held, case: built }: Sent,
  { options, flags }: ParsedArguments,
): readonly string[] {
  if (held !== 'dry-run' && held !== 'warned') return []
  const isRecorded = built === undefined && unsettled !== undefined
  // A bid without the option for it is refused before.
  const usualWarnings = ['bid_price_unenforced'] as const
  const confirm = flags.has('yes') ? {} : { confirm: () => true }
  const given = { ...allowOf(options), ...confirm, usualWarnings, isRecorded }
  return [...new Set(holdingWarnings(report, given).map(({ code }) => code))]
}

function resultText(sent: Sent, parsed: ParsedArguments, terminal: Terminal): string {
  const { status, txid, held, merge, report, unrecorded, paidBy, unsettled } = sent
  if (status === 'accepted') return `${txid}\n`
  if (status === 'uncertain') return uncertainText(sent, parsed)
  if (merge !== undefined) return `NOT sent: ${mergeText(merge)}`
  const hasPicture = held !== 'declined' && report.hex !== ''
  const picture = hasPicture
    ? `\n${formatReport(report, { color: isColored(terminal, 'output') })}\n`
    : ''
  const isBeside = held === 'different-inputs' && unsettled !== undefined
  const beside = isBeside ? samePaymentText(unsettled) : warnedText(sent, parsed)
  const why = unrecorded === undefined ? beside : unrecordedText(unrecorded, paidBy)
  const txids = isBeside ? [] : (unsettled ?? []).map((it) => it.txid)
  const before = txids.length > 0 ? `An earlier call may have sent ${txids.join(', ')}.\n` : ''
  return `${picture}NOT sent: ${held ?? status}\n${before}${why}`
}

function warnedText(sent: Sent, parsed: ParsedArguments): string {
  const codes = holdingCodes(sent, parsed)
  if (codes.length === 0) return ''
  const when = sent.held === 'dry-run' ? 'Without --dry-run, it would be held' : 'It is held'
  const held = `${when} for ${codes.join(', ')}.`
  // A merge in several transactions takes no --allow.
  if (isMergeOfMany(parsed.positionals[0], parsed)) return `${held}\n`
  return `${held} To send it anyway: --allow ${codes.join(',')}\n`
}

function unrecordedText(txids: readonly string[], paidBy: readonly string[] = []): string {
  const [made] = paidBy
  if (made !== undefined) {
    return `The chain has this payment, and the journal has not. It may be an old copy:
  ${paidBy.join('\n  ')}
Record it under the id that it was made for. Nothing is sent then. If that is the id of this command,
run the same command again with
  --paid-by ${made}
If it was made for another id, run its command with --paid-by first. Then this command pays.
`
  }
  return `The chain has these spends of your coins, and the journal has not. It may be an old copy:
  ${txids.join('\n  ')}
None of them makes this payment alone. Look at each: one may make it beside others. If none does, run
the same command again with
  --acknowledge ${txids.join(',')}
`
}

function uncertainText(sent: Sent, parsed: ParsedArguments): string {
  const { txid, held, error, report, unrecorded, paidBy } = sent
  const { flags, options, positionals } = parsed
  const why = error instanceof Error ? printable(error.message) : (held ?? '')
  const what = `UNCERTAIN: ${txid} may have been sent (${why}).\n`
  if (flags.has('no-journal')) {
    return `${what}Do NOT run the same command again: without a journal, it would pay a second time.
Look for this txid first. If no server has it, send these bytes again, which pay only once:
  ${report.hex}
`
  }
  // The same command would end in the same way.
  if (unrecorded !== undefined) return what + unrecordedText(unrecorded, paidBy)
  if (held === 'rejected' && isOtherPayment(sent)) return what + unverifiedText
  if (options.has('id')) {
    return `${what}Run the same command again: it sends no second payment.\n`
  }
  const settle = `${what}Settle it with: antara-tx wallet resume\n`
  // A merge in several transactions takes no --id.
  if (isMergeOfMany(positionals[0], parsed)) return settle
  return `${settle}The same command without --id is a new payment once a block has this one and ten minutes passed.
`
}

const unverifiedText = `With this key, the wallet cannot verify it as what you requested. Repeat the payment with all keys
of the wallet that made it.
`

function mergeText({ tokenid, steps, fee, sendable }: MergePlan): string {
  const unit = tokenid === undefined ? 'satoshis' : 'units'
  const command = tokenid === undefined ? '--all' : `--token ${tokenid}`
  return (
    `it needs too many inputs; one transaction sends at most ${sendable} ${unit}.\n` +
    `Merge coins first: ${steps.length} transactions, ${fee} satoshis of fees for this payment.\n` +
    `Run: antara-tx wallet merge ${command}\n`
  )
}
