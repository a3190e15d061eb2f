export function quickSpreads(code: string): string
