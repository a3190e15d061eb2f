import { expect, test } from 'vitest'
import { printable } from '../../src/primitives/printable.ts'

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
  ['tag characters', '\u{e0041}', '\\u{e0041}'],
  ['private use', '\ue000', '\\u{e000}'],
  ['half a character', 'a\ud800', 'a\\u{d800}'],
  ['a forged escape', '\\u{1b}', '\\\\u{1b}'],
])('%s becomes visible', (_, text, shown) => {
  expect(printable(text)).toBe(shown)
})

test.each(['DEMO', 'Ünïcödé', '価値 100', 'שלום', '🪙', 'a b', '�'])(
  '%s stays as it is',
  (text) => {
    expect(printable(text)).toBe(text)
  },
)
