// Proofs that transactions are in blocks: how a file has them, and what an argument must be.

import { type Form, member, optional } from './form-table.ts'
import { height, hex, list, record, texts, txid } from './forms.ts'

/** The way from a transaction to the Merkle root of its block. */
export interface InclusionBranch {
  /** The evidence has the bytes of this transaction. */
  readonly txid: string
  /** Height of its block, which must be among the headers. */
  readonly height: number
  /** Index of the transaction in its block. */
  readonly pos: number
  /** The hashes beside the way to the root, from the bottom, each in display order. */
  readonly merkle: readonly string[]
  /**
   * The block's coinbase transaction and its branch, which show how deep the tree is. Only a
   * coinbase itself needs none.
   */
  readonly coinbase?: { readonly transaction: string; readonly merkle: readonly string[] }
}

/** Headers that follow each other and lead to a known block, and what is in their blocks. */
export interface InclusionEvidence {
  /** Hex of headers, one or several in each text. */
  readonly headers: readonly string[]
  readonly proofs: readonly InclusionBranch[]
  /** The servers that gave these headers alike. Reports repeat it, and nothing checks it. */
  readonly sources?: readonly string[]
}

const hashes = texts('HASH')

export const inclusion: Form<readonly InclusionEvidence[]> = list(
  'stretches of headers',
  record<InclusionEvidence>({
    headers: member('headers that follow each other', texts('HEX')),
    proofs: member(
      'proofs for transactions of the evidence',
      list(
        'proofs',
        record<InclusionBranch>({
          txid: member('the transaction', txid),
          height: member('height of its block', height),
          pos: member('its index in the block', { ...height, shown: '1' }),
          merkle: member('the hashes beside the way to the root', hashes),
          coinbase: member(
            "the block's coinbase transaction",
            optional(
              record<NonNullable<InclusionBranch['coinbase']>>({
                transaction: member('its bytes', hex),
                merkle: member('its branch', hashes),
              }),
            ),
          ),
        }),
      ),
    ),
    sources: member('the servers that gave the headers', optional(texts('SERVER'))),
  }),
)
