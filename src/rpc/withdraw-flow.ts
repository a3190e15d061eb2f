import { formatCoins } from '../primitives/amount.ts'
import { snapshot, snapshotOptions } from '../primitives/snapshot.ts'
import { turn } from '../primitives/steps.ts'
import type { Evidence } from '../request/evidence.ts'
import type { Report } from '../request/report.ts'
import type { WithdrawIntent } from '../request/withdraw.ts'
import { RpcError, type UnsettledTransaction } from './errors.ts'
import type { FrameworkClient } from './framework/client.ts'
import type { WithdrawFee, WithdrawParams } from './framework/parameters.ts'
import type { WithdrawDetails } from './framework/results.ts'
import { type Checked, withinLimits } from './safe-flow/check.ts'
import { createFetched, frameworkSource } from './safe-flow/evidence.ts'
import type { Held } from './safe-flow/flow.ts'
import { idempotentSend } from './safe-flow/idempotent-send.ts'
import {
  callOptions,
  reportProgress,
  requireFlowOptions,
  type SafeFlowOptions,
} from './safe-flow/options.ts'
import { inputsOf, readTransaction } from './safe-flow/transaction.ts'

export interface WithdrawOptions extends Omit<SafeFlowOptions, 'ancestorsMax' | 'acknowledged'> {
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
  /** True if the payment was made before: this call found it and sent nothing new. */
  readonly repeated?: true
  /**
   * Transactions that may have been broadcast for the same payment before, if nothing was broadcast
   * now.
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
 * @param client - a server that need not be trusted
 * @param intent - the payment; amounts are in satoshis
 * @throws {RpcError} if the server cannot be reached, refuses, or answers with another txid
 * @throws {TypeError} for an intent of the wrong types
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
  requireFlowOptions(taken, ['from', 'evidence'])
  return withdraw(client, snapshot(intent, 'intent'), taken)
}

async function withdraw(
  client: FrameworkClient,
  intent: WithdrawIntent,
  options: WithdrawOptions,
): Promise<WithdrawResult> {
  // The verifier is native, so it is loaded here: the clients run where it does not.
  const { paymentOf } = await import('../request/withdraw.ts')
  const { verifyWithdrawAsync } = await import('../verification/withdraw.ts')
  const { verifyPaymentAsync } = await import('../verification/operations/payment.ts')
  // Throws argument errors before anything is requested.
  const payment = paymentOf(intent)
  const { withdrawKey } = await import('./safe-flow/payment-keys.ts')
  const { withdrawText } = await import('./safe-flow/withdraw-text.ts')
  const { coin } = intent
  const calls = callOptions(options)
  const checked = (hex: string, verify: Verify): Promise<Checked> =>
    withinLimits(options, (limited) =>
      checkWithdrawal(client, coin, { hex, verify, options: limited }),
    )
  return idempotentSend<Checked & Pick<WithdrawResult, 'response'>>({
    client,
    key: withdrawKey(intent),
    options,
    request: () => withdrawText(intent),
    refusal: 'framework',
    async newTransaction() {
      const response = await client.withdraw(requestOf(intent, options), calls)
      const verdict = await checked(response.tx_hex ?? '', (evidence, slices) =>
        verifyWithdrawAsync(response, intent, evidence, slices),
      )
      return { ...verdict, response }
    },
    check: (hex, state) =>
      checked(hex, (evidence, slices) => {
        // A transaction in a block has not expired, whatever the height of the chain.
        const { tipHeight: _, ...later } = evidence
        const known = state === 'on-chain' ? later : evidence
        return verifyPaymentAsync(hex, payment, known, slices)
      }),
    lookUp: frameworkSource(client, coin, options),
    async send({ hex, txid }) {
      const { tx_hash } = await client.sendRawTransaction({ coin, tx_hex: hex }, calls)
      if (tx_hash.toLowerCase() === txid) return
      // The message does not quote the answer, which may be anything, even a secret.
      const method = 'send_raw_transaction'
      const message = `${method}: the server answered with the id of another transaction`
      throw new RpcError('shape', message, {
        method,
        reason: 'wrong_txid',
        uncertain: true,
        expected: txid,
      })
    },
  })
}

type Verify = (evidence: Evidence, slices: { readonly signal: AbortSignal }) => Promise<Report>

interface Question {
  readonly hex: string
  readonly verify: Verify
  readonly options: WithdrawOptions & { readonly signal: AbortSignal }
}

/**
 * Verifies by the bytes of everything that is spent; requests from the server what the caller
 * lacks.
 */
async function checkWithdrawal(
  client: FrameworkClient,
  coin: string,
  { hex, verify, options }: Question,
): Promise<Checked> {
  const { previousTransactions = [], ...known } = options.evidence ?? {}
  const own = await Promise.all(previousTransactions.map(readTransaction))
  const ownTxids = new Set(own.map((tx) => tx?.txid))
  const spent = (await inputsOf(hex)).map(({ txid }) => txid)
  const fetched = createFetched(frameworkSource(client, coin, options), options)
  await fetched.fetch(spent.filter((txid) => !ownTxids.has(txid)))
  const { byTxid, refused } = fetched
  const evidence = {
    tipTime: Math.floor(Date.now() / 1000),
    ...known,
    previousTransactions: [...previousTransactions, ...byTxid.values()],
  }
  const report = await verify(evidence, { signal: options.signal })
  // Lets a clock stop the flow if it ran out in the last slice.
  await turn()
  reportProgress(options, { step: 'verified', report })
  return { report, ...(refused.length > 0 && { refused }) }
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
