/** Stable codes of a {@link ForkError}. Branch on these, not on `message`. */
export type ForkErrorCode =
  /**
   * The daemon has another chain than the requested one, or one that this node does not serve.
   */
  | 'other_chain'
  /** The bytes of a transaction or a header do not have the requested hash. */
  | 'wrong_bytes'
  /**
   * Two answers of the daemon contradict each other, or one does not have the form of the
   * interface.
   */
  | 'contradiction'
  /** The daemon's chain replaced the block on which the node's own blocks stand. */
  | 'reorganized'
  /** The daemon had another last block each time that it was read. */
  | 'moving'
  /** One answer needs more of the chain than a fork fetches. */
  | 'too_much'
  /** The daemon did not answer, or answered with an error. `cause` has it. */
  | 'unanswered'
  /** A method that is not in the list of those that only read. Nothing was sent. */
  | 'not_read_only'

/**
 * The daemon below a forked node did not answer what the node needs, or answered something
 * impossible.
 */
export class ForkError extends Error {
  override readonly name = 'ForkError'
  readonly code: ForkErrorCode
  constructor(code: ForkErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
