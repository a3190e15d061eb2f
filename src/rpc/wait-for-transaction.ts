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
  const watch = createWatch(client, id, options.onProgress, clock)
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

interface Watch {
  /** Returns the place of the transaction, if the daemon has it and its chain stands still. */
  look(): Promise<Found | undefined>
  readonly reorganizations: number
}

function createWatch(
  client: DaemonClient,
  txid: string,
  onProgress: WaitOptions['onProgress'],
  clock: Clock,
): Watch {
  const limits = { signal: clock.signal }
  /** The best block when the transaction was last looked for. */
  let lastTip: string | undefined
  let mined: MinedTransaction | undefined
  let last: WaitProgress['step'] | undefined
  let reorganizations = 0
  return {
    get reorganizations() {
      return reorganizations
    },
    async look() {
      try {
        return await place()
      } catch (error) {
        if (!isRpcError(error) || !mayPass(error)) throw error
        tell({ step: 'unreachable', error })
        return undefined
      }
    },
  }

  async function place(): Promise<Found | undefined> {
    const tip = await client.getbestblockhash({}, limits)
    if (tip === lastTip && mined !== undefined) {
      if (last === 'unreachable') tell({ step: 'in-block', ...mined })
      return mined
    }
    const reply = await transaction()
    const { blockhash } = reply ?? {}
    if (reply === undefined || blockhash === undefined) return outsideChain(reply)
    const header = await unlessUnknown(client.getblockheader({ hash: blockhash }, limits))
    const best = await unlessUnknown(client.getblockheader({ hash: tip }, limits))
    // A daemon that has just restarted may have lost a block that it named.
    if (header === undefined || best === undefined) return undefined
    // The chain moved between these calls, so their answers may belong to two branches.
    if ((await client.getbestblockhash({}, limits)) !== tip) return undefined
    // A block that is not in the best chain has -1; its transaction waits for another one.
    if (header.confirmations <= 0) return outsideChain(reply)
    lastTip = tip
    noteLoss(blockhash)
    const { height } = header
    mined = { txid, height, blockhash, confirmations: Math.max(0, best.height - height + 1) }
    tell({ step: 'in-block', ...mined })
    return mined
  }

  /** Notes that no block of the chain has the transaction; `reply` is absent if nothing has it. */
  function outsideChain(reply: object | undefined): Found | undefined {
    noteLoss(undefined)
    tell({ step: reply === undefined ? 'missing' : 'waiting' })
    return reply && { txid, confirmations: 0 }
  }

  /** Returns `undefined` if the daemon does not have the transaction. */
  async function transaction(): Promise<{ readonly blockhash?: string } | undefined> {
    const reply = await unlessUnknown(client.getrawtransaction({ txid, verbose: 1 }, limits))
    if (reply === undefined || txidOfHex(reply.hex) === txid) return reply
    const method = 'getrawtransaction'
    const message = `${method}: the daemon answered with another transaction`
    throw new RpcError('shape', message, { method, reason: 'wrong_txid', expected: txid })
  }

  function noteLoss(blockhash: string | undefined): void {
    if (mined === undefined || mined.blockhash === blockhash) return
    const { height, blockhash: lost } = mined
    mined = undefined
    reorganizations += 1
    tell({ step: 'reorganized', height, blockhash: lost })
  }

  function tell(progress: WaitProgress): void {
    const isRepeated = progress.step === last && progress.step !== 'in-block'
    last = progress.step
    if (!isRepeated) notify(onProgress, progress)
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
