export type { TokenMerge } from './builders/choose.ts'
export { buildTokenCreate } from './builders/create.ts'
export type { LeftOutCoin } from './builders/economy.ts'
export {
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelAsk,
  buildTokenCancelBid,
  buildTokenFillAsk,
  buildTokenFillBid,
} from './builders/order.ts'
export { buildConsolidation, buildPayment } from './builders/payment.ts'
export { buildTokenTransfer, planTokenTransfer, type TransferPlan } from './builders/transfer.ts'
export type {
  SpentCoin,
  UnsignedCreate,
  UnsignedOrder,
  UnsignedPayment,
  UnsignedTransaction,
  UnsignedTransfer,
} from './builders/unsigned.ts'
export {
  burnPublicKeys,
  type ChainModule,
  chainModules,
  type ModuleKey,
  moduleOfEvalCode,
} from './chain/modules.ts'
export { defineNetwork, type Network, networks } from './chain/network.ts'
export {
  decodeCondition,
  decodeFulfillment,
  encodeCondition,
  encodeFulfillment,
  type FulfillmentOptions,
  type FulfillmentReadOptions,
  type ReadCondition,
  type ReadOptions,
} from './condition/codec.ts'
export {
  type ConditionJson,
  conditionFromJson,
  conditionToJson,
  type JsonOptions,
} from './condition/json.ts'
export { signFulfillment } from './condition/sign.ts'
export type {
  Condition,
  ConditionTree,
  ConditionType,
  Ed25519Node,
  EvalNode,
  PrefixNode,
  PreimageNode,
  RsaNode,
  Secp256k1HashNode,
  Secp256k1Node,
  ThresholdNode,
} from './condition/types.ts'
export { conditionUri, parseConditionUri } from './condition/uri.ts'
export { type FulfillmentVerdict, verifyFulfillment } from './condition/verify.ts'
export {
  AntaraError,
  type ErrorContext,
  type ErrorContextOf,
  isAntaraError,
} from './errors/antara-error.ts'
export type { ErrorCode } from './errors/codes.ts'
export { printable } from './primitives/printable.ts'
export type { SliceOptions } from './primitives/steps.ts'
export type { Case } from './request/case.ts'
export type { Spend } from './request/common.ts'
export type { CreateIntent, TokelProperties, TokenCreateRequest } from './request/create.ts'
export type { ClaimedAmount, Evidence } from './request/evidence.ts'
export { formatCase } from './request/format-case.ts'
export type { InclusionBranch, InclusionEvidence } from './request/inclusion.ts'
export type { ChainTerms } from './request/known-chain.ts'
export type {
  TokenAskRequest,
  TokenBidRequest,
  TokenCancelIntent,
  TokenCancelRequest,
  TokenFillAskRequest,
  TokenFillBidRequest,
  TokenFillIntent,
  TokenOfferIntent,
  TokenOrderIntent,
} from './request/order.ts'
export type {
  ConsolidationRequest,
  Payee,
  PaymentIntent,
  PaymentRequest,
} from './request/payment.ts'
export type {
  Broadcast,
  Effect,
  Finding,
  FindingCode,
  Known,
  OutputRole,
  Report,
  Severity,
  SpentAmount,
  VerifiedTransaction,
} from './request/report.ts'
export type { IntentTerms, SpelledOut } from './request/terms.ts'
export type {
  Recipient,
  TokenTransferRequest,
  TransferIntent,
  TransferRecipient,
} from './request/transfer.ts'
export type { WithdrawIntent } from './request/withdraw.ts'
export {
  type ConditionParams,
  decodeConditionParams,
  encodeConditionParams,
} from './script/condition-params.ts'
export {
  type ConditionForm,
  type ConditionScriptOptions,
  conditionAddress,
  conditionScript,
  conditionScriptSig,
  type ModuleConditionOptions,
  moduleCondition,
} from './script/condition-script.ts'
export type { PushForm } from './script/push.ts'
export {
  type DecodedConditionScript,
  type DecodedConditionScriptSig,
  decodeConditionScript,
  decodeConditionScriptSig,
} from './script/read-condition-script.ts'
export { addressOfScript, decodeScript, scriptOfAddress } from './script/script.ts'
export type { DecodedScript, ScriptType } from './script/types.ts'
export type { InputBytes } from './selection/coin-arrays.ts'
export { type CoinIndex, createCoinIndex } from './selection/coin-index.ts'
export {
  type CoinChunk,
  type CoinPart,
  type CoinStreamOptions,
  createCoinIndexFrom,
} from './selection/coin-stream.ts'
export {
  type Alternative,
  type Coins,
  type FailedSelection,
  type PaymentTerms,
  type SelectedCoins,
  type SelectionAlgorithm,
  selectCoins,
} from './selection/select-coins.ts'
export {
  type CoinArrays,
  type ConsolidationPlan,
  type ConsolidationTransaction,
  type FailedTransfer,
  type PickedCoins,
  type SelectedTransfer,
  selectTokenCoins,
  type TransferTerms,
} from './selection/select-token-coins.ts'
export type { SelectionTerms } from './selection/terms.ts'
export { addressOf, publicKeyOf } from './signing/key.ts'
export { signMessage, verifyMessage } from './signing/message.ts'
export type { Prevout } from './signing/prevout.ts'
export {
  hashTypes,
  type SignatureHashesOptions,
  type SignatureHashOptions,
  signatureHash,
  signatureHashes,
  signaturePreimage,
} from './signing/sighash.ts'
export { type SignedResult, signTransaction } from './signing/sign.ts'
export type { PrevoutToSign } from './signing/task.ts'
export type { InputVerdict } from './signing/verdict.ts'
export {
  type SignatureToVerify,
  type SignedTransaction,
  verifyInputs,
  verifyInputsAsync,
  verifySignature,
  verifyTransactionsAsync,
} from './signing/verify.ts'
export { decodeWif, encodeWif, type PrivateKeyForm } from './signing/wif.ts'
export {
  type AssetAction,
  type AssetForm,
  type AssetOrder,
  decodeAssetOrder,
  encodeAssetOrder,
} from './token/payload/asset-order.ts'
export { decodeTokenPayload } from './token/payload/decode.ts'
export { encodeTokenPayload } from './token/payload/encode.ts'
export type {
  ExtraKind,
  IdentifiedExtra,
  KomodoCreatePayload,
  KomodoTransferPayload,
  PayloadEnvelope,
  PayloadExtra,
  TokelCreatePayload,
  TokelTransferPayload,
  TokenLayout,
  TokenPayload,
  TokenPayloadFields,
} from './token/payload/payload.ts'
export { decodeTokelData, encodeTokelData, type TokelData } from './token/payload/tokel-data.ts'
export type { ProofOptions, TokenProof } from './token/proof/proof.ts'
export { createTokenProver, proveTokenOutput, type TokenProver } from './token/proof/prove.ts'
export { decodeTokenTransaction } from './token/read/read.ts'
export type {
  TokenInput,
  TokenInputRole,
  TokenOutput,
  TokenOutputRole,
  TokenTransaction,
} from './token/read/token-transaction.ts'
export type { KeySet } from './token/rules/key-set.ts'
export type { ProofRule } from './token/rules/rules.ts'
export {
  type TokenScriptOptions,
  tokenAddress,
  tokenConditionTree,
  tokenScript,
} from './token/rules/token-script.ts'
export { decodeRawTransaction } from './transaction/daemon-json.ts'
export {
  decodeTransaction,
  decodeTransactions,
  transactionId,
  transactionIds,
} from './transaction/decode.ts'
export {
  type DecodedInput,
  type DecodedJoinSplit,
  type DecodedOutput,
  type DecodedScriptPubKey,
  type DecodedTransaction,
  type DescribeOptions,
  describeTransaction,
} from './transaction/describe.ts'
export { encodeTransaction } from './transaction/encode.ts'
export type {
  JoinSplit,
  Outpoint,
  ShieldedOutput,
  ShieldedSpend,
  Transaction,
  TransactionFields,
  TransactionInput,
  TransactionOutput,
} from './transaction/types.ts'
export { joinSignatures, type SignCaseOptions, signCase, verifyCase } from './verification/case.ts'
export { type FormatReportOptions, formatReport } from './verification/format-report.ts'
export { verifyTokenCreate, verifyTokenCreateAsync } from './verification/operations/create.ts'
export { verifyTokenOrder, verifyTokenOrderAsync } from './verification/operations/order.ts'
export { verifyPayment, verifyPaymentAsync } from './verification/operations/payment.ts'
export { parseCase } from './verification/parse-case.ts'
export { type PlainJson, reportToJson } from './verification/report-json.ts'
export { isVerifiedTransaction } from './verification/sealed.ts'
export { type VerifyManyOptions, verifyMany } from './verification/verify-many.ts'
export {
  verifyTokenTransfer,
  verifyTokenTransferAsync,
} from './verification/verify-transfer.ts'
export { verifyWithdraw } from './verification/withdraw.ts'
