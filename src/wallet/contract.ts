// The contract of a wallet: its options, its calls, and what they return.

import type { Network } from '../chain/network.ts'
import type { ChainOptions, ChainSource } from '../chain-source/source.ts'
import type { SourceFinding } from '../chain-source/source-findings.ts'
import type { Journal } from '../journal/journal.ts'
import type { Case } from '../request/case.ts'
import type { FirstBlockOptions } from '../rpc/first-block.ts'
import type { WalletBalance, WalletToken } from './amounts.ts'
import type { EventOptions, WalletEvent } from './events.ts'
import type { WalletEntry } from './history.ts'
import type { Keychain } from './key-ring.ts'
import type { Merged } from './merge-all.ts'
import type { SendOptions, SubmitOptions } from './options.ts'
import type { WalletOrder } from './order.ts'
import type { WalletAddress } from './own-scripts.ts'
import type { Prepared, PrepareOptions } from './prepare.ts'
import type { CreateRequest } from './requests/create.ts'
import type { MergeAllRequest, MergeRequest } from './requests/merge.ts'
import type { BidRequest, CancelRequest, FillRequest, OfferRequest } from './requests/order.ts'
import type { PayRequest } from './requests/pay.ts'
import type { BurnRequest, TransferRequest } from './requests/transfer.ts'
import type { Sent } from './send-result.ts'
import type { WalletSigner } from './signer.ts'
import type { Simulated, Simulator } from './simulate.ts'
import type { WalletProgress } from './transactions.ts'
import type { WalletCoin } from './view.ts'
import type { Confirmed, NotMined, WaitOptions } from './wait.ts'

export interface WalletOptions extends FirstBlockOptions {
  /** Default: `networks.assetChain`. */
  readonly network?: Network
  /** Keys that sign. The first gets change. */
  readonly signers?: readonly WalletSigner[]
  /** Instead of `signers`: public keys that are watched. Nothing can be signed then. */
  readonly publicKeys?: readonly string[]
  /** Instead of `signers`: keys that follow one from the other, such as those of an HD account. */
  readonly keychain?: Keychain
  /** The number of keys of a keychain that are watched after the last paid one. Default 20. */
  readonly gapLimit?: number
  /** The most keys of each chain of a keychain that are watched. Default 1000. */
  readonly keysMax?: number
  readonly chain: ChainSource
  /** The most transactions of its history, and the most coins, that the wallet reads. Default 1,000,000. */
  readonly entriesMax?: number
  /** The most bytes of transactions that the wallet reads and keeps. Default 512,000,000. */
  readonly bytesMax?: number
  /**
   * The journal of payments, which are recorded before they are sent. Default: the memory of this
   * object, which ends with the process. For real payments, pass a `fileJournal`.
   */
  readonly journal?: Journal
  /** Blocks until the coins of a block can be spent, `-ac_cbmaturity`. Default 100. */
  readonly coinbaseMaturity?: number
  /**
   * True if the chain source is your own: its claims about the depth of blocks may then end an
   * attempt. Default false: only a transaction that shares an input may follow an unsettled
   * attempt.
   */
  readonly trustSource?: boolean
  /**
   * A client of your own development node that is forked from a live daemon, for `simulate`. It
   * gets signed transactions, so never give the wallet a stranger's.
   */
  readonly simulator?: Simulator
  /**
   * Called while the wallet reads many transactions, at most once for each hundred. Its errors are
   * ignored.
   */
  readonly onProgress?: (progress: WalletProgress) => unknown
}

export interface CoinFilter extends ChainOptions {
  /** Coins that claim to hold this token; plain coins if absent. */
  readonly tokenid?: string
}

export interface HistoryOptions extends ChainOptions {
  /** Entries that are returned at most. Default 50. */
  readonly limit?: number
  /** The txid of the last entry of the page before. */
  readonly before?: string
}

/** A payment of the journal, after `resume` looked for it. */
export interface Resumed {
  /** As the journal names it: `id invoice-17`. */
  readonly name: string
  readonly result?: Sent
  /** Why none of its transactions can be mined any more, as far as the source shows. */
  readonly lost?: NotMined
  readonly error?: unknown
}

export interface Preparing {
  pay(request: PayRequest & PrepareOptions): Promise<Prepared>
  transfer(request: TransferRequest & PrepareOptions): Promise<Prepared>
  burn(request: BurnRequest & PrepareOptions): Promise<Prepared>
  createToken(request: CreateRequest & PrepareOptions): Promise<Prepared>
  merge(request?: MergeRequest & PrepareOptions): Promise<Prepared>
  ask(request: OfferRequest & PrepareOptions): Promise<Prepared>
  bid(request: BidRequest & PrepareOptions): Promise<Prepared>
  fill(request: FillRequest & PrepareOptions): Promise<Prepared>
  cancel(request: CancelRequest & PrepareOptions): Promise<Prepared>
}

/** Options of all steps of a merge. `confirm` is called for each. */
export type MergeAllOptions = Pick<SendOptions, 'confirm' | 'signal' | 'acknowledged'>

/** A wallet: keys here, a chain anywhere. All amounts are bigint satoshis or token units. */
export interface Wallet {
  /** Addresses of all keys; of a keychain, those that are watched so far. */
  addresses(): readonly WalletAddress[]
  /**
   * The address of the first key of a keychain that nobody paid yet, or of the only key. If payments
   * that wait for a block have used up the `gapLimit`, the last address within it is returned again.
   */
  unusedAddress(options?: ChainOptions): Promise<WalletAddress>
  balance(options?: ChainOptions): Promise<WalletBalance>
  coins(filter?: CoinFilter): Promise<readonly WalletCoin[]>
  /** Every token of which the wallet holds units, proven from the bytes of all ancestors. */
  tokens(options?: ChainOptions): Promise<readonly WalletToken[]>
  /** Newest first. Transactions in no block come first. */
  history(options?: HistoryOptions): Promise<readonly WalletEntry[]>
  pay(request: PayRequest & SendOptions): Promise<Sent>
  transfer(request: TransferRequest & SendOptions): Promise<Sent>
  /** Sends units to the burn key, where nobody can spend them. */
  burn(request: BurnRequest & SendOptions): Promise<Sent>
  /** Creates a token of the first key, or of one that has the coins for it. */
  createToken(request: CreateRequest & SendOptions): Promise<Sent>
  /** Turns many small coins of the wallet into one. */
  merge(request?: MergeRequest & SendOptions): Promise<Sent>
  /**
   * Merges plain coins, or those of a token, in as many transactions as it takes. Each is recorded
   * before it is sent. After a crash, `resume` settles what was sent, and a new call goes on.
   */
  mergeAll(request?: MergeAllRequest & MergeAllOptions): Promise<Merged>
  /** Offers units for coins. `price` is in satoshis for each unit. */
  ask(request: OfferRequest & SendOptions): Promise<Sent>
  /** Offers coins for units. */
  bid(request: BidRequest & SendOptions): Promise<Sent>
  /** Buys units of an ask, or sells units to a bid, at this price or a better one. */
  fill(request: FillRequest & SendOptions): Promise<Sent>
  /** Cancels an order of the wallet. */
  cancel(request: CancelRequest & SendOptions): Promise<Sent>
  /** The wallet's own open orders, with what is locked in each. */
  orders(options?: ChainOptions): Promise<readonly WalletOrder[]>
  /** The same without signing or sending: for a device, or a machine without a network. */
  readonly prepare: Preparing
  /**
   * Sends what another machine signed: your case of `prepare`, with the signed hex. It is verified
   * against the request again, by this wallet's own keys and with evidence of its own chain source.
   * A case that comes back may contain another request: do not pass it on. Hex alone is enough if
   * this wallet prepared the transaction.
   */
  submit(signed: Case | string, options?: SubmitOptions): Promise<Sent>
  /**
   * Asks the `simulator` what the network would say about a signed transaction, such as
   * `report.hex` of a payment with `dryRun`. Sends nothing, and replaces no verification.
   */
  simulate(signed: Case | string, options?: ChainOptions): Promise<Simulated>
  /**
   * Settles what the journal holds: finds it on the chain, sends the same bytes again, or says why
   * they can never be mined. Passes over settled payments that are 100 blocks deep.
   */
  resume(options?: ChainOptions): Promise<readonly Resumed[]>
  /** Resolves when a transaction is deep enough; rejects when it can no longer be mined. */
  waitFor(txid: string, options?: WaitOptions): Promise<Confirmed>
  /**
   * Changes of the history from now on, until the signal aborts or the loop ends. If the server stops
   * answering, or is far behind what it reported before, the iterator looks again after each `pollMs`.
   * Any other failure ends it with an error, such as a wrong password, or another chain.
   */
  events(options?: EventOptions): AsyncGenerator<WalletEvent, void, undefined>
  /** Returns what the chain source reported and the wallet did not use. */
  findings(): readonly SourceFinding[]
}
