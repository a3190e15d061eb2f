// Names of networks that a person reads as one of the known networks.

/**
 * Letters of other scripts, and digits, that are drawn as a Latin letter. Letters that are missing
 * here match any letter, so the list does not have to be complete.
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

/** Blanks, signs, marks and characters without a glyph: a reader does not see them, or overlooks them. */
const overlooked = /[^\p{L}\p{N}|]/gu

/** The letters that a reader sees in a name. */
function readLetters(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replace(overlooked, '')
  return [...plain]
    .map((letter) => latinOf.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
}

/**
 * Whether two names of networks look alike: the same after Unicode normalization, without blanks,
 * signs and case, and with letters replaced by the Latin ones that they are drawn as.
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

/** Whether a name shows a reader anything at all. */
export function isVisibleName(name: string): boolean {
  return readLetters(name) !== ''
}
