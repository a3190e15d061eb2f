import type { Evidence } from '../intent/case.ts'
import { formatCoins } from '../primitives/amount.ts'
import { requireObject } from '../primitives/misuse.ts'
import type { Report } from '../verification/report.ts'
import { isVerifiedTransaction } from '../verification/sealed.ts'
import type { WithdrawIntent } from '../verification/withdraw.ts'
import { isRpcError, RpcError } from './errors.ts'
import type { FrameworkClient } from './framework/client.ts'
import type { WithdrawFee, WithdrawParams } from './framework/parameters.ts'
import type { WithdrawDetails } from './framework/results.ts'
import type { CallOptions } from './options.ts'
import { callOptions, type SafeFlowOptions } from './safe-flow/options.ts'
import { inputsOf } from './safe-flow/transaction.ts'

/** `signal` and the limits hold for each call of the flow. */
export interface WithdrawOptions extends CallOptions, Pick<SafeFlowOptions, 'dryRun' | 'confirm'> {
  /** HD wallets: which address pays. */
  readonly from?: WithdrawParams['from']
  /**
   * What is known beside what the server is asked for: whole previous transactions, heights and
   * the time of the tip. Without a time, that of this machine's clock.
   */
  readonly evidence?: Partial<Evidence>
}

export interface WithdrawResult {
  /** The verdict on the transaction and on what the server says of it. */
  readonly report: Report
  readonly response: WithdrawDetails
  /** Only of a transaction that the server has accepted. */
  readonly txid?: string
  /** Only where there is no txid. */
  readonly held?: 'rejected' | 'dry-run' | 'declined'
}

/**
 * Withdraws coins through the framework: asks for the transaction, fetches what it spends, verifies
 * it and what the server says of it, and only then has the copy broadcast that was verified.
 *
 * Every call makes another payment. If the broadcast fails the call rejects; `cause` or a further
 * `sendRawTransaction` of `report.hex` tells what became of it, not a further call.
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
  requireObject(intent, 'intent')
  // The verifier is native: loaded here, the clients themselves run where it does not.
  const { verifyWithdraw } = await import('../verification/withdraw.ts')
  const { dryRun, confirm } = options
  // misuse shows before anything is asked for
  verifyWithdraw({}, intent, { previousTransactions: [] })
  const call = callOptions(options)
  const { coin } = intent
  const response = await client.withdraw(requestOf(intent, options), call)
  const evidence = await evidenceOf(client, coin, response, options)
  const report = verifyWithdraw(response, intent, evidence)
  const { verified, txid } = report
  if (!report.ok || !isVerifiedTransaction(verified)) return { report, response, held: 'rejected' }
  if (dryRun === true) return { report, response, held: 'dry-run' }
  if (confirm !== undefined && (await confirm(report)) !== true) {
    return { report, response, held: 'declined' }
  }
  const { tx_hash } = await client.sendRawTransaction({ coin, tx_hex: verified.hex }, call)
  if (tx_hash.toLowerCase() === txid) return { report, response, txid: verified.txid }
  const message = `send_raw_transaction: expected ${verified.txid}, received ${tx_hash.slice(0, 100)}`
  throw new RpcError('shape', message, { method: 'send_raw_transaction', reason: 'wrong_txid' })
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

/** Previous transactions as the server has them: each is hashed by the verifier. */
async function evidenceOf(
  client: FrameworkClient,
  coin: string,
  { tx_hex = '' }: WithdrawDetails,
  options: WithdrawOptions,
): Promise<Evidence> {
  const { previousTransactions = [], ...known } = options.evidence ?? {}
  const txids = [...new Set((await inputsOf(tx_hex)).map(({ txid }) => txid))]
  const fetched: string[] = []
  for (const tx_hash of txids) {
    try {
      const reply = await client.getRawTransaction({ coin, tx_hash }, callOptions(options))
      fetched.push(reply.tx_hex)
    } catch (error) {
      // the report says what is missing
      if (!isRpcError(error, 'framework')) throw error
    }
  }
  return {
    tipTime: Math.floor(Date.now() / 1000),
    ...known,
    previousTransactions: [...previousTransactions, ...fetched],
  }
}
