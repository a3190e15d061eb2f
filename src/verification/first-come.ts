// Finds the first of many positions that is not taken yet. The time of all searches together is
// linear in the number of positions.

/** Positions in order, and the number of those known to be taken. */
interface Queue {
  readonly positions: number[]
  next: number
}

export type Queues<Key> = ReadonlyMap<Key, Queue>

export function queuesBy<Key>(
  positions: Iterable<number>,
  keyOf: (position: number) => Key,
): Map<Key, Queue> {
  const queues = new Map<Key, Queue>()
  for (const position of positions) {
    const key = keyOf(position)
    const queue = queues.get(key)
    if (queue === undefined) queues.set(key, { positions: [position], next: 0 })
    else queue.positions.push(position)
  }
  return queues
}

/** Returns the first position that is not taken. A position once taken must stay so. */
export function firstFree(
  queue: Queue | undefined,
  taken: { has(position: number): boolean },
): number | undefined {
  if (queue === undefined) return undefined
  const { positions } = queue
  // past the last position, `undefined` is never taken
  while (taken.has(positions[queue.next]!)) queue.next += 1
  return positions[queue.next]
}
