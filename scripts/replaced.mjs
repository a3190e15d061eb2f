/**
 * Replaces each occurrence of a text that a tool writes. Throws if there is none, because another
 * version of the tool may write another text.
 *
 * @param {string} text
 * @param {string | RegExp} written
 * @param {(...found: string[]) => string} replacement
 */
export function replaced(text, written, replacement) {
  let isFound = false
  const changed = text.replaceAll(written, (...found) => {
    isFound = true
    return replacement(...found)
  })
  if (!isFound) throw new Error(`found no ${written} to replace`)
  return changed
}
