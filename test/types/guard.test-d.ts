// Checked by `tsc -p test`; this file never runs. A whole set of operator's rules compiles.
import { expectTypeOf } from 'vitest'
import type {
  DecisionEntry,
  DecisionRecord,
  GuardedCall,
  GuardedEffects,
  GuardedPayment,
  MethodClass,
  Metrics,
  Outflow,
  Policy,
  PolicyDecision,
  PolicyRefusal,
  Reservation,
  Trade,
  Users,
} from '../../src/guard/decision.ts'

const refusal: PolicyRefusal = { verdict: 'refuse', rule: 'recipients', reason: 'Not listed.' }
const reservation: Reservation = { keep: () => undefined, release: () => undefined }

export const policy: Policy = {
  admit: ({ methodClass }: GuardedCall) => (methodClass === 'secret' ? refusal : undefined),
  decide({ effects }: GuardedPayment, { isConfirmed }): PolicyDecision {
    const { outflows, trade }: GuardedEffects = effects
    expectTypeOf(outflows).toEqualTypeOf<readonly Outflow[]>()
    expectTypeOf(trade).toEqualTypeOf<Trade | undefined>()
    if (isConfirmed) return { verdict: 'allow', reservation }
    return { verdict: 'confirm', rule: 'coins.confirm', ask: async () => true }
  },
}

export const record: DecisionRecord = {
  append: async () => undefined,
  close: async () => undefined,
}
export const users: Users = { authenticate: async (user) => user }
export const metrics: Metrics = {
  count: ({ methodClass }) => expectTypeOf(methodClass).toEqualTypeOf<MethodClass>(),
  time: () => undefined,
  text: async () => ({ type: 'text/plain', body: '' }),
}
export const entry: DecisionEntry = {
  user: '',
  method: 'getinfo',
  methodClass: 'read',
  decision: 'passed',
}
