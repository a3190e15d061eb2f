/**
 * Makes a pattern when it is first used.
 *
 * It is for patterns with classes of Unicode: if one is a literal, V8 reads its tables of characters
 * as soon as it loads the file.
 */
export function patternOnUse(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined
  return () => {
    pattern ??= new RegExp(source, flags)
    return pattern
  }
}
