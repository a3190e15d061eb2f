// Recognizes network names that a person would read as one of the known networks.

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
const overlooked = /[^\p{L}\p{N}|]/gu

/** Returns the letters that a reader sees in a name. */
function readLetters(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replace(overlooked, '')
  return [...plain]
    .map((letter) => latinOf.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
}

/**
 * Returns whether two network names look alike: equal after Unicode normalization, without blanks,
 * signs and case, and with letters replaced by the Latin ones they resemble.
 *
 * @param known - a name in Latin letters
 */
export function readsLike(name: string, known: string): boolean {
  const [letters, wanted] = [[...readLetters(name)], [...readLetters(known)]]
  if (letters.length !== wanted.length) return false
  const isSame = letters.map((letter, at) => letter === wanted[at])
  const isUnknown = (letter: string) => !/[a-z0-9]/.test(letter)
  return isSame.includes(true) && letters.every((it, at) => isSame[at] || isUnknown(it))
}

/** Returns whether a name has a visible character. */
export function isVisibleName(name: string): boolean {
  return readLetters(name) !== ''
}
