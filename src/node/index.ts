export type { Refused } from './consensus/verdict.ts'
export {
  type CallReport,
  createDevNode,
  type DevIdentity,
  type DevNode,
  type DevNodeOptions,
  type IdentityOptions,
  type Mining,
  type RequestOptions,
} from './dev-node.ts'
export type { FaultRule, Faults } from './faults.ts'
export {
  createDevFramework,
  type DevFramework,
  type DevFrameworkOptions,
} from './framework/dev-framework.ts'
export { RpcFailure } from './http/json-rpc.ts'
export type { Lie } from './lies.ts'
export { type ChainProfile, defaultProfile } from './profile.ts'
