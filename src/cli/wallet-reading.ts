// The actions of `wallet` that print what the chain shows.

import { formatCoins } from '../primitives/amount.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import type { Wallet } from '../wallet/contract.ts'
import type { WalletEvent } from '../wallet/events.ts'
import type { WalletEntry } from '../wallet/history.ts'
import { exitAgrees, exitUnread, jsonText, UsageError } from './command.ts'
import type { WalletCall } from './sending.ts'
import { uint32Of } from './wallet-numbers.ts'

export async function read(action: string, opened: Wallet, call: WalletCall): Promise<number> {
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
    if (tokenid !== undefined && !isHex32(tokenid.toLowerCase())) {
      throw new UsageError(`--token needs 64 hex digits, got ${redactKey(tokenid)}`)
    }
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
  const limit = uint32Of(parsed, 'limit', 50)
  return show(await opened.history({ signal, limit }), (entries) => entries.map(entryText).join(''))
}

function entryText({ txid, height, operation, coins, units, proofs, fee }: WalletEntry): string {
  const tokens = Object.entries(units).map(([tokenid, amount]) => {
    const { [tokenid]: proof = 'proven' } = proofs
    return `  ${amount} of ${tokenid}${proof === 'proven' ? '' : `, ${proof}`}\n`
  })
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
  const onInterruption = ({ message }: Error): void => {
    terminal.printError(`warning: ${printable(message)}; watching goes on when it is back\n`)
  }
  for await (const event of opened.events({ signal, onInterruption })) {
    const text = parsed.flags.has('json') ? `${oneLine(event)}\n` : eventText(event)
    if (terminal.streams === undefined) terminal.print(text)
    // The reader has left, so nobody reads further changes.
    else if (!(await terminal.streams.write(Buffer.from(text)))) return exitUnread
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
