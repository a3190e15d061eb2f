// A withdrawal through the framework, as the safe flow runs it.

import { bookOf } from '../../journal/book.ts'
import type { Journal } from '../../journal/journal.ts'
import type { RecordedAttempt } from '../../journal/recorded-payment.ts'
import type { Evidence } from '../../request/evidence.ts'
import type { Report } from '../../request/report.ts'
import type { WithdrawIntent } from '../../request/withdraw.ts'
import { RpcError } from '../errors.ts'
import type { FrameworkClient } from '../framework/client.ts'
import { afterLock, type Checked, checkedBy, withinLimits } from './check.ts'
import { createFetched, frameworkSource } from './evidence.ts'
import type { Payment } from './flow.ts'
import { callOptions, reportProgress, type SafeFlowOptions } from './options.ts'
import { inputsOf, paysEach, readTransaction } from './transaction.ts'
import { readingOnce } from './transaction-cache.ts'
import { walletHistory } from './wallet-history.ts'
import { usualWarnings } from './warned.ts'
import type { WithdrawPayer } from './withdraw-text.ts'

interface WithdrawalOptions extends SafeFlowOptions {
  readonly from?: WithdrawPayer
  readonly evidence?: Partial<Evidence>
}

/** A withdrawal as the flow pays it, without the way by which its transaction is requested. */
interface WithdrawalPayment {
  readonly payment: Omit<Payment, 'newTransaction'> & Required<Pick<Payment, 'spends'>>
  /** Verifies a server's answer: the transaction, and the claims about it. */
  checkResponse(response: { readonly tx_hex?: string }): Promise<Checked>
}

/** @throws {TypeError} for an intent of the wrong types, before anything is requested */
export async function withdrawalPayment(
  client: FrameworkClient,
  intent: WithdrawIntent,
  options: WithdrawalOptions,
): Promise<WithdrawalPayment> {
  if (options.firstBlock !== undefined) {
    throw new TypeError('firstBlock: a framework server shows no blocks of a coin to compare')
  }
  // The verifier is native, so it is loaded here: the clients run where it does not.
  const { paymentOf } = await import('../../request/withdraw.ts')
  const { verifyWithdrawAsync } = await import('../../verification/withdraw.ts')
  const { verifyPaymentAsync } = await import('../../verification/operations/payment.ts')
  const asked = paymentOf(intent)
  const { withdrawKey, withdrawnCoin } = await import('./payment-keys.ts')
  const { withdrawText } = await import('./withdraw-text.ts')
  const { coin, amount } = intent
  const lookUp = frameworkSource(client, coin, options)
  const history = walletHistory(client, coin, options)
  let isReported = false
  const checked = (hex: string, verify: Verify): Promise<Checked> =>
    withinLimits(options, (limited) =>
      checkWithdrawal(client, coin, { hex, verify, options: limited }),
    )
  return {
    checkResponse: (response) =>
      checked(response.tx_hex ?? '', (evidence, slices) =>
        verifyWithdrawAsync(response, intent, evidence, slices),
      ),
    payment: {
      client,
      key: withdrawKey(intent),
      options,
      request: () => withdrawText(intent, options.from),
      usualWarnings: usualWarnings.withdraw,
      mayBe: paysEach(amount === 'max' ? [] : [amount]),
      async spends(recorded) {
        const first = firstHeight(options.journal, (terms) => withdrawnCoin(terms) === coin)
        const { txids, isWhole } = await history.spends({ ...recorded, first })
        if (!isWhole && !isReported) reportProgress(options, { step: 'not-compared' })
        isReported ||= !isWhole
        return txids
      },
      readSpend: readingOnce(client, lookUp),
      refusal: 'framework',
      check: (hex, state) =>
        checked(hex, async (evidence, slices) => {
          const tx = state === 'on-chain' ? await readTransaction(hex) : undefined
          if (tx === undefined) return verifyPaymentAsync(hex, asked, evidence, slices)
          // A transaction in a block has not expired, whatever the height of the chain.
          const { tipHeight: _, ...later } = evidence
          return verifyPaymentAsync(hex, asked, { ...later, ...afterLock(tx) }, slices)
        }),
      lookUp,
      place: history.place,
      async send({ hex, txid }) {
        const calls = callOptions(options)
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
    },
  }
}

/**
 * Returns the lowest height of the payments of one coin. A framework names no chain, so the index of
 * a journal has the heights of all coins together.
 */
function firstHeight(
  journal: Journal | undefined,
  isOfCoin: (terms: string) => boolean,
): number | undefined {
  let first: number | undefined
  for (const { terms, attempts, past } of journal === undefined ? [] : bookOf(journal).payments()) {
    const isLower = ({ height }: RecordedAttempt) =>
      height !== undefined && height < (first ?? Number.POSITIVE_INFINITY)
    const lower = [...attempts, ...past].filter(isLower)
    if (lower.length === 0 || !isOfCoin(terms)) continue
    first = lower.reduce((one, { height }) => Math.min(one, height!), Number.POSITIVE_INFINITY)
  }
  return first
}

type Verify = (evidence: Evidence, slices: { readonly signal: AbortSignal }) => Promise<Report>

interface Question {
  readonly hex: string
  readonly verify: Verify
  readonly options: WithdrawalOptions & { readonly signal: AbortSignal }
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
  const evidence = {
    tipTime: Math.floor(Date.now() / 1000),
    ...known,
    previousTransactions: [...previousTransactions, ...fetched.byTxid.values()],
  }
  return checkedBy(verify(evidence, { signal: options.signal }), fetched, options)
}
