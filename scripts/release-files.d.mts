export const engineLicense: string
export function isSource(path: string): boolean
export function releasedPaths(paths: readonly string[]): string[]
export function releasedPage(
  page: string,
  text: string,
  isReleased: (path: string) => boolean,
): string
