/** Where a chain has a transaction. */
export interface Place {
  /** In a block, and in which; absent while it waits for one. */
  readonly height?: number
}
