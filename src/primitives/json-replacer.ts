/** Writes a bigint as decimal text for `JSON.stringify`, because JSON numbers lose digits. */
export function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
