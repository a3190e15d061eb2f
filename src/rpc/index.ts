// antara-tx/rpc: typed clients of both interfaces. Runs in Node and in browsers; what needs a file
// system is in antara-tx/rpc/node.
export type {
  CallOptions,
  ConnectionOptions,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './connection.ts'
export {
  createDaemonClient,
  type DaemonBatchCall,
  type DaemonBatchResults,
  type DaemonClient,
  type DaemonClientOptions,
  type DaemonCredentials,
  type SendOptions,
} from './daemon/client.ts'
export type { DaemonMethods } from './daemon/methods.ts'
export type {
  GetAddressUtxosParams,
  GetRawMempoolParams,
  GetRawTransactionParams,
  GetTxOutParams,
  HelpParams,
  HexParams,
  ListUnspentParams,
  NoParams,
  SendRawTransactionParams,
  TokenAddressParams,
  TokenBalanceParams,
  TokenCreateParams,
  TokenInfoParams,
  TokenTransferParams,
  ValidateAddressParams,
} from './daemon/parameters.ts'
export type {
  AddressUtxo,
  AddressUtxosReply,
  AddressUtxosWithTip,
  AddressValidation,
  DecodedInput,
  DecodedOutput,
  DecodedScript,
  DecodedTransactionReply,
  JoinSplitReply,
  MempoolEntry,
  MempoolReply,
  NodeInfo,
  RawTransactionHex,
  TokenAddresses,
  TokenBalance,
  TokenInfo,
  TransactionReply,
  UnspentOutput,
  WalletUtxo,
} from './daemon/results.ts'
export {
  isRpcError,
  RpcError,
  type RpcErrorDetails,
  type RpcErrorKind,
  type RpcErrorReason,
} from './errors.ts'
export { isLosslessNumber, type JsonValue, LosslessNumber } from './json.ts'
export { replyText } from './reply.ts'
export type { RetryPolicy } from './retry.ts'
export type { Fetch, FetchInit, FetchResponse } from './transport.ts'
