/** Returns a text as it is, or its beginning and its size if it is longer than that. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  return `${text.slice(0, charactersMax)}… (${text.length} characters)`
}
