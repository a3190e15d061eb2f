// A call that the policy refuses may repeat one that paid. A program that reads a refusal could pay
// in another way, so such a call is answered by what its user paid before. It pays nothing.

/** Thrown for such a call if nothing is known to be paid for it, so that it is refused. */
export class NothingPaid extends Error {
  override readonly name = 'NothingPaid'
  /** Transactions of the same user that may be the payment. */
  readonly txids: readonly string[]

  constructor(txids: readonly string[] = []) {
    super('nothing is known to be paid for this call')
    this.txids = txids
  }
}
