// The members that requests to builders have in common: how a file has them, and what an argument
// must be. A further member is added here alone.

import { defaultNetwork, type Network } from '../chain/network.ts'
import { requireByte } from '../primitives/arguments.ts'
import type { Outpoint } from '../transaction/types.ts'
import {
  type Form,
  type Member,
  member,
  optional,
  orElse,
  type RequestForms,
} from './form-table.ts'
import { height, hex, outpoints, requireEach, texts, words } from './forms.ts'
import { network } from './network.ts'
import { termForms } from './terms.ts'

/** The members that all requests for new transactions have. */
export interface CommonRequest {
  /** `assetChain` if absent. */
  readonly network?: Network
  /** Satoshis; 10000 if absent. */
  readonly fee?: bigint
  /** Satoshis; twice the fee, at most 20000, if absent. A higher fee is an error. */
  readonly maxFee?: bigint
  /** Height of the chain's last block; the transaction then expires 201 blocks later. */
  readonly tipHeight?: number
  /**
   * The expiry height, in place of one computed from `tipHeight`: at most 400 blocks above it, or 0
   * for none.
   */
  readonly expiryHeight?: number
}

/**
 * Which of the coins given are spent: `selected` for the least cost, `needed` for the first ones in
 * the order given that suffice, as komodod in its own order, or `all`.
 *
 * If absent, coins are selected; but lists for a transfer that have none to spare, in the order
 * given, are the inputs that were wanted, and stay as they are.
 */
export type Spend = 'selected' | 'needed' | 'all'

/** The members that requests for transactions of tokens have. */
export interface TokenRequest extends CommonRequest {
  /**
   * `exact` (if absent) gives back all native coins over the fee that are not dust, as tokeld does.
   * `daemon` is komodod's rule: nothing below twice the fee, which then pays miners.
   */
  readonly nativeChange?: 'exact' | 'daemon'
  /** Native coins that may be spent: pay to the own public key or its hash. */
  readonly coins: readonly Outpoint[]
  /** Raw transactions of all coins. */
  readonly previousTransactions: readonly string[]
  /** If absent, coins are selected unless, in the order given, there are none to spare. */
  readonly spend?: Spend
  /**
   * Eval codes that this chain validates in a non-fungible token. If absent, f1 and f3, which every
   * chain of komodod validates; on tokeld's chains, those that need no module. A token whose data
   * begin with any other byte can never be moved.
   */
  readonly dataCodes?: readonly number[]
}

const dataCodes: Member<readonly number[]> = {
  ...member('eval codes of data that the chain validates', optional(height as Form<never>)),
  isArgument: true,
  requireType: (value, path) => requireEach(value, path, requireByte),
}

/** For requests that extend it. */
export const commonForms: RequestForms<CommonRequest> = {
  network: member('the network', optional(network, defaultNetwork)),
  fee: termForms.fee,
  maxFee: termForms.maxFee,
  tipHeight: member("height of the chain's last block", orElse('expiryHeight', height)),
  expiryHeight: member(
    'the expiry height; 201 above the tip if absent, 0 for no expiry',
    optional(height),
  ),
}

export const previousTransactions: Member<readonly string[]> = member(
  'raw transactions of all coins; with ancestors, tokens are proven as well',
  texts('HEX'),
)
export const coins: Member<readonly Outpoint[]> = member('coins that may be spent', outpoints)
export const tokenCreate: Member<string> = member(
  'the transaction that created the token, unless it is among the previous ones',
  optional(hex),
)

/** For requests that extend it. */
export const tokenForms: RequestForms<TokenRequest> = {
  ...commonForms,
  nativeChange: member(
    'exact returns all change; daemon returns none below twice the fee',
    optional(words('exact', 'daemon')),
  ),
  coins,
  previousTransactions,
  spend: member(
    'selected, needed or all: which of the coins',
    optional(words('selected', 'needed', 'all')),
  ),
  dataCodes,
}
