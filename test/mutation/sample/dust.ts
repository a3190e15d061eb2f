// A source for the test of `npm run mutate -- --in-process`.

/** Tells whether an output is too small to relay. */
export function isDust(value: number): boolean {
  return value < 100
}
