import { finish } from '../../primitives/steps.ts'
import type { Checked } from './check.ts'
import type { Disproof } from './proof.ts'
import { walk } from './walk.ts'

/**
 * Begins a search for two ancestors that spend the same output, and so cannot both be on a chain.
 *
 * All transactions passed to one search count as parents of one common child, which spends from all
 * of them; of two conflicting ones, the later is at fault. No other transaction influences the
 * result.
 */
export type Claims = () => (txid: string) => Disproof | undefined

/**
 * The spenders of outputs among some transactions and their ancestors, as a binary tree over the
 * numbers of the outputs. Trees share branches, so long histories with many such outputs need
 * little memory, and equal branches are never compared.
 */
type Spenders = string | Branch | undefined

interface Branch {
  readonly low: Spenders
  readonly high: Spenders
}

interface Claimed {
  readonly spenders: Spenders
  readonly disproof: Disproof | undefined
}

const nothing: Claimed = { spenders: undefined, disproof: undefined }

/**
 * Prepares the search; each transaction is visited once, however many questions are asked.
 *
 * @param contested - numbers, from 0, of the outputs that several of `checked` spend
 */
export function createClaims(
  checked: ReadonlyMap<string, Checked>,
  contested: ReadonlyMap<string, number>,
): Claims {
  const levels = Math.ceil(Math.log2(contested.size))
  const known = new Map<string, Claimed>()

  function claimOf(txid: string): Claimed {
    const { restsOn, spends } = checked.get(txid)!
    const inherited = restsOn.reduce((sum, parent) => joined(sum, known.get(parent)!), nothing)
    return spends.reduce((sum, key) => {
      const number = contested.get(key)
      if (number === undefined) return sum
      return joined(sum, { spenders: treeOf(txid, number, levels), disproof: undefined })
    }, inherited)
  }

  return () => {
    let before = nothing
    return (target) => {
      const steps = walk(
        target,
        (txid) => (known.has(txid) ? undefined : checked.get(txid)?.restsOn),
        (txid) => known.set(txid, claimOf(txid)),
      )
      finish(steps)
      const claimed = known.get(target) ?? nothing
      const both = joined(before, { ...claimed, disproof: undefined })
      before = { ...both, disproof: undefined }
      return claimed.disproof ?? both.disproof
    }
  }
}

function treeOf(txid: string, number: number, levels: number): Spenders {
  let tree: Spenders = txid
  for (let level = 0; level < levels; level += 1) {
    const isHigh = (number >> level) % 2 === 1
    tree = isHigh ? { low: undefined, high: tree } : { low: tree, high: undefined }
  }
  return tree
}

/** Adds later claims to earlier ones; an output keeps its first spender. */
function joined(one: Claimed, other: Claimed): Claimed {
  let second: string | undefined
  const spenders = union(one.spenders, other.spenders)
  const disproof = one.disproof ?? other.disproof ?? conflictOf(second)
  return spenders === one.spenders && disproof === one.disproof ? one : { spenders, disproof }

  function union(first: Spenders, later: Spenders): Spenders {
    if (first === later || later === undefined) return first
    if (first === undefined) return later
    if (typeof first === 'string' || typeof later === 'string') {
      second ??= later as string
      return first
    }
    const low = union(first.low, later.low)
    const high = union(first.high, later.high)
    if (low === first.low && high === first.high) return first
    return low === later.low && high === later.high ? later : { low, high }
  }
}

function conflictOf(txid: string | undefined): Disproof | undefined {
  return txid === undefined ? undefined : { txid, rule: 'double_spend' }
}
