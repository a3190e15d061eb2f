import type { Network } from '../chain/network.ts'
import { memberNames } from '../primitives/known-members.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Outpoint } from '../transaction/types.ts'

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

/** Members that every request may have. */
export interface IntentTerms {
  /** `assetChain` if absent. */
  readonly network?: Network
  /** Satoshis; 10000 if absent. */
  readonly fee?: bigint
  /** Satoshis; twice the fee, at most 20000, if absent. */
  readonly maxFee?: bigint
  /**
   * Further keys of the same wallet, compressed, hex, or addresses of them: daemons pay fees from
   * any. Their native coins may be spent; nothing comes back to them.
   */
  readonly ownKeys?: readonly string[]
  /**
   * The outputs that may be spent, and no others but those of an order that the intent names.
   * Nothing
   * in a transaction says for which chain it is, and the same keys may have coins on many: that the
   * wallet knows these to be on its chain is what binds a creation to it.
   */
  readonly spendable?: readonly Outpoint[]
  /**
   * Txids of transactions that the wallet knows to be on its chain, such as a coinbase. What is
   * spent
   * must come from one of them, by way of the evidence: then it can be spent on no other chain but
   * one that shares the blocks up to that transaction.
   */
  readonly onChain?: readonly string[]
  /** The source of `ownKeys`, `spendable`, `onChain`, if not the wallet; reports repeat it. */
  readonly reportedBy?: string
  /**
   * Blocks above the tip at which the transaction must have expired; 400 if absent, which is twice
   * what daemons allow that run without `-txexpirydelta`.
   */
  readonly expiryBlocksMax?: number
}

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

/** The payee of a payment: an address of the network, or any script, hex. */
export interface Payee {
  readonly address?: string
  readonly script?: string
  /** Satoshis; `max` for all that is spent less the fee, which leaves no change. */
  readonly amount: bigint | 'max'
}

export const payeeMembers: readonly string[] = memberNames<Payee>({
  address: true,
  script: true,
  amount: true,
})

/** The payment in plain coins that a wallet requested. */
export interface PaymentIntent extends IntentTerms {
  readonly recipients: readonly Payee[]
  /**
   * The wallet's own: compressed public keys, addresses of keys or scripts, or scripts, hex, or
   * what tells them, such as an HD account. Their coins may be spent. Change goes to those that the
   * own keys alone can spend now. Only what this or `redeemScripts` names is own.
   */
  readonly own: readonly string[] | ((script: string) => boolean)
  /**
   * Scripts behind script hashes, hex, which are own then: the M of N keys, which signing needs.
   */
  readonly redeemScripts?: readonly string[]
  /** Data that one nulldata output says, hex. Without it there may be none. */
  readonly nulldata?: string
  /**
   * Satoshis. With `fee` alone the fee is exact, with both it lies between them, with `maxFee`
   * alone or neither it is bounded: by `maxFee`, 20000 if absent.
   */
  readonly fee?: bigint
  /**
   * Satoshis per 1000 bytes of the signed transaction, instead of `fee`. Only the bytes that the
   * payment needs count: its recipients, the inputs that suffice, and its change. Further inputs
   * may
   * raise the fee to `maxFee`; without `maxFee`, to 20000.
   */
  readonly feeRate?: bigint
  /** How many outputs may return change; 1 if absent. */
  readonly maxChangeOutputs?: number
  /** The lock time, which must be in force; if absent, 0 or a past one, as daemons set it. */
  readonly lockTime?: number
  /** The expiry height; if absent, `expiryBlocksMax` bounds it. */
  readonly expiryHeight?: number
}

/** The token that a wallet asked a daemon to create. */
export interface CreateIntent extends IntentTerms {
  readonly name: string
  /** Token units. */
  readonly supply: bigint
  readonly description: string
  /** Data of a non-fungible token, hex. */
  readonly data?: string
  /**
   * On tokeld's chains, instead of `data`: properties that the token must have, in whatever order.
   */
  readonly properties?: TokelProperties
  /** On tokeld's chains: by which of its two modules of tokens. 2 if absent. */
  readonly version?: 1 | 2
  /** The wallet's own compressed public key. */
  readonly owner: string
}

/** Properties of a Tokel token, as `tokenv2createtokel` takes them. */
export interface TokelProperties {
  readonly id?: number
  readonly url?: string
  /** Thousandths of what is paid for the token, 0 to 999. */
  readonly royalty?: number
  /** Hex. */
  readonly arbitrary?: string
}

export const propertyMembers: readonly string[] = memberNames<TokelProperties>({
  id: true,
  url: true,
  royalty: true,
  arbitrary: true,
})

/** An intent in which nothing that costs is left to defaults, as builders give it. */
export type SpelledOut<Intent extends IntentTerms> = Intent &
  Required<Pick<IntentTerms, 'network' | 'fee' | 'maxFee'>>

/** komodod's payload names at most two keys; what goes back to the sender it need not name. */
export const namedKeysMax = 2

/** The keys that the payload of a transfer must name. */
export function namedKeys(recipients: readonly Recipient[], from: string): string[] {
  const keys = new Set(recipients.map(({ pubkey }) => pubkey))
  if (keys.size > 1) keys.delete(from)
  return [...keys]
}
