export function replaced(
  text: string,
  written: string | RegExp,
  replacement: (...found: string[]) => string,
): string
