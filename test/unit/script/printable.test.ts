import { expect, test } from 'vitest'
import { printable, printableJson } from '../../../src/primitives/printable.ts'

test.each([
  ['a terminal escape', '\x1b[2Jgone', '\\u{1b}[2Jgone'],
  ['an 8-bit escape', '\x9b31m', '\\u{9b}31m'],
  ['a carriage return', 'pay 1\rpay 9', 'pay 1\\u{d}pay 9'],
  ['a line end', 'a\nb', 'a\\u{a}b'],
  ['a backspace and a delete', 'a\b\x7f', 'a\\u{8}\\u{7f}'],
  ['a right-to-left override', 'gift\u202exe.', 'gift\\u{202e}xe.'],
  ['isolates and marks', '\u2066a\u2069\u200f\u061c', '\\u{2066}a\\u{2069}\\u{200f}\\u{61c}'],
  ['a zero-width space', 'USD\u200bT', 'USD\\u{200b}T'],
  ['a byte order mark', '\ufeffA', '\\u{feff}A'],
  ['a soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
  ['a filler that shows nothing', '\u3164', '\\u{3164}'],
  ['line and paragraph separators', '\u2028\u2029', '\\u{2028}\\u{2029}'],
  ['a space that is none between words', 'TOK\u00a0', 'TOK\\u{a0}'],
  ['a blank of Braille', 'a\u2800b', 'a\\u{2800}b'],
  ['tag characters', '\u{e0041}', '\\u{e0041}'],
  ['private use', '\ue000', '\\u{e000}'],
  ['half a character', 'a\ud800', 'a\\u{d800}'],
  ['a forged escape', '\\u{1b}', '\\\\u{1b}'],
])('%s becomes visible', (_, text, shown) => {
  expect(printable(text)).toBe(shown)
})

// Unicode 16, category Zs, but for the plain space
test.each([
  0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009,
  0x200a, 0x202f, 0x205f, 0x3000,
])('the space U+%x becomes visible', (code) => {
  const space = String.fromCodePoint(code)
  expect(printable(`a${space}b`)).toBe(`a\\u{${code.toString(16)}}b`)
  expect(printableJson(`"a${space}b"`)).toBe(`"a\\u${code.toString(16).padStart(4, '0')}b"`)
})

test.each(['DEMO', 'Ünïcödé', '価値 100', 'שלום', '🪙', 'a b', '�'])(
  '%s stays as it is',
  (text) => {
    expect(printable(text)).toBe(text)
  },
)
