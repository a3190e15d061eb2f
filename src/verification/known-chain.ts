// The chain that a request or its network names by its blocks, and the problems of its values.

import { type ChainRules, easiestBits, komodoRules, sharedGenesis } from '../block/chains.ts'
import { targetOfBits } from '../block/work.ts'
import { membersApart, type Network, networks } from '../chain/network.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { redactKey } from '../primitives/redact-key.ts'
import type { ChainTerms } from '../request/known-chain.ts'
import { type Finding, finding } from '../request/report.ts'

/** A chain with nothing left to defaults. */
export interface ReadyChain {
  /** The checkpoints that distinguish the chain from others. */
  readonly rules: ChainRules
  readonly workMin?: bigint
}

/** Returns the chain that a request or its network names; nothing where no block of it is known. */
export function readyChain(
  { chain }: { readonly chain?: ChainTerms | undefined },
  network: Network,
): ReadyChain | undefined {
  const known = isKomodo(network) ? komodoRules : undefined
  if (chain === undefined && known === undefined) return undefined
  const { checkpoints = [], workMin, ...members } = chain ?? {}
  const given = Object.fromEntries(Object.entries(members).filter(([, it]) => it !== undefined))
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
  }
}

function isKomodo(network: Network): boolean {
  const { komodo } = networks
  return network.name === komodo.name && membersApart(network, komodo).length === 0
}

/** Returns the problems of a chain's values, whose types were checked before. */
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
