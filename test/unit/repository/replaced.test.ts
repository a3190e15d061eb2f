import { expect, test } from 'vitest'
import { replaced } from '../../../scripts/replaced.mjs'

test('each occurrence is replaced, by the text as it is', () => {
  expect(replaced('a.b, a.c', 'a.', () => '(a()).')).toBe('(a()).b, (a()).c')
  expect(replaced('x = x; y = z;', /(\w) = \1;/g, (_, name) => `${name}$&;`)).toBe('x$&; y = z;')
})

test.each(['require("./b.js")', /^exports\.(\w+) = \1;$/gm])(
  'a build that does not find %s ends with an error',
  (written) => {
    expect(() => replaced('exports.a = b;', written, () => '')).toThrow(String(written))
  },
)
