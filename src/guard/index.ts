export type {
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
} from './decision.ts'
export { createGuard, type Guard, type GuardedDaemon, type GuardOptions } from './guard.ts'
