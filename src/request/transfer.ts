// Requests for token transfers: their types, and the forms of their members.

import type { KeySet } from '../token/rules/key-set.ts'
import type { Outpoint } from '../transaction/types.ts'
import { type TokenRequest, tokenCreate, tokenForms } from './common.ts'
import { member, optional, type RequestForms, unless } from './form-table.ts'
import {
  flag,
  keySet,
  list,
  outpoints,
  pubkey,
  record,
  txid,
  txids,
  units,
  unitsOrText,
} from './forms.ts'
import type { Forms } from './members.ts'
import type { IntentTerms } from './terms.ts'

export interface Recipient {
  /** Compressed public key, hex; of tokens v2 an address of one will do. */
  readonly pubkey: string
  /** Token units. */
  readonly amount: bigint
}

/** The token transfer that a wallet requested from a daemon. */
export interface TransferIntent extends IntentTerms {
  readonly tokenid: string
  /** The recipient's compressed public key; of tokens v2 an address of it will do. */
  readonly destination: string
  /** Token units. */
  readonly amount: bigint
  /** All recipients, if there are several; the first is `destination` with `amount`. */
  readonly recipients?: readonly Recipient[]
  /** The wallet's own compressed public key, which spends and gets the change. */
  readonly from: string
  /** True if the destination is the burn key, and only then. */
  readonly burn?: boolean
  /** Tokens v2 only: the keys that receive it together; `destination` is the first. */
  readonly destinationKeys?: KeySet
  /** Tokens v2 only: the keys that own inputs and change together; `from` pays the fee. */
  readonly fromKeys?: KeySet
  /**
   * Tokens v2 only: the tokens of which `amount` units each move at once, as `tokenv2transfermany`
   * does; the first is `tokenid`. Outputs then name their token themselves.
   */
  readonly tokenids?: readonly string[]
}

/** A recipient and its units: bigint, or decimal digits. */
export type TransferRecipient =
  /** A compressed public key, or of tokens v2 the address of one. */
  | { readonly pubkey: string; readonly amount: bigint | string }
  /** Tokens v2 only: keys that hold the units together, and get all of the transfer. */
  | { readonly keys: KeySet; readonly amount: bigint | string }

/** The request to build a transfer of tokens. */
export interface TokenTransferRequest extends TokenRequest {
  readonly tokenid: string
  /**
   * The recipients. Tokens v1 allow two keys besides your own, because a payload names at most
   * so many keys.
   */
  readonly recipients: readonly TransferRecipient[]
  /** Your own compressed public key, which spends and gets the change. */
  readonly from: string
  /**
   * Tokens v2 only: keys that hold the tokens together, and get the change; `from` pays the fee.
   */
  readonly fromKeys?: KeySet
  /**
   * Tokens v2 only: all tokens of which the one recipient, a key, gets `amount` units each; the
   * first is `tokenid`, and the creations of all are among the previous transactions. Outputs then
   * name their token themselves. The first coins of each token that suffice are spent.
   */
  readonly tokenids?: readonly string[]
  /** Token coins that may be spent. */
  readonly tokenCoins: readonly Outpoint[]
  /** Raw transactions of all coins. With their ancestors, the tokens are proven as well. */
  readonly previousTransactions: readonly string[]
  /** The transaction that created the token, unless it is among the previous ones. */
  readonly tokenCreate?: string
  /** Must be true to send to the burn key. */
  readonly burn?: boolean
}

/** Returns all recipients: the listed ones, or the destination with its amount. */
export function recipientsOf({
  recipients: all,
  destination,
  amount,
}: TransferIntent): readonly Recipient[] {
  return all ?? [{ pubkey: destination, amount }]
}

const recipients = list('recipients', record<Recipient>({ pubkey, amount: units }))

export const transferForms: Forms<TransferIntent> = {
  tokenid: member('the token', txid),
  destination: member('public key of the recipient; of tokens v2 an address will do', pubkey),
  amount: member('token units', units),
  recipients: member(
    'all recipients, if several; the first is the destination',
    optional(recipients),
  ),
  from: member('your own public key, which spends and gets the change', pubkey),
  burn: member('allow the burn key as the destination', optional(flag)),
  destinationKeys: member('tokens v2: keys that receive the units together', optional(keySet)),
  fromKeys: member(
    'tokens v2: keys that hold the tokens together, and get the change',
    optional(keySet),
  ),
  tokenids: member('tokens v2: all tokens, of which the amount moves each', optional(txids)),
}

const paid = record<TransferRecipient>({
  pubkey: unless('keys', pubkey),
  keys: optional(keySet),
  amount: unitsOrText,
})

export const transferRequestForms: RequestForms<TokenTransferRequest> = {
  ...tokenForms,
  tokenid: transferForms.tokenid,
  tokenids: transferForms.tokenids,
  recipients: member(
    'payees and their units; of tokens v2 also one set of keys',
    list('recipients', paid),
  ),
  from: transferForms.from,
  fromKeys: transferForms.fromKeys,
  tokenCoins: member('token coins that may be spent', outpoints),
  tokenCreate,
  burn: transferForms.burn,
}

/** komodod's payload names at most two keys. It need not name the sender, who gets the change. */
export const namedKeysMax = 2

export function namedKeys(recipients: readonly Recipient[], from: string): string[] {
  const keys = new Set(recipients.map(({ pubkey }) => pubkey))
  if (keys.size > 1) keys.delete(from)
  return [...keys]
}
