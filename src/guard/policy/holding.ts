import type { Policy } from '../decision.ts'
import { refuse } from './check-payment.ts'

/** Returns the rules of a guard without a policy file whose payments are held. */
export function holding(reason: string): Policy {
  const refusal = refuse('state', reason)
  return {
    admit: ({ methodClass }) => (methodClass === 'read' ? undefined : refusal),
    decide: () => refusal,
  }
}
