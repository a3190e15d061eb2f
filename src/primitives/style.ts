/** Functions that emphasize text if the output supports it. */
export interface Style {
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly dim: (text: string) => string
}

/** Returns the escapes of terminals, or functions that return plain text. */
export function styleOf(isColored: boolean): Style {
  const wrap = (code: number) => (text: string) =>
    isColored ? `\u001b[${code}m${text}\u001b[0m` : text
  return { bold: wrap(1), red: wrap(31), green: wrap(32), yellow: wrap(33), dim: wrap(2) }
}
