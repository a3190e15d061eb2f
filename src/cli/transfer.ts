import { buildTokenTransfer } from '../builders/transfer.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { formatCase } from '../request/format-case.ts'
import type { Report } from '../request/report.ts'
import { termForms } from '../request/terms.ts'
import { type TransferIntent, transferForms, transferRequestForms } from '../request/transfer.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import { isRpcError } from '../rpc/errors.ts'
import type { SafeFlowResult } from '../rpc/safe-flow/flow.ts'
import type { SafeFlowProgress } from '../rpc/safe-flow/options.ts'
import { heldWarnings } from '../rpc/safe-flow/warned.ts'
import { transferToken } from '../rpc/safe-flow.ts'
import { formatReport } from '../verification/format-report.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  exitUnsettled,
  jsonText,
  type ParsedArguments,
  type Terminal,
  UnsettledError,
  UsageError,
} from './command.ts'
import { argumentErrorAsUsage, daemonOptions } from './connection.ts'
import {
  connectionNotes,
  connectionOptions,
  firstBlockOf,
  firstBlockOption,
  trustDaemonOption,
} from './connection-options.ts'
import { isTyped, requireConsent } from './consent.ts'
import { interruptible } from './interrupt.ts'
import { chosenJournal, journalOption, noJournalOption, withJournal } from './journal.ts'
import { chosenNetwork, networkOption } from './network.ts'
import { readSource } from './read.ts'
import { readRequestFile } from './request-file.ts'
import { requestHelp } from './request-help.ts'
import { readOptions, requestOptions } from './request-options.ts'
import {
  allowOf,
  allowOption,
  asRecorded,
  dryRunOption,
  idOption,
  paidByOption,
  paymentTerms,
  printCount,
  requirePublicKey,
  requireReceiver,
  samePaymentText,
  unsettledEqualText,
} from './sending.ts'
import { isColored } from './style.ts'

/** The members that options say; the first three are arguments. */
const { tokenid: _, destination: _to, amount: _units, ...others } = transferForms
const daemonForms = { ...others, ...termForms }

export const transfer: Command = {
  choosesCoins: true,
  usage: ['[REQUEST.json | -]', '--daemon TOKENID DESTINATION AMOUNT --from PUBKEY'],
  about: `With a request, builds the transfer from coins of your own, and prints a case file without
signatures for antara-tx sign and antara-tx verify. Opens no connection.

With --daemon, requests the transaction from the daemon, fetches the transactions that it spends,
verifies and shows it, asks for your consent, and broadcasts the verified copy. DESTINATION and
PUBKEY are compressed public keys in hex, AMOUNT counts token units. PUBKEY is your own key, which
the daemon cannot choose. With --network tokel DESTINATION may be an address.`,
  options: [
    { name: 'daemon', about: 'transfer through a daemon' },
    ...requestOptions(daemonForms),
    dryRunOption,
    {
      name: 'yes',
      about: 'broadcast without asking, if no finding leaves open what could cost money',
    },
    allowOption,
    {
      name: 'earlier',
      value: 'HEX,...',
      about:
        'all earlier attempts at this transfer with an unknown fate (hex or files);\n' +
        'they are looked up and sent again before a new transaction is made',
    },
    {
      name: 'different-inputs',
      about: 'allow a transfer that could be mined beside an earlier one',
    },
    idOption,
    {
      name: 'acknowledge',
      value: 'TXID,...',
      about: 'transactions that the journal lacks, and that do not hold the transfer',
    },
    paidByOption,
    journalOption,
    noJournalOption,
    firstBlockOption,
    trustDaemonOption,
    { name: 'json', about: 'print the report, with amounts as decimal strings' },
    networkOption,
    ...connectionOptions,
  ],
  notes: `A request is a JSON object with these members:
${requestHelp(transferRequestForms)}

${connectionNotes}

A payment is recorded in the journal before it is sent. If a run is killed, or its answer is lost,
run the same command again: it finds the payment, or sends the same bytes again. Without --id, the
same request is a repetition until a block has the payment, and for ten minutes after it was
recorded; later it is a new payment. antara-tx attempts lists and settles recorded payments.

Exit status 0: broadcast, or agrees in a dry run. 1: not broadcast, or a warning would hold it
in a dry run with --yes. 75: it may have arrived, also by another run, or be recorded. Then run the
same command again, and do what it prints; with --no-journal, add the --earlier that is printed.`,
  async run(parsed, terminal) {
    const { flags } = parsed
    if (!flags.has('daemon')) return build(parsed, terminal)
    const intent = intentOf(parsed)
    const named = firstBlockOf(parsed)
    requireConsent(parsed, terminal)
    const options = await daemonOptions(parsed, terminal)
    const client = await argumentErrorAsUsage(async () => createDaemonClient(options))
    const journal = chosenJournal(parsed, terminal)
    const payment = paymentTerms(parsed, (report, equal) =>
      confirm(report, intent, unsettledEqualText(equal), terminal),
    )
    const earlier: string[] = []
    for (const one of parsed.options.get('earlier')?.split(',') ?? []) {
      earlier.push(await readSource(one, terminal))
    }
    const sent: Report[] = []
    const paying = interruptible((limits) =>
      transferToken(client, intent, {
        ...limits,
        ...named,
        ...(journal !== undefined && { journal }),
        trustServer: flags.has('trust-daemon'),
        differentInputs: flags.has('different-inputs'),
        earlier,
        ...payment,
        onProgress: (progress) => {
          if (progress.step === 'broadcasting') sent.push(progress.report)
          printProgress(progress, terminal)
        },
      }),
    )
    const result = await withJournal(journal, () => paying).catch((error: unknown) => {
      throw afterFailure(error, { sent, earlier, hasJournal: journal !== undefined }, terminal)
    })
    if (result.repeated) terminal.printError(repeatedText)
    terminal.printError(claimText(result, payment.paidBy))
    const holding = holdingCodes(result, parsed)
    const given = { intent, holding, terminal }
    terminal.print(flags.has('json') ? jsonText(result) : resultText(result, given), result.txid)
    const agrees = result.held === 'dry-run' && holding.length === 0
    if (result.txid !== undefined || agrees) return exitAgrees
    // This run sent nothing, but another one may have made the transfer.
    const { unsettled = [], unrecorded = [] } = result
    return unsettled.length > 0 || unrecorded.length > 0 ? exitUnsettled : exitFindings
  },
}

/** Returns why the transaction of --paid-by was not recorded; empty if it was, or if none was named. */
function claimText({ held, report, txid }: SafeFlowResult, claimed: string | undefined): string {
  const paidBy = claimed?.toLowerCase()
  if (paidBy === undefined || txid === paidBy) return ''
  if (txid !== undefined)
    return `${paidBy} of --paid-by was not recorded: the payment has ${txid}\n`
  const isOther = held === 'rejected' && report.txid === paidBy
  return isOther ? `${paidBy} of --paid-by makes another payment. Its report follows.\n` : ''
}

const repeatedText = `This payment was made before, so nothing was sent. To make the same payment again,
give it another --id. If the first had none, wait until a block has it and it is ten minutes old.
`

interface Sent {
  readonly sent: readonly Report[]
  readonly earlier: readonly string[]
  readonly hasJournal: boolean
}

/**
 * Returns the error of a failure. It names all attempts, so that the next run conflicts with each.
 */
function afterFailure(
  error: unknown,
  { sent, earlier, hasJournal }: Sent,
  { printError }: Terminal,
): unknown {
  // Another error does not show whether the broadcast was sent.
  const open = isRpcError(error) ? (error.unsettled ?? []) : [...sent].reverse()
  const [latest] = open
  if (latest !== undefined) {
    const attempts = [...earlier, ...open.map(({ hex }) => hex).reverse()].map((hex) =>
      hex.trim().toLowerCase(),
    )
    const known = hasJournal
      ? '. It is in the journal: run the same command again, or antara-tx attempts resume. With another journal,'
      : ';'
    const text = `${latest.txid} may have been broadcast${known} to look for it, and not to pay twice, run again with`
    return new UnsettledError(`${text}\n  --earlier ${[...new Set(attempts)].join(',')}`, error)
  }
  const recorded = asRecorded(error, hasJournal, 'antara-tx attempts resume')
  if (recorded !== error) return recorded
  const refused = sent.at(-1)
  if (refused !== undefined) {
    const text = `the daemon refused ${refused.txid}; if it is not your own daemon, look for it`
    printError(
      `antara-tx transfer: ${text} before you run again, with\n  --earlier ${refused.hex}\n`,
    )
  }
  return error
}

async function build(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  const { flags, options } = parsed
  const forDaemon = [...flags, ...options.keys()].find((name) => name !== 'json')
  if (forDaemon !== undefined) throw new UsageError(`--${forDaemon} needs --daemon`)
  const forms = transferRequestForms
  const request = await readRequestFile('a transfer request', forms, parsed, terminal)
  terminal.print(formatCase(buildTokenTransfer(request)))
  return exitAgrees
}

function intentOf(parsed: ParsedArguments): TransferIntent {
  const [tokenid, destination, amount, ...rest] = parsed.positionals
  if (tokenid === undefined || destination === undefined || amount === undefined || rest[0]) {
    throw new UsageError('expected three arguments: TOKENID DESTINATION AMOUNT')
  }
  const terms = readOptions<Omit<TransferIntent, 'tokenid' | 'destination' | 'amount'>>(
    parsed,
    daemonForms,
  )
  if (!isHex32(tokenid.toLowerCase())) throw new UsageError('TOKENID: expected 64 hex digits')
  const network = chosenNetwork(parsed)
  requireReceiver(destination, 'DESTINATION', network)
  requirePublicKey(terms.from, '--from')
  if (!/^\d{1,20}$/.test(amount))
    throw new UsageError('AMOUNT: expected a whole number of token units')
  return {
    tokenid,
    destination,
    amount: BigInt(amount),
    network,
    ...terms,
  }
}

function printProgress(progress: SafeFlowProgress, terminal: Terminal): void {
  if (progress.step === 'fetching') {
    printCount('fetching previous transactions', progress, terminal)
  } else terminal.printError(`${stepText(progress)}\n`)
}

function stepText(progress: Exclude<SafeFlowProgress, { readonly step: 'fetching' }>): string {
  switch (progress.step) {
    case 'looking-up-earlier':
      return `looking up an earlier attempt, ${progress.txid}`
    case 'not-compared':
      return notComparedText
    case 'asking':
      return 'requesting the transaction from the daemon'
    case 'verified':
      return 'verified'
    case 'broadcasting':
      // The hex stays on the screen, so that a lost transfer can be resumed with it.
      return `broadcasting ${progress.report.hex}`
  }
}

const notComparedText = `warning: the daemon does not list what this key spent (-addressindex=1), so a payment that the
journal lacks is not noticed`

async function confirm(
  report: Report,
  intent: TransferIntent,
  equalText: string,
  terminal: Terminal,
): Promise<boolean> {
  terminal.printError(pictureOf(report, intent, { terminal, stream: 'errors' }) + equalText)
  return isTyped('yes', 'Broadcast this transaction?', terminal)
}

function pictureOf(
  report: Report,
  intent: TransferIntent,
  { terminal, stream }: { terminal: Terminal; stream: 'output' | 'errors' },
): string {
  const { hex } = report
  const evidence = { previousTransactions: [] }
  const given = { operation: 'tokentransfer', hex, evidence, intent } as const
  return `\n${formatReport(report, { given, color: isColored(terminal, stream) })}\n`
}

const notBroadcastTexts: Readonly<Record<NonNullable<SafeFlowResult['held']>, string>> = {
  rejected: 'NOT broadcast: the transaction differs from the request.',
  'dry-run': 'Not broadcast: this was a dry run.',
  declined: 'Not broadcast, as you decided.',
  warned:
    'NOT broadcast: a warning could cost money, and nobody was asked (--allow CODE allows it).',
  'different-inputs':
    'NOT broadcast: it and an earlier transaction could both be mined, and both would pay\n' +
    '(--different-inputs allows it).',
  'reserved-inputs':
    'NOT broadcast: it spends coins of another payment, or is the transaction of one. Settle that\n' +
    'payment: antara-tx attempts resume. If nobody will send that payment: antara-tx attempts forget.',
  unsettled: 'NOT settled: the daemon has none of the recorded attempts, and accepts none of them.',
  'unrecorded-spends':
    'NOT broadcast: the chain has this payment, and the journal has not. The journal may be a new one,\n' +
    'or an old copy. If a transaction below is this payment, --paid-by TXID records it, and nothing is\n' +
    'sent. If they are other payments, --acknowledge TXID,... pays once more.',
  'under-way': 'NOT broadcast: another call for the same payment waits for its confirmation.',
  'too-many-attempts': 'NOT broadcast: too many earlier attempts are unsettled.',
}

/** Returns the codes of the warnings that would hold the payment of a dry run, which asks nobody. */
function holdingCodes(
  { report, held }: SafeFlowResult,
  { options, flags }: ParsedArguments,
): readonly string[] {
  if (held !== 'dry-run' || !flags.has('yes')) return []
  return [...new Set(heldWarnings(allowOf(options), [], report).map(({ code }) => code))]
}

interface Given {
  readonly intent: TransferIntent
  readonly holding: readonly string[]
  readonly terminal: Terminal
}

function resultText(
  { report, txid, held, unrecorded = [], unsettled = [] }: SafeFlowResult,
  { intent, holding, terminal }: Given,
): string {
  if (txid !== undefined) return `${txid}\n`
  const lines = held === undefined ? [] : [notBroadcastTexts[held], ...unrecorded]
  if (holding.length > 0) {
    const codes = holding.join(',')
    lines.push(`Without --dry-run, --yes would hold it (--allow ${codes} allows it).`)
  }
  if (held === 'unrecorded-spends' && unsettled.length > 0) {
    lines.push(`An earlier run may have sent ${unsettled.map((it) => it.txid).join(', ')}.`)
  }
  const isBeside = held === 'different-inputs' && unsettled.length > 0
  const beside = isBeside ? samePaymentText(unsettled) : ''
  const text = `${lines.map((line) => `${line}\n`).join('')}${beside}`
  return held === 'declined'
    ? text
    : `${pictureOf(report, intent, { terminal, stream: 'output' })}${text}`
}
