// A request as a guard pays it, whatever server makes its transaction.

import type { AskedFor } from '../request/case.ts'
import type { Finding, Report } from '../request/report.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { check } from '../rpc/safe-flow/check.ts'
import { daemonSource } from '../rpc/safe-flow/evidence.ts'
import type { Payment } from '../rpc/safe-flow/flow.ts'
import type { SafeFlowOptions } from '../rpc/safe-flow/options.ts'
import { paidTo } from '../rpc/safe-flow/paid-to.ts'
import { daemonPayment, undertakingOf } from '../rpc/safe-flow/undertaking.ts'
import type { GuardedEffects } from './decision.ts'
import { effectsOf } from './effects.ts'
import type { RequestTerms } from './token-method.ts'

/** A payment without the way by which its transaction is made. */
export type RequestedPayment = Omit<Payment, 'newTransaction'>

export interface Requested {
  /** Names the payment: equal for equal requests. */
  key(): string
  /** The request as JSON, for the journal and the record. */
  request(): string
  readonly intentFindings: readonly Finding[]
  payment(options: SafeFlowOptions): RequestedPayment | Promise<RequestedPayment>
  /** Returns what a verified transaction takes; `undefined` if its fee is not known. */
  effects(report: Report): GuardedEffects | undefined
}

/** The parts of requests to a daemon. */
export interface RequestParts {
  readonly client: DaemonClient
  /** The same, for transactions that a verification hashes. */
  readonly evidence: DaemonClient
  readonly terms: RequestTerms
  /** The hash of block 1, as the daemon answered at the last comparison of chains. */
  readonly chain: NonNullable<Payment['chain']>
  /** True if payments that the journal lacks are looked for on the chain. */
  readonly isLookedBack: boolean
  /** Lists the transactions that spend coins or tokens of the guard's key. */
  readonly spends: NonNullable<Payment['spends']>
}

/** Returns a request to a daemon. */
export async function requestedOf(
  { client, evidence, terms, chain, isLookedBack, spends }: RequestParts,
  asked: AskedFor,
): Promise<Requested> {
  const undertaking = await undertakingOf(asked, terms.pubkey)
  return {
    key: () => undertaking.key(),
    request: () => undertaking.request(),
    intentFindings: undertaking.intentFindings,
    payment: (options) => ({
      ...daemonPayment(client, options, undertaking),
      chain,
      async spends(recorded) {
        const { payee } = undertaking
        const [spent, paid] = await Promise.all([
          spends(recorded),
          payee === undefined || !isLookedBack ? [] : paidTo(client, payee, recorded, options),
        ])
        return [...new Set([...spent, ...paid])]
      },
      readSpend: daemonSource(evidence, options),
      check: (hex, state) => check({ client: evidence, options, subject: undertaking }, hex, state),
    }),
    effects: (report) => effectsOf(asked, report, terms),
  }
}
