export function commentsOf(
  path: string,
  source: string,
): { readonly line: number; readonly text: string }[]
export function identifiersOf(
  path: string,
  source: string,
): { readonly line: number; readonly name: string }[]
export function wordsOf(name: string): string[]
