import { formatCoins } from '../primitives/amount.ts'
import { snapshot, snapshotOptions } from '../primitives/snapshot.ts'
import { turn } from '../primitives/steps.ts'
import type { Evidence } from '../request/case.ts'
import type { Report } from '../request/report.ts'
import type { WithdrawIntent } from '../verification/withdraw.ts'
import { RpcError, type UnsettledTransaction } from './errors.ts'
import type { FrameworkClient } from './framework/client.ts'
import type { WithdrawFee, WithdrawParams } from './framework/parameters.ts'
import type { WithdrawDetails } from './framework/results.ts'
import { type Checked, withinLimits } from './safe-flow/check.ts'
import { createFetched, frameworkSource, replyBytesMax } from './safe-flow/evidence.ts'
import type { Held } from './safe-flow/flow.ts'
import { idempotentSend } from './safe-flow/idempotent-send.ts'
import {
  callOptions,
  reportProgress,
  requireFlowOptions,
  type SafeFlowOptions,
} from './safe-flow/options.ts'
import { inputsOf, readTransaction } from './safe-flow/transaction.ts'

export interface WithdrawOptions extends Omit<SafeFlowOptions, 'ancestorsMax'> {
  /** HD wallets: which address pays. */
  readonly from?: WithdrawParams['from']
  /**
   * What is known beside what the server is asked for: whole previous transactions, heights and
   * the time of the tip. Without a time, that of this machine's clock.
   */
  readonly evidence?: Partial<Evidence>
}

/** `report` is the verdict on the transaction, and on what the server says of it. */
export interface WithdrawResult extends Checked {
  /** The server's answer; absent if an earlier attempt was found, or sent again. */
  readonly response?: WithdrawDetails
  /** Only of a transaction that the server has accepted. */
  readonly txid?: string
  /** Only where there is no txid. */
  readonly held?: Held
  /** The payment was made before: this call found it and sent nothing new. */
  readonly repeated?: true
  /** Only of what is held: transactions that may have been broadcast for the same payment before. */
  readonly unsettled?: readonly UnsettledTransaction[]
}

/**
 * Withdraws coins through the framework: asks for the transaction, fetches what it spends, verifies
 * it and what the server says of it, and only then has the copy broadcast that was verified.
 *
 * If the broadcast fails the call rejects, and the transaction is remembered: a further call with
 * the same intent looks for it, sends it again, and makes another only if that could not be mined
 * beside any that was sent. The same coin, recipient, amount and note are the same payment, whatever
 * its fee.
 *
 * @param client - a server that need not be trusted
 * @param intent - what is wanted; satoshis
 * @throws {RpcError} when the server cannot be reached, refuses, or answers with another txid
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
  // The verifier is native: loaded here, the clients themselves run where it does not.
  const { paymentOf, verifyWithdraw, verifyWithdrawAsync } = await import(
    '../verification/withdraw.ts'
  )
  const { verifyPaymentAsync } = await import('../verification/operations/payment.ts')
  // misuse shows before anything is asked for
  verifyWithdraw({}, intent, { previousTransactions: [] })
  const { withdrawKey } = await import('./safe-flow/payment-keys.ts')
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
    async ask() {
      const limits = { ...calls, maxResponseBytes: replyBytesMax }
      const response = await client.withdraw(requestOf(intent, options), limits)
      const verdict = await checked(response.tx_hex ?? '', (evidence, slices) =>
        verifyWithdrawAsync(response, intent, evidence, slices),
      )
      return { ...verdict, response }
    },
    check: (hex) =>
      checked(hex, (evidence, slices) =>
        verifyPaymentAsync(hex, paymentOf(intent), evidence, slices),
      ),
    lookUp: frameworkSource(client, coin, options),
    async send({ hex, txid }) {
      const { tx_hash } = await client.sendRawTransaction({ coin, tx_hex: hex }, calls)
      if (tx_hash.toLowerCase() === txid) return
      // Not what it answered instead: that may be anything, a secret too.
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

/** For people: a journal of withdraws is resumed by the same calls. */
function withdrawText({ coin, to, amount, nulldata }: WithdrawIntent): string {
  return JSON.stringify({
    ...{ operation: 'withdraw', coin, to, amount: String(amount) },
    ...(nulldata !== undefined && { nulldata }),
  })
}

type Verify = (evidence: Evidence, slices: { readonly signal: AbortSignal }) => Promise<Report>

interface Question {
  readonly hex: string
  readonly verify: Verify
  readonly options: WithdrawOptions & { readonly signal: AbortSignal }
}

/** Judges by the bytes of everything that is spent: what the caller has not, the server is asked for. */
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
  // A clock that ran out in the last slice is let in before anything comes of the verdict.
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

/** A fixed fee is one for each 1000 bytes begun, by the source; most payments have fewer. */
function feeOf(fee: bigint | undefined, feeRate: bigint | undefined): WithdrawFee | undefined {
  if (feeRate !== undefined) return { type: 'UtxoPerKbyte', amount: formatCoins(feeRate) }
  return fee === undefined ? undefined : { type: 'UtxoFixed', amount: formatCoins(fee) }
}
