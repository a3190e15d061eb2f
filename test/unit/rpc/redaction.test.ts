// A secret is hidden wherever a server says it, and no word is lost because a secret is short.

import { describe, expect, test } from 'vitest'

import { parseJson } from '../../../src/primitives/json.ts'
import { causesOf, codeOf, keptRedactor, redactor } from '../../../src/rpc/redaction.ts'
import { isQuick } from '../../support/share.ts'

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

test('a secret is hidden in its JSON and base64 forms too, however long', () => {
  const secret = 'pass"word'
  const { text } = redactor([secret])
  expect(text(JSON.stringify({ secret }))).toBe('{"secret":"[redacted]"}')
  expect(text(`Basic ${btoa(secret)}`)).toBe('Basic [redacted]')
})

test('a longer secret is hidden whole, whatever shorter one it contains', () => {
  const shown = redactor(['correct', 'correcthorse', '', 'correcthorsebattery']).text(
    'correcthorsebattery correcthorse correct',
  )
  expect(shown).toBe('[redacted] [redacted] [redacted]')
  expect(redactor(['']).text('nothing is hidden')).toBe('nothing is hidden')
})

test('seven characters are hidden as a word, eight also within one', () => {
  const { text } = redactor(['1234567', 'abcdefgh'])
  expect(text('1234567 01234567 12345678')).toBe('[redacted] 01234567 12345678')
  expect(text('abcdefgh xabcdefghx')).toBe('[redacted] x[redacted]x')
})

test('a short secret is a word by its first and its last character', () => {
  const { text } = redactor(['a1', '!a'])
  expect(text('a1 xa1 a12 a1x 1a1')).toBe('[redacted] xa1 a12 [redacted]x 1[redacted]')
  expect(text('x!a !ab')).toBe('x[redacted] !ab')
  // its second character says nothing of its end, nor does a sign of anything
  expect(redactor(['ab1-']).text('ab1-x xab1-')).toBe('[redacted]x xab1-')
  expect(redactor(['-a-']).text('d-a-e')).toBe('d[redacted]e')
})

test('a short secret is hidden in base64, as of a Basic authorization', () => {
  expect(btoa('ab:c')).toBe('YWI6Yw==')
  expect(redactor(['ab:c']).text('Basic YWI6Yw==')).toBe('Basic [redacted]')
})

test('a long secret is hidden to its end', () => {
  const secret = `${'0123456789abcdef'.repeat(isQuick ? 17 : 32)}end`
  expect(redactor([secret]).text(`<${secret}>`)).not.toContain('end')
  const exact = 'x'.repeat(256)
  expect(redactor([exact]).text(`<${exact}>`)).toBe('<[redacted]>')
})

test('a blank may be written as a plus, and another character may not', () => {
  const { text } = redactor(['correct horse'])
  expect(text('correct+horse')).toBe('[redacted]')
  expect(text('correct+orse cor+ect horse')).toBe('correct+orse cor+ect horse')
})

describe('a value', () => {
  const { value } = redactor(['1234', 'correcthorse'])

  test('has its texts and names hidden, wherever they are', () => {
    expect(
      value({ a: ['correcthorse', { 'of correcthorse': 'x correcthorse' }], b: true }),
    ).toEqual({
      a: ['[redacted]', { 'of [redacted]': 'x [redacted]' }],
      b: true,
    })
    expect(value([null, undefined, false])).toEqual([null, undefined, false])
  })

  test.each([
    [1234, '[redacted]'],
    [1234n, '[redacted]'],
    ['1234', '[redacted]'],
    [['1234'], ['[redacted]']],
    [parseJson('1234'), '[redacted]'],
    [12345, 12345],
    [12345n, 12345n],
    ['0.1234', '0.1234'],
    ['-1234', '-1234'],
    ['51234', '51234'],
    ['pin 1234', 'pin [redacted]'],
    ['1234 pin', '[redacted] pin'],
    ['1.2.1234', '1.2.[redacted]'],
    ['1234.', '[redacted].'],
    ['1234.x', '[redacted].x'],
    ['1234.5', '1234.5'],
    ['1234.56', '1234.56'],
    ['-0.1234', '-0.1234'],
  ])('a value of digits is hidden only if it is the secret: %o', (given, shown) => {
    expect(value(given)).toEqual(shown)
  })
})

describe('a result', () => {
  const typed = ['1234', '862743915', 'deadbeef', 'x'.repeat(16)]
  const password = 'hunter2secret'
  const { result, resultText } = redactor([password], [...typed, 'a b', 'y'.repeat(17)])

  test.each([
    '0400008085202f8901ab1234cd5eab',
    'aa862743915bb',
    'Rx1234yz',
    'bitcoincash:qz1234yz',
    '00deadbeef00',
    '51234',
    '0.1234 KMD',
    '1234.5 KMD',
  ])('keeps a word that contains a typed secret by chance: %s', (given) => {
    expect(result({ [given]: [given] })).toEqual({ [given]: [given] })
    expect(resultText(JSON.stringify({ [given]: given }))).toBe(JSON.stringify({ [given]: given }))
  })

  test.each(typed)('hides a typed secret that is a word of its own: %s', (secret) => {
    const quoted = `quoted\n${secret}, or "${btoa(secret)}"`
    const shown = 'quoted\n[redacted], or "[redacted]"'
    expect(result({ [quoted]: [quoted, secret] })).toEqual({ [shown]: [shown, '[redacted]'] })
    expect(resultText(JSON.stringify({ [quoted]: quoted }))).toBe(
      JSON.stringify({ [shown]: shown }),
    )
  })

  test('hides a typed secret that is long, or more than letters and digits, within a word', () => {
    expect(result('00a b00')).toBe('00[redacted]00')
    expect(result(`a${'y'.repeat(17)}a ${'x'.repeat(18)}`)).toBe(`a[redacted]a ${'x'.repeat(18)}`)
  })

  test.each([
    `user${password}x`,
    `ab${Buffer.from(password).toString('hex')}cd`,
    btoa(`aa:${password}:bb`),
  ])('hides the password of the client within a word: %s', (given) => {
    for (const redact of [redactor([password]), redactor([password], [password])]) {
      expect(redact.result(given)).toContain('[redacted]')
      expect(redact.resultText(JSON.stringify([given]))).toContain('[redacted]')
    }
  })

  test('hides a number only if it is a secret', () => {
    const given = [1234, parseJson('1234'), 51234, '0.1234', true, null]
    expect(result(given)).toEqual(['[redacted]', '[redacted]', 51234, '0.1234', true, null])
    expect(resultText('{ "a": 1234, "b": [0.1234, -1234, 12345, null] }')).toBe(
      '{ "a": "[redacted]", "b": [0.1234, -1234, 12345, null] }',
    )
  })
})

describe('an error', () => {
  const { error } = redactor(['correcthorse'])
  const failure = (message: string, more: object = {}) => Object.assign(new Error(message), more)

  test('keeps its name, message and code, with secrets hidden', () => {
    const given = failure('no correcthorse', {
      name: 'correcthorseError',
      code: 'E_correcthorse',
      request: { authorization: 'correcthorse' },
    })
    const shown = error(given) as Error & { code: string }
    expect(shown).toBeInstanceOf(Error)
    expect([shown.name, shown.message, shown.code]).toEqual([
      '[redacted]Error',
      'no [redacted]',
      'E_[redacted]',
    ])
    expect(shown).not.toHaveProperty('request')
    expect(error(failure('plain'))).not.toHaveProperty('code')
    expect(error(failure('plain'))).not.toHaveProperty('cause')
  })

  test('keeps five errors of a chain of causes', () => {
    let chain: Error | undefined
    for (let depth = 7; depth >= 0; depth -= 1) {
      chain = new Error(`${depth} correcthorse`, chain === undefined ? {} : { cause: chain })
    }
    const messages: string[] = []
    for (let at = error(chain) as Error | undefined; at !== undefined; at = at.cause as Error) {
      messages.push(at.message)
    }
    expect(messages).toEqual([0, 1, 2, 3, 4].map((depth) => `${depth} [redacted]`))
    expect([...causesOf(chain)]).toHaveLength(5)
  })

  test('an error of another kind is hidden as a value', () => {
    expect(error('correcthorse')).toBe('[redacted]')
    expect(error({ cause: 'correcthorse' })).toEqual({ cause: '[redacted]' })
    const shown = error(new Error('x', { cause: 'correcthorse' })) as Error
    expect(shown.cause).toBe('[redacted]')
  })

  test('has the first code of its causes', () => {
    const socket = failure('refused', { code: 'ECONNREFUSED' })
    const wrapped = new Error('fetch failed', { cause: failure('x', { code: 7, cause: socket }) })
    expect(codeOf(wrapped)).toBe('ECONNREFUSED')
    expect(codeOf(failure('y', { code: 'E1', cause: socket }))).toBe('E1')
    expect(codeOf(new Error('none'))).toBeUndefined()
    expect(codeOf({ code: 'no error' })).toBeUndefined()
    expect(codeOf(undefined)).toBeUndefined()
  })
})

describe('a redactor that is kept', () => {
  const reported = 'first secret, second secret'

  test('serves the next call with the same secrets', () => {
    const of = keptRedactor()
    const kept = of(['first secret', 'second secret'])
    expect(of(['first secret', 'second secret'])).toBe(kept)
    expect(kept.text(reported)).toBe('[redacted], [redacted]')
    expect(of([], ['first secret', 'second secret'])).not.toBe(kept)
  })

  test.each([
    [['first secret'], ['second secret'], 'first secret, [redacted]'],
    [['first secret'], ['first secret', 'second secret'], '[redacted], [redacted]'],
    [['first secret', 'second secret'], ['first secret'], '[redacted], second secret'],
    [['first secret', 'password'], ['first secret', 'second secret'], '[redacted], [redacted]'],
    [[], ['first secret'], '[redacted], second secret'],
    [['first secret'], [], reported],
  ])('does not serve other secrets: %j, then %j', (before, secrets, shown) => {
    const of = keptRedactor()
    of(before)
    expect(of(secrets).text(reported)).toBe(shown)
  })
})
