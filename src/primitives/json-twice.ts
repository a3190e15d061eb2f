/** A member that one object contains twice, with different values. */
interface MemberTwice {
  readonly name: string
  /** The position after the second name's quotation mark, in characters. */
  readonly position: number
}

/**
 * Finds a member given twice with different values, in valid JSON.
 *
 * Two values are equal if their texts are, apart from white space, the spelling of strings and the
 * order of members. An array never equals an object, and a number never equals an object.
 */
export function findMemberTwice(text: string): MemberTwice | undefined {
  let at = 0
  let found: MemberTwice | undefined
  readValue()
  return found

  /**
   * Reads the next value in a canonical form. It is built with `+`, which copies nothing until two
   * values are compared; otherwise each level would copy all levels below it.
   */
  function readValue(): string {
    skipSpace()
    const first = text[at]
    if (first === '"') return JSON.stringify(readString())
    if (first === '{') return readObject()
    if (first === '[') return readArray()
    const start = at
    while (at < text.length && !isEnd.test(text[at]!)) at += 1
    return text.slice(start, at)
  }

  function readString(): string {
    const start = at
    at += 1
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at += 1
    return JSON.parse(text.slice(start, at)) as string
  }

  function readArray(): string {
    let items = ''
    readItems(']', () => {
      items += `${readValue()},`
    })
    return `[${items}]`
  }

  function readObject(): string {
    const members = new Map<string, string>()
    readItems('}', () => {
      skipSpace()
      const position = at + 1
      const name = readString()
      skipSpace()
      at += 1
      const value = readValue()
      const before = members.get(name)
      if (before !== undefined && before !== value) found ??= { name, position }
      members.set(name, value)
    })
    const sorted = [...members].sort(([one], [other]) => (one < other ? -1 : 1))
    let text = ''
    for (const [name, value] of sorted) text += `${JSON.stringify(name)}:${value},`
    return `{${text}}`
  }

  function readItems(close: string, readItem: () => void): void {
    at += 1
    skipSpace()
    while (at < text.length && text[at] !== close) {
      readItem()
      skipSpace()
      if (text[at] === ',') at += 1
    }
    at += 1
  }

  function skipSpace(): void {
    while (at < text.length && isSpace.test(text[at]!)) at += 1
  }
}

const isSpace = /[ \t\n\r]/
const isEnd = /[ \t\n\r,\]}]/
