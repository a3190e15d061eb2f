// Payments and policies for the tests of the guard's rules.

import type { GuardedEffects, GuardedPayment, Outflow } from '../../../src/guard/decision.ts'
import { Limits } from '../../../src/guard/policy/limits.ts'
import { FilePolicy } from '../../../src/guard/policy/policy.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'

/** The generator of the curve, and the hash of it that BIP 173 publishes. */
export const generator = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
export const generatorHash = '751e76e8199196d454941c45d1b3a323f1433bd6'
export const strangerHash = '00112233445566778899aabbccddeeff00112233'
export const token = 'aa'.repeat(32)
export const otherToken = 'bb'.repeat(32)
export const coin = 100_000_000n

/** Monday, 2026-11-23, 12:00 UTC. */
export const noon: number = Date.UTC(2026, 10, 23, 12)

/** A payment of coins, or of units of a token, to the hash of a key. */
export function to(hash: string, amount: bigint, asset = 'coins'): Outflow {
  return { asset, amount, script: `${'76a9'}14${hash}88ac`, keyHashes: [hash] }
}

let payments = 0

export function payment(
  effects: Partial<GuardedEffects>,
  more: Partial<GuardedPayment> = {},
): GuardedPayment {
  payments += 1
  return {
    user: '',
    method: 'sendtoaddress',
    methodClass: 'build-and-send',
    moment: 'hand-over',
    payment: `payment ${payments}`,
    txid: payments.toString(16).padStart(64, '0'),
    bytes: 250,
    effects: { outflows: [], fee: 10_000n, ...effects },
    ...more,
  }
}

/** A clock that tests move. */
export class Time {
  wall = noon
  elapsed = 0

  /** Lets time pass, as both clocks see it. */
  pass(ms: number): void {
    this.wall += ms
    this.elapsed += ms
  }

  readonly sources = { wall: (): number => this.wall, elapsed: (): number => this.elapsed }
}

export interface Started {
  readonly policy: FilePolicy
  readonly limits: Limits
  readonly journal: Journal
  readonly time: Time
}

export async function start(
  rules: object,
  { journal = memoryJournal(), time = new Time() } = {},
): Promise<Started> {
  const limits = await Limits.open(journal, time.sources)
  const policy = new FilePolicy(JSON.stringify(rules), limits, () => time.wall)
  return { policy, limits, journal, time }
}

/** Rules that allow everything. */
export const open = { recipients: 'any', coins: 'any', tokens: 'any' }

/** Decides a payment and lets its hex leave, as the guard does. */
export async function pay(
  { policy }: Pick<Started, 'policy'>,
  given: GuardedPayment,
  isConfirmed = false,
): Promise<string> {
  const decision = await policy.decide(given, { isConfirmed })
  if (decision.verdict === 'allow') await decision.reservation?.keep()
  return decision.verdict === 'allow' ? 'allow' : `${decision.verdict} ${decision.rule}`
}
