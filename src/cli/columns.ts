/**
 * Formats labels, with texts of one or more lines beside them.
 *
 * @param columnsMax - the width of lines; texts are wrapped between words
 */
export function columns(
  rows: readonly (readonly [string, string])[],
  columnsMax: number = Number.POSITIVE_INFINITY,
): string {
  if (rows.length === 0) return ''
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  const indent = ' '.repeat(width + 2)
  return rows
    .map(([label, text]) => {
      const lines = text.split('\n').flatMap((line) => wrapped(line, columnsMax - indent.length))
      const [first, ...more] = lines
      return [`  ${label.padEnd(width)}${first}`, ...more.map((line) => indent + line)].join('\n')
    })
    .join('\n')
}

/** Returns the lines of a text that is wrapped between words. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
