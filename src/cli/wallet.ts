import { coinbaseMaturity } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { isPoint } from '../primitives/curve-point.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { printable } from '../primitives/printable.ts'
import { listPayments } from '../rpc/resume.ts'
import type { Resumed, Wallet } from '../wallet/contract.ts'
import { type MergeAllRequest, mergeAllForms } from '../wallet/requests/merge.ts'
import type { Sent } from '../wallet/send-result.ts'
import { privateKeySigner } from '../wallet/signer.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  exitUnsettled,
  jsonOption,
  jsonText,
  type Option,
  type ParsedArguments,
  refuseOptions,
  type Terminal,
  UsageError,
} from './command.ts'
import { argumentErrorAsUsage } from './connection.ts'
import { namesServer, serverNotes, serverOptions } from './connection-options.ts'
import { requireConsent } from './consent.ts'
import { requireNamedJournal } from './journal.ts'
import { chosenNetwork, networkOption } from './network.ts'
import { givenKey, keyFileOption, namingKey } from './private-key.ts'
import { readRecipients, requireTotal } from './recipients.ts'
import { readOptions } from './request-options.ts'
import { reportError } from './run-command.ts'
import {
  asRecorded,
  requireReceiver,
  sendingNotes,
  sendingOptions,
  sendOptions,
  type WalletCall,
  withWallet,
} from './sending.ts'
import { printSent, statusOf } from './sent-text.ts'
import { isOpen, settlerOf } from './settler.ts'
import {
  actions,
  isMergeOfMany,
  membersAsOptions,
  optionNames,
  payments,
  requireOwnOptions,
  sending,
} from './wallet-actions.ts'
import { amountOf, numberOf, required, requirePositive, uint32Of } from './wallet-numbers.ts'
import { read } from './wallet-reading.ts'

const maturityOption: Option = {
  name: 'maturity',
  value: 'N',
  about: `blocks until newly mined coins can be spent, -ac_cbmaturity of the chain;\n${coinbaseMaturity} if absent`,
}

export const wallet: Command = {
  choosesCoins: true,
  usage: [
    'receive|balance|tokens|coins|orders|history|watch [--watch PUBKEY]',
    'send --to ADDRESS --coins N|--satoshis N|--max [--id ID]',
    'send --recipients FILE [--total COINS] [--id ID]',
    'transfer --token TOKENID --to PUBKEY --units N [--id ID]',
    'burn --token TOKENID --units N | create --name NAME --units N',
    'merge [--all] [--token TOKENID]',
    'ask|bid --token TOKENID --units N --price SATOSHIS [--id ID]',
    'fill --order TXID --units N --price SATOSHIS | cancel --order TXID',
    'resume',
  ],
  about: `Reads and spends the coins and tokens of your own key through a daemon that has no key of yours, or
through Electrum servers. A daemon runs with -addressindex=1 -spentindex=1. Neither needs trust:
amounts and scripts are read from transactions that are hashed here, and what is sent was built,
verified and signed here.

receive prints addresses. balance, tokens, coins, orders and history print what the chain shows.
watch prints a line for each change until you interrupt it, and goes on after a server that does not
answer for some time. Every other command shows what it would
do, asks, records it in the journal, and sends it. resume settles what the journal holds.

A price is in satoshis for EACH unit. ask offers units, bid offers coins, fill buys or sells at that
price or a better one, cancel takes an order of your own back.`,
  options: [
    { name: 'watch', value: 'PUBKEY', about: 'watch this public key, without its private key' },
    keyFileOption,
    { name: 'coins', value: 'N', about: 'an amount in coins, such as 0.25' },
    { name: 'satoshis', value: 'N', about: 'an amount in satoshis' },
    { name: 'max', about: 'everything that can be spent, less the fee' },
    {
      name: 'recipients',
      value: 'FILE',
      about:
        'several payees for send: CSV whose first line names the columns to, and\n' +
        'coins or satoshis; or JSON: [{ "to": "ADDRESS", "amount": "SATOSHIS" }]',
    },
    {
      name: 'total',
      value: 'COINS',
      about: 'the sum of --recipients in coins; a file with another sum pays nothing',
    },
    ...membersAsOptions,
    { name: 'all', about: 'merge in as many transactions as it takes; of a token, always' },
    { name: 'limit', value: 'N', about: 'entries of the history; default 50' },
    ...sendingOptions,
    maturityOption,
    jsonOption,
    networkOption,
    { name: 'daemon', about: 'read a daemon, as without this option' },
    ...serverOptions,
  ],
  notes: `${serverNotes}

${sendingNotes}`,
  actions,
  async run(parsed, terminal) {
    const [action = '', ...rest] = parsed.positionals
    if (!actions.includes(action) || rest.length > 0) {
      throw new UsageError(`expected one of ${actions.join(', ')}`)
    }
    // Refuses two kinds of servers; without one, it is a daemon.
    namesServer(parsed)
    const isSending = sending.includes(action)
    if (isSending && parsed.options.has('watch')) {
      throw new UsageError(`--watch cannot be combined with ${action}, which needs the private key`)
    }
    requireOwnOptions(action, parsed)
    if (action === 'resume') {
      if (parsed.flags.has('no-journal')) {
        throw new UsageError('--no-journal cannot be combined with resume, which reads the journal')
      }
      requireNamedJournal(parsed)
    } else if (isSending) {
      requireConsent(parsed, terminal, isMergeOfMany(action, parsed) ? '--yes' : undefined)
    }
    const network = chosenNetwork(parsed)
    const keys = {
      ...(await keysOf(parsed, terminal, network)),
      network,
      coinbaseMaturity: uint32Of(parsed, maturityOption.name, coinbaseMaturity),
    }
    return withWallet(keys, { parsed, terminal, isSending }, (opened, call) =>
      isSending ? send(action, opened, call) : read(action, opened, call),
    )
  },
}

async function keysOf(parsed: ParsedArguments, terminal: Terminal, network: Network) {
  const watched = parsed.options.get('watch')
  if (watched !== undefined) {
    if (isCompressedKey(watched.toLowerCase()) && isPoint(watched)) return { publicKeys: [watched] }
    throw new UsageError('--watch needs a compressed public key in hex, on the curve')
  }
  const key = await givenKey(parsed.options.get('key-file'), terminal)
  const signer = namingKey(key.source, () => privateKeySigner(key.text, network))
  return { signers: [signer] }
}

async function send(action: string, opened: Wallet, call: WalletCall): Promise<number> {
  const { parsed } = call
  if (action === 'resume') return resume(opened, call)
  if (isMergeOfMany(action, parsed)) return mergeMany(opened, call)
  return printSent(await sentBy(action, opened, call), call)
}

/** Settles the payments of the wallet, and names those that another command settles. */
async function resume(
  opened: Wallet,
  { parsed, terminal, signal, journal }: WalletCall,
): Promise<number> {
  const resumed = await opened.resume({ signal })
  const listed = journal === undefined ? [] : await listPayments(journal)
  const others = listed.filter(
    ({ name, state }) => state === 'unsettled' && !resumed.some((it) => it.name === name),
  )
  const left = others.map((payment) => ({ name: payment.name, settledBy: settlerOf(payment) }))
  const lines = left.map(({ name, settledBy }) => {
    return `${printable(name)}: unsettled, settle it with ${settledBy}\n`
  })
  const text = [...resumed.map(resumedText), ...lines].join('')
  const json = parsed.flags.has('json') ? jsonText([...resumed, ...left]) : undefined
  terminal.print(json ?? text, resumed.length > 0 ? text : undefined)
  const areAllOver = resumed.every(({ name, result, error }) => {
    const payment = listed.find((it) => it.name === name)
    if (payment?.state === 'settled' && error !== undefined) return !isOpen(payment, error)
    return result?.status === 'accepted'
  })
  return areAllOver && left.length === 0 ? exitAgrees : exitUnsettled
}

function resumedText({ name, result, lost, error }: Resumed): string {
  const failure = error instanceof Error ? printable(error.message) : ''
  const { status = failure, txid = '', held = '', unrecorded } = result ?? {}
  const others = unrecorded && `${held}, because the chain has ${unrecorded.join(', ')}`
  const next = others === undefined && lost !== undefined ? lostText : ''
  return `${printable(name)}: ${others ?? lost?.message ?? `${status} ${txid}`}\n${next}`
}

/** A lost payment keeps its coins, and a reorganization may still bring it back. */
const lostText = `  To pay it, run its command again, with its --id if it has one. To give it up, wait for 100 blocks
  and run antara-tx attempts forget.
`

/** Merges in steps, and prints the txid of each. */
async function mergeMany(opened: Wallet, call: WalletCall): Promise<number> {
  const { parsed, terminal } = call
  const { confirm, signal, acknowledged } = sendOptions(call)
  const request = readOptions<MergeAllRequest>(parsed, mergeAllForms, optionNames)
  const merged = await argumentErrorAsUsage(() =>
    opened.mergeAll({
      ...(confirm !== undefined && { confirm }),
      ...(signal !== undefined && { signal }),
      ...(acknowledged !== undefined && { acknowledged }),
      ...request,
    }),
  )
  const { status, sent, coins, error } = merged
  const sentOnes = sent.filter((step) => step.status === 'accepted').map(({ txid }) => `${txid}\n`)
  const payments = sent.length > 0 ? sent.map(({ txid }) => txid).join(' ') : undefined
  if (parsed.flags.has('json')) terminal.print(jsonText(merged), payments)
  else for (const line of sentOnes) terminal.print(line, payments)
  if (status === 'merged') {
    terminal.printError(`${sent.length} transactions sent; ${coins} coins are left\n`)
    return exitAgrees
  }
  if (error instanceof Error) {
    if (!parsed.flags.has('json')) throw error
    // The printed object has the error: a second one would make the output unreadable.
    const { journal } = call
    return reportError(asRecorded(error, journal !== undefined), 'wallet', terminal)
  }
  const last = sent.at(-1)!
  if (last.status === 'accepted') {
    const next = 'merging stopped, because the next step was made before'
    terminal.printError(`${next}: ${sent.length} transactions sent; ${coins} coins are left\n`)
    return exitFindings
  }
  return parsed.flags.has('json') ? statusOf(last, parsed) : printSent(last, call)
}

async function sentBy(action: string, opened: Wallet, call: WalletCall): Promise<Sent> {
  const { parsed, network } = call
  const [forms, method] = payments[action]!
  const terms = { ...sendOptions(call), ...readOptions<object>(parsed, forms, optionNames) }
  if (parsed.options.has('units')) requirePositive(numberOf(parsed, 'units'), '--units')
  if (action === 'transfer') {
    requireReceiver(required(parsed, 'to'), '--to', network)
  }
  const pay = opened[method] as (request: object) => Promise<Sent>
  return argumentErrorAsUsage(async () =>
    pay(action === 'send' ? { ...terms, ...(await paidOf(call)) } : terms),
  )
}

/** Returns the payees of a file, or the amount for --to. */
async function paidOf({ parsed, terminal }: WalletCall) {
  const file = parsed.options.get('recipients')
  if (file === undefined) {
    if (parsed.options.has('total')) throw new UsageError('--total needs --recipients')
    return { amount: amountOf(parsed) }
  }
  const single = ['to', 'coins', 'satoshis', 'max']
  refuseOptions(parsed, single, 'cannot be combined with --recipients')
  const recipients = await readRecipients(file, terminal)
  requireTotal(recipients, parsed.options.get('total'))
  return { recipients }
}
