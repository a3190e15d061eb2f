// A policy from a file: decides about methods and payments, for the file and for its users.

import { createHash } from 'node:crypto'
import { AntaraError } from '../../errors/antara-error.ts'
import { printable } from '../../primitives/printable.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import type {
  GuardedCall,
  GuardedPayment,
  Policy,
  PolicyDecision,
  PolicyRefusal,
} from '../decision.ts'
import { boundsOf, checkPayment, confirmedBy, consumedBy, refuse, shown } from './check-payment.ts'
import { confirm } from './confirm.ts'
import type { Amounts } from './limit-entry.ts'
import { beyond, LimitExceeded, type Limits } from './limits.ts'
import { isQuiet } from './quiet-hours.ts'
import { readPolicy } from './read-policy.ts'
import type { PolicyRules, Rules } from './rules.ts'

/** Rules, with the prefix of their paths and the user whose payments their limits count. */
interface Owned {
  readonly rules: Rules
  /** `users.alice.`, or '' for the rules of all users. */
  readonly owner: string
  readonly scope: string
}

/** The rules of a policy file. */
export class FilePolicy implements Policy {
  #rules: PolicyRules
  readonly #limits: Limits
  readonly #now: () => number
  #hold: string | undefined

  /**
   * @param text - of the policy file
   * @param now - the time of day, for quiet hours
   * @throws {AntaraError} `malformed_policy`
   */
  constructor(text: string, limits: Limits, now: () => number = Date.now) {
    this.#rules = readPolicy(text)
    this.#limits = limits
    this.#now = now
  }

  /**
   * Replaces the rules at once. If the text is malformed, the old rules stay.
   *
   * @throws {AntaraError} `malformed_policy`, also for users where the old rules have none, and the
   *   reverse: who may enter is decided at the start
   */
  reload(text: string): void {
    const rules = readPolicy(text)
    if ((rules.users === undefined) !== (this.#rules.users === undefined)) {
      const expected = this.hasUsers ? 'users, as at the start' : 'no users, as at the start'
      throw new AntaraError('malformed_policy', { path: 'users', expected })
    }
    this.#rules = rules
  }

  /** Refuses all payments from now on, until the guard starts again. */
  hold(reason: string): void {
    this.#hold = reason
  }

  /** Returns whether the policy has users of its own. */
  get hasUsers(): boolean {
    return this.#rules.users !== undefined
  }

  /** Returns the stored form of a user's password; `undefined` for an unknown user. */
  passwordOf(user: string): string | undefined {
    return this.#rules.users?.get(user)?.password
  }

  isUser(name: string): boolean {
    return this.#rules.users?.has(name) === true
  }

  admit(call: GuardedCall): 'allow' | PolicyRefusal | undefined {
    const owned = this.#ownedBy(call.user)
    if ('verdict' in owned) return owned
    // Everything but a read could pay without limits, if it is allowed by name.
    if (this.#hold !== undefined && call.methodClass !== 'read') return refuse('limits', this.#hold)
    let isNamed = false
    for (const { rules, owner } of owned) {
      const { methods, quietHours } = rules
      // As above: a method that a list names could pay, whatever its class.
      const isRead = call.methodClass === 'read'
      if (quietHours !== undefined && !isRead && isQuiet(quietHours, this.#now())) {
        return refuse(`${owner}quietHours`, 'no payments in these hours')
      }
      const refusal = checkMethod(rules, call, owner)
      if (refusal !== undefined) return refusal
      if (methods?.has(call.method) === true) isNamed = true
    }
    // A rule of one list is enough to name a method, where no other list leaves it out.
    return isNamed ? 'allow' : undefined
  }

  async decide(
    payment: GuardedPayment,
    { isConfirmed }: { readonly isConfirmed: boolean },
  ): Promise<PolicyDecision> {
    if (this.#hold !== undefined) return refuse('limits', this.#hold)
    const all = this.#ownedBy(payment.user)
    if ('verdict' in all) return all
    const now = this.#now()
    for (const { rules, owner } of all) {
      // The policy may have been read again since the call was admitted.
      const refusal = checkMethod(rules, payment, owner) ?? checkPayment(rules, payment, owner, now)
      if (refusal !== undefined) return refusal
    }
    const amounts = consumedBy(payment.effects)
    const name = nameOf(payment)
    const more = beyond(amounts, this.#limits.of(name))
    // An amount that was consumed before was confirmed before.
    if (!isConfirmed && more.size > 0) {
      const question = this.#question(all, payment)
      if (question !== undefined) return question
    }
    return this.#reserve(all, payment, name, amounts)
  }

  /** Returns the rules of all users and those of one; a refusal for a user without rules. */
  #ownedBy(user: string): readonly Owned[] | PolicyRefusal {
    const common: Owned = { rules: this.#rules, owner: '', scope: '' }
    const { users } = this.#rules
    if (users === undefined) return [common]
    const own = users.get(user)
    if (own === undefined) return refuse('users', 'a user that the policy does not name')
    return [common, { rules: own, owner: `users.${user}.`, scope: user }]
  }

  #question(all: readonly Owned[], payment: GuardedPayment): PolicyDecision | undefined {
    const confirmation = this.#rules.confirm
    if (confirmation === undefined) return undefined
    for (const { rules, owner } of all) {
      const rule = confirmedBy(rules, payment.effects, owner)
      if (rule === undefined) continue
      return {
        verdict: 'confirm',
        rule,
        ask: (signal) => confirm(confirmation, payment, rule, signal),
      }
    }
    return undefined
  }

  #reserve(
    all: readonly Owned[],
    payment: GuardedPayment,
    name: string,
    amounts: Amounts,
  ): PolicyDecision {
    const bounds = all.flatMap(({ rules, owner, scope }) => boundsOf(rules, amounts, owner, scope))
    const { user, txid } = payment
    try {
      const reservation = this.#limits.reserve({ user, txid, payment: name, amounts, bounds })
      return { verdict: 'allow', reservation }
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error
      const { bound, left } = error
      const span = bound.window === 'hour' ? '60 minutes' : '24 hours'
      const most = shown(bound.asset, bound.most)
      return refuse(bound.rule, `${shown(bound.asset, left)} left of ${most} in ${span}`)
    }
  }
}

/** Returns the refusal of a method that the list of the rules leaves out. */
function checkMethod(
  { methods }: Rules,
  call: GuardedCall,
  owner: string,
): PolicyRefusal | undefined {
  if (methods === undefined || methods.has(call.method) || methods.has(nameOfClass(call))) {
    return undefined
  }
  return refuse(`${owner}methods`, `${printable(redactKey(call.method))} is not in the list`)
}

/** Returns the name under which a list of methods means a class. No name means the other ones. */
function nameOfClass({ methodClass }: GuardedCall): string {
  return methodClass === 'build-and-send' ? '@send' : `@${methodClass}`
}

/** A payment's name is text of a client, so it is stored as its hash, and apart for each user. */
function nameOf({ user, payment }: GuardedPayment): string {
  return createHash('sha256').update(`${user}\0${payment}`).digest('hex').slice(0, 32)
}
