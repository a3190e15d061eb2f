export const sentenceWordsMax: number
export const terms: readonly { readonly not: RegExp; readonly say: string }[]
export function proseFaults(
  path: string,
  source: string,
): Promise<{ readonly line: number; readonly reason: string }[]>
export function proseOf(
  path: string,
  source: string,
): { readonly line: number; readonly text: string }[]
