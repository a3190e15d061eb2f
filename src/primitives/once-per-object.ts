/**
 * Returns a function that computes its result once for each object, and keeps it as long as the
 * object lives. Bundlers drop a call of it whose result nothing uses.
 */
// @__NO_SIDE_EFFECTS__
export function oncePerObject<Key extends object, Value extends {}>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const results = new WeakMap<Key, Value>()
  return (key) => {
    const before = results.get(key)
    if (before !== undefined) return before
    const now = compute(key)
    results.set(key, now)
    return now
  }
}
