/** An open order of the wallet, read from the transaction that has it. */
export interface WalletOrder {
  /** The txid that `cancel` takes. */
  readonly order: string
  readonly kind: 'ask' | 'bid'
  readonly tokenid: string
  /** Units that an ask offers, or satoshis that a bid offers: they are locked in the order. */
  readonly locked: bigint
  /** The price of the whole order: satoshis for an ask, units for a bid. */
  readonly wanted: bigint
  /** Satoshis for EACH unit, rounded down to whole satoshis. */
  readonly price: bigint
}
