// Withdraws coins through the framework, as a safe flow.

import { formatCoins } from '../primitives/amount.ts'
import { snapshot, snapshotOptions } from '../primitives/snapshot.ts'
import type { Evidence } from '../request/evidence.ts'
import type { WithdrawIntent } from '../request/withdraw.ts'
import type { UnsettledTransaction } from './errors.ts'
import type { FrameworkClient } from './framework/client.ts'
import type { WithdrawFee, WithdrawParams } from './framework/parameters.ts'
import type { WithdrawDetails } from './framework/results.ts'
import type { Checked } from './safe-flow/check.ts'
import type { Held } from './safe-flow/flow.ts'
import { idempotentSend } from './safe-flow/idempotent-send.ts'
import { callOptions, requireFlowOptions, type SafeFlowOptions } from './safe-flow/options.ts'
import { settleSomeOf } from './safe-flow/settle-some.ts'
import { withdrawalPayment } from './safe-flow/withdrawal.ts'

export interface WithdrawOptions extends Omit<SafeFlowOptions, 'ancestorsMax' | 'firstBlock'> {
  /** The paying address of an HD wallet. */
  readonly from?: WithdrawParams['from']
  /**
   * Evidence of your own: whole previous transactions, heights and the time of the tip. The default
   * time is that of this machine's clock.
   */
  readonly evidence?: Partial<Evidence>
}

/** The result; its `report` covers the transaction and the server's claims about it. */
export interface WithdrawResult extends Checked {
  /** The server's answer; absent if an earlier attempt was found or sent again. */
  readonly response?: WithdrawDetails
  /** Txid of the transaction, once the server has accepted it. */
  readonly txid?: string
  /** The reason why nothing was broadcast, if there is no txid. */
  readonly held?: Held
  /**
   * With `unrecorded-spends`: transactions of the history that make the same payment, and that the
   * journal does not have. Name one as the option `paidBy`, or all as `acknowledged`.
   */
  readonly unrecorded?: readonly string[]
  /** True if the payment was made before: this call found it and sent nothing new. */
  readonly repeated?: true
  /**
   * True if the call has an `id` and no `journal`. Only the memory of this process then has the
   * payment: after a restart, the same `id` pays again.
   */
  readonly onlyInMemory?: true
  /**
   * Transactions that may have been broadcast for the same payment before, if nothing was broadcast
   * now. A block may have one that is held as `different-inputs`.
   */
  readonly unsettled?: readonly UnsettledTransaction[]
}

/**
 * Withdraws coins through the framework. It requests the transaction, fetches the transactions that
 * it spends, verifies it with the server's claims about it, and then has the verified copy
 * broadcast.
 *
 * If the broadcast fails, the call rejects and the transaction is remembered. A further call with
 * the same intent looks for it, sends it again, and makes another one only if the two cannot both
 * be mined. The same coin, recipient, amount and note are the same payment, whatever its fee.
 *
 * With a `journal`, a payment that the wallet's history has and the journal lacks is held as
 * `unrecorded-spends`, because the journal may be a new one. A server that shows no history compares
 * nothing: `onProgress` then gets the step `not-compared`.
 *
 * Without `confirm` warnings hold the withdrawal, except `chain_unbound` and `no_expiry`: no call of
 * the framework binds a transaction to its chain, and its transactions never expire.
 *
 * @param client - a server that need not be trusted
 * @param intent - the payment; amounts are in satoshis
 * @param options - a journal, an id, evidence of your own and more
 * @returns the report, with the `txid` of an accepted transaction or the reason (`held`) why
 *   nothing was sent
 * @throws {RpcError} if the server cannot be reached, refuses, answers with another txid, or still
 *   reads the history of its wallet (`shape`, path `sync_status`)
 * @throws {TypeError} for an intent of the wrong types, and for KMD on a network without its rewards
 * @example
 * const { report, txid } = await withdrawAndSend(framework, { coin, to, amount: 1000n, own, network })
 * if (txid === undefined) console.log(report.findings)
 */
export async function withdrawAndSend(
  client: FrameworkClient,
  intent: WithdrawIntent,
  options: WithdrawOptions = {},
): Promise<WithdrawResult> {
  const taken = snapshotOptions(options, 'options')
  const asked = snapshot(intent, 'intent')
  await requireFlowOptions(taken, ['from', 'evidence'])
  const { payment, checkResponse } = await withdrawalPayment(client, asked, taken)
  const { requireRewards } = await import('../request/withdraw.ts')
  const { withdrawOf } = await import('./safe-flow/withdraw-text.ts')
  requireRewards(asked)
  await settleSomeOf(taken, async (request, limits) => {
    const recorded = withdrawOf(request)
    if (recorded === undefined) return undefined
    const more = { ...limits, from: recorded.from ?? taken.from }
    return (await withdrawalPayment(client, recorded.intent, more)).payment
  })
  return idempotentSend({
    ...payment,
    async newTransaction() {
      const response = await client.withdraw(requestOf(asked, taken), callOptions(taken))
      return { ...(await checkResponse(response)), response }
    },
  })
}

function requestOf(
  { coin, to, amount, fee, feeRate }: WithdrawIntent,
  { from }: WithdrawOptions,
): WithdrawParams {
  const wanted = feeOf(fee, feeRate)
  return {
    coin,
    to,
    ...(amount === 'max' ? { max: true } : { amount: formatCoins(amount) }),
    ...(wanted !== undefined && { fee: wanted }),
    ...(from !== undefined && { from }),
  }
}

/** The server charges a fixed fee for each 1000 bytes begun; most payments have fewer. */
function feeOf(fee: bigint | undefined, feeRate: bigint | undefined): WithdrawFee | undefined {
  if (feeRate !== undefined) return { type: 'UtxoPerKbyte', amount: formatCoins(feeRate) }
  return fee === undefined ? undefined : { type: 'UtxoFixed', amount: formatCoins(fee) }
}
