export function packageFolders(modules: Iterable<string>): string[]
export function licensesText(before: string, folders: readonly string[]): string
export function bundledPackages(path: string): { name: string; version: string }[]
