// The options of a guard that verifies payments.

import { join } from 'node:path'
import { type Network, networks } from '../chain/network.ts'
import type { GuardOptions } from '../guard/options.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { printable } from '../primitives/printable.ts'
import {
  type Option,
  type ParsedArguments,
  refuseOptions,
  type Terminal,
  UsageError,
  withOption,
} from './command.ts'
import { firstBlockOf, firstBlockOption } from './connection-options.ts'
import { chosenJournal, defaultPath, journalOption } from './journal.ts'
import { namedNetwork, networkOptionOf } from './network.ts'
import { acknowledgedOf, allowOf, allowOption } from './sending.ts'

export const paymentOptions: readonly Option[] = [
  {
    name: 'pubkey',
    value: 'KEY',
    about: 'the -pubkey of the daemon; without it, only reads pass',
  },
  networkOptionOf('that of --chain'),
  firstBlockOption,
  journalOption,
  { name: 'max-fee', value: 'SATOSHIS', about: 'the highest fee of a transaction; default 20000' },
  {
    name: 'repeat',
    value: 'SECONDS',
    about: 'time until the same payment without a name is a new one; default 600',
  },
  {
    name: 'allow-unenforced-bids',
    about: 'allow bids whose price no chain enforces (komodod, several units)',
  },
  allowOption,
  {
    name: 'acknowledge',
    value: 'TXID,...',
    about: 'equal payments on the chain that no longer hold a new one back',
  },
  {
    name: 'paid-by',
    value: 'TXID=NAME,...',
    about: 'transactions that made the payment NAME; TXID alone: one without a name',
  },
  {
    name: 'trust-daemon',
    about: 'believe your own daemon that a payment can never be mined',
  },
]

export type PaymentChoices = Pick<
  GuardOptions,
  | 'pubkey'
  | 'network'
  | 'maxFee'
  | 'repeatMs'
  | 'allow'
  | 'allowUnenforcedPrices'
  | 'trustServer'
  | 'acknowledged'
  | 'paidBy'
  | 'firstBlock'
> & { readonly journal?: Journal | undefined }

/**
 * Reads the options, and opens the journal if payments are possible.
 *
 * @throws {UsageError}
 */
export function paymentChoices(parsed: ParsedArguments, terminal: Terminal): PaymentChoices {
  const { options, flags } = parsed
  refuseOptions(parsed, ['coin', 'own'], 'needs --framework')
  const pubkey = options.get('pubkey')
  if (pubkey === undefined) {
    refuseOptions(
      parsed,
      [firstBlockOption.name],
      'needs --pubkey, because only payments are compared',
    )
    return {}
  }
  const network = networkOf(options)
  return {
    pubkey,
    network,
    ...anyPayments(parsed, terminal),
    allowUnenforcedPrices: flags.has('allow-unenforced-bids'),
    trustServer: flags.has('trust-daemon'),
    ...firstBlockOf(parsed),
  }
}

/** Reads what guards of daemons and of frameworks have in common, and opens the journal. */
export function anyPayments(
  parsed: ParsedArguments,
  terminal: Terminal,
): Pick<PaymentChoices, 'journal' | 'maxFee' | 'repeatMs' | 'allow' | 'acknowledged' | 'paidBy'> {
  const { options } = parsed
  return {
    journal: guardJournal(parsed, terminal),
    ...maxFeeOf(options),
    ...repeatOf(options),
    ...allowOf(options),
    ...acknowledgedOf(parsed),
    ...paidByOf(options),
  }
}

/** Opens the journal that the options name; by default that in the folder of --state. */
export function guardJournal(parsed: ParsedArguments, terminal: Terminal): Journal | undefined {
  const path = guardJournalPath(parsed.options)
  return chosenJournal(withOption(parsed, 'journal', path), terminal)
}

export function guardJournalPath(options: ReadonlyMap<string, string>): string {
  const folder = options.get('state')
  return options.get('journal') ?? (folder === undefined ? defaultPath() : join(folder, 'journal'))
}

/** @throws {UsageError} */
function maxFeeOf(options: ReadonlyMap<string, string>): { readonly maxFee?: bigint } {
  const maxFee = options.get('max-fee')
  if (maxFee === undefined) return {}
  if (/^\d{1,16}$/.test(maxFee)) return { maxFee: BigInt(maxFee) }
  throw new UsageError('--max-fee: expected satoshis')
}

/**
 * Reads transactions and the names of their payments. A name may have commas, so only one before a
 * txid ends it.
 *
 * @throws {UsageError}
 */
export function paidByOf(options: ReadonlyMap<string, string>): Pick<GuardOptions, 'paidBy'> {
  const text = options.get('paid-by')
  if (text === undefined) return {}
  const paidBy = text.split(/,\s*(?=[0-9a-f]{64}(?:[=,]|$))/i).map((one) => {
    const [, txid, id] = /^([0-9a-f]{64})(?:=(.+))?$/is.exec(one) ?? []
    if (txid !== undefined) return { txid, ...(id !== undefined && { id }) }
    throw new UsageError('--paid-by: expected TXID or TXID=NAME, joined by commas')
  })
  return { paidBy }
}

/**
 * Prints which transactions of --paid-by wait for their call, or belong to another one: nothing else
 * shows that a name was mistyped.
 */
export async function printClaims(
  { journal, paidBy = [] }: Pick<GuardOptions, 'journal' | 'paidBy'>,
  terminal: Terminal,
): Promise<void> {
  if (journal === undefined || paidBy.length === 0) return
  const book = bookOf(journal)
  await book.catchUp()
  for (const { txid, id } of paidBy) {
    const recorded = book.paymentsOf(txid.toLowerCase())
    if (recorded.some((it) => it.id === id)) continue
    const call = id === undefined ? 'a call without a name' : `the call ${printable(id)}`
    const text =
      recorded.length === 0
        ? `${txid} waits for ${call}, which will pay nothing`
        : `the journal has ${txid} for another payment than ${call}`
    terminal.printError(`--paid-by: ${text}\n`)
  }
}

const secondsMax = 10 * 365 * 24 * 3600

/** @throws {UsageError} */
export function repeatOf(options: ReadonlyMap<string, string>): { readonly repeatMs?: number } {
  const seconds = options.get('repeat')
  if (seconds === undefined) return {}
  if (/^\d{1,9}$/.test(seconds) && Number(seconds) <= secondsMax) {
    return { repeatMs: Number(seconds) * 1000 }
  }
  throw new UsageError('--repeat: expected whole seconds, such as 600')
}

/**
 * Returns the network that the options name, or that of the chain whose conf file they select. The
 * guard compares it with the daemon before the first payment.
 *
 * @throws {UsageError}
 */
export function networkOf(options: ReadonlyMap<string, string>): Network {
  const named = namedNetwork(options)
  if (named !== undefined) return named
  const isElsewhere = options.has('conf') || options.has('daemon')
  const chain = options.get('chain') ?? (isElsewhere ? '' : 'KMD')
  if (chain === 'KMD') return networks.komodo
  return chain === 'TOKEL' ? networks.tokel : networks.assetChain
}
