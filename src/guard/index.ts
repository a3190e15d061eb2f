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
export { createFrameworkGuard, type FrameworkGuardOptions } from './framework/guard.ts'
export { createGuard } from './guard.ts'
export type { Guard } from './listen.ts'
export type { GuardedDaemon, GuardOptions, PaidBy } from './options.ts'
