// Waiting until a transaction is deep enough in the chain of a daemon.

import { requireObject, requireUint32 } from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { notify } from '../primitives/observers.ts'
import { snapshotOptions } from '../primitives/snapshot.ts'
import { type Clock, Stopped, sleep, startClock, untilStopped } from './clock.ts'
import type { DaemonClient } from './daemon/client.ts'
import { hash, txidOfHex } from './daemon/parameter.ts'
import { isRpcError, RpcError } from './errors.ts'
import { stopOf } from './failure.ts'
import { requireMilliseconds } from './limits.ts'
import { mayPass } from './retry.ts'

/** A change that the wait saw. */
export type WaitProgress =
  /** The daemon does not have the transaction, or not any more. */
  | { readonly step: 'missing' }
  /** It waits for a block. */
  | { readonly step: 'waiting' }
  /** A block has it. Reported again for each further block, and once the daemon is back. */
  | ({ readonly step: 'in-block' } & MinedTransaction)
  /** The block that had it left the chain, so counting begins anew. */
  | { readonly step: 'reorganized'; readonly height: number; readonly blockhash: string }
  /** The daemon cannot be asked now; the wait goes on. */
  | { readonly step: 'unreachable'; readonly error: RpcError }

export interface MinedTransaction {
  readonly txid: string
  readonly height: number
  readonly blockhash: string
  /** The number of blocks from this one to the last, notarised or not. */
  readonly confirmations: number
}

export interface WaitOptions {
  /** Blocks to wait for, the transaction's own included; 0 for the mempool. Default 1. */
  readonly confirmations?: number
  readonly signal?: AbortSignal
  /** Default 3,600,000, an hour. */
  readonly timeoutMs?: number
  /** Time between two questions, in milliseconds; default 2,000. */
  readonly pollMs?: number
  /** Called at each change; its errors are ignored. */
  readonly onProgress?: (progress: WaitProgress) => unknown
}

/** The result: where the daemon has the transaction. */
export interface ConfirmedTransaction extends Omit<MinedTransaction, 'height' | 'blockhash'> {
  /** Absent, as `blockhash` is, for a transaction that waits for a block. */
  readonly height?: number
  readonly blockhash?: string
  /** How often a block with the transaction left the chain during the wait. */
  readonly reorganizations: number
}

const waitMembers = memberNames<WaitOptions>({
  confirmations: true,
  signal: true,
  timeoutMs: true,
  pollMs: true,
  onProgress: true,
})

const timeoutMsDefault = 3_600_000
const pollMsDefault = 2_000

/**
 * Waits until a transaction has enough confirmations on the chain of a daemon.
 *
 * It counts from the height of the block, and only while the daemon's chain has that block. If a
 * reorganization removes the block, it reports that and counts anew. A daemon that restarts or
 * cannot be reached does not end the wait. After the promise has resolved, a reorganization can
 * still remove the transaction.
 *
 * All of it is as the daemon reports it. Proofs of inclusion need no daemon that you trust.
 *
 * @param client - a daemon that you trust to report its chain
 * @param txid - 64 hex digits
 * @param given - confirmations, a time limit and a signal; times in milliseconds
 * @returns the height and the hash of the block, and the number of confirmations
 * @throws {RpcError} `timeout` or `aborted`; `shape` if the daemon shows another transaction;
 *   errors that a repetition does not cure, such as a wrong password
 * @throws {TypeError} for options of a wrong type
 * @example
 * const { height } = await waitForTransaction(daemon, txid, { confirmations: 6 })
 */
export async function waitForTransaction(
  client: DaemonClient,
  txid: string,
  given: WaitOptions = {},
): Promise<ConfirmedTransaction> {
  requireObject(given, 'options')
  const options = snapshotOptions(given, 'options')
  requireKnownMembers(options, waitMembers, 'options')
  const { confirmations = 1, timeoutMs = timeoutMsDefault, pollMs = pollMsDefault } = options
  requireUint32(confirmations, 'confirmations')
  requireMilliseconds(timeoutMs, 'timeoutMs')
  requireMilliseconds(pollMs, 'pollMs')
  const id = hash.write(txid, 'txid') as string
  const clock = startClock(timeoutMs, options.signal)
  const watch = new Watch(client, id, options, clock)
  try {
    for (;;) {
      const found = await untilStopped(watch.look(), clock)
      if (found !== undefined && found.confirmations >= confirmations) {
        return { ...found, reorganizations: watch.reorganizations }
      }
      await sleep(Math.max(1, pollMs), clock)
    }
  } catch (error) {
    throw error instanceof Stopped ? stopOf(clock) : error
  } finally {
    clock.release()
  }
}

type Found = Omit<ConfirmedTransaction, 'reorganizations'>

class Watch {
  readonly #client: DaemonClient
  readonly #txid: string
  readonly #options: WaitOptions
  readonly #clock: Clock
  /** The best block when the transaction was last looked for. */
  #tip: string | undefined
  #mined: MinedTransaction | undefined
  #last: WaitProgress['step'] | undefined
  reorganizations = 0

  constructor(client: DaemonClient, txid: string, options: WaitOptions, clock: Clock) {
    this.#client = client
    this.#txid = txid
    this.#options = options
    this.#clock = clock
  }

  /** Returns the place of the transaction, if the daemon has it and its chain stands still. */
  async look(): Promise<Found | undefined> {
    try {
      return await this.#place()
    } catch (error) {
      if (!isRpcError(error) || !mayPass(error)) throw error
      this.#tell({ step: 'unreachable', error })
      return undefined
    }
  }

  async #place(): Promise<Found | undefined> {
    const limits = { signal: this.#clock.signal }
    const tip = await this.#client.getbestblockhash({}, limits)
    if (tip === this.#tip && this.#mined !== undefined) {
      if (this.#last === 'unreachable') this.#tell({ step: 'in-block', ...this.#mined })
      return this.#mined
    }
    const reply = await this.#transaction()
    const { blockhash } = reply ?? {}
    if (reply === undefined || blockhash === undefined) return this.#outsideChain(reply)
    const header = await unlessUnknown(this.#client.getblockheader({ hash: blockhash }, limits))
    const best = await unlessUnknown(this.#client.getblockheader({ hash: tip }, limits))
    // A daemon that has just restarted may have lost a block that it named.
    if (header === undefined || best === undefined) return undefined
    // The chain moved between these calls, so their answers may belong to two branches.
    if ((await this.#client.getbestblockhash({}, limits)) !== tip) return undefined
    // A block that is not in the best chain has -1; its transaction waits for another one.
    if (header.confirmations <= 0) return this.#outsideChain(reply)
    this.#tip = tip
    this.#noteLoss(blockhash)
    const { height } = header
    this.#mined = {
      txid: this.#txid,
      height,
      blockhash,
      confirmations: Math.max(0, best.height - height + 1),
    }
    this.#tell({ step: 'in-block', ...this.#mined })
    return this.#mined
  }

  /** Notes that no block of the chain has the transaction; `reply` is absent if nothing has it. */
  #outsideChain(reply: object | undefined): Found | undefined {
    this.#noteLoss(undefined)
    this.#tell({ step: reply === undefined ? 'missing' : 'waiting' })
    return reply && { txid: this.#txid, confirmations: 0 }
  }

  /** Returns `undefined` if the daemon does not have the transaction. */
  async #transaction(): Promise<{ readonly blockhash?: string } | undefined> {
    const asked = { txid: this.#txid, verbose: 1 } as const
    const reply = await unlessUnknown(
      this.#client.getrawtransaction(asked, { signal: this.#clock.signal }),
    )
    if (reply === undefined || txidOfHex(reply.hex) === this.#txid) return reply
    const method = 'getrawtransaction'
    const message = `${method}: the daemon answered with another transaction`
    throw new RpcError('shape', message, { method, reason: 'wrong_txid', expected: this.#txid })
  }

  #noteLoss(blockhash: string | undefined): void {
    const before = this.#mined
    if (before === undefined || before.blockhash === blockhash) return
    this.#mined = undefined
    this.reorganizations += 1
    this.#tell({ step: 'reorganized', height: before.height, blockhash: before.blockhash })
  }

  #tell(progress: WaitProgress): void {
    const isRepeated = progress.step === this.#last && progress.step !== 'in-block'
    this.#last = progress.step
    if (!isRepeated) notify(this.#options.onProgress, progress)
  }
}

/** `RPC_INVALID_ADDRESS_OR_KEY`: the daemon does not have the transaction or the block. */
const unknownHash = -5

/** Returns `undefined` if the daemon does not have what it is asked for. */
async function unlessUnknown<Reply>(call: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await call
  } catch (error) {
    if (isRpcError(error, 'daemon') && error.code === unknownHash) return undefined
    throw error
  }
}
