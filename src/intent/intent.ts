import type { Network } from '../chain/network.ts'
import type { Outpoint } from '../transaction/types.ts'

export interface Recipient {
  /** Compressed public key, hex. */
  readonly pubkey: string
  /** Token units. */
  readonly amount: bigint
}

/** What a wallet may say of any transaction that it asked for. */
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
   * The outputs that may be spent, and no others. Nothing in a transaction says for which chain it
   * is, and the same keys may have coins on many: that the wallet knows these to be on its chain is
   * what binds a creation to it.
   */
  readonly spendable?: readonly Outpoint[]
  /** Whose word `ownKeys` and `spendable` are, unless the wallet's own: reports repeat it. */
  readonly saidBy?: string
  /**
   * Blocks above the tip at which the transaction must have expired; 400 if absent, which is twice
   * what daemons allow that run without `-txexpirydelta`.
   */
  readonly expiryBlocksMax?: number
}

/** What a wallet asked a daemon to transfer. */
export interface TransferIntent extends IntentTerms {
  readonly tokenid: string
  /** The recipient's compressed public key. */
  readonly destination: string
  /** Token units. */
  readonly amount: bigint
  /** Where there are several, all of them; the first is `destination` with `amount`. */
  readonly recipients?: readonly Recipient[]
  /** The wallet's own compressed public key, that spends and gets the change. */
  readonly from: string
  /** Must be true to send to the burn key, and may not be otherwise. */
  readonly burn?: boolean
}

/** What a wallet asked a daemon to create. */
export interface CreateIntent extends IntentTerms {
  readonly name: string
  /** Token units. */
  readonly supply: bigint
  readonly description: string
  /** Data of a non-fungible token, hex. */
  readonly data?: string
  /** The wallet's own compressed public key. */
  readonly owner: string
}

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
