// Answers of the daemon below a forked node, each checked for its form. Transactions and headers must
// have the requested hash.

import { decodeBlockHeader } from '../../block/header.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import { wholeNumberIn } from '../../primitives/whole-number.ts'
import type { BaseTransaction } from '../state/base-chain.ts'
import type { Header } from '../state/block.ts'
import { storedTransaction } from '../state/stored-transaction.ts'
import { ForkError } from './fork-error.ts'

export interface Settled {
  readonly status: 'fulfilled' | 'rejected'
  readonly value?: unknown
  readonly reason?: unknown
}

export type UpstreamHeader = Required<Header> & { readonly hash: string }

export interface UpstreamOutput {
  readonly bestBlock: string
  readonly value: bigint
  readonly script: string
  readonly isCoinbase: boolean
}

export function unanswered(error: unknown): ForkError {
  const words = error instanceof Error ? error.message : 'no answer'
  return new ForkError('unanswered', `the daemon of the fork: ${words}`, { cause: error })
}

export function settledValue({ status, value, reason }: Settled): unknown {
  if (status === 'rejected') throw unanswered(reason)
  return value
}

/** The daemon's code of a call that it refused. */
export function codeOf({ status, reason }: Settled): unknown {
  if (status === 'fulfilled') return undefined
  const { kind, code } = membersOf(reason)
  return kind === 'daemon' ? code : undefined
}

export function unexpectedAnswer(method: string, expected: string): ForkError {
  return new ForkError('contradiction', `the daemon of the fork: ${method}: expected ${expected}`)
}

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export function numberIn(value: unknown): number | undefined {
  const number = wholeNumberIn(value)
  return number !== undefined && number <= 0xffffffff ? number : undefined
}

export function hashIn(value: unknown, method: string): string {
  if (typeof value === 'string' && isHex32(value.toLowerCase())) return value.toLowerCase()
  throw unexpectedAnswer(method, 'a hash')
}

export function headerIn(value: unknown, hash: string): UpstreamHeader {
  if (typeof value !== 'string') throw unexpectedAnswer('getblockheader', 'hex')
  const { finalSaplingRoot, bits, ...header } = decoded(() => decodeBlockHeader(value), hash)
  if (header.hash !== hash) {
    throw new ForkError(
      'wrong_bytes',
      `the daemon of the fork answered the header of block ${hash} with that of ${header.hash}`,
    )
  }
  return { ...header, saplingRoot: finalSaplingRoot, bits: bits.toString(16).padStart(8, '0') }
}

export function transactionIn(value: unknown, txid: string): BaseTransaction | undefined {
  const { hex, height, blockhash } = membersOf(value)
  if (typeof hex !== 'string') throw unexpectedAnswer('getrawtransaction', 'hex')
  const stored = decoded(() => storedTransaction(hex), txid)
  if (stored.txid !== txid) {
    throw new ForkError(
      'wrong_bytes',
      `the daemon of the fork answered transaction ${txid} with ${stored.txid}`,
    )
  }
  if (blockhash === undefined) return { stored, height: undefined }
  // A block beside the best chain has the height -1: there, this transaction is in no block.
  if (Number(String(height)) === -1) return undefined
  const at = numberIn(height)
  if (at === undefined) throw unexpectedAnswer('getrawtransaction', 'a height')
  return { stored, height: at }
}

function decoded<Value>(read: () => Value, hash: string): Value {
  try {
    return read()
  } catch (error) {
    if (!isAntaraError(error)) throw error
    const message = `the daemon of the fork answered ${hash} with bytes that cannot be read: ${error.message}`
    throw new ForkError('wrong_bytes', message, { cause: error })
  }
}

export function outputIn(value: unknown): UpstreamOutput | null {
  if (value === null) return null
  const { bestblock, value: sats, scriptPubKey, coinbase } = membersOf(value)
  const { hex } = membersOf(scriptPubKey)
  if (typeof sats !== 'bigint' || typeof hex !== 'string' || typeof coinbase !== 'boolean') {
    throw unexpectedAnswer('gettxout', 'an output, or null')
  }
  return {
    bestBlock: hashIn(bestblock, 'gettxout'),
    value: sats,
    script: hex.toLowerCase(),
    isCoinbase: coinbase,
  }
}
