/** Stable codes of a {@link ForkError}. Branch on these, not on `message`. */
export type ForkErrorCode =
  /**
   * The daemon has another chain than the one that is asked for, or one that no node here serves.
   */
  | 'other_chain'
  /** The bytes of a transaction or a header do not have the hash that was asked for. */
  | 'wrong_bytes'
  /** Two answers of the daemon exclude each other, or one has another form than it must. */
  | 'contradiction'
  /** The daemon's chain replaced the block on which the node's own blocks stand. */
  | 'reorganized'
  /** Each time that it was read, the daemon had another last block. */
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
