// Finds the first of many things that nobody has taken yet, in time that their number bounds however
// often it is asked.

/** Positions, the first at the end. */
type Queue = number[]

/** The positions of some things by what they have in common. */
export function queuesBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Queue> {
  const queues = new Map<Key, Queue>()
  for (let position = items.length - 1; position >= 0; position -= 1) {
    const key = keyOf(items[position]!)
    const queue = queues.get(key)
    if (queue === undefined) queues.set(key, [position])
    else queue.push(position)
  }
  return queues
}

/** What is taken is taken for good, and never looked at again. */
export function firstFree(
  queue: Queue | undefined,
  taken: { has(position: number): boolean },
): number | undefined {
  if (queue === undefined) return undefined
  while (queue.length > 0 && taken.has(queue.at(-1)!)) queue.pop()
  return queue.at(-1)
}
