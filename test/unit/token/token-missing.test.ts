// The search for missing transactions, on graphs that are made up here, with a plain search beside it.

import { describe, expect, test } from 'vitest'

import { finish } from '../../../src/primitives/steps.ts'
import { createMissingFinder, type Lacks } from '../../../src/token/proof/missing.ts'

type Graph = Readonly<Record<string, Lacks>>
const numbers = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)
const finderOf = (graph: Graph) => createMissingFinder((txid) => graph[txid])
const missingBelow = (graph: Graph, ...txids: string[]) => [...finish(finderOf(graph).below(txids))]

/** Visits every transaction, without places. */
function plainly(graph: Graph, ...txids: string[]): Set<string> {
  const [seen, missing] = [new Set<string>(), new Set<string>()]
  for (const open = [...txids]; open.length > 0; ) {
    const txid = open.pop()!
    if (seen.has(txid)) continue
    seen.add(txid)
    const { missing: own = [], restsOn = [] } = graph[txid] ?? {}
    for (const it of own) missing.add(it)
    open.push(...restsOn)
  }
  return missing
}

describe('missing transactions', () => {
  test('are those that a transaction lacks, or what it rests on', () => {
    const graph = {
      a: { missing: ['x'], restsOn: ['b', 'c'] },
      b: { missing: ['y'], restsOn: ['c'] },
      c: { missing: [], restsOn: ['d'] },
      d: { missing: ['x', 'z'], restsOn: [] },
    }
    expect(new Set(missingBelow(graph, 'a'))).toEqual(new Set(['x', 'y', 'z']))
    expect(missingBelow(graph, 'c')).toEqual(['x', 'z'])
    expect(new Set(missingBelow(graph, 'b', 'd'))).toEqual(new Set(['x', 'y', 'z']))
    expect(missingBelow(graph)).toEqual([])
  })

  test('are none of a transaction that lacks nothing', () => {
    expect(missingBelow({}, 'a')).toEqual([])
    expect(missingBelow({ a: { missing: [], restsOn: ['b'] } }, 'a')).toEqual([])
    const graph = { a: { missing: [], restsOn: ['b', 'c'] }, c: { missing: ['x'], restsOn: [] } }
    expect(missingBelow(graph, 'a')).toEqual(['x'])
  })

  test('are listed for transactions that lack the same, and for no others', () => {
    const finder = finderOf({
      a: { missing: ['x'], restsOn: [] },
      b: { missing: ['x'], restsOn: [] },
      c: { missing: ['y'], restsOn: [] },
      d: { missing: [], restsOn: ['a', 'b'] },
      e: { missing: [], restsOn: ['b', 'c'] },
      f: { missing: ['xy'], restsOn: [] },
    })
    const below = (...txids: string[]) => [...finish(finder.below(txids))]
    expect(below('a')).toEqual(['x'])
    expect(below('b', 'a')).toEqual(['x'])
    expect(below('d')).toEqual(['x'])
    expect(below('e').toSorted()).toEqual(['x', 'y'])
    expect(below('c')).toEqual(['y'])
    expect(below('f')).toEqual(['xy'])
  })

  // Up to 64 share one place, and more stay where they are.
  test.each([1, 32, 63, 64, 65, 66, 130])(
    'are all found if there are %d in each of three',
    (count) => {
      const graph: Graph = {
        a: { missing: numbers(count, 'a'), restsOn: ['b', 'c'] },
        b: { missing: numbers(count, 'b'), restsOn: ['c'] },
        c: { missing: numbers(count, 'c'), restsOn: [] },
        d: { missing: ['x'], restsOn: ['a', 'e'] },
        e: { missing: numbers(count, 'a'), restsOn: ['c', 'b'] },
        f: { missing: numbers(count, 'a'), restsOn: ['d'] },
      }
      for (const from of Object.keys(graph)) {
        expect(new Set(missingBelow(graph, from))).toEqual(plainly(graph, from))
      }
      const finder = finderOf(graph)
      for (const from of ['c', 'b', 'a', 'e', 'd', 'f']) {
        expect(finish(finder.below([from]))).toEqual(plainly(graph, from))
      }
    },
  )

  test('are all found where places with many rest on others with many', () => {
    const many = numbers(70, 'm')
    const graph: Graph = {
      p: { missing: many, restsOn: [] },
      q: { missing: numbers(70, 'n'), restsOn: [] },
      r: { missing: [], restsOn: ['p', 'q'] },
      s: { missing: [], restsOn: ['q', 'p'] },
      t: { missing: ['x'], restsOn: ['p'] },
      u: { missing: ['x'], restsOn: ['q'] },
      v: { missing: [], restsOn: ['t', 'u', 'r'] },
    }
    const finder = finderOf(graph)
    for (const from of Object.keys(graph)) {
      expect(finish(finder.below([from]))).toEqual(plainly(graph, from))
    }
  })
})
