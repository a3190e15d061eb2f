export { AntaraError, type ErrorContext, isAntaraError } from './errors/antara-error.ts'
export type { ErrorCode } from './errors/codes.ts'
export {
  decodeTransaction,
  decodeTransactions,
  transactionId,
  transactionIds,
} from './transaction/decode.ts'
export { encodeTransaction } from './transaction/encode.ts'
export type {
  JoinSplit,
  ShieldedOutput,
  ShieldedSpend,
  Transaction,
  TransactionFields,
  TransactionInput,
  TransactionOutput,
} from './transaction/types.ts'
