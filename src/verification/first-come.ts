// Finds the first of many things that nobody has taken yet, in time that their number bounds however
// often it is asked.

/** Positions in order, and how many of them are known to be taken. */
interface Queue {
  readonly positions: number[]
  next: number
}

export type Queues<Key> = ReadonlyMap<Key, Queue>

/** Some positions by what is at them. */
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

/** The first match is final: a later one never replaces it. */
export function firstFree(
  queue: Queue | undefined,
  taken: { has(position: number): boolean },
): number | undefined {
  if (queue === undefined) return undefined
  const { positions } = queue
  // what is behind the last is not taken
  while (taken.has(positions[queue.next]!)) queue.next += 1
  return positions[queue.next]
}
