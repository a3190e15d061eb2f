export const engineLicense: string
export function isSource(path: string): boolean
export function releasedPaths(paths: readonly string[]): string[]
