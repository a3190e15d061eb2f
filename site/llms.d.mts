export function llmsText(pages: readonly { path: string; text: string }[]): string
