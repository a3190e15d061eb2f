// A development node, as its user has it.

import type { Network } from '../chain/network.ts'
import type { Refused } from './consensus/verdict.ts'
import type { RequestOptions } from './dev-node-options.ts'
import type { Faults } from './faults.ts'
import type { DevIdentities } from './identity-types.ts'

export interface DevNode<Who extends DevIdentities = DevIdentities> {
  /** The address of the first identity's server. */
  readonly url: string
  /** `tcp://127.0.0.1:PORT` of the Electrum server; empty where there is none. */
  readonly electrumUrl: string
  /** A tuple if the type of the options has their number: two by default. */
  readonly identities: Who
  /** The chain's network, for functions that take one. */
  readonly network: Network
  /** -ac_name of the chain. */
  readonly chain: string
  readonly height: number
  readonly faults: Faults
  /**
   * Calls a method and gives its result as `JSON.parse` does; for exact amounts use a client over
   * `fetch`.
   *
   * @throws {RpcFailure} `code` and `message` of the daemon
   */
  request(method: string, params?: readonly unknown[], options?: RequestOptions): Promise<unknown>
  /** The server without a network, for `createDaemonClient({ fetch })` and other clients. */
  readonly fetch: typeof fetch
  /** Mines blocks, `spacing` seconds apart. @returns their hashes */
  mine(
    count?: number,
    options?: { readonly spacing?: number; readonly identity?: number },
  ): string[]
  /** Stops the clock at a time, in seconds since 1970. @throws {TypeError} for any other value */
  setTime(seconds: number): void
  /** Sets the clock forward and stops it. */
  advance(seconds: number): void
  /** Keeps the present state, and returns its id. */
  snapshot(): string
  /**
   * Restores the state of a snapshot, which can be used again.
   *
   * @throws {RangeError} for an unknown id
   */
  revert(id: string): void
  /** Replaces the last blocks by as many others, without the transactions named. */
  reorg(depth: number, options?: { readonly drop?: readonly string[] }): string[]
  /**
   * Makes coins for an address or a script and mines them.
   *
   * @returns the txid
   * @throws {RangeError} for a value that no chain has
   */
  fund(to: string, value: bigint): string
  /**
   * Mines raw transactions of another chain. Transactions whose parents are unknown are accepted
   * unchecked. If they have heights, those of one height make a block. Transactions that the chain
   * already has are skipped.
   *
   * @returns the hash of the last block
   * @throws {RangeError} for a transaction that spends a spent output; then none is mined
   */
  importTransactions(
    transactions: readonly (string | { readonly hex: string; readonly height?: number })[],
  ): string
  /** Returns the answer that sendrawtransaction would give, and the reason. */
  testMempoolAccept(
    hex: string,
  ): { readonly ok: true; readonly txid: string; readonly fee: bigint } | Refused
  /** Returns the whole state as text that `load` takes. */
  dump(): string
  load(text: string): void
  /** Resolves once every identity's server has ended, by `close` or by the method `stop`. */
  readonly ended: Promise<void>
  /** Ends the server and every connection. May be called twice. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
