// Proofs that given transactions are in blocks of the chain that the request names.

import { type InclusionFault, inclusionFaultIn } from '../block/inclusion.ts'
import type { Steps } from '../primitives/steps.ts'
import type { Evidence } from '../request/evidence.ts'
import { heightIn } from '../request/heights.ts'
import type { InclusionBranch, InclusionEvidence } from '../request/inclusion.ts'
import { type Finding, finding } from '../request/report.ts'
import type { ReadyTerms } from '../request/terms.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import { createFindingList } from './finding-list.ts'
import {
  type HeaderStretch,
  readStretch,
  type StretchBlock,
  stretchHeadersMax,
} from './header-stretch.ts'
import { checkChainTerms, type ReadyChain, readyChain } from './known-chain.ts'
import { type CheckedInclusion, noInclusion } from './rules.ts'

interface Included {
  readonly txid: string
  readonly height: number
  readonly block: StretchBlock
}

/** More findings of one kind add no information. */
const findingsMax = 10
/** More stretches are not read. An honest source gives one for each known block. */
const stretchesMax = 256
/**
 * More proofs of one transaction that bind nothing are not read: each costs hashes of its bytes.
 */
const attemptsMax = 4

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
  const { all: findings, add: report } = createFindingList(findingsMax)
  if (inclusion.length > stretchesMax) {
    const actual = `${inclusion.length} stretches of headers, of which ${stretchesMax} are read`
    report([finding('inclusion_unproven', 'evidence.inclusion', { actual })])
  }
  const read = inclusion.slice(0, stretchesMax)
  report(yield* contradictoryHeights(read))
  const parents = new Set(spent.map(({ txid }) => txid))
  const bound = new Set<string>()
  const attempts = new Map<string, number>()
  const budget = { headers: stretchHeadersMax }
  for (const [at, { headers, proofs, sources }] of read.entries()) {
    yield
    const stretch = yield* readStretch(headers, chain, budget)
    if ('code' in stretch) {
      const { code, ...details } = stretch
      report([finding(code, `${path(at)}.headers`, details)])
      continue
    }
    report(contradictoryTip(stretch, evidence, `${path(at)}.headers`))
    const included = new Map<string, Included>()
    for (const [index, proof] of proofs.entries()) {
      yield
      const { height } = proof
      const txid = proof.txid.toLowerCase()
      const failed = attempts.get(txid) ?? 0
      // One proof that binds is enough, and one that binds nothing does not hide it.
      if (bound.has(txid) || failed >= attemptsMax) continue
      const fault = faultOf(txid, proof, stretch, known)
      const block = stretch.blocks[height - stretch.first]
      if (fault !== undefined || block === undefined) {
        attempts.set(txid, failed + 1)
        report([finding('inclusion_unproven', `${path(at)}.proofs[${index}]`, { actual: fault })])
        continue
      }
      if (codeOf(block, chain) === 'inclusion_light') attempts.set(txid, failed + 1)
      else bound.add(txid)
      report(contradictoryHeight(txid, height, evidence))
      included.set(txid, { txid, height, block })
    }
    const summary = { stretch, chain, parents, sources, at: path(at) }
    report(grouped([...included.values()], chain).map((group) => summaryOf(group, summary)))
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
  // The length of the coinbase's branch distinguishes a transaction from an inner node above it.
  if (coinbase === undefined && pos !== 0) return 'inclusion_depth'
  const proof = { transaction: given.hex, merkle, pos, ...(coinbase && { coinbase }) }
  return inclusionFaultIn(txid, proof, block.merkleRoot)
}

function* contradictoryHeights(inclusion: readonly InclusionEvidence[]): Steps<Finding[]> {
  const heights = new Map<string, number>()
  for (const [at, { proofs }] of inclusion.entries()) {
    for (const [index, { txid, height }] of proofs.entries()) {
      yield
      const other = heights.get(txid.toLowerCase()) ?? height
      heights.set(txid.toLowerCase(), other)
      if (other === height) continue
      return [contradiction(`${path(at)}.proofs[${index}].height`, `${other}`, height)]
    }
  }
  return []
}

function contradictoryHeight(txid: string, proven: number, evidence: Evidence): readonly Finding[] {
  const height = heightIn(evidence, txid) ?? proven
  if (height === proven) return []
  return [contradiction(`evidence.heights.${txid}`, `${proven}, as proven`, height)]
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

/** Returns what binds the transactions of a block. */
function codeOf({ work }: StretchBlock, { workMin }: ReadyChain): Group['code'] {
  if (work === undefined) return 'inclusion_linked'
  return workMin !== undefined && work >= workMin ? 'inclusion_worked' : 'inclusion_light'
}

function grouped(included: readonly Included[], chain: ReadyChain): readonly Group[] {
  const codes = ['inclusion_linked', 'inclusion_worked', 'inclusion_light'] as const
  return codes
    .map((code) => ({ code, of: included.filter((it) => codeOf(it.block, chain) === code) }))
    .filter(({ of }) => of.length > 0)
}

interface Summary {
  readonly stretch: HeaderStretch
  readonly chain: ReadyChain
  /** Txids of the transactions that are spent. */
  readonly parents: ReadonlySet<string>
  readonly sources: readonly string[] | undefined
  readonly at: string
}

/** Says how deep, how much work, which known block and how many servers, and claims no more. */
function summaryOf(
  { code, of }: Group,
  { stretch, chain, parents, sources, at }: Summary,
): Finding {
  const { first, blocks, known } = stretch
  const isParent = of.filter(({ txid }) => parents.has(txid)).length
  const youngest = of.reduce((most, { height }) => Math.max(most, height), 0)
  const { work } = blocks[youngest - first]!
  const depth = first + blocks.length - youngest
  const servers = new Set(sources).size
  const parts = [
    `${isParent} of ${parents.size} spent transactions, ${of.length} in all`,
    `the youngest in block ${youngest}, ${depth} deep by these headers`,
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
