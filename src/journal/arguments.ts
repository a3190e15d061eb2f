// Argument checks that all journals share.

/** Largest text: the largest transaction in hex and its request fit with room to spare. */
export const textCharactersMax = 4_000_000

/** @throws {TypeError} */
export function requirePosition(value: unknown, name: string): void {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return
  throw new TypeError(`${name}: expected a whole number from 0, got ${typeof value}`)
}

/** @throws {TypeError} for a text that would not read back as it was written */
export function requireText(value: unknown, name: string): void {
  if (typeof value !== 'string') throw new TypeError(`${name}: expected a string`)
  // A file has no record without bytes: one that was cut short looks like that.
  if (value === '') throw new TypeError(`${name}: expected a text of at least one character`)
  if (value.length > textCharactersMax) {
    throw new TypeError(`${name}: expected at most ${textCharactersMax} characters`)
  }
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value)) {
    throw new TypeError(`${name}: expected text without lone surrogates`)
  }
}
