// Controls, format and bidirectional characters, lone surrogates, private use, unassigned code
// points, separators of every kind but the plain space, the Braille blank, and everything else that a
// terminal draws as nothing at all.
const unprintable = /(?! )[\p{C}\p{Z}\u2800\p{Default_Ignorable_Code_Point}]/gu

/**
 * Writes text so that a terminal can show it without obeying it.
 *
 * Every character that could move the cursor, change colours, reorder the line or hide becomes a
 * visible escape such as `\u{1b}`; a backslash is doubled, so that an escape cannot be forged and
 * different texts stay different.
 *
 * @param text - anything read from a transaction or a daemon
 * @returns one line of visible characters
 * @example
 * printable('gift\u202exe.') // 'gift\\u{202e}xe.'
 */
export function printable(text: string): string {
  return printableMessage(text.replaceAll('\\', '\\\\'))
}

/** `printable` for a message in which what strangers said is quoted already, backslashes and all. */
export function printableMessage(text: string): string {
  return text.replace(
    unprintable,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** JSON text of the same value in which nothing but line ends and visible characters stands. */
export function printableJson(json: string): string {
  return json.replace(unprintable, (character) =>
    character === '\n' ? character : character.split('').map(jsonEscape).join(''),
  )
}

function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
