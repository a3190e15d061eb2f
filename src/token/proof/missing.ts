// Finds the transactions that are missing below others. In a long history every transaction lacks
// the same few, so all that lack the same share one place, and a search visits places instead of
// transactions.

import type { Steps } from '../../primitives/steps.ts'
import { walk } from './walk.ts'

/** The transactions that one transaction lacks itself, and those it rests on. */
export interface Lacks {
  readonly missing: readonly string[]
  readonly restsOn: readonly string[]
}

interface Place {
  readonly missing: readonly string[]
  /** Further places with missing transactions; empty if the place already lists all of them. */
  readonly below: readonly Place[]
}

/**
 * Up to this many missing transactions are merged into one place; more stay in the places below.
 */
const fewMax = 64

/** Returns all missing transactions, each once; `undefined` if there are more than a few. */
function fewOf(missing: readonly string[], below: readonly Place[]): string[] | undefined {
  if (missing.length > fewMax) return undefined
  const all = new Set(missing)
  for (const place of below) {
    const isFew = place.below.length === 0 && place.missing.length <= fewMax
    if (!isFew || all.size > fewMax) return undefined
    for (const txid of place.missing) all.add(txid)
  }
  return all.size > fewMax ? undefined : [...all]
}

/** Transactions that lack others, as far as they are known; each search finds more. */
interface Search {
  /** Never changes its answer; `undefined` for a transaction that lacks nothing. */
  readonly lacksOf: (txid: string) => Lacks | undefined
  /** An entry is `undefined` for a transaction that lacks nothing. */
  readonly places: Map<string, Place | undefined>
  readonly numbers: Map<Place, number>
  readonly byContents: Map<string, Place>
}

export interface MissingFinder {
  /** Returns all missing transactions below `txids`, in the order of the walk. */
  below(txids: readonly string[]): Steps<Set<string>>
}

/** @param lacksOf - never changes its answer; `undefined` for a transaction that lacks nothing */
export function createMissingFinder(lacksOf: (txid: string) => Lacks | undefined): MissingFinder {
  const search = { lacksOf, places: new Map(), numbers: new Map(), byContents: new Map() }
  return { below: (txids) => missingBelow(search, txids) }
}

function placeOf({ places, numbers, byContents }: Search, lacks: Lacks): Place | undefined {
  const { missing, restsOn } = lacks
  const below = [...new Set(restsOn.flatMap((txid) => places.get(txid) ?? []))]
  if (missing.length === 0 && below.length < 2) return below[0]
  const few = fewOf(missing, below)
  // A few missing transactions identify a place by themselves, wherever they are missing.
  const parts = few ? [...few].sort() : [...missing, ...below.map((it) => numbers.get(it)!).sort()]
  const contents = parts.join()
  const known = byContents.get(contents)
  if (known !== undefined) return known
  const place = few === undefined ? { missing, below } : { missing: few, below: [] }
  byContents.set(contents, place)
  numbers.set(place, numbers.size)
  return place
}

/** Stands alone, because V8 is slow with a generator function that is made for each search. */
function* missingBelow(search: Search, txids: readonly string[]): Steps<Set<string>> {
  const { lacksOf, places } = search
  const missing = new Set<string>()
  const reached = new Set<Place>()
  for (const txid of txids) {
    yield* walk(
      txid,
      (id) => (places.has(id) ? undefined : (lacksOf(id)?.restsOn ?? [])),
      (id) => {
        const lacks = lacksOf(id)
        places.set(id, lacks && placeOf(search, lacks))
      },
    )
    const place = places.get(txid)
    if (place !== undefined) reached.add(place)
  }
  for (const place of reached) {
    yield
    for (const id of place.missing) missing.add(id)
    for (const it of place.below) reached.add(it)
  }
  return missing
}
