import { patternOnUse } from './pattern-on-use.ts'

// Matches every character that is invisible or that could mislead. These are controls, format and
// bidirectional characters, lone surrogates, private use, and unassigned code points. Separators
// other than the plain space, the Braille blank, and all that terminals do not draw are matched
// too.
const unprintable = patternOnUse(
  String.raw`(?! )[\p{C}\p{Z}\u2800\p{Default_Ignorable_Code_Point}]`,
  'gu',
)

/** Matches ASCII text that needs no escapes, in a tenth of the time of the Unicode classes. */
const plainLine = /^[ -~]*$/

/**
 * Makes text safe to print in a terminal.
 *
 * A character that could move the cursor, change colours, reorder the line or hide becomes a
 * visible escape such as `\u{1b}`. A backslash is doubled, so that escapes cannot be forged and
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

/** Does the same for a message that already quotes foreign text with doubled backslashes. */
export function printableMessage(text: string): string {
  if (plainLine.test(text)) return text
  return text.replace(
    unprintable(),
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** Matches the same, on several lines. */
const nothingToEscape = /^[\n -~]*$/

/** Returns JSON text of the same value that contains only line ends and visible characters. */
export function printableJson(json: string): string {
  if (nothingToEscape.test(json)) return json
  return json.replace(unprintable(), (character) =>
    character === '\n' ? character : character.split('').map(jsonEscape).join(''),
  )
}

function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
