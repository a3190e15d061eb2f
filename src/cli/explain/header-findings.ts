const falseHeader = 'Take the headers from another server.'

/** Findings of a chain of headers. */
export const headerFindings: Readonly<Record<string, string>> = {
  header_link: `The header does not follow the one before it, or the first does not follow the checkpoint.
    Two headers in the wrong order.
    ${falseHeader}`,
  header_checkpoint: `The chain is known to have another block at this height.
    Headers of another chain of the family.
    ${falseHeader}`,
  header_solution: `The proof of work of the header does not hold.
    A header of which one byte was changed.
    ${falseHeader}`,
  header_bits: `The target of the header is no valid one, or easier than the chain allows.
    A header that anyone can make in a second.
    ${falseHeader}`,
  header_target: `The hash of the header is above its target, so the work was not done.
    An invented header.
    ${falseHeader}`,
  header_time: `The time of the header is not after the median of the eleven before it.
    A header with the time of last year.
    ${falseHeader}`,
  header_easy: `The hash meets only the easiest target of the chain. The chain allows that to some blocks.
    A block of a notary on KMD.
    Nothing is wrong. Compare the work of the headers with that of another branch.`,
  chain_unbound: `All chains of the family share the genesis block, so these headers may be of any of them.
    Headers from height 1 without a later checkpoint.
    Add a later block that you know to the checkpoints.`,
}
