// Compares the chain of a server with the one that the caller names. Asset chains share the genesis
// block, addresses and keys, so the hash of block 1 names a chain.

import { requireString } from '../primitives/arguments.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { RpcError } from './errors.ts'

/** Options of everything that pays or reads a chain through a server. */
export interface FirstBlockOptions {
  /**
   * The hash of block 1 of your chain. No wallet, flow or chain source reads a server that shows
   * another block 1, or pays through it. The same keys have the same addresses on every asset chain,
   * and may have coins there. Default: the chain that the server shows first.
   */
  readonly firstBlock?: string | undefined
}

/** @throws {TypeError} for a value that is no hash */
export function readFirstBlock(value: unknown, name = 'firstBlock'): string | undefined {
  if (value === undefined) return undefined
  requireString(value, name)
  const hash = value.toLowerCase()
  if (isHex32(hash)) return hash
  throw new TypeError(`${name}: expected a hash of 64 hex digits, got ${redactKey(value)}`)
}

/** The answer of a server to the question for block 1. */
interface ShownBlock {
  /** The name or the URL of the server. */
  readonly by: string
  /** Absent if it shows no block 1, or does not answer. */
  readonly hash: string | undefined
}

/** @throws {RpcError} as `otherChain`, if the server shows another block 1 than a named one */
export function requireFirstBlock(expected: string | undefined, shown: ShownBlock): void {
  if (expected !== undefined && shown.hash !== expected) throw otherChain(expected, [shown])
}

/**
 * Returns the error for servers of which none shows the chain. Its kind is `shape` if each shows
 * another one, and `transport` if one shows no block 1: that one may be of the chain.
 */
export function otherChain(expected: string, shown: readonly ShownBlock[]): RpcError {
  const names = shown.map(({ by, hash }) => `${by} shows ${blockText(hash)}`).join(', ')
  const silent = shown.some(({ hash }) => hash === undefined)
  const details = { method: 'chain', expected } as const
  if (silent) {
    const message = `no block 1 to compare with firstBlock, ${expected}: ${names}. Wait until it shows one, or use another server`
    return new RpcError('transport', message, { ...details, reason: 'not_connected' })
  }
  const message = `another chain than firstBlock names, block 1 ${expected}: ${names}. Use a server of your chain, and correct firstBlock (--first-block) if it is wrong`
  const received = shown.map(({ hash = '' }) => shortened(hash)).join(', ')
  return new RpcError('shape', message, { ...details, reason: 'unexpected_value', received })
}

/** The remedy where servers are of two chains. */
export const nameChain =
  'To use one chain only, pass the hash of its block 1 as firstBlock (--first-block)'

export function blockText(hash: string | undefined): string {
  return hash === undefined ? 'no block 1' : `block 1 ${shortened(hash)}`
}

/** A server can answer with any text in the place of a hash. */
const shortened = (hash: string) => printable(hash).slice(0, 64)
