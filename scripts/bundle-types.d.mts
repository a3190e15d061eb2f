export function bundledTypes(root: string): Promise<Map<string, string>>
export function writeTexts(folder: string, texts: ReadonlyMap<string, string>): void
