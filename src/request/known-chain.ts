// The chain that a request names by its blocks: how a file has it, and what is wrong of its values.

import {
  type ChainRules,
  type Checkpoint,
  easiestBits,
  komodoRules,
  sharedGenesis,
} from '../block/chains.ts'
import type { EquihashParameters } from '../block/header.ts'
import { targetOfBits } from '../block/work.ts'
import { membersApart, type Network, networks } from '../chain/network.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { type Finding, finding } from './finding.ts'
import {
  count,
  type Form,
  flag,
  height,
  list,
  member,
  optional,
  type RequestForms,
  record,
  text,
  units,
} from './forms.ts'

/**
 * A chain by blocks that the wallet knows to be on it. They come from the wallet, its maker or an
 * own node, and never from the server that is checked.
 */
export interface ChainTerms extends Partial<ChainRules> {
  /** The first block does not count: all chains of the family share it. */
  readonly checkpoints: readonly Checkpoint[]
  /**
   * How many hashes the block of a transaction and those after it must take on average, where the
   * block comes after the last known one. Without it, such a block proves nothing.
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
    'hashes that the blocks after the last known one must take',
    optional({ ...units, shown: '"1000000"' }),
  ),
  equihash: member('the puzzle; 200 and 9 if absent', optional(record(equihashForms))),
  limitBits: member('the easiest target', optional({ ...count, shown: `${easiestBits}` })),
  allowsEasyBlocks: member('true if some blocks may miss their target', optional(flag)),
})

/** A chain with nothing left to defaults. */
export interface ReadyChain {
  /** Its checkpoints are those that tell the chain from others. */
  readonly rules: ChainRules
  readonly workMin?: bigint
  /** True if the request names the chain; then an input must come from it. */
  readonly isRequired: boolean
}

/** Returns the chain that a request or its network names; nothing where no block of it is known. */
export function readyChain(
  { chain }: { readonly chain?: ChainTerms | undefined },
  network: Network,
): ReadyChain | undefined {
  const known = isKomodo(network) ? komodoRules : undefined
  if (chain === undefined && known === undefined) return undefined
  const { checkpoints = [], workMin, ...given } = chain ?? {}
  const own = checkpoints.map((it) => ({ height: it.height, hash: it.hash.toLowerCase() }))
  const rules = {
    equihash: { n: 200, k: 9 },
    ...known,
    ...given,
    checkpoints: [...(known?.checkpoints ?? []), ...own].filter((it) => it.hash !== sharedGenesis),
  }
  return {
    rules,
    ...(workMin !== undefined && { workMin }),
    isRequired: chain !== undefined,
  }
}

function isKomodo(network: Network): boolean {
  const { komodo } = networks
  return network.name === komodo.name && membersApart(network, komodo).length === 0
}

/** Returns what is wrong of the values of a chain whose types are right. */
export function checkChainTerms(chain: ChainTerms | undefined, network: Network): Finding[] {
  if (chain === undefined) return []
  const found = (member: string, expected: string, actual: unknown) => [
    finding('intent_chain', `intent.chain.${member}`, { expected, actual }),
  ]
  const { workMin = 0n, limitBits = easiestBits, equihash: { n, k } = { n: 200, k: 9 } } = chain
  if (!(n === 200 && k === 9) && !(n === 48 && k === 5)) {
    return found('equihash', 'n and k of 200 and 9, or of 48 and 5', `${n} and ${k}`)
  }
  if (typeof targetOfBits(limitBits) !== 'bigint') return found('limitBits', 'a target', limitBits)
  if (workMin < 0n) return found('workMin', 'at least 0', workMin)
  const at = chain.checkpoints.findIndex(({ hash }) => !isHex32(hash.toLowerCase()))
  if (at >= 0) {
    const actual = redactKey(chain.checkpoints[at]!.hash)
    return found(`checkpoints[${at}].hash`, '32 bytes of hex', actual)
  }
  const { checkpoints } = readyChain({ chain }, network)!.rules
  if (checkpoints.length === 0) {
    return found('checkpoints', 'a block of this chain alone', 'none, or the first one')
  }
  const hashes = new Map<number, string>()
  for (const { height: of, hash } of checkpoints) {
    const other = hashes.get(of) ?? hash
    if (other !== hash) return found('checkpoints', `${other} at height ${of}`, hash)
    hashes.set(of, hash)
  }
  return []
}
