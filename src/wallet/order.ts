/** An open order of the wallet, read from the transaction that has it. */
export interface WalletOrder {
  /** The txid that `cancel` takes. */
  readonly order: string
  readonly kind: 'ask' | 'bid'
  readonly tokenid: string
  /** Units that an ask offers, or satoshis that a bid offers: they are locked in the order. */
  readonly locked: bigint
  /** The price of all of it: satoshis for an ask, units for a bid. */
  readonly wanted: bigint
  /** Satoshis for EACH unit, rounded down where the order has no whole number of them. */
  readonly price: bigint
}
