// antara-tx/node: servers for tests and development. Node only: they listen on this machine.

export { RpcFailure } from '../server/json-rpc.ts'
export type { Refused } from './consensus/verdict.ts'
export { createDevNode } from './dev-node.ts'
export type { DevNodeOptions, Mining, RequestOptions } from './dev-node-options.ts'
export type { DevNode } from './dev-node-types.ts'
export type { FaultRule, Faults } from './faults.ts'
export { ForkError, type ForkErrorCode } from './fork/fork-error.ts'
export type { ForkCall, ForkSource } from './fork/upstream.ts'
export { createDevFramework } from './framework/dev-framework.ts'
export type { DevFramework, DevFrameworkOptions } from './framework/dev-framework-types.ts'
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
export type {
  DevIdentities,
  DevIdentity,
  Identities,
  IdentitiesOf,
  IdentityOptions,
} from './identity-types.ts'
export {
  type ChainOptions,
  type ChainProfile,
  defaultProfile,
  type ServedNetwork,
} from './profile.ts'
export type { CallReport } from './request-handler.ts'
export type { Tamper } from './tamper.ts'
