// What is missing below transactions. Every transaction of a long history lacks the same few, so
// what lacks the same shares one place, however it comes to that, and a question visits places, not
// transactions.

import type { Steps } from '../../primitives/steps.ts'
import { walk } from './walk.ts'

/** What a transaction lacks itself, and what it rests on. */
export interface Lacks {
  readonly missing: readonly string[]
  readonly restsOn: readonly string[]
}

interface Place {
  readonly missing: readonly string[]
  /** Places of which more is missing; of few there are none. */
  readonly below: readonly Place[]
}

/** So many are put together when they are met; more are where they are met, and are walked to. */
const fewMax = 64

/** Everything that is missing, each once; undefined if it is more than a few. */
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

export interface MissingFinder {
  /** Everything that is missing below some transactions, in the order in which it is met. */
  below(txids: readonly string[]): Steps<Set<string>>
}

/** @param lacksOf - never changes its answer; undefined for what lacks nothing */
export function createMissingFinder(lacksOf: (txid: string) => Lacks | undefined): MissingFinder {
  /** Undefined for what lacks nothing. */
  const places = new Map<string, Place | undefined>()
  const numbers = new Map<Place, number>()
  const byContents = new Map<string, Place>()

  function placeOf({ missing, restsOn }: Lacks): Place | undefined {
    const below = [...new Set(restsOn.flatMap((txid) => places.get(txid) ?? []))]
    if (missing.length === 0 && below.length < 2) return below[0]
    const few = fewOf(missing, below)
    // what is missing where is no matter where it is little
    const parts = few
      ? [...few].sort()
      : [...missing, ...below.map((it) => numbers.get(it)!).sort()]
    const contents = parts.join()
    const known = byContents.get(contents)
    if (known !== undefined) return known
    const place = few === undefined ? { missing, below } : { missing: few, below: [] }
    byContents.set(contents, place)
    numbers.set(place, numbers.size)
    return place
  }

  return {
    *below(txids) {
      const missing = new Set<string>()
      const reached = new Set<Place>()
      for (const txid of txids) {
        yield* walk(
          txid,
          (id) => (places.has(id) ? undefined : (lacksOf(id)?.restsOn ?? [])),
          (id) => {
            const lacks = lacksOf(id)
            places.set(id, lacks && placeOf(lacks))
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
    },
  }
}
