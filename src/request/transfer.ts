import { requireBigint, requireObject, requireString } from '../primitives/arguments.ts'
import { amount, items, malformed, object, string } from '../primitives/json-fields.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Outpoint } from '../transaction/types.ts'
import { type TokenRequest, tokenCreate, tokenForms } from './common.ts'
import {
  type Form,
  flag,
  keySet,
  optional,
  outpoints,
  pubkey,
  requireEach,
  txid,
  txids,
  units,
  unitsOrText,
} from './forms.ts'
import type { Forms, RequestForms } from './members.ts'
import type { IntentTerms } from './terms.ts'

export interface Recipient {
  /** Compressed public key, hex; of tokens v2 an address of one will do. */
  readonly pubkey: string
  /** Token units. */
  readonly amount: bigint
}

/** The members of a recipient of tokens, for `requireKnownMembers`. */
const recipientMembers: readonly string[] = memberNames<Recipient>({
  pubkey: true,
  amount: true,
})

/** The token transfer that a wallet requested from a daemon. */
export interface TransferIntent extends IntentTerms {
  readonly tokenid: string
  /** The recipient's compressed public key; of tokens v2 an address of it will do. */
  readonly destination: string
  /** Token units. */
  readonly amount: bigint
  /** Where there are several, all of them; the first is `destination` with `amount`. */
  readonly recipients?: readonly Recipient[]
  /** The wallet's own compressed public key, that spends and gets the change. */
  readonly from: string
  /** Must be true to send to the burn key, and may not be otherwise. */
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

/** A transfer of tokens that a builder is asked for. */
export interface TokenTransferRequest extends TokenRequest {
  readonly tokenid: string
  /**
   * The recipients. Tokens v1 allow two keys besides one's own, which is as many as a payload
   * can name.
   */
  readonly recipients: readonly TransferRecipient[]
  /** One's own compressed public key: it spends, and gets what is left over. */
  readonly from: string
  /**
   * Tokens v2 only: keys that hold the tokens together, and get the change; `from` pays the fee.
   */
  readonly fromKeys?: KeySet
  /**
   * Tokens v2 only: all tokens of which the one recipient, a key, gets `amount` units each; the
   * first
   * is `tokenid`, and the creations of all are among the previous transactions. Outputs then name
   * their token themselves. The first coins of each token that suffice are spent.
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

const recipients: Form<readonly Recipient[]> = {
  shown: '[{ "pubkey": "PUBKEY", "amount": "100" }]',
  read: (value, path) => items(value, path, { named: 'recipients', read: readRecipient }),
  requireType: (value, path) => requireEach(value, path, requireRecipient),
}

function readRecipient(value: unknown, path: string): Recipient {
  const recipient = object(value, path, recipientMembers)
  return {
    pubkey: string(recipient.pubkey, `${path}.pubkey`),
    amount: amount(recipient.amount, `${path}.amount`),
  }
}

function requireRecipient(recipient: unknown, path: string): void {
  requireObject(recipient, path)
  requireKnownMembers(recipient, recipientMembers, path)
  const { pubkey: key, amount: paid } = recipient as Partial<Recipient>
  requireString(key, `${path}.pubkey`)
  requireBigint(paid, `${path}.amount`)
}

export const transferForms: Forms<TransferIntent> = {
  tokenid: txid,
  destination: pubkey,
  amount: units,
  recipients: optional(recipients),
  from: pubkey,
  burn: optional(flag),
  destinationKeys: optional(keySet),
  fromKeys: optional(keySet),
  tokenids: optional(txids),
}

const paid: Form<readonly TransferRecipient[]> = {
  ...recipients,
  read: (value, path) => items(value, path, { named: 'recipients', read: readPaid }),
  requireType: (value, path) => requireEach(value, path, requirePaid),
}

function readPaid(value: unknown, path: string): TransferRecipient {
  const { keys, ...rest } = object(value, path, paidMembers)
  if (keys === undefined) return readRecipient(rest, path)
  if (rest.pubkey !== undefined) {
    throw malformed(`${path}.pubkey`, 'pubkey or keys, not both', rest.pubkey)
  }
  return {
    keys: keySet.read(keys, `${path}.keys`),
    amount: amount(rest.amount, `${path}.amount`),
  }
}

function requirePaid(recipient: unknown, path: string): void {
  requireObject(recipient, path)
  requireKnownMembers(recipient, paidMembers, path)
  const given = recipient as { pubkey?: unknown; keys?: unknown; amount?: unknown }
  unitsOrText.requireType(given.amount, `${path}.amount`)
  if ('keys' in given) keySet.requireType(given.keys, `${path}.keys`)
  else requireString(given.pubkey, `${path}.pubkey`)
}

const paidMembers: readonly string[] = [...recipientMembers, 'keys']

export const transferRequestForms: RequestForms<TokenTransferRequest> = {
  ...tokenForms,
  tokenid: transferForms.tokenid,
  tokenids: transferForms.tokenids,
  recipients: paid,
  from: transferForms.from,
  fromKeys: transferForms.fromKeys,
  tokenCoins: outpoints,
  tokenCreate,
  burn: transferForms.burn,
}

/** komodod's payload names at most two keys; what goes back to the sender it need not name. */
export const namedKeysMax = 2

/** The keys that the payload of a transfer must name. */
export function namedKeys(recipients: readonly Recipient[], from: string): string[] {
  const keys = new Set(recipients.map(({ pubkey }) => pubkey))
  if (keys.size > 1) keys.delete(from)
  return [...keys]
}
