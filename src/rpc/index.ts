// antara-tx/rpc: typed clients of both interfaces. It runs in Node and in browsers; functions that
// read files are in antara-tx/rpc/node.

export { AntaraError, isAntaraError } from '../errors/antara-error.ts'
export type { Journal } from '../journal/journal.ts'
export { memoryJournal } from '../journal/memory.ts'
export { isLosslessNumber, type JsonValue, LosslessNumber } from '../primitives/json.ts'
export type { AddressMethods } from './daemon/address-methods.ts'
export type { ChainMethods } from './daemon/chain-methods.ts'
export type * from './daemon/chain-parameters.ts'
export {
  createDaemonClient,
  type DaemonBatchCall,
  type DaemonBatchResults,
  type DaemonClient,
  type DaemonClientOptions,
} from './daemon/client.ts'
export type { CclibParams, ControlMethods } from './daemon/control-methods.ts'
export type { DaemonMethods, SendOptions } from './daemon/methods.ts'
export type { MiningMethods } from './daemon/mining-methods.ts'
export type * from './daemon/mining-parameters.ts'
export type { AssetsAddresses, TokenOrderReply } from './daemon/order-results.ts'
export type * from './daemon/parameters.ts'
export type { PeerMethods } from './daemon/peer-methods.ts'
export type * from './daemon/peer-parameters.ts'
export type { DaemonCredentials } from './daemon/protocol.ts'
export type { RawMethods } from './daemon/raw-methods.ts'
export type {
  AcceptanceVerdict,
  AddedNode,
  AddressBalance,
  AddressDelta,
  AddressDeltasReply,
  AddressDeltasWithRange,
  AddressGrouping,
  AddressMempoolDelta,
  AddressUtxo,
  AddressUtxosReply,
  AddressUtxosWithTip,
  AddressValidation,
  AssetsIndexKeys,
  Ban,
  BlockchainInfo,
  BlockHeaderReply,
  BlockReply,
  BlockSubsidy,
  BlockTemplate,
  BlockTime,
  BlockWithTransactions,
  ChainStatistics,
  ChainTipReply,
  CoinSupply,
  DecodedInput,
  DecodedOpReturn,
  DecodedOutput,
  DecodedScriptReply,
  DecodedTransactionReply,
  DeprecationInfo,
  EntriesSinceBlock,
  FundedTransaction,
  JoinSplitReply,
  MempoolEntry,
  MempoolInfo,
  MempoolReply,
  MinerIds,
  MiningInfo,
  MiningState,
  MultisigReply,
  NetTotals,
  NetworkInfo,
  NetworkReach,
  NodeInfo,
  NotarizedConfirmed,
  NotaryBlocks,
  Outpoint,
  OutputSet,
  OwnPubkey,
  PeerInfo,
  RawTransactionHex,
  ReceivedByAddress,
  ScriptReply,
  SignedTransaction,
  SigningFault,
  SoftForkReply,
  SpentInfo,
  TemplateCoinbase,
  TemplateTransaction,
  TokelDataReply,
  TokenAddresses,
  TokenBalance,
  TokenIndexKeys,
  TokenInfo,
  TokenInfoTokel,
  TotalBalance,
  TransactionReply,
  UnspentOutput,
  ValuePool,
  WalletDetail,
  WalletEntry,
  WalletInfo,
  WalletTransaction,
  WalletUtxo,
} from './daemon/results.ts'
export type { TokelTokensV1Methods } from './daemon/tokens-v1-tokel.ts'
export type { TokensV2Methods } from './daemon/tokens-v2.ts'
export type * from './daemon/tokens-v2-parameters.ts'
export type {
  TokenBalances,
  TokenV2Hex,
  TokenV2Inputs,
} from './daemon/tokens-v2-results.ts'
export type { WalletMethods } from './daemon/wallet-methods.ts'
export type * from './daemon/wallet-parameters.ts'
export {
  type Cancellation,
  isRpcError,
  RpcError,
  type RpcErrorDetails,
  type RpcErrorKind,
  type RpcErrorReason,
  type UnsettledTransaction,
} from './errors.ts'
export type { FirstBlockOptions } from './first-block.ts'
export {
  createFrameworkClient,
  type FrameworkBatchCall,
  type FrameworkClient,
  type FrameworkClientOptions,
} from './framework/client.ts'
export {
  type FrameworkErrorData,
  type FrameworkErrorType,
  type HardwareFault,
  isFrameworkError,
} from './framework/errors.ts'
export type {
  AddressFormat,
  BchActivationParams,
  CoinNode,
  CoinProtocol,
  ElectrumServer,
  EnableBchParams,
  EnableBchWithTokensParams,
  EnableSlpParams,
  EnableTendermintTokenParams,
  EnableTendermintWithAssetsParams,
  GetRawTransactionParams,
  MyBalanceParams,
  MyTxHistoryParams,
  PathToAddress,
  SendRawTransactionParams,
  TaskCancelParams,
  TaskStatusParams,
  TaskUserActionParams,
  TendermintActivationParams,
  TokensRequest,
  UserAction,
  UtxoPrivKeyPolicy,
  UtxoRpcMode,
  WithdrawFee,
  WithdrawParams,
} from './framework/parameters.ts'
export type {
  AddressInfo,
  Balance,
  BalanceReply,
  Balances,
  BchActivation,
  CoinBalance,
  EnabledCoins,
  FeeDetails,
  HdAccount,
  HdAddress,
  HistoryTransaction,
  InProgressDetails,
  InProgressName,
  RawTransaction,
  SentTransaction,
  ServerVersion,
  SlpActivation,
  TaskErrorDetails,
  TaskStatus,
  TendermintActivation,
  TendermintTokenActivation,
  TxHistory,
  UserActionNeed,
  UtxoActivation,
  WalletBalance,
  WithdrawDetails,
} from './framework/results.ts'
export type { TaskHandle, TaskOptions } from './framework/task.ts'
export type { ResultOfTask } from './framework/tasks.ts'
export type {
  CallOptions,
  ConnectionOptions,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './options.ts'
export { type PayCoinsIntent, payCoins } from './pay-coins.ts'
export { replyText } from './reply.ts'
export {
  forgetPayment,
  type JournalPayment,
  listPayments,
  type ResumedPayment,
  type ResumeOptions,
  resumePayments,
} from './resume.ts'
export type { RetryPolicy } from './retry.ts'
export type { RefusedEvidence } from './safe-flow/evidence.ts'
export type { Held, SafeFlowResult } from './safe-flow/flow.ts'
export type { SafeFlowOptions, SafeFlowProgress, UnsettledEqual } from './safe-flow/options.ts'
export { createToken, tradeToken, transferToken } from './safe-flow.ts'
export type { Fetch, FetchInit, FetchResponse } from './transport.ts'
export {
  type ConfirmedTransaction,
  type MinedTransaction,
  type WaitOptions,
  type WaitProgress,
  waitForTransaction,
} from './wait-for-transaction.ts'
export { type WithdrawOptions, type WithdrawResult, withdrawAndSend } from './withdraw-flow.ts'
