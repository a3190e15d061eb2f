// How a daemon makes a payment in coins from its own wallet, for the flow and for the guard.

import { type Network, rewardsOf } from '../../chain/network.ts'
import type { Payee } from '../../request/payment.ts'
import type { DaemonClient } from '../daemon/client.ts'
import type { SignedTransaction } from '../daemon/results.ts'
import type { CallOptions } from '../options.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'
import { inTurn, isCallbackRunning, runCallback } from './turns.ts'

/**
 * Lets the daemon create, fund and sign a payment. It sends nothing. Nothing in the answer is
 * proven: verify the hex.
 *
 * @throws {RpcError} as the daemon refuses
 */
export async function madeByDaemon(
  client: DaemonClient,
  recipients: readonly Payee[],
  options: CallOptions = {},
): Promise<SignedTransaction> {
  const limits = callOptions(options)
  const outputs = Object.fromEntries(
    recipients.map(({ address = '', amount }) => [address, BigInt(amount)]),
  )
  const created = await client.createrawtransaction({ inputs: [], outputs }, limits)
  const { hex } = await client.fundrawtransaction({ hex: created }, limits)
  return client.signrawtransaction({ hex }, limits)
}

/**
 * Returns true if coins may earn a reward, which a transaction of the daemon would give to the
 * miner: `createrawtransaction` sets no lock time.
 */
export function losesReward(network: Network): boolean {
  return rewardsOf(network) !== 'none'
}

const funding = 'funding'

/**
 * Runs one payment of a daemon after the other, because the daemon would fund two with the same
 * coins. A payment that a caller starts while another waits for its answer does not wait for it.
 *
 * @throws {RpcError} of kind `aborted` while it waits
 */
export async function inFundingTurn<T>(
  client: object,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return isCallbackRunning(client, funding) ? work() : inTurn(client, funding, signal, work)
}

/**
 * Marks the callbacks that a payment waits for, so that a payment that one of them makes does not
 * wait for the first.
 */
export function withMarkedCallbacks(client: object, options: SafeFlowOptions): SafeFlowOptions {
  const { confirm, onProgress } = options
  return {
    ...options,
    ...(confirm && {
      confirm: (report, equal) => runCallback(client, funding, () => confirm(report, equal)),
    }),
    ...(onProgress && {
      onProgress: (progress) =>
        progress.step === 'broadcasting'
          ? runCallback(client, funding, () => onProgress(progress))
          : onProgress(progress),
    }),
  }
}
