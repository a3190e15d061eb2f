/**
 * Sorts as std::sort of the GNU library does. The daemon sorts outputs by height alone, so the
 * algorithm decides the order of equal heights.
 *
 * @see the C++ standard library of GCC, introsort: median of three, ranges of 16, one insertion
 */
export function sortedAsLibstdcpp<Item>(
  items: readonly Item[],
  isLess: (one: Item, other: Item) => boolean,
): Item[] {
  const sorted = [...items]
  partitionDown(sorted, isLess, 0, sorted.length)
  const first = Math.min(unsortedMax, sorted.length)
  for (let at = 1; at < first; at += 1) {
    if (isLess(sorted[at]!, sorted[0]!)) sorted.splice(0, 0, ...sorted.splice(at, 1))
    else insertDown(sorted, isLess, at)
  }
  for (let at = first; at < sorted.length; at += 1) insertDown(sorted, isLess, at)
  return sorted
}

const unsortedMax = 16

type IsLess<Item> = (one: Item, other: Item) => boolean

function partitionDown<Item>(items: Item[], isLess: IsLess<Item>, from: number, to: number): void {
  let end = to
  while (end - from > unsortedMax) {
    const cut = partition(items, isLess, from, end)
    partitionDown(items, isLess, cut, end)
    end = cut
  }
}

function partition<Item>(items: Item[], isLess: IsLess<Item>, from: number, to: number): number {
  const middle = from + ((to - from) >> 1)
  swap(items, from, medianOf(items, isLess, [from + 1, middle, to - 1]))
  const pivot = items[from]!
  let low = from + 1
  let high = to
  for (;;) {
    while (isLess(items[low]!, pivot)) low += 1
    high -= 1
    while (isLess(pivot, items[high]!)) high -= 1
    if (low >= high) return low
    swap(items, low, high)
    low += 1
  }
}

function medianOf<Item>(
  items: readonly Item[],
  isLess: IsLess<Item>,
  [a, b, c]: readonly [number, number, number],
): number {
  const less = (one: number, other: number) => isLess(items[one]!, items[other]!)
  if (less(a, b)) return less(b, c) ? b : less(a, c) ? c : a
  return less(a, c) ? a : less(b, c) ? c : b
}

function insertDown<Item>(items: Item[], isLess: IsLess<Item>, from: number): void {
  const item = items[from]!
  let at = from
  while (at > 0 && isLess(item, items[at - 1]!)) {
    items[at] = items[at - 1]!
    at -= 1
  }
  items[at] = item
}

function swap<Item>(items: Item[], one: number, other: number): void {
  const kept = items[one]!
  items[one] = items[other]!
  items[other] = kept
}
