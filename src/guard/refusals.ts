// The words with which a guard refuses. They go to clients, so nothing in them comes from a client
// or from a key.

import type { RecordedPayment } from '../journal/recorded-payment.ts'
import { RpcFailure } from '../server/json-rpc.ts'

import type { GuardedCall, MethodClass, PolicyRefusal } from './decision.ts'
import type { FormerTransaction } from './former-users.ts'

// komodo src/rpc/protocol.h: the codes that programs know for these failures.
const forbidden = -2
const invalidParameter = -8
const walletError = -4
const verifyRejected = -26
const internalError = -32603

/** A refusal by the guard itself. */
export class Refusal extends RpcFailure {
  /** The reason in the record. */
  readonly reason: string
  constructor(code: number, message: string, reason: string) {
    super(code, message)
    this.reason = reason
  }
}

/** Returns the reason why a guard refuses a class of methods unless its policy names the method. */
export const reasonOfClass: Readonly<Record<MethodClass, string>> = {
  read: 'the policy refuses it',
  build: 'the guard cannot verify what it builds',
  send: 'the guard cannot verify what it sends',
  'build-and-send': 'the guard cannot verify what it spends',
  secret: 'it takes or reveals private keys, or signs with one',
  administration: 'it changes the server or its wallet',
  unknown: 'the guard does not know it',
}

const throughCase = 'Submit the signed transaction by guard_submit HEX CASE'
const throughKeys = `${throughCase}, with fromKeys in its intent`

/** Maps a method that builds to what a program can do in its place. */
const insteadOf: ReadonlyMap<string, string> = new Map([
  ['signrawtransaction', throughCase],
  ['tokentransfermany', 'Transfer each token by tokentransfer'],
  ['tokenv2addccinputs', throughCase],
  ['addccv2signature', throughKeys],
])

/** Returns a sentence about what to do in place of a refused method; empty if nothing is known. */
export function adviceFor(method: string): string {
  const advice = insteadOf.get(method)
  return advice === undefined ? '' : `${advice}.`
}

/** The method is not passed on. */
export function refusedMethod({ method, methodClass }: GuardedCall): Refusal {
  const name = methodClass === 'unknown' ? 'this method' : method
  const words = `guard: ${name} is refused: ${reasonOfClass[methodClass]}`
  const advice = adviceFor(method)
  return new Refusal(forbidden, advice === '' ? words : `${words}. ${advice}`, 'class')
}

/** The guard verifies the method, but was started without what it verifies it by. */
export function refusedWithoutKey({ method }: GuardedCall): Refusal {
  return new Refusal(
    forbidden,
    `guard: ${method} is refused: the guard has no key or coin to verify it by`,
    'class',
  )
}

type Forbidding = Pick<PolicyRefusal, 'rule' | 'reason'>

/** @param txids - transactions that may have made the refused payment before */
export function refusedByPolicy(refusal: Forbidding, txids: readonly string[] = []): Refusal {
  const words = `guard: ${policyWords(refusal)}`
  return new Refusal(forbidden, withSamePayment(words, txids), refusal.rule)
}

export function policyWords({ rule, reason }: Forbidding): string {
  return `the policy refuses this (${rule}): ${reason}`
}

/** Names earlier transactions beside a refusal: a program that reads it could pay in another way. */
export function withSamePayment(words: string, txids: readonly string[]): string {
  return txids.length === 0
    ? words
    : `${words.replace(/\.$/, '')}. ${txids.join(', ')} may be the same payment and may still be mined: look for it before you pay again`
}

/** A parameter that guard and daemon could read differently, or that the guard does not read. */
export function refusedParameter(path: string, expected: string): Refusal {
  return new Refusal(invalidParameter, `guard: ${path}: expected ${expected}`, 'parameters')
}

/** The guard verifies nothing by the header `Idempotency-Key` here. */
export function refusedKey(expected: string): Refusal {
  const { code, message } = refusedParameter('Idempotency-Key', expected)
  return new Refusal(code, message, 'idempotency-key')
}

/** The number is that of another user's task, or of none. */
export function refusedTask(): Refusal {
  return new Refusal(invalidParameter, 'guard: no such task of this user', 'parameters')
}

export function isRefusedParameter(error: unknown): boolean {
  return error instanceof Refusal && error.code === invalidParameter
}

/** The same call was paid a short time ago, and no name marks this one as another payment. */
export function heldRepetition(txid: string): Refusal {
  return new Refusal(
    walletError,
    `guard: held as a repetition: the same payment was made as ${txid}. If another one is due, name it by a header Idempotency-Key, and repeat it when a block has the first and --repeat is over`,
    'repetition',
  )
}

/** The same payment was made by a user or a key that the guard does not have any more, or by no user. */
export function heldFormer({ txid, isUnsettled }: FormerTransaction): Refusal {
  const reason = 'former-user'
  if (isUnsettled) {
    return new Refusal(
      walletError,
      `guard: held: ${txid} may be the same payment, made before the users or the key of the guard changed. Look for it in a block. If this is another one, repeat it when a block has the first and --repeat is over. If it is still held then, or if no attempt at the first can be mined any more, stop the guard and run antara-tx attempts forget ${txid} --journal FILE, with the journal of this guard`,
      reason,
    )
  }
  return new Refusal(
    walletError,
    `guard: held as a repetition: the same payment was made as ${txid}, before the users or the key of the guard changed. If another one is due, give it a name of its own by a header Idempotency-Key, and repeat it when --repeat is over`,
    reason,
  )
}

/** The name was given to another payment before. */
export function heldName(): Refusal {
  return new Refusal(
    invalidParameter,
    'guard: Idempotency-Key: this name was used for another payment, so this call paid nothing',
    'idempotency-key',
  )
}

/** Early versions took the name in quotation marks, so without them it would be a second payment. */
export function refusedLikeName({ attempts }: Pick<RecordedPayment, 'attempts'>): Refusal {
  const txids = attempts.map(({ txid, minedAs = txid }) => minedAs).join(', ')
  const words = `an earlier call had this name in quotation marks, so this call paid nothing. Look for ${txids} before you pay by another name`
  return new Refusal(invalidParameter, `guard: Idempotency-Key: ${words}`, 'idempotency-key')
}

/** @param reason - for the record, unless the call has its line already */
export function refusedSend(message: string, reason = 'repetition'): Refusal {
  return new Refusal(verifyRejected, `guard: ${message}`, reason)
}

/**
 * The operator names a transaction that made this payment, and it did not, or it is not known.
 *
 * @param others - transactions that may have made the payment
 */
export function refusedClaim(txid: string, why: string, others: readonly string[] = []): Refusal {
  const words = `held: the operator named ${txid} by --paid-by as the transaction of this payment, but ${why}. Start the guard with the right one`
  return refusedSend(withSamePayment(words, others), 'paid-by')
}

/** @param isUncertain - the server may have carried out the call all the same */
export function guardFailure(message: string, isUncertain = false): RpcFailure {
  return new RpcFailure(internalError, `guard: ${message}`, isUncertain)
}
