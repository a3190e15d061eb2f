// Recognizes network names that a person would read as one of the known networks.

import { patternOnUse } from '../primitives/pattern-on-use.ts'

/**
 * Letters of other scripts, and digits, that are drawn like a Latin letter. A missing letter
 * matches any letter, so the list need not be complete.
 *
 * @see Unicode Technical Standard 39, confusables.txt
 */
const drawnAs: Readonly<Record<string, string>> = {
  a: 'аɑα',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еєε3',
  h: 'һн',
  k: 'кκᴋ',
  l: 'ӏі1|ιıij',
  m: 'мᴍ',
  n: 'пη',
  o: 'оοσօס0',
  s: 'ѕ5',
  t: 'тτᴛ7',
}

const latinOf: ReadonlyMap<string, string> = new Map(
  Object.entries(drawnAs).flatMap(([latin, others]) =>
    [...others].map((other): [string, string] => [other, latin]),
  ),
)

/** Matches blanks, signs, marks and characters without a glyph, which a reader overlooks. */
const overlooked = patternOnUse(String.raw`[^\p{L}\p{N}|]`, 'gu')

/** Returns the letters that a reader sees in a name; none if the name has no visible character. */
export function visibleLetters(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replace(overlooked(), '')
  return [...plain]
    .map((letter) => latinOf.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
}

/**
 * Returns whether two names look alike: equal after Unicode normalization, without blanks, signs and
 * case, and with letters replaced by the Latin ones they resemble.
 *
 * @param seen - `visibleLetters` of a name
 * @param known - `visibleLetters` of a name in Latin letters
 */
export function looksLike(seen: string, known: string): boolean {
  // A letter of another script may take two units. A name that is much longer is not read at all.
  if (seen.length > 2 * known.length) return false
  const [letters, wanted] = [[...seen], [...known]]
  if (letters.length !== wanted.length) return false
  const isSame = letters.map((letter, at) => letter === wanted[at])
  const isUnknown = (letter: string) => !/[a-z0-9]/.test(letter)
  return isSame.includes(true) && letters.every((it, at) => isSame[at] || isUnknown(it))
}
