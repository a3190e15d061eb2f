// antara-tx/node: servers for tests and development. Node only: they listen on this machine.

export { RpcFailure } from '../server/json-rpc.ts'
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
export type { CallRecord } from './framework/dispatch.ts'
export { type FrameworkPresetName, frameworkPresetNames } from './framework/presets.ts'
export type {
  AccountScript,
  AddressScript,
  BalanceScript,
  CoinConfig,
  CoinScript,
  DeviceScript,
  FailureScript,
  FrameworkScript,
  ScriptedAnswer,
  ScriptedAnswers,
  StepScript,
  UnplugMoment,
} from './framework/script.ts'
export type { DevIdentities, Identities, IdentitiesOf } from './identity-types.ts'
export { type ChainProfile, defaultProfile } from './profile.ts'
export type { Tamper } from './tamper.ts'
