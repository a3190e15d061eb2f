/** How a text is set off where it can be. */
export interface Style {
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly dim: (text: string) => string
}

/** The escapes of terminals, or plain text. */
export function styleOf(isColored: boolean): Style {
  const wrap = (code: number) => (text: string) =>
    isColored ? `\u001b[${code}m${text}\u001b[0m` : text
  return { bold: wrap(1), red: wrap(31), green: wrap(32), yellow: wrap(33), dim: wrap(2) }
}
