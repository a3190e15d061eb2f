// The chain that a request names by its blocks: how a file has it, and what an argument must be.

import type { ChainRules, Checkpoint } from '../block/chains.ts'
import type { EquihashParameters } from '../block/header.ts'
import { type Form, member, optional, type RequestForms } from './form-table.ts'
import { count, flag, height, list, record, text, units } from './forms.ts'

/**
 * A chain, identified by blocks that the wallet knows to be on it. The blocks come from the wallet,
 * from its maker or from a node of your own, and never from the server that is checked.
 */
export interface ChainTerms extends Partial<ChainRules> {
  /** The first block does not count: all chains of the family share it. */
  readonly checkpoints: readonly Checkpoint[]
  /**
   * The work, in hashes on average, that the block of a transaction and all later ones must have,
   * if the block comes after the highest known one. Without it, such a block proves nothing. It
   * must be the work of many blocks of this chain, and cost more than what is at stake.
   */
  readonly workMin?: bigint
  /** 200 and 9 if absent. */
  readonly equihash?: EquihashParameters
}

const checkpointForms: RequestForms<Checkpoint> = {
  height: member('height of a known block', height),
  hash: member('its hash', text('HASH')),
}
const equihashForms: RequestForms<EquihashParameters> = {
  n: member('n of the puzzle', { ...count, shown: '200' }),
  k: member('k of the puzzle', { ...count, shown: '9' }),
  acNk: member('true for chains that set both by -ac_nk', optional(flag)),
}

export const chainTerms: Form<ChainTerms> = record<ChainTerms>({
  checkpoints: member('blocks that you know', list('blocks', record(checkpointForms))),
  workMin: member(
    'hashes that the blocks after the highest known one must take: the work of many blocks',
    optional({ ...units, shown: '"1000000000000"' }),
  ),
  equihash: member('the puzzle; 200 and 9 if absent', optional(record(equihashForms))),
  limitBits: member('the easiest target', optional({ ...count, shown: '537857807' })),
  allowsEasyBlocks: member('true if some blocks may miss their target', optional(flag)),
})
