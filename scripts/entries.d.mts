/** Names of files below dist/, without their ending. */
export const entries: readonly string[]
export const external: readonly string[]
export const inside: readonly string[]
export function sourceOfImports(): Record<string, string>
