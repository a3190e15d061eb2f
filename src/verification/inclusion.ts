// Proofs that given transactions are in blocks of the chain that the request names.

import { type InclusionFault, inclusionFaultIn } from '../block/inclusion.ts'
import type { Steps } from '../primitives/steps.ts'
import type { Evidence } from '../request/evidence.ts'
import type { InclusionBranch, InclusionEvidence } from '../request/inclusion.ts'
import { type Finding, finding } from '../request/report.ts'
import type { ReadyTerms } from '../request/terms.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import {
  type HeaderStretch,
  readStretch,
  type StretchBlock,
  stretchHeadersMax,
} from './header-stretch.ts'
import { checkChainTerms, type ReadyChain, readyChain } from './known-chain.ts'
import type { CheckedInclusion } from './rules.ts'

/** A transaction that is in a block. */
interface Included {
  readonly txid: string
  readonly height: number
  readonly block: StretchBlock
}

const noInclusion: CheckedInclusion = { findings: [], bound: new Set() }
/** More findings of proofs that do not hold tell nothing new. */
const unprovenMax = 10

/** Checks the proofs of the evidence. Without a known block of the chain they prove nothing. */
export function* checkInclusion(
  evidence: Evidence,
  { chain: named, network }: ReadyTerms,
  known: KnownTransactions,
  spent: readonly Outpoint[],
): Steps<CheckedInclusion> {
  const { inclusion = [] } = evidence
  const wrong = checkChainTerms(named, network)
  if (wrong.length > 0) return { ...noInclusion, findings: wrong }
  if (inclusion.length === 0) return noInclusion
  const chain = readyChain({ chain: named }, network)
  if (chain === undefined) {
    const actual = 'no block of the chain is known; the request may name one'
    return { ...noInclusion, findings: [finding('inclusion_unproven', path(0), { actual })] }
  }
  const findings = contradictoryHeights(inclusion)
  const bound = new Set<string>()
  const budget = { headers: stretchHeadersMax }
  const seen = new Set<string>()
  let unproven = 0
  const refuse = (found: Finding) => {
    if (found.code !== 'inclusion_unproven' || unproven++ < unprovenMax) findings.push(found)
  }
  for (const [at, { headers, proofs, sources }] of inclusion.entries()) {
    const stretch = yield* readStretch(headers, chain, budget)
    if ('code' in stretch) {
      const { code, ...details } = stretch
      refuse(finding(code, `${path(at)}.headers`, details))
      continue
    }
    findings.push(...contradictoryTip(stretch, evidence, `${path(at)}.headers`))
    const included: Included[] = []
    for (const [index, proof] of proofs.entries()) {
      const txid = proof.txid.toLowerCase()
      // One proof of each is enough, and its transaction is read once.
      if (seen.has(txid)) continue
      seen.add(txid)
      const fault = faultOf(txid, proof, stretch, known)
      const place = `${path(at)}.proofs[${index}]`
      if (fault === undefined) {
        const { height } = proof
        findings.push(...contradictoryHeight(txid, height, evidence))
        included.push({ txid, height, block: stretch.blocks[height - stretch.first]! })
      } else refuse(finding('inclusion_unproven', place, { actual: fault }))
      yield
    }
    for (const group of grouped(included, chain)) {
      if (group.code !== 'inclusion_light') for (const { txid } of group.of) bound.add(txid)
      findings.push(summaryOf(group, { stretch, chain, spent, sources, at: path(at) }))
    }
  }
  return { findings, bound }
}

const path = (at: number) => `evidence.inclusion[${at}]`

function faultOf(
  txid: string,
  { height, merkle, pos, coinbase }: InclusionBranch,
  { first, blocks }: HeaderStretch,
  { givenAt }: KnownTransactions,
): InclusionFault | string | undefined {
  const given = givenAt.get(txid)
  if (given === undefined) return 'a transaction that was not given'
  const block = blocks[height - first]
  if (block === undefined) return `no header of height ${height}`
  // The length of the coinbase's branch tells a transaction from an inner node above it.
  if (coinbase === undefined && pos !== 0) return 'inclusion_depth'
  const proof = { transaction: given.hex, merkle, pos, ...(coinbase && { coinbase }) }
  return inclusionFaultIn(txid, proof, block.merkleRoot)
}

function contradictoryHeights(inclusion: readonly InclusionEvidence[]): Finding[] {
  const heights = new Map<string, number>()
  const found: Finding[] = []
  for (const [at, { proofs }] of inclusion.entries()) {
    for (const [index, { txid, height }] of proofs.entries()) {
      const other = heights.get(txid.toLowerCase()) ?? height
      heights.set(txid.toLowerCase(), other)
      if (other === height || found.length > 0) continue
      found.push(contradiction(`${path(at)}.proofs[${index}].height`, `${other}`, height))
    }
  }
  return found
}

function contradictoryHeight(
  txid: string,
  proven: number,
  { heights = {} }: Evidence,
): readonly Finding[] {
  if (!Object.hasOwn(heights, txid) || heights[txid] === proven) return []
  return [contradiction(`evidence.heights.${txid}`, `${proven}, as proven`, heights[txid]!)]
}

function contradictoryTip(
  { first, blocks }: HeaderStretch,
  { tipHeight, tipTime }: Evidence,
  place: string,
): readonly Finding[] {
  if (tipHeight === undefined) return []
  const last = first + blocks.length - 1
  if (last > tipHeight) return [contradiction(place, `at most ${tipHeight}, tipHeight`, last)]
  const time = blocks[tipHeight - first]?.time
  if (time === undefined || tipTime === undefined || time === tipTime) return []
  return [contradiction('evidence.tipTime', `${time}, as in the header`, tipTime)]
}

function contradiction(place: string, expected: string, actual: number): Finding {
  return finding('evidence_contradicts', place, { expected, actual })
}

interface Group {
  readonly code: 'inclusion_linked' | 'inclusion_worked' | 'inclusion_light'
  readonly of: readonly Included[]
}

/** Divides transactions by what binds them. */
function grouped(included: readonly Included[], { workMin }: ReadyChain): readonly Group[] {
  const codeOf = ({ block: { work } }: Included): Group['code'] => {
    if (work === undefined) return 'inclusion_linked'
    return workMin !== undefined && work >= workMin ? 'inclusion_worked' : 'inclusion_light'
  }
  const codes = ['inclusion_linked', 'inclusion_worked', 'inclusion_light'] as const
  return codes
    .map((code) => ({ code, of: included.filter((it) => codeOf(it) === code) }))
    .filter(({ of }) => of.length > 0)
}

interface Summary {
  readonly stretch: HeaderStretch
  readonly chain: ReadyChain
  readonly spent: readonly Outpoint[]
  readonly sources: readonly string[] | undefined
  readonly at: string
}

/** Says how deep, how much work, which known block and how many servers, and claims no more. */
function summaryOf({ code, of }: Group, { stretch, chain, spent, sources, at }: Summary): Finding {
  const { first, blocks, known } = stretch
  const parents = new Set(spent.map(({ txid }) => txid))
  const isParent = of.filter(({ txid }) => parents.has(txid)).length
  const youngest = of.reduce((one, other) => (other.height > one.height ? other : one))
  const { work } = youngest.block
  const depth = first + blocks.length - youngest.height
  const servers = new Set(sources).size
  const parts = [
    `${isParent} of ${parents.size} spent transactions, ${of.length} in all`,
    `the youngest in block ${youngest.height}, ${depth} deep by these headers`,
    ...(work === undefined ? [] : [`${work} hashes of work on it`]),
    `known block ${known.height} ${known.hash}`,
    ...(servers === 0
      ? []
      : [`${servers} ${servers === 1 ? 'server' : 'servers'} by the evidence`]),
  ]
  const actual = parts.join('; ')
  if (code !== 'inclusion_light') return finding(code, at, { actual })
  return finding(code, at, { expected: workWanted(chain), actual })
}

function workWanted({ workMin }: ReadyChain): string {
  if (workMin === undefined) return 'a known block after it, or workMin in the request'
  return `at least ${workMin} hashes of work`
}
