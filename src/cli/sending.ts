// Sending through the wallet, as every command that pays does it: journal, confirmation, result.

import { coinbaseMaturity } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { bytesMaxDefault, entriesMaxDefault } from '../chain-source/limits.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import type { Journal } from '../journal/journal.ts'
import { formatCoins } from '../primitives/amount.ts'
import { isCompressedKey, isHex32 } from '../primitives/hex-forms.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey, redactPublicKey } from '../primitives/redact-key.ts'
import { requireWarnings } from '../request/allowed-warnings.ts'
import type { FindingCode, Report } from '../request/report.ts'
import { isRpcError, type UnsettledTransaction } from '../rpc/errors.ts'
import type { UnsettledEqual } from '../rpc/safe-flow/options.ts'
import { formatReport } from '../verification/format-report.ts'
import type { Wallet } from '../wallet/contract.ts'
import type { SendOptions } from '../wallet/options.ts'
import type { WalletSigner } from '../wallet/signer.ts'
import { createWallet } from '../wallet/wallet.ts'
import { openChain } from './chain.ts'
import {
  type Option,
  type ParsedArguments,
  type Terminal,
  UnsettledError,
  UsageError,
} from './command.ts'
import { firstBlockOf } from './connection-options.ts'
import { isTyped } from './consent.ts'
import { interruptible } from './interrupt.ts'
import { chosenJournal, journalOption, noJournalOption, withJournal } from './journal.ts'
import { isColored } from './style.ts'
import { uint32Of } from './wallet-numbers.ts'

/** Warnings that nobody is asked about with `--yes`. */
export const allowOption: Option = {
  name: 'allow',
  value: 'CODE,...',
  about: 'codes of warnings that do not hold the transaction, such as no_expiry',
}

/** @throws {UsageError} for a code that is no warning */
export function allowOf(options: ReadonlyMap<string, string>): Pick<SendOptions, 'allow'> {
  const allow = options.get('allow')?.split(',') as readonly FindingCode[] | undefined
  if (allow === undefined) return {}
  try {
    requireWarnings(allow, '--allow')
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  return { allow }
}

export const idOption: Option = {
  name: 'id',
  value: 'ID',
  about: 'idempotency key: one ID is one payment, however often you run this',
}

export const dryRunOption: Option = { name: 'dry-run', about: 'do everything but the broadcast' }

export const paidByOption: Option = {
  name: 'paid-by',
  value: 'TXID',
  about:
    'the transaction that made this payment, and that the journal lacks: it\n' +
    'is recorded, and nothing is sent',
}

const entriesMaxOption: Option = {
  name: 'entries-max',
  value: 'N',
  about: `the most transactions and coins that are read; default ${entriesMaxDefault}`,
}
const bytesMaxOption: Option = {
  name: 'bytes-max',
  value: 'N',
  about: `the most bytes of transactions that are read; default ${bytesMaxDefault}`,
}

/** Options of every command that sends through the wallet. */
export const sendingOptions: readonly Option[] = [
  idOption,
  dryRunOption,
  { name: 'yes', about: 'send without asking, if no finding leaves open what could cost money' },
  allowOption,
  {
    name: 'acknowledge',
    value: 'TXID,...',
    about: 'txids of spends that the journal lacks; they no longer hold the payment',
  },
  paidByOption,
  { name: 'trust-daemon', about: 'the daemon is your own: what it claims may end an attempt' },
  journalOption,
  noJournalOption,
  entriesMaxOption,
  bytesMaxOption,
]

export const sendingNotes = `A payment is recorded in the journal before it is sent. Give each payment an --id. If a run is
killed, or its answer is lost, run the same command again: it finds the payment, or sends the same
bytes again. Without an --id, the same request is a repetition until a block has the payment, and
for ten minutes after it was recorded; later it is a new payment. antara-tx attempts lists payments,
and antara-tx wallet resume settles them.

Exit status 0: sent, or agrees in a dry run. 1: not sent. 75: it may have been sent, also by another
run, or be recorded. With --id, run the same command again, and do what it prints. Without one, run
antara-tx wallet resume. With --no-journal, do not run the command again: it would pay twice. Look
for the printed txid first.`

/** One call of a command on an open wallet. */
export interface WalletCall {
  readonly parsed: ParsedArguments
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly network: Network
  /** The journal of a command that sends; absent with --no-journal, or in a first dry run. */
  readonly journal?: Journal
}

interface WalletKeys {
  readonly network: Network
  readonly signers?: readonly WalletSigner[]
  readonly publicKeys?: readonly string[]
  readonly coinbaseMaturity?: number
}

/**
 * Opens a wallet on the servers that the options name, does the work, and prints what they
 * reported and the wallet did not use.
 */
export async function withWallet(
  keys: WalletKeys,
  {
    parsed,
    terminal,
    isSending,
  }: Pick<WalletCall, 'parsed' | 'terminal'> & { readonly isSending: boolean },
  work: (wallet: Wallet, call: WalletCall) => Promise<number>,
): Promise<number> {
  const limits = {
    entriesMax: uint32Of(parsed, entriesMaxOption.name, entriesMaxDefault),
    bytesMax: uint32Of(parsed, bytesMaxOption.name, bytesMaxDefault),
  }
  const named = firstBlockOf(parsed)
  const journal = isSending ? chosenJournal(parsed, terminal) : undefined
  return withJournal(journal, async () => {
    const { chain, requireNetwork, close } = await openChain(parsed, terminal, keys.network)
    try {
      const wallet = await createWallet({
        ...keys,
        chain,
        trustSource: parsed.flags.has('trust-daemon'),
        onProgress: ({ read, wanted }) =>
          printCount('reading transactions', { done: read, total: wanted }, terminal),
        ...(journal !== undefined && { journal }),
        ...named,
        ...limits,
      })
      const status = await interruptible(async ({ signal }) => {
        if (isSending) await requireNetwork({ signal })
        const call = { parsed, terminal, signal, network: keys.network }
        return work(wallet, { ...call, ...(journal !== undefined && { journal }) })
      }).catch(async (error: unknown) => {
        if (isAntaraError(error, 'insufficient_coins')) await nameWaiting(wallet, keys, terminal)
        if (isAntaraError(error, 'insufficient_tokens')) {
          await nameWaitingUnits(wallet, parsed.options.get('token'), terminal)
        }
        throw asRecorded(error, journal !== undefined)
      })
      for (const { code, txid = '', actual = '' } of wallet.findings()) {
        terminal.printError(`warning: ${code} ${txid} ${printable(actual)}\n`)
      }
      return status
    } finally {
      close()
    }
  })
}

/**
 * Returns the error of a payment that was refused, or not sent, and that the journal has: a later
 * command sends it, so the payment is not over. Returns any other error as it is.
 */
export function asRecorded(
  error: unknown,
  hasJournal: boolean,
  resume = 'antara-tx wallet resume',
): unknown {
  const isRefused = isRpcError(error) && error.uncertain !== true && error.txid !== undefined
  if (!hasJournal || !isRefused) return error
  return new UnsettledError(
    `${error.txid} is in the journal: the same command sends it again, and so does ${resume}.\n` +
      'A server may also relay what it refuses. Before you pay in another way, see antara-tx attempts forget.',
    error,
  )
}

/**
 * Reports coins without a block and newly mined ones, which the error leaves out. A new development
 * node has no others.
 */
async function nameWaiting(
  wallet: Wallet,
  { coinbaseMaturity: blocks = coinbaseMaturity }: WalletKeys,
  terminal: Terminal,
): Promise<void> {
  const { pending, immature } = await wallet.balance().catch(() => ({ pending: 0n, immature: 0n }))
  if (pending > 0n) terminal.printError(waitingText(`${formatCoins(pending)} coins`))
  if (immature === 0n) return
  terminal.printError(
    `${formatCoins(immature)} coins are newly mined: each can be spent once ${blocks} blocks follow.\n` +
      'If the chain has another -ac_cbmaturity, name it with --maturity.\n' +
      `On a development node: antara-tx rpc daemon generate ${blocks}\n`,
  )
}

async function nameWaitingUnits(
  wallet: Wallet,
  tokenid: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const tokens = await wallet.tokens().catch(() => [])
  const pending = tokens.find((it) => it.tokenid === tokenid?.toLowerCase())?.pending ?? 0n
  if (pending > 0n) terminal.printError(waitingText(`${pending} units`))
}

function waitingText(what: string): string {
  return `${what} are in transactions that wait for a block.\n`
}

export function sendOptions({ parsed, terminal, signal }: WalletCall): SendOptions {
  return { signal, ...paymentTerms(parsed, (...given) => confirmed(...given, terminal)) }
}

/**
 * Returns the options of a payment, by a wallet or by a daemon. With `--yes` nobody is asked about
 * warnings, and only `--allow` decides.
 *
 * @throws {UsageError} for what is no txid, and for a code that is no warning
 */
export function paymentTerms(
  parsed: ParsedArguments,
  confirm: (report: Report, equal: readonly UnsettledEqual[]) => Promise<boolean>,
): Pick<SendOptions, 'id' | 'dryRun' | 'acknowledged' | 'paidBy' | 'allow' | 'confirm'> {
  const { options, flags } = parsed
  const id = options.get('id')
  return {
    ...(id !== undefined && { id }),
    dryRun: flags.has('dry-run'),
    ...acknowledgedOf(parsed),
    ...paidByOf(parsed),
    ...(!flags.has('yes') && { confirm }),
    ...allowOf(options),
  }
}

export function acknowledgedOf({ options }: ParsedArguments): Pick<SendOptions, 'acknowledged'> {
  const acknowledged = options.get('acknowledge')?.split(',')
  if (acknowledged === undefined) return {}
  const wrong = acknowledged.find((txid) => !isHex32(txid.toLowerCase()))
  if (wrong === undefined) return { acknowledged }
  throw new UsageError(`--acknowledge: expected txids of 64 hex digits, got ${redactKey(wrong)}`)
}

function paidByOf({ options }: ParsedArguments): Pick<SendOptions, 'paidBy'> {
  const paidBy = options.get('paid-by')
  if (paidBy === undefined) return {}
  if (isHex32(paidBy.toLowerCase())) return { paidBy }
  throw new UsageError(`--paid-by: expected a txid of 64 hex digits, got ${redactKey(paidBy)}`)
}

/** Names transactions that hold a payment, because each may be that payment. */
export function samePaymentText(held: readonly UnsettledTransaction[]): string {
  const txids = held.map(({ txid }) => `  ${txid}\n`).join('')
  return `These may be the same payment, and a block may have one already:
${txids}If one is, do not run the command again: later, it can pay once more.
`
}

/** Names equal payments of other ids: a server may relay what it refuses, and both would pay. */
export function unsettledEqualText(equal: readonly UnsettledEqual[]): string {
  if (equal.length === 0) return ''
  const lines = equal.map(({ id, txid }) => `  ${txid} of --id ${printable(id)}\n`).join('')
  return `The journal has an equal payment under another id. It is not settled, and may still be mined:
${lines}If this is one of them, answer no, and run the command again with that --id. Otherwise both can pay.
`
}

/** Counts on one line of a terminal; a log gets only the last line. */
export function printCount(
  what: string,
  { done, total }: { readonly done: number; readonly total: number },
  { isInteractive, printError }: Terminal,
): void {
  const isOver = done === total
  const line = `${what}: ${done} of ${total}${isOver ? '\n' : ''}`
  if (isInteractive) printError(`\r${line}`)
  else if (isOver) printError(line)
}

/** Checks only the form of a public key; the builder or the verifier checks the rest. */
export function requirePublicKey(text: string, name: string): void {
  if (isCompressedKey(text.toLowerCase())) return
  const shown = redactPublicKey(text)
  throw new UsageError(`${name}: expected a compressed public key in hex, got ${shown}`)
}

/** Checks the form of a payee of tokens, which Tokel's chains can name by its address. */
export function requireReceiver(text: string, name: string, { conditions }: Network): void {
  const mayBeAddress = conditions === 'tokel' && !/^0[23]/.test(text)
  if (!mayBeAddress) requirePublicKey(text, name)
}

async function confirmed(
  report: Report,
  equal: readonly UnsettledEqual[],
  terminal: Terminal,
): Promise<boolean> {
  terminal.printError(`\n${formatReport(report, { color: isColored(terminal, 'errors') })}\n`)
  terminal.printError(unsettledEqualText(equal))
  return isTyped('yes', 'Send this transaction?', terminal)
}
