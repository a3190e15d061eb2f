export const engineLicense: string
export function isSource(path: string): boolean
export function releasedPaths(root: string, paths: readonly string[]): string[]
