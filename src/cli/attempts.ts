import { shortened } from '../errors/shortened.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { printable, printableMessage } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { createDaemonClient, type DaemonClient } from '../rpc/daemon/client.ts'
import { createFrameworkClient, type FrameworkClient } from '../rpc/framework/client.ts'
import {
  forgetPayment,
  type JournalPayment,
  listPayments,
  type ResumedPayment,
  resumePayments,
} from '../rpc/resume.ts'
import { checkedPayments, checkedText } from './attempts-check.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  exitUnsettled,
  jsonOption,
  jsonText,
  type ParsedArguments,
  refuseOptions,
  type Terminal,
  UsageError,
} from './command.ts'
import { argumentErrorAsUsage, daemonOptions, frameworkOptions } from './connection.ts'
import {
  connectionNotes,
  connectionOptions,
  firstBlockOf,
  firstBlockOption,
  trustDaemonOption,
} from './connection-options.ts'
import { isTyped, requireConsent } from './consent.ts'
import { interruptible } from './interrupt.ts'
import { chosenJournal, journalOption, requireNamedJournal, withJournal } from './journal.ts'
import { isOpen, settlerOf } from './settler.ts'

export const attempts: Command = {
  usage: [
    '[list] [--all]',
    'resume [daemon | framework] [--send TXID,...]',
    'check',
    'forget ID|TXID',
  ],
  about: `Lists and settles the payments of the journal, which transfer --daemon records before it sends.

  list     shows unsettled payments, with --all every payment
  resume   looks for each transaction on the daemon's chain and sends the recorded bytes again; it
           makes no new transaction. With framework, for withdrawals through that server
  check    looks for each settled payment on the daemon's chain, and lists those that no block has:
           the server that settled one may have claimed a false block. It changes nothing. A
           withdrawal's record names no chain, so check it by a daemon of its coin. It also lists
           the payments of another chain: check them by a daemon of that chain
  forget   removes the unsettled attempts of one payment, so that the same request may be paid
           again; do that only if none of them can be mined any more

Two kinds of transactions stay unsent: one that a guard handed over, because its program may have
cancelled it, and one that a guard made for a user and no server is known to have accepted. Repeat
the call through the guard, or stop the guard and run one of these, with the guard's journal:

  antara-tx attempts resume --send TXID --journal FILE    sends it
  antara-tx attempts forget TXID --journal FILE           forgets it; its call is then a new payment`,
  options: [
    { name: 'all', about: 'list settled payments too' },
    { name: 'yes', about: 'forget without asking' },
    trustDaemonOption,
    {
      name: 'send',
      value: 'TXID,...',
      about: 'with resume: transactions to send that resume keeps back',
    },
    firstBlockOption,
    journalOption,
    jsonOption,
    ...connectionOptions,
  ],
  notes: `${connectionNotes}

With --json, forget prints { "forgotten": NAME, "attempts": [TXID, ...] }, or an error with the code
no-such-payment, settled or declined.
Exit status 0: all is settled, listed or forgotten; 1: there is no such payment, it is settled, or
you declined; 75: a payment is still unsettled, could not be looked up, is in no block, or, with
check, is of another chain.`,
  actions: ['list', 'resume', 'check', 'forget'],
  async run(parsed, terminal) {
    const [action = 'list', name, ...rest] = parsed.positionals
    if (rest.length > 0 || (name !== undefined && ['list', 'check'].includes(action))) {
      throw new UsageError(
        'too many arguments: expected list, resume, check, or forget and one name',
      )
    }
    if (action !== 'resume') {
      refuseOptions(parsed, ['send', firstBlockOption.name], 'is only for resume')
    }
    requireNamedJournal(parsed)
    if (action === 'list') return list(parsed, terminal)
    if (action === 'resume') return resume(name, parsed, terminal)
    if (action === 'check') return check(parsed, terminal)
    if (action !== 'forget') throw new UsageError('expected list, resume, check or forget')
    if (name === undefined)
      throw new UsageError('forget: expected the id of a payment or the txid of an attempt')
    return forget(name, parsed, terminal)
  },
}

async function list(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  const journal = chosenJournal(parsed, terminal)!
  const all = await withJournal(journal, () => listPayments(journal))
  const shown = parsed.flags.has('all') ? all : all.filter(({ state }) => state === 'unsettled')
  terminal.print(parsed.flags.has('json') ? jsonText(shown) : listText(shown))
  return exitAgrees
}

function listText(payments: readonly JournalPayment[]): string {
  if (payments.length === 0) return 'no unsettled payments\n'
  return payments.map(paymentText).join('')
}

/** A request with a dozen recipients is shorter. --json prints the whole request. */
const requestCharactersMax = 1000

function paymentText({ name, request, state, attempts: sent }: JournalPayment): string {
  const lines = sent.map(({ txid, at, state: fate, firstSent, height, minedAs }) => {
    const copy = minedAs === undefined ? '' : ` as ${minedAs}`
    const where = `${height === undefined ? '' : ` in block ${height}`}${copy}`
    const refused = firstSent === 'refused' ? ', refused or not sent' : ''
    return `  ${txid} ${fate}${refused}${where}, recorded ${at}\n`
  })
  const shown = shortened(printable(request ?? ''), requestCharactersMax)
  const requestLine = request === undefined ? '' : `  ${shown}\n`
  return `${printable(name)}: ${state}\n${requestLine}${lines.join('')}`
}

async function resume(
  server: string | undefined,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<number> {
  const handedOver = handedOverIn(parsed)
  const named = firstBlockOf(parsed)
  const client = await clientOf(server, parsed, terminal)
  const journal = chosenJournal(parsed, terminal)!
  const trustServer = parsed.flags.has('trust-daemon')
  const resumed = await withJournal(journal, async () => {
    requireListed(handedOver, await listPayments(journal))
    return interruptible((limits) =>
      resumePayments(client, { ...limits, ...named, journal, trustServer, handedOver }),
    )
  })
  const text = resumedTexts(resumed, parsed)
  terminal.print(
    parsed.flags.has('json') ? jsonText(resumed) : text,
    text === '' ? undefined : text,
  )
  return resumed.some(({ payment, error }) => isOpen(payment, error)) ? exitUnsettled : exitAgrees
}

async function check(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  const client = await daemonOf(parsed, terminal)
  const journal = chosenJournal(parsed, terminal)!
  const checked = await withJournal(journal, () =>
    interruptible((limits) => checkedPayments(client, journal, limits, journalIn(parsed))),
  )
  const text = checkedText(checked)
  terminal.print(parsed.flags.has('json') ? jsonText(checked.payments) : text, text)
  const isWhole = checked.payments.every(({ state }) => state === 'in-block')
  return isWhole ? exitAgrees : exitUnsettled
}

function handedOverIn({ options }: ParsedArguments): readonly string[] {
  const txids = options.get('send')?.split(',') ?? []
  if (txids.every((txid) => isHex32(txid.toLowerCase()))) return txids
  throw new UsageError('--send: expected txids, each of 64 hex digits, joined by commas')
}

/**
 * A transaction that was sent meanwhile is no longer handed over, and the same command may name it
 * again.
 *
 * @throws {UsageError} for a txid that `resume` would skip without a word
 */
function requireListed(txids: readonly string[], payments: readonly JournalPayment[]): void {
  const live = payments.filter(({ state }) => state !== 'dead')
  const listed = new Set(live.flatMap(({ attempts: sent }) => sent.map(({ txid }) => txid)))
  const unknown = txids.find((txid) => !listed.has(txid.toLowerCase()))
  if (unknown === undefined) return
  throw new UsageError(`--send: ${unknown} is in no payment of the journal that may still be mined`)
}

async function clientOf(
  server: string | undefined,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<DaemonClient | FrameworkClient> {
  if (server === undefined || server === 'daemon') return daemonOf(parsed, terminal)
  if (server !== 'framework') throw new UsageError('resume: expected daemon or framework')
  refuseOptions(parsed, ['trust-daemon', firstBlockOption.name], 'is only for a daemon')
  const options = await frameworkOptions(parsed, terminal)
  return argumentErrorAsUsage(async () => createFrameworkClient(options))
}

async function daemonOf(parsed: ParsedArguments, terminal: Terminal): Promise<DaemonClient> {
  const options = await daemonOptions(parsed, terminal)
  return argumentErrorAsUsage(async () => createDaemonClient(options))
}

/** Returns the option that names the journal, with a space before it, if it was given. */
function journalIn({ options }: ParsedArguments): string {
  const path = options.get('journal')
  return path === undefined ? '' : ` --journal ${shellWord(path)}`
}

function resumedTexts(resumed: readonly ResumedPayment[], parsed: ParsedArguments): string {
  const journal = journalIn(parsed)
  return resumed.map((one) => resumedText(one, journal)).join('')
}

/** Returns a text as one word of a POSIX shell, since a person copies the line. */
function shellWord(text: string): string {
  // Escapes double every backslash, so only a text that needs them has them.
  const shown = printableMessage(text) === text ? text : printable(text)
  return /^[\w./:@%+=,-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`
}

/** @param journal - as `journalIn` returns it */
function resumedText(resumed: ResumedPayment, journal: string): string {
  const { payment, result, error } = resumed
  const isElsewhere = payment.state === 'unsettled' && result === undefined && error === undefined
  const settler = settlerOf(payment, journal)
  const hint = isElsewhere
    ? `  settle it with ${settler}\n`
    : `${unrecordedText(result)}${keptBackText(resumed, journal)}${deadText(payment)}`
  const trouble = error instanceof Error ? `  ${printable(error.message)}\n` : ''
  return `${paymentText(payment)}${trouble}${hint}`
}

/** Returns what a person can do about a payment that another transaction may have made. */
function unrecordedText(result: ResumedPayment['result']): string {
  if (result === undefined || !('unrecorded' in result)) return ''
  const { unrecorded = [] } = result
  return `  not sent: the chain has the same payment, and the journal has not:
    ${unrecorded.join('\n    ')}
  If that is this payment, repeat its command with --paid-by TXID. If it is another one, repeat it
  with --acknowledge ${unrecorded.join(',')}
`
}

/** Returns what a person can do about a transaction that was not sent. */
function keptBackText({ payment, keptBack }: ResumedPayment, journal: string): string {
  const latest = payment.attempts.find(
    ({ state, txid }) => state === 'handed-over' || txid === keptBack,
  )
  if (payment.state !== 'unsettled' || latest === undefined) return ''
  const isHandedOver = latest.state === 'handed-over'
  const isRefused = latest.firstSent === 'refused'
  // A program may hold another one of them, and forget removes them all.
  const isAnyLeft = payment.attempts.some((it) => it !== latest && it.state !== 'dead')
  const handedOverText = isRefused ? refusedText : 'a guard handed it over; it was not sent now'
  // A server may refuse a transaction and relay it all the same.
  const isOpen = !isHandedOver || isRefused || isAnyLeft
  const end = isOpen
    ? 'Only if none of these can be mined any more'
    : 'If no program can send it any more'
  const again = payment.id === undefined ? repeatedText : ''
  return `  ${isHandedOver ? handedOverText : ofUserText}. To send it:
    ${settlerOf(payment, ` --send ${latest.txid}${journal}`)}
  ${end}:
    antara-tx attempts forget ${latest.txid}${journal}
${again}`
}

/** Returns what a person can do about a payment that no server of theirs has. */
function deadText({ state }: JournalPayment): string {
  if (state !== 'dead') return ''
  return `  not made: a trusted daemon claimed that none of these can be mined. If the payment is still due,
  repeat its call, which looks for them first
`
}

const refusedText = 'the server refused it, or it was not sent; it may still be mined'
const ofUserText =
  'a guard made it for a user, and it was not sent now; repeat the call through the guard'
/** The name of a payment lasts for ever. Without one, a later call is a new payment. */
const repeatedText =
  '  Once a block has it, the same call without a name may pay again, so stop its program first\n'

/**
 * Returns true if a payment has this name, id or txid. Names without an id are long, so a txid will
 * do.
 */
function isCalled({ name, id, attempts: sent }: JournalPayment, given: string): boolean {
  return name === given || id === given || sent.some(({ txid }) => txid === given.toLowerCase())
}

async function forget(name: string, parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  const journal = chosenJournal(parsed, terminal)!
  const isJson = parsed.flags.has('json')
  const kept = (code: 'no-such-payment' | 'settled' | 'declined', message: string): number => {
    const explain = 'antara-tx attempts --help'
    if (isJson) terminal.print(jsonText({ error: { code, message, explain } }))
    return exitFindings
  }
  return withJournal(journal, async () => {
    const [payment, other] = (await listPayments(journal)).filter((it) => isCalled(it, name))
    if (other !== undefined) {
      // A customer may choose an id, and so the txid of an attempt at another payment.
      const names = `${printable(payment!.name)} and ${printable(other.name)}`
      throw new UsageError(`forget: ${printable(name)} is in ${names}: name one of them otherwise`)
    }
    if (payment === undefined || payment.state === 'settled') {
      const why =
        payment === undefined ? 'no such payment' : 'it is settled and cannot be forgotten'
      // A name that the journal lacks may be anything, such as a private key in WIF.
      // A key in hex looks like a txid, which a person has to see here.
      const isKnown = payment !== undefined || isHex32(name.toLowerCase())
      const shown = printable(isKnown ? name : redactKey(name))
      terminal.printError(`antara-tx attempts: ${shown}: ${why}\n`)
      return kept(payment === undefined ? 'no-such-payment' : 'settled', `${shown}: ${why}`)
    }
    terminal.printError(paymentText(payment))
    if (!parsed.flags.has('yes')) {
      requireConsent(parsed, terminal, '--yes')
      const question = 'If one of these is mined later, the request is paid twice.'
      if (!(await isTyped('forget', question, terminal))) {
        return kept('declined', 'nothing was forgotten, because you declined')
      }
    }
    await forgetPayment(journal, payment.name)
    const txids = payment.attempts.map(({ txid }) => txid)
    if (isJson) terminal.print(jsonText({ forgotten: payment.name, attempts: txids }))
    return exitAgrees
  })
}
