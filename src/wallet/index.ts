// antara-tx/wallet: keys here, a chain anywhere.

export { type FileJournalOptions, fileJournal } from '#file-journal'
export { type DaemonChainOptions, daemonChain } from '../chain-source/daemon.ts'
export { devNodeChain, type InProcessNode } from '../chain-source/dev-node.ts'
export {
  type ElectrumChain,
  type ElectrumChainOptions,
  electrumChain,
} from '../chain-source/electrum.ts'
export { type ChainEvidence, type EvidenceOptions, evidenceFrom } from '../chain-source/evidence.ts'
export type { UnprovenTransaction } from '../chain-source/inclusion-evidence.ts'
export { type QuorumChain, quorum } from '../chain-source/quorum.ts'
export type {
  ChainOptions,
  ChainSource,
  ChainTip,
  HistoryEntry,
  ListOptions,
  PaidScript,
  ProvenInclusion,
  SameChainOptions,
  SourceHeaders,
  UnspentOutput,
} from '../chain-source/source.ts'
export type { SourceFinding, SourceFindingCode } from '../chain-source/source-findings.ts'
export { AntaraError, isAntaraError } from '../errors/antara-error.ts'
export type { Journal } from '../journal/journal.ts'
export { memoryJournal } from '../journal/memory.ts'
export type { FirstBlockOptions } from '../rpc/first-block.ts'
export type { KeySigner, SigningContext } from '../verification/on-demand.ts'
export type { WalletBalance, WalletToken } from './amounts.ts'
export type {
  CoinFilter,
  HistoryOptions,
  MergeAllOptions,
  Preparing,
  Resumed,
  Wallet,
  WalletOptions,
} from './contract.ts'
export type { EventOptions, KnownTransaction, WalletEvent } from './events.ts'
export type { WalletEntry, WalletOperation } from './history.ts'
export type { Keychain } from './key-ring.ts'
export { type MergePlan, type MergeStep, NeedsMerge } from './merge.ts'
export type { Merged } from './merge-all.ts'
export type { SendOptions, SubmitOptions } from './options.ts'
export type { WalletOrder } from './order.ts'
export type { WalletAddress } from './own-scripts.ts'
export { AlreadyRecorded, type Prepared, type PrepareOptions } from './prepare.ts'
export type { TokenVerdict } from './proofs.ts'
export type { FeeTerms } from './requests/common.ts'
export type { CreateRequest } from './requests/create.ts'
export type { MergeAllRequest, MergeRequest } from './requests/merge.ts'
export type { BidRequest, CancelRequest, FillRequest, OfferRequest } from './requests/order.ts'
export type { PaidOutput, PayRequest } from './requests/pay.ts'
export type { BurnRequest, TokenPayee, TransferRequest } from './requests/transfer.ts'
export type { SendResult, Sent } from './send-result.ts'
export { privateKeySigner, type WalletSigner } from './signer.ts'
export type { Simulated, Simulator } from './simulate.ts'
export type { WalletProgress } from './transactions.ts'
export { StaleSource, type WalletCoin } from './view.ts'
export { type Confirmed, NotMined, type WaitOptions } from './wait.ts'
export { createWallet } from './wallet.ts'
