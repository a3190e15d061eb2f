import { requireBigint, requireObject, requireString } from '../primitives/arguments.ts'
import { amount, items, object, string } from '../primitives/json-fields.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import {
  type Form,
  flag,
  keySet,
  optional,
  pubkey,
  requireEach,
  txid,
  txids,
  units,
} from './forms.ts'
import type { Forms } from './members.ts'
import type { IntentTerms } from './terms.ts'

export interface Recipient {
  /** Compressed public key, hex; of tokens v2 an address of one will do. */
  readonly pubkey: string
  /** Token units. */
  readonly amount: bigint
}

/** The members of a recipient of tokens, for `requireKnownMembers`. */
export const recipientMembers: readonly string[] = memberNames<Recipient>({
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

/** komodod's payload names at most two keys; what goes back to the sender it need not name. */
export const namedKeysMax = 2

/** The keys that the payload of a transfer must name. */
export function namedKeys(recipients: readonly Recipient[], from: string): string[] {
  const keys = new Set(recipients.map(({ pubkey }) => pubkey))
  if (keys.size > 1) keys.delete(from)
  return [...keys]
}
