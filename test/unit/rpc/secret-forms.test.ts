// Each way to write a secret is found, and what only looks like one is left alone.

import { describe, expect, test } from 'vitest'

import { redactor } from '../../../src/rpc/redaction.ts'

const shown = (secret: string, reported: string): string =>
  redactor([secret]).text(`<${reported}>`).slice(1, -1)

describe('a spelling of a secret', () => {
  test.each([
    ['pass word', 'pass+word'],
    ['pass"word', 'pass\\"word'],
    ['pass"word', 'pass\\\\\\"word'],
    ['pass\\word', 'pass\\\\word'],
    ['password', 'p\\u0061ssword'],
    ['passwörd', 'passw\\u00f6rd'],
    ['passwörd', 'passw\\u00F6rd'],
    ['passw\u{1f511}rd', 'passw\\ud83d\\udd11rd'],
    ['password', '%70assword'],
    ['passwörd', 'passw%c3%B6rd'],
    ['passwörd', 'passw%F6rd'],
    ['passwÿrd', 'passw%ffrd'],
    ['passwörd', 'passw\u00c3\u00b6rd'],
    ['passwörd', 'passw\ufffdrd'],
    ['passwörd', 'passw\ufffd\ufffdrd'],
    ['pass\tword', 'pass%09word'],
    ['pass"word', 'pass%2522word'],
    ['password', '&#112;assword'],
    ['password', '&#0112assword'],
    ['password', '&#x70;assword'],
    ['passwordú', 'password&#XFA;'],
    ['pass"word', 'pass&quot;word'],
    ['pass"word', 'pass&amp;quot;word'],
    ['pass\bword', 'pass\\bword'],
    ['pass\fword', 'pass\\fword'],
    ['pass\nword', 'pass\\nword'],
    ['pass\rword', 'pass\\rword'],
    ['pass\tword', 'pass\\tword'],
    ['pass\nword', 'pass%5Cnword'],
    ['pass/word', 'pass\\/word'],
    ['pa[s].w*rd', 'pa[s].w*rd'],
    ['pass\\word', 'pass\\\\word'],
    ['pass\\word', 'pass\\\\u005Cword'],
    ['pass\\word', 'pass%5cword'],
    ['pass\\word', 'pass&amp;#92;word'],
    ['pass\\word', 'pass&#X005C;word'],
    ['pass\\word', 'pass&bsol;word'],
    ['pass\\word', 'pass\\\\\\u0077ord'],
    ['pass\\"word', 'pass\\\\\\"word'],
    ['pass\\"word', 'pass\\\\\\u0022word'],
    ['pass\\\nword', 'pass\\\\\\nword'],
    ['pass\\öword', 'pass\\\\\\u00f6word'],
    ['pass\\\u{1f511}word', 'pass\\\\\\ud83d\\udd11word'],
    ['pass\\öword', 'pass\\\\\ufffd\ufffdword'],
    ['pass\\\\word', `pass${'\\'.repeat(26)}word`],
    ['пароль12', `${'\ufffd'.repeat(24)}12`],
    ['пароль12', '\\u043f\\u0430\\u0440\\u043e\\u043b\\u044c12'],
    ['pass\ufffdword', 'pass\ufffdword'],
    ['pass\ufffdword', 'pass\\ufffdword'],
    ['p\ufffd\ufffdword', 'p\ufffd\\ufffdword'],
    ['pas\ufffdöword', 'pas\ufffdöword'],
    ['pasö\ufffdword', 'pas\ufffd\ufffdword'],
    ['pass\\öäword', 'pass\\\\\\u00f6\\u00e4word'],
    ['pass"word', 'pass%5C"word'],
    ['pas\ufffdöword', 'pas\ufffd\ufffdword'],
  ])('%j is found in %j', (secret, written) => {
    expect(shown(secret, written)).toBe('[redacted]')
  })

  test.each([
    ['password', 'p&aacute;ssword'],
    ['password', 'p+ssword'],
    ['password', 'p\ufffdssword'],
    ['pass\u007fword', 'pass\ufffdword'],
    ['passwordĀ', 'password%100'],
    ['password', '\\password'],
    ['pass+word', 'passsword'],
    ['pa.sword', 'password'],
    ['pass"word', 'password'],
    ['password', 'PASSWORD'],
    // no character has this escape
    ['password', '\\assword'],
    ['pass\\word', 'password'],
    ['pass\\\\word', 'pass\\word'],
    ['pass\\\\word', `pass${'\\'.repeat(27)}word`],
    ['1пароль2', `1${'\ufffd'.repeat(25)}2`],
    ['pass"word', 'pass&bsol;word'],
  ])('%j is not found in %j', (secret, other) => {
    expect(shown(secret, other)).not.toBe('[redacted]')
  })
})

describe('a secret in hex', () => {
  test.each([
    ['pass', '70617373'],
    ['kö=Z', '6bc3b63d5a'],
    ['kö=Z', '6BC3B63D5A'],
    ['kö=Zx', '6bf63d5a78'],
    ['ÿöab', 'fff66162'],
    ['a"bc', '61226263'],
    ['a"bc', '615c226263'],
    ['pass', '70 61 73 73'],
    ['pass', '70:61:73:73'],
    ['pass', '70-61-73-73'],
    ['pass', '70,61,73,73'],
    ['pass', '700x610x730x73'],
    ['pass', '70\\x61\\x73\\x73'],
    ['pass', '70\\\\x61\\\\x73\\\\x73'],
  ])('%j is found in %j, within other digits', (secret, digits) => {
    expect(shown(secret, `00${digits}00`)).toBe('00[redacted]00')
  })

  test.each([
    ['pas', '706173'],
    ['pass', '70 61 73 74'],
    ['pass', '70617'],
    ['λöab', 'bbf66162'],
    ['pass', '70_61_73_73'],
  ])('%j is not found in %j', (secret, digits) => {
    expect(shown(secret, digits)).toBe(digits)
  })
})

describe('a secret in base64', () => {
  // the third byte of each group begins a digit; the others share one with their neighbours
  test.each([
    ['correcthorse', '', 'Y29ycmVjdGhvcnNl', '[redacted]'],
    ['correcthorse', 'u', 'dWNvcnJlY3Rob3JzZQ==', 'dW[redacted]Q=='],
    ['correcthorse', 'u:', 'dTpjb3JyZWN0aG9yc2U=', 'dTp[redacted]U='],
    ['secret', '', 'c2VjcmV0MQ==', '[redacted]MQ=='],
    ['~~~???', '', 'fn5+Pz8/', '[redacted]'],
    ['~~~???', '', 'fn5-Pz8_', '[redacted]'],
    ['~~~???', '', 'fn5%2BPz8%2f', '[redacted]'],
    ['~~~???', '', 'fn5%252bPz8%252F', '[redacted]'],
    ['~~~???', '', 'fn5+Pz8\\/', '[redacted]'],
    ['~~~???', '', 'fn5+Pz8\\\\\\/', '[redacted]'],
    ['ÿÿÿÿÿÿ', '', '////////', '[redacted]'],
    ['ab"cde', '', 'YWIiY2Rl', '[redacted]'],
    ['ab"cdef', '', 'YWJcImNkZWY=', '[redacted]Y='],
  ])('%j behind %j is found in %j', (secret, before, text, expected) => {
    const plain = Buffer.from(
      decodeURIComponent(decodeURIComponent(text)).replaceAll('\\', ''),
      'base64',
    )
    expect(plain.toString('latin1').startsWith(before)).toBe(true)
    expect(shown(secret, text)).toBe(expected)
  })

  test.each([
    ['secre', 'c2VjcmUx'],
    ['~~~???', 'fn5 Pz8 '],
    ['correcthorse', 'Y29ycmVjdGhvcnN'],
  ])('%j is not found in %j', (secret, text) => {
    expect(shown(secret, text)).toBe(text)
  })
})

test('a secret of which JSON writes more is found as JSON writes it', () => {
  expect(shown('a"b"c"d"', Buffer.from('a\\"b\\"c\\"d\\"').toString('hex'))).toBe('[redacted]')
})

test('a long secret that is cut short is hidden as far as it goes', () => {
  const secret = Array.from({ length: 100 }, (_, at) => at + 1000).join('')
  expect(shown(secret, `${secret.slice(0, 256)}…`)).toBe('[redacted]…')
  expect(shown(secret, `${secret.slice(0, 255)}…`)).toBe(`${secret.slice(0, 255)}…`)
})

// A server knows the password, so it can write what nearly is the password.
test.each([
  ['пароль'.repeat(3), '\ufffd'.repeat(100)],
  ['\ufffd\ufffd-'.repeat(36), '\ufffd\ufffd-'.repeat(35)],
  ['-'.repeat(16), '\\\\\\\\\\\\\\\\u002d'.repeat(15)],
  ['\\'.repeat(16), '\\'.repeat(200)],
  ['\\a'.repeat(16), '\\\\\\\\\\\\\\\\u0061'.repeat(15)],
  ['\\"'.repeat(16), '\\\\\\\\\\\\\\\\"'.repeat(15)],
  ['\\"'.repeat(30), '&bsol;'.repeat(200)],
  ['%5C'.repeat(16), '%5C'.repeat(200)],
  ['xyz'.repeat(12), '%78%79%7a'.repeat(11)],
])('a search for %j takes little time in a text that nearly has it', (secret, text) => {
  // Time of the processor: other processes do not count. Two readings of each character would
  // take years.
  const began = process.cpuUsage()
  redactor([`${secret}1`]).text(`${text}x`)
  const { user, system } = process.cpuUsage(began)
  expect(user + system).toBeLessThan(2_000_000)
})
