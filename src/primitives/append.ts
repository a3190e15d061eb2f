/**
 * Appends items one by one. `list.push(...items)` passes each as an argument, and V8 throws a
 * RangeError at about 120,000 of them, fewer on a deep stack.
 */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}
