// A secret is hidden wherever a server says it, and no word is lost because a secret is short.

import { expect, test } from 'vitest'

import { redactor } from '../../../src/rpc/redaction.ts'

test.each([
  ['a', 'tokeninfo: cant find a tokenid', 'tokeninfo: cant find [redacted] tokenid'],
  ['find', 'cant find tokenid, finding nothing', 'cant [redacted] tokenid, finding nothing'],
  ['1234', 'pin1234 is wrong at 912345, "1234"', 'pin[redacted] is wrong at 912345, "[redacted]"'],
  ['a.b', 'axb a.b', 'axb [redacted]'],
  ['$&', 'that is $&', 'that is [redacted]'],
  ['correcthorse', 'xcorrecthorsex', 'x[redacted]x'],
])(
  '%j is hidden in %j, and what only looks like a part of it is not',
  (secret, reported, shown) => {
    expect(redactor([secret]).text(reported)).toBe(shown)
  },
)

test('in its JSON and base64 forms too, however long', () => {
  const secret = 'pass"word'
  const { text } = redactor([secret])
  expect(text(JSON.stringify({ secret }))).toBe('{"secret":"[redacted]"}')
  expect(text(`Basic ${btoa(secret)}`)).toBe('Basic [redacted]')
})
