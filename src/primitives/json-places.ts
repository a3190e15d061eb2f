/** A step to a value: the name of a member, or the index of an item. */
type Step = string | number

/** Writes a path as error messages show it: `users.alice.coins`, `quietHours[0].from`. */
export function pathText(steps: readonly Step[]): string {
  return steps
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('')
}

/**
 * Returns where each value begins in valid JSON, in characters, by its path. A member's place is
 * that of its name, since the name is what a person looks for.
 *
 * Two paths can have the same text if a name contains a dot. The first one then has the place.
 */
export function placesOf(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  let at = 0
  readValue([])
  return places

  function note(path: readonly Step[]): void {
    const name = pathText(path)
    if (!places.has(name)) places.set(name, at)
  }

  function readValue(path: readonly Step[]): void {
    skipSpace()
    // A member has been noted at its name.
    note(path)
    if (text[at] === '{') readItems('}', (index) => readMember(path, index))
    else if (text[at] === '[') readItems(']', (index) => readValue([...path, index]))
    else if (text[at] === '"') readString()
    else while (at < text.length && !isEnd.test(text[at]!)) at += 1
  }

  function readMember(path: readonly Step[], _index: number): void {
    skipSpace()
    const start = at
    readString()
    const name = JSON.parse(text.slice(start, at)) as string
    const end = at
    at = start
    note([...path, name])
    at = end
    skipSpace()
    at += 1
    readValue([...path, name])
  }

  function readString(): void {
    at += 1
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at += 1
  }

  function readItems(close: string, readItem: (index: number) => void): void {
    at += 1
    skipSpace()
    for (let index = 0; at < text.length && text[at] !== close; index += 1) {
      readItem(index)
      skipSpace()
      if (text[at] === ',') at += 1
      skipSpace()
    }
    at += 1
  }

  function skipSpace(): void {
    while (at < text.length && isSpace.test(text[at]!)) at += 1
  }
}

const isSpace = /[ \t\n\r]/
const isEnd = /[ \t\n\r,\]}]/

/** Returns `line 3, column 5` for a place in a text, both from 1. */
export function lineAndColumn(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}
