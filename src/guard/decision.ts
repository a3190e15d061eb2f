// The questions that a guard asks its operator's rules, and the answers that it obeys. The policy,
// the record of decisions, the users and the metrics are parts behind these interfaces, so a guard
// also runs without them.

import type { MethodClass } from '../rpc/daemon/method-classes.ts'

export type { MethodClass } from '../rpc/daemon/method-classes.ts'

/** A call, as far as it is known before anything is built. */
export interface GuardedCall {
  /** Name of the user; `''` if the guard has no users of its own. */
  readonly user: string
  /** Text of a client, at most 100 characters: escape it before you show it. */
  readonly method: string
  readonly methodClass: MethodClass
}

/** An amount that leaves the wallet. Every value comes from verified bytes. */
export interface Outflow {
  /** `coins` for satoshis, or a whole tokenid in lower case for units. */
  readonly asset: string
  readonly amount: bigint
  /** The paid locking script in lower-case hex. It identifies the payee. */
  readonly script: string
  /**
   * Hashes of the keys that the script names, 20 bytes in lower-case hex. One key has one hash,
   * whether it is paid by its key, by its address or as a holder of tokens.
   */
  readonly keyHashes: readonly string[]
  /** The address as the chain writes it, for people; absent if the script has none. */
  readonly address?: string
  readonly isBurn?: true
  /** True for the royalty of a bid, which the bid pays and the wallet does not. */
  readonly isOfBid?: true
}

/** The exchange that an order offers or takes. */
export interface Trade {
  readonly kind: 'ask' | 'bid' | 'fillAsk' | 'fillBid' | 'cancelAsk' | 'cancelBid'
  readonly tokenid: string
  readonly units: bigint
  /**
   * Satoshis for all units: of a filled bid without the royalty, which the seller does not get
   * unless it created the token. Zero for a cancellation.
   */
  readonly price: bigint
  /**
   * True if a case of `guard_submit` names another key than the guard's as the one that trades. That
   * key then gets the change, and what is bought.
   */
  readonly isForOther?: true
}

/** Everything that a transaction takes from the wallet. */
export interface GuardedEffects {
  /** Outputs to scripts that are not the wallet's own. Empty for a payment to itself. */
  readonly outflows: readonly Outflow[]
  /** Satoshis for the miner. They leave the wallet in every case. */
  readonly fee: bigint
  readonly trade?: Trade
  /** Units of a token that is created. As many satoshis become the token. */
  readonly created?: bigint
}

/** A verified transaction that is about to be handed over or sent. */
export interface GuardedPayment extends GuardedCall {
  /**
   * - `hand-over` signed hex is about to leave the guard. Anyone who has it can broadcast it, so
   *   limits are consumed here
   * - `send`      it is about to be sent. It is decided again, and consumes nothing if `hand-over`
   *   was allowed for the same `payment` before
   */
  readonly moment: 'hand-over' | 'send'
  /** Names the payment. All attempts at one payment have the same name, also after a restart. */
  readonly payment: string
  readonly txid: string
  /** Size of the transaction in bytes, for a limit of the fee rate. */
  readonly bytes: number
  readonly effects: GuardedEffects
}

/** A refusal by a rule. Neither text contains text of a client unescaped. */
export interface PolicyRefusal {
  readonly verdict: 'refuse'
  /** Path of the rule in the policy file, such as `users.alice.coins.perDay`. */
  readonly rule: string
  /** One sentence for the operator of the program. */
  readonly reason: string
}

/** Amounts that an allowed payment has reserved. The guard calls one of its functions, once. */
export interface Reservation {
  /** The hex left the guard, so the amounts stay consumed. */
  keep(): void | Promise<void>
  /** The hex never left the guard, so the amounts are free again. */
  release(): void | Promise<void>
}

export type PolicyDecision =
  | { readonly verdict: 'allow'; readonly reservation?: Reservation }
  | PolicyRefusal
  /**
   * A person or a program has to agree. The guard calls `ask` once. After a yes it verifies the
   * transaction again, and decides again with `isConfirmed`.
   */
  | {
      readonly verdict: 'confirm'
      readonly rule: string
      ask(signal: AbortSignal): Promise<boolean>
    }

/** The operator's rules. Calls may overlap. */
export interface Policy {
  /**
   * Returns whether the guard still has a user of this name. A repeated call of another name is held
   * if a former user made the same payment. If absent, every name counts as that of a user.
   */
  isUser?(name: string): boolean
  /**
   * Decides whether a user may call a method at all, before anything reaches the daemon. A method
   * that the guard would pass on unverified (`secret`, `administration`, `unknown`) is refused
   * unless the answer is `allow`. The answer `undefined` leaves the decision to the guard. A refused
   * call that repeats a payment of the same user is answered by that payment, and pays nothing.
   */
  admit(call: GuardedCall): 'allow' | PolicyRefusal | undefined
  /** Decides a verified payment. An exception counts as a refusal. */
  decide(
    payment: GuardedPayment,
    state: { readonly isConfirmed: boolean },
  ): PolicyDecision | Promise<PolicyDecision>
}

/** One decision, for the record. It contains no signed hex and no secret. */
export interface DecisionEntry extends GuardedCall {
  readonly decision: 'passed' | 'handed-over' | 'sent' | 'refused'
  /** The rule or the finding code that decided, for a refusal. */
  readonly reason?: string
  /** JSON of the request, for builds and sends. */
  readonly request?: string
  readonly findings?: readonly string[]
  readonly txid?: string
  /** The name of the payment: the header `Idempotency-Key` of the call that made it. */
  readonly key?: string
  /**
   * The number of refusals that this one stands for, of one user, class and reason. The method is
   * that of the last one. Absent for a single decision.
   */
  readonly count?: number
}

/** The record of decisions. */
export interface DecisionRecord {
  /**
   * Appends an entry. The guard waits for it before signed hex leaves, and keeps the hex back if
   * the promise rejects.
   */
  append(entry: DecisionEntry): Promise<void>
  close(): Promise<void>
}

/** The guard's own users. */
export interface Users {
  /** Returns the name of the user; `undefined` if user or password are wrong. */
  authenticate(user: string, password: string): Promise<string | undefined>
}

/** Counters of a running guard. Labels are classes and decisions, never texts of a client. */
export interface Metrics {
  count(entry: Pick<DecisionEntry, 'methodClass' | 'decision'>): void
  time(methodClass: MethodClass, milliseconds: number): void
  /** Returns the text of `/metrics` and its content type. */
  text(): Promise<{ readonly type: string; readonly body: string }>
}
