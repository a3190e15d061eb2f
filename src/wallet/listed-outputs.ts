// The outputs that a source lists as unspent, and what it contradicts in the list itself.

import type { ChainTip } from '../chain-source/source.ts'
import type { Findings } from '../chain-source/source-findings.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import type { Outpoint } from '../transaction/types.ts'
import { isHeight } from './checked-source.ts'
import { keyOfOutpoint } from './outpoint-key.ts'

/** An output as a source lists it. */
export interface Listed extends Outpoint {
  readonly height: number
  readonly value?: unknown
}

/** The result of an earlier look at the chain. */
interface Seen {
  readonly tip: ChainTip
  readonly coins: ReadonlyMap<string, { readonly height: number }>
}

/** Heights change with the chain, and with nothing else. */
function isSameBlock(before: ChainTip | undefined, { hash }: ChainTip): boolean {
  return hash !== undefined && before?.hash === hash
}

/** Names heights that changed while the last block stayed the same. */
export function nameChangedHeights(
  listed: ReadonlyMap<string, Listed>,
  before: Seen | undefined,
  tip: ChainTip,
  findings: Findings,
): void {
  if (!isSameBlock(before?.tip, tip)) return
  for (const [key, { txid, height }] of listed) {
    const known = before?.coins.get(key)
    if (known === undefined || !isMoved(known.height, height)) continue
    const [expected, actual] = [`${known.height}`, `${height}`]
    findings.add({ code: 'source_changed_height', txid, expected, actual })
  }
}

/** Reads a source's list: each output once, with a height that its chain has. */
export function listedOutputs(
  given: readonly unknown[],
  tip: ChainTip,
  findings: Findings,
): ReadonlyMap<string, Listed> {
  const heights = new Map<string, number>()
  const listed = new Map<string, Listed>()
  for (const item of given) {
    const { txid: named, vout, height, value } = (item ?? {}) as Partial<Listed>
    const txid = listedTxid(named)
    if (txid === undefined || !isHeight(vout) || !isHeight(height)) {
      findings.add({ code: 'source_malformed_answer' })
      continue
    }
    const output = { txid, vout, height, value }
    const key = keyOfOutpoint(output)
    if (listed.has(key)) {
      findings.add({ code: 'source_repeated_coin', txid, vout })
      continue
    }
    if (height > tip.height) {
      const [expected, actual] = [`at most ${tip.height}`, `${height}`]
      findings.add({ code: 'source_height_above_tip', txid, vout, expected, actual })
      continue
    }
    listed.set(key, output)
    const other = heights.get(txid)
    if (other !== undefined && other !== height) {
      const [expected, actual] = [`${other}`, `${height}`]
      findings.add({ code: 'source_changed_height', txid, expected, actual })
    }
    // If two heights are reported, the younger one counts.
    heights.set(txid, other === 0 || height === 0 ? 0 : Math.max(other ?? 0, height))
  }
  for (const [key, output] of listed) {
    const height = heights.get(output.txid)!
    if (height !== output.height) listed.set(key, { ...output, height })
  }
  return listed
}

/** Returns a txid in lower case; `undefined` for anything else. */
export function listedTxid(given: unknown): string | undefined {
  const txid = typeof given === 'string' ? given.toLowerCase() : given
  return isHex32(txid) ? txid : undefined
}

/** Tells whether outputs have heights that do not fit the last block. */
export function isOfAnotherTip(
  given: readonly unknown[],
  before: Seen | undefined,
  tip: ChainTip,
): boolean {
  const isSame = isSameBlock(before?.tip, tip)
  return given.some((item) => {
    const { txid, vout, height } = (item ?? {}) as Partial<Listed>
    if (!isHeight(height)) return false
    const known = isSame ? before?.coins.get(`${txid}:${vout}`) : undefined
    return height > tip.height || (known !== undefined && isMoved(known.height, height))
  })
}

/** A transaction may wait, or be dropped, while the last block stays the same. */
function isMoved(from: number, to: number): boolean {
  return from !== to && from !== 0 && to !== 0
}
