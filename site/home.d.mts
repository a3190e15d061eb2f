export function homeOf(readme: string): string
