// Reads the headers of the evidence. A known block among them gives each header its height.

import type { Checkpoint } from '../block/chains.ts'
import { type BlockHeader, leadingHeader, parametersOf, readHeaders } from '../block/header.ts'
import { HeaderChain } from '../block/header-chain.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { resultOf } from '../errors/malformed.ts'
import type { Steps } from '../primitives/steps.ts'
import type { FindingCode } from '../request/report.ts'
import type { ReadyChain } from './known-chain.ts'

export interface HeaderStretch {
  /** Height of the first. */
  readonly first: number
  readonly blocks: readonly StretchBlock[]
  /** The last known block to which they lead. */
  readonly known: Checkpoint
}

export interface StretchBlock extends Pick<BlockHeader, 'hash' | 'merkleRoot' | 'time'> {
  /**
   * The hashes that this block and those after it take on average. Absent if a later known block
   * binds this one.
   */
  readonly work?: bigint
}

interface StretchFault {
  readonly code: Extract<FindingCode, 'chain_contradicted' | 'inclusion_unproven'>
  readonly expected?: string
  readonly actual: string
}

/** More headers are not read: 15 MB of those with Equihash 200,9. */
export const stretchHeadersMax = 10_000

type Header = Pick<BlockHeader, 'hash' | 'merkleRoot' | 'time'> & { readonly hex: string }

/**
 * Reads headers, and finds known blocks among them by their hashes. Headers up to
 * the highest known block need no proof of work. Those after it are checked as `verifyHeaderChain`
 * does.
 *
 * @param budget - how many headers may still be read; each one that is read lowers it
 */
export function* readStretch(
  texts: readonly string[],
  { rules }: ReadyChain,
  budget: { headers: number },
): Steps<HeaderStretch | StretchFault> {
  const headers: Header[] = []
  let before = ''
  for (const text of texts) {
    for (let at = 0; at < text.length; ) {
      if (budget.headers === 0) return unproven(`more than ${stretchHeadersMax} headers`)
      budget.headers -= 1
      // Engines cut long texts without copying them.
      const next = resultOf(() => leadingHeader(text.slice(at)))
      if (isAntaraError(next)) return unproven(`${next.code} in header ${headers.length}`)
      const { header, bytes } = next
      const hex = text.slice(at, at + 2 * bytes)
      if (headers.length === 0) before = header.previousHash
      else if (header.previousHash !== headers.at(-1)!.hash) {
        return unproven(`header_link at header ${headers.length}`)
      }
      const { hash, merkleRoot, time } = header
      headers.push({ hash, merkleRoot, time, hex })
      at += hex.length
      yield
    }
  }
  return yield* anchored(before, headers, rules)
}

function* anchored(
  before: string,
  headers: readonly Header[],
  rules: ReadyChain['rules'],
): Steps<HeaderStretch | StretchFault> {
  const heights = new Map(rules.checkpoints.map(({ hash, height }) => [hash, height]))
  // Index -1 is the block before the first header.
  const places = [{ hash: before }, ...headers].flatMap(({ hash }, at) => {
    const height = heights.get(hash)
    return height === undefined ? [] : [{ index: at - 1, height, hash }]
  })
  const last = places.at(-1)
  if (last === undefined) return unproven('headers that lead to no known block')
  const first = last.height - last.index
  for (const { height, hash } of rules.checkpoints) {
    const index = height - first
    const there = index === -1 ? before : headers[index]?.hash
    if (there === undefined || there === hash) continue
    return {
      code: 'chain_contradicted',
      expected: `${hash} at height ${height}`,
      actual: there,
    }
  }
  const known = { height: last.height, hash: last.hash }
  const highest = rules.checkpoints.reduce((most, { height }) => Math.max(most, height), 0)
  // Blocks between two known ones need hashes, not work: a branch that ends early costs nothing.
  const read = last.height < highest ? headers.slice(0, last.index + 1) : headers
  const chain = new HeaderChain(known, rules)
  const parameters = parametersOf(rules.equihash)
  const workBefore: bigint[] = []
  for (const [at, { hex }] of read.slice(last.index + 1).entries()) {
    workBefore.push(chain.work)
    const [header] = readHeaders(hex, parameters, 1)
    if (!chain.add(header!)) {
      const [fault] = chain.report().findings.slice(-1)
      return unproven(`${fault!.code} at height ${known.height + 1 + at}`)
    }
    yield
  }
  const blocks = read.map(({ hash, merkleRoot, time }, index): StretchBlock => {
    const block = { hash, merkleRoot, time }
    const past = workBefore[index - last.index - 1]
    return past === undefined ? block : { ...block, work: chain.work - past }
  })
  return { first, blocks, known }
}

function unproven(actual: string): StretchFault {
  return { code: 'inclusion_unproven', actual }
}
