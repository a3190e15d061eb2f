// The one container of the node's state. It is ordered as the daemon's database is, and immutable:
// a change returns a new map, so a snapshot is only a reference.

interface Branch<Value> {
  readonly key: string
  readonly value: Value
  /** Heap order keeps the tree shallow; drawn once for each key. */
  readonly weight: number
  readonly left: Branch<Value> | undefined
  readonly right: Branch<Value> | undefined
}

/** A map from text to values in the order of UTF-16 units; never changed, only replaced. */
export interface OrderedMap<Value> {
  readonly size: number
  readonly root: Branch<Value> | undefined
}

const empty: OrderedMap<never> = Object.freeze({ size: 0, root: undefined })

export function emptyMap<Value>(): OrderedMap<Value> {
  return empty
}

export function lookUp<Value>(map: OrderedMap<Value>, key: string): Value | undefined {
  let branch = map.root
  while (branch !== undefined && branch.key !== key) {
    branch = key < branch.key ? branch.left : branch.right
  }
  return branch?.value
}

/** The map with `value` at `key`; without it if `value` is undefined. */
export function withEntry<Value>(
  map: OrderedMap<Value>,
  key: string,
  value: Value | undefined,
): OrderedMap<Value> {
  return replaced(map, key, { before: lookUp(map, key), value })
}

/** Does what `withEntry` does, for a caller that already knows the value at `key`. */
export function replaced<Value>(
  map: OrderedMap<Value>,
  key: string,
  { before, value }: { readonly before: Value | undefined; readonly value: Value | undefined },
): OrderedMap<Value> {
  if (value === undefined) {
    return before === undefined ? map : { size: map.size - 1, root: without(map.root, key) }
  }
  const root = insert(map.root, key, value)
  return { size: before === undefined ? map.size + 1 : map.size, root }
}

function insert<Value>(
  branch: Branch<Value> | undefined,
  key: string,
  value: Value,
): Branch<Value> {
  if (branch === undefined) {
    return { key, value, weight: nextWeight(), left: undefined, right: undefined }
  }
  if (key === branch.key) return { ...branch, value }
  if (key < branch.key) {
    const left = insert(branch.left, key, value)
    if (left.weight <= branch.weight) return rebuilt(branch, left, branch.right)
    return rebuilt(left, left.left, rebuilt(branch, left.right, branch.right))
  }
  const right = insert(branch.right, key, value)
  if (right.weight <= branch.weight) return rebuilt(branch, branch.left, right)
  return rebuilt(right, rebuilt(branch, branch.left, right.left), right.right)
}

function without<Value>(branch: Branch<Value> | undefined, key: string): Branch<Value> | undefined {
  if (branch === undefined) return undefined
  if (key === branch.key) return joined(branch.left, branch.right)
  return key < branch.key
    ? rebuilt(branch, without(branch.left, key), branch.right)
    : rebuilt(branch, branch.left, without(branch.right, key))
}

function joined<Value>(
  left: Branch<Value> | undefined,
  right: Branch<Value> | undefined,
): Branch<Value> | undefined {
  if (left === undefined) return right
  if (right === undefined) return left
  return left.weight > right.weight
    ? rebuilt(left, left.left, joined(left.right, right))
    : rebuilt(right, joined(left, right.left), right.right)
}

function rebuilt<Value>(
  { key, value, weight }: Branch<Value>,
  left: Branch<Value> | undefined,
  right: Branch<Value> | undefined,
): Branch<Value> {
  return { key, value, weight, left, right }
}

/** xorshift32: any spread of weights does, and this one costs nothing. */
let lastWeight = 0x2545f491
function nextWeight(): number {
  lastWeight ^= lastWeight << 13
  lastWeight ^= lastWeight >>> 17
  lastWeight ^= lastWeight << 5
  return lastWeight >>> 0
}

/** Entries in order, from the first key that is not less than `from`. */
export function* entriesFrom<Value>(
  map: OrderedMap<Value>,
  from = '',
): Generator<readonly [string, Value], void, undefined> {
  const waiting: Branch<Value>[] = []
  let branch = map.root
  while (branch !== undefined) {
    if (branch.key < from) branch = branch.right
    else {
      waiting.push(branch)
      branch = branch.left
    }
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield [next.key, next.value]
    for (let below = next.right; below !== undefined; below = below.left) waiting.push(below)
  }
}

/** Entries whose key begins with `prefix`, in order. */
export function* entriesUnder<Value>(
  map: OrderedMap<Value>,
  prefix: string,
): Generator<readonly [string, Value], void, undefined> {
  for (const entry of entriesFrom(map, prefix)) {
    if (!entry[0].startsWith(prefix)) return
    yield entry
  }
}
