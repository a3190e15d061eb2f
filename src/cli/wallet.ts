import { formatCoins, parseCoins } from '../primitives/amount.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { printable } from '../primitives/printable.ts'
import type { WalletEvent } from '../wallet/events.ts'
import type { WalletEntry } from '../wallet/history.ts'
import type { OfferRequest } from '../wallet/requests.ts'
import type { SendOptions, Sent } from '../wallet/send.ts'
import { privateKeySigner } from '../wallet/signer.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { electrumNotes, electrumOption } from './chain.ts'
import {
  type Command,
  chosenNetwork,
  exitAgrees,
  exitUnsettled,
  jsonOption,
  jsonText,
  networkOption,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { argumentErrorAsUsage } from './connection.ts'
import { connectionNotes, connectionOptions } from './connection-options.ts'
import { givenKey, keyFileOption, namingKey } from './private-key.ts'
import {
  printSent,
  sendingNotes,
  sendingOptions,
  sendOptions,
  statusOf,
  type WalletCall,
  withWallet,
} from './sending.ts'

const reading = ['receive', 'balance', 'tokens', 'coins', 'orders', 'history', 'watch'] as const
const sending = [
  ...(['send', 'transfer', 'burn', 'create', 'merge'] as const),
  ...(['ask', 'bid', 'fill', 'cancel', 'resume'] as const),
] as const
type Sending = (typeof sending)[number]
const actions: readonly string[] = [...reading, ...sending]

export const wallet: Command = {
  usage: [
    'receive|balance|tokens|coins|orders|history|watch [--watch PUBKEY]',
    'send --to ADDRESS --coins N|--satoshis N|--max [--id ID]',
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
watch prints a line for each change until you interrupt it. Every other command shows what it would
do, asks, records it in the journal, and sends it. resume settles what the journal holds.

A price is in satoshis for EACH unit. ask offers units, bid offers coins, fill buys or sells at that
price or a better one, cancel takes an order of your own back.`,
  options: [
    { name: 'watch', value: 'PUBKEY', about: 'watch this public key, without its private key' },
    keyFileOption,
    { name: 'to', value: 'PAYEE', about: 'an address, or a compressed public key' },
    { name: 'coins', value: 'N', about: 'an amount in coins, such as 0.25' },
    { name: 'satoshis', value: 'N', about: 'an amount in satoshis' },
    { name: 'max', about: 'everything that can be spent, less the fee' },
    { name: 'token', value: 'TOKENID', about: 'the token' },
    { name: 'all', about: 'merge in as many transactions as it takes; of a token, always' },
    { name: 'units', value: 'N', about: 'an amount in token units' },
    { name: 'price', value: 'SATOSHIS', about: 'the price of each unit' },
    { name: 'order', value: 'TXID', about: 'the transaction that has the order' },
    {
      name: 'allow-unenforced',
      about: 'allow a bid for several units whose price the chain does not enforce',
    },
    { name: 'name', value: 'NAME', about: 'the name of a new token' },
    { name: 'description', value: 'TEXT', about: 'the description of a new token' },
    { name: 'fee', value: 'SATOSHIS', about: 'the exact fee; default 10000' },
    { name: 'limit', value: 'N', about: 'entries of the history; default 50' },
    ...sendingOptions,
    jsonOption,
    networkOption,
    electrumOption,
    ...connectionOptions,
  ],
  notes: `${connectionNotes}

${electrumNotes}

${sendingNotes}`,
  actions,
  async run(parsed, terminal) {
    const [action = '', ...rest] = parsed.positionals
    if (!actions.includes(action) || rest.length > 0) {
      throw new UsageError(`expected one of ${actions.join(', ')}`)
    }
    const isSending = (sending as readonly string[]).includes(action)
    if (isSending && parsed.options.has('watch')) {
      throw new UsageError(`--watch does not go with ${action}, which needs the private key`)
    }
    const keys = { ...(await keysOf(parsed, terminal)), network: chosenNetwork(parsed) }
    return withWallet(keys, { parsed, terminal, isSending }, (opened, call) =>
      isSending ? send(action as Sending, opened, call) : read(action, opened, call),
    )
  },
}

async function keysOf(parsed: ParsedArguments, terminal: Terminal) {
  const watched = parsed.options.get('watch')
  if (watched !== undefined) {
    if (isCompressedKey(watched.toLowerCase())) return { publicKeys: [watched] }
    throw new UsageError('--watch needs a compressed public key in hex')
  }
  const key = await givenKey(parsed.options.get('key-file'), terminal)
  const signer = namingKey(key.source, () => privateKeySigner(key.text, chosenNetwork(parsed)))
  return { signers: [signer] }
}

async function read(action: string, opened: Wallet, call: WalletCall): Promise<number> {
  const { parsed, terminal, signal } = call
  const isJson = parsed.flags.has('json')
  const show = <T>(value: T, textOf: (value: T) => string): number => {
    terminal.print(isJson ? jsonText(value) : textOf(value))
    return exitAgrees
  }
  if (action === 'watch') return watchEvents(opened, call)
  if (action === 'receive') {
    return show(opened.addresses(), (addresses) =>
      addresses
        .map(({ address, tokenAddress = '-', publicKey }) => {
          return `coins   ${address}\ntokens  ${tokenAddress}\nkey     ${publicKey}\n`
        })
        .join('\n'),
    )
  }
  if (action === 'balance') {
    return show(await opened.balance({ signal }), (balance) =>
      Object.entries(balance)
        .map(([name, value]) => `${name.padEnd(10)}${formatCoins(value).padStart(20)}\n`)
        .join(''),
    )
  }
  if (action === 'tokens') {
    return show(await opened.tokens({ signal }), (tokens) =>
      tokens
        .map(({ tokenid, name = '', balance, pending, proof }) => {
          const waiting = pending === 0n ? '' : `, ${pending} pending`
          return `${tokenid} ${balance}${waiting} ${proof} ${printable(name)}\n`
        })
        .join(''),
    )
  }
  if (action === 'coins') {
    const tokenid = parsed.options.get('token')
    const coins = await opened.coins({ signal, ...(tokenid !== undefined && { tokenid }) })
    return show(coins, (all) =>
      all.map(({ txid, vout, value, height }) => `${txid}:${vout} ${value} ${height}\n`).join(''),
    )
  }
  if (action === 'orders') {
    return show(await opened.orders({ signal }), (orders) =>
      orders
        .map(({ order, kind, tokenid, locked, wanted, price }) => {
          const [offered, asked] = kind === 'ask' ? ['units', 'satoshis'] : ['satoshis', 'units']
          const each = `${price} satoshis each`
          return `${order} ${kind} ${locked} ${offered} for ${wanted} ${asked}, ${each} ${tokenid}\n`
        })
        .join(''),
    )
  }
  const limit = numberOf(parsed, 'limit', 50n)
  return show(await opened.history({ signal, limit: Number(limit) }), (entries) =>
    entries.map(entryText).join(''),
  )
}

function entryText({ txid, height, operation, coins, units, fee }: WalletEntry): string {
  const tokens = Object.entries(units).map(([tokenid, amount]) => `  ${amount} of ${tokenid}\n`)
  const where = height === undefined ? 'pending' : `${height}`
  const paid = fee === undefined ? '' : ` fee ${fee}`
  const sign = coins < 0n ? '-' : '+'
  const amount = `${sign}${formatCoins(coins < 0n ? -coins : coins)}`
  return `${txid} ${where} ${operation} ${amount}${paid}\n${tokens.join('')}`
}

async function watchEvents(
  opened: Wallet,
  { parsed, terminal, signal }: WalletCall,
): Promise<number> {
  for await (const event of opened.events({ signal })) {
    terminal.print(parsed.flags.has('json') ? `${oneLine(event)}\n` : eventText(event))
  }
  return exitAgrees
}

function oneLine(event: WalletEvent): string {
  return JSON.stringify(JSON.parse(jsonText(event)))
}

function eventText(event: WalletEvent): string {
  if (event.type === 'balance') {
    const { confirmed, pending } = event.balance
    return `balance ${formatCoins(confirmed)} confirmed ${formatCoins(pending)} pending\n`
  }
  if ('entry' in event) return `${event.type} ${entryText(event.entry)}`
  const height = 'height' in event && event.height !== undefined ? ` in block ${event.height}` : ''
  return `${event.type} ${event.txid}${height}\n`
}

async function send(action: Sending, opened: Wallet, call: WalletCall): Promise<number> {
  const { parsed, terminal, signal } = call
  if (action === 'resume') {
    const resumed = await opened.resume({ signal })
    terminal.print(
      parsed.flags.has('json')
        ? jsonText(resumed)
        : resumed
            .map(({ name, result, lost, error }) => {
              const failure = error instanceof Error ? printable(error.message) : ''
              const outcome = lost?.message ?? `${result?.status ?? failure} ${result?.txid ?? ''}`
              return `${printable(name)}: ${outcome}\n`
            })
            .join(''),
    )
    return resumed.every(({ result }) => result?.status === 'accepted') ? exitAgrees : exitUnsettled
  }
  const isMergeOfMany = parsed.flags.has('all') || parsed.options.has('token')
  if (action === 'merge' && isMergeOfMany) return mergeMany(opened, call)
  return printSent(await sentBy(action, opened, { ...call, options: sendOptions(call) }), call)
}

/** Merges in steps, and prints the txid of each. */
async function mergeMany(opened: Wallet, call: WalletCall): Promise<number> {
  const { parsed, terminal } = call
  for (const name of ['id', 'dry-run']) {
    const isGiven = parsed.options.has(name) || parsed.flags.has(name)
    if (isGiven) throw new UsageError(`--${name} does not go with a merge in several transactions`)
  }
  const { confirm, signal } = sendOptions(call)
  const tokenid = parsed.options.get('token')
  const merged = await argumentErrorAsUsage(() =>
    opened.mergeAll({
      ...(confirm !== undefined && { confirm }),
      ...(signal !== undefined && { signal }),
      ...(tokenid !== undefined && { tokenid }),
      ...(parsed.options.has('fee') && { fee: numberOf(parsed, 'fee') }),
    }),
  )
  const { status, sent, coins, error } = merged
  if (parsed.flags.has('json')) terminal.print(jsonText(merged))
  else for (const step of sent) if (step.status === 'accepted') terminal.print(`${step.txid}\n`)
  if (status === 'merged') {
    terminal.printError(`${sent.length} transactions sent; ${coins} coins are left\n`)
    return exitAgrees
  }
  if (error instanceof Error) throw error
  const last = sent.at(-1)!
  return parsed.flags.has('json') ? statusOf(last) : printSent(last, call)
}

async function sentBy(
  action: Exclude<Sending, 'resume'>,
  opened: Wallet,
  { parsed, options }: WalletCall & { readonly options: SendOptions },
): Promise<Sent> {
  const given = parsed.options
  const fee = given.has('fee') ? { fee: numberOf(parsed, 'fee') } : {}
  const terms = { ...options, ...fee }
  return argumentErrorAsUsage(async () => {
    switch (action) {
      case 'send':
        return opened.pay({ ...terms, to: required(parsed, 'to'), amount: amountOf(parsed) })
      case 'transfer': {
        const [tokenid, to] = [required(parsed, 'token'), required(parsed, 'to')]
        return opened.transfer({ ...terms, tokenid, to, amount: numberOf(parsed, 'units') })
      }
      case 'burn': {
        const tokenid = required(parsed, 'token')
        return opened.burn({ ...terms, tokenid, amount: numberOf(parsed, 'units') })
      }
      case 'create': {
        const [name, supply] = [required(parsed, 'name'), numberOf(parsed, 'units')]
        const description = given.get('description') ?? ''
        return opened.createToken({ ...terms, name, supply, description })
      }
      case 'merge':
        return opened.merge(terms)
      case 'ask':
        return opened.ask({ ...terms, ...offerOf(parsed) })
      case 'bid': {
        const allowUnenforcedPrice = parsed.flags.has('allow-unenforced')
        return opened.bid({
          ...terms,
          ...offerOf(parsed),
          ...(allowUnenforcedPrice && { allowUnenforcedPrice }),
        })
      }
      case 'fill': {
        const [amount, price] = [numberOf(parsed, 'units'), numberOf(parsed, 'price')]
        return opened.fill({ ...terms, order: required(parsed, 'order'), amount, price })
      }
      case 'cancel':
        return opened.cancel({ ...terms, order: required(parsed, 'order') })
    }
  })
}

function offerOf(parsed: ParsedArguments): OfferRequest {
  const [amount, price] = [numberOf(parsed, 'units'), numberOf(parsed, 'price')]
  return { tokenid: required(parsed, 'token'), amount, price }
}

function required({ options }: ParsedArguments, name: string): string {
  const value = options.get(name)
  if (value === undefined) throw new UsageError(`--${name} is missing`)
  return value
}

function numberOf(parsed: ParsedArguments, name: string, fallback?: bigint): bigint {
  if (fallback !== undefined && !parsed.options.has(name)) return fallback
  const text = required(parsed, name)
  if (/^\d{1,20}$/.test(text)) return BigInt(text)
  throw new UsageError(`--${name} needs a whole number`)
}

/** An amount names its unit: 1 may be a coin or a satoshi. */
function amountOf(parsed: ParsedArguments): bigint | 'max' {
  const { options, flags } = parsed
  const units = ['coins', 'satoshis'].filter((name) => options.has(name))
  if (units.length + (flags.has('max') ? 1 : 0) !== 1) {
    throw new UsageError('say the amount as one of --coins N, --satoshis N, --max')
  }
  if (flags.has('max')) return 'max'
  return options.has('satoshis')
    ? numberOf(parsed, 'satoshis')
    : parseCoins(required(parsed, 'coins'))
}
