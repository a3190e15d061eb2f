// A secret is found in whatever form a server writes it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/rpc/redaction.ts'
import { share, shareOf } from '../support/share.ts'

const json = (text: string): string => JSON.stringify(text).slice(1, -1)
const bytesOf = (text: string): Buffer => Buffer.from(text)
const base64 = (text: string): string => bytesOf(text).toString('base64')
const hex = (text: string): string => bytesOf(text).toString('hex')
const units = (text: string, write: (code: string) => string): string =>
  Array.from({ length: text.length }, (_, at) =>
    write(text.charCodeAt(at).toString(16).padStart(4, '0')),
  ).join('')
const points = (text: string, write: (point: number) => string): string =>
  [...text].map((it) => write(it.codePointAt(0) ?? 0)).join('')
const percentAll = (text: string): string =>
  [...bytesOf(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  ä: '&auml;',
}
const html = (text: string): string => text.replace(/[&<>"'ä]/g, (it) => entities[it]!)

const forms: readonly [name: string, write: (secret: string) => string][] = [
  ['as it is', (it) => it],
  ['as JSON', json],
  ['as JSON in JSON', (it) => json(json(it))],
  ['as JSON in JSON in JSON', (it) => json(json(json(it)))],
  ['as JSON with escaped slashes', (it) => json(it).replaceAll('/', '\\/')],
  ['as JSON of ASCII', (it) => units(it, (code) => `\\u${code}`)],
  ['as JSON of ASCII in capitals', (it) => units(it, (code) => `\\u${code.toUpperCase()}`)],
  ['as JSON of ASCII in JSON', (it) => json(units(it, (code) => `\\u${code}`))],
  ['for a URL', encodeURIComponent],
  ['for a URL, twice', (it) => encodeURIComponent(encodeURIComponent(it))],
  ['for a URL, every byte', percentAll],
  ['for a URL, every byte in capitals', (it) => percentAll(it).toUpperCase()],
  ['for a form', (it) => encodeURIComponent(it).replaceAll('%20', '+')],
  ['as JSON for a URL', (it) => encodeURIComponent(json(it))],
  ['for HTML', html],
  ['for HTML in HTML', (it) => html(html(it))],
  ['for HTML, in decimal', (it) => points(it, (point) => `&#${point};`)],
  ['for HTML, in hex', (it) => points(it, (point) => `&#x${point.toString(16)};`)],
  [
    'for HTML, in hex and capitals',
    (it) => points(it, (p) => `&#X${p.toString(16).toUpperCase()};`),
  ],
  ['for HTML, in decimal, twice', (it) => points(it, (point) => `&amp;#${point};`)],
  ['in base64', base64],
  ['in base64 without padding', (it) => base64(it).replaceAll('=', '')],
  ['in base64 for a URL', (it) => bytesOf(it).toString('base64url')],
  ['in base64 as JSON', (it) => base64(it).replaceAll('/', '\\/')],
  ['in base64, escaped for a URL', (it) => encodeURIComponent(base64(it))],
  ['in base64 behind a name', (it) => base64(`user:${it}`)],
  ['in base64 behind another', (it) => base64(`us:${it} and more`)],
  ['in base64 behind a third', (it) => bytesOf(`u:${it} and`).toString('base64url')],
  ['as JSON in base64', (it) => base64(`{"password":"${json(it)}"}`)],
  ['in hex', hex],
  ['in hex and capitals', (it) => hex(it).toUpperCase()],
  ['in hex with blanks', (it) => hex(it).replace(/..(?!$)/g, '$& ')],
  ['in hex with colons', (it) => hex(it).replace(/..(?!$)/g, '$&:')],
  ['in hex of a string', (it) => hex(it).replace(/..(?!$)/g, '$&\\x')],
  ['as JSON in hex', (it) => hex(json(it))],
]
const latinForms: typeof forms = [
  [
    'in Latin-1, for a URL',
    (it) =>
      [...Buffer.from(it, 'latin1')].map((b) => `%${b.toString(16).padStart(2, '0')}`).join(''),
  ],
  ['in Latin-1 and base64', (it) => Buffer.from(it, 'latin1').toString('base64')],
  ['in Latin-1 and hex', (it) => Buffer.from(it, 'latin1').toString('hex')],
  ['read as Latin-1', (it) => bytesOf(it).toString('latin1')],
]

const shownFor = (secret: string, reported: string): string => redactor([secret]).text(reported)
const letters = (text: string): fc.Arbitrary<string> => fc.constantFrom(...text)
const plain = letters('abcXYZ019 "\\/&<>\'%+-_=#;:{}[]()^$.*?|\t\n')
const secretOf = (character: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(character, { minLength: 8, maxLength: 40 }).map((all) => all.join(''))

describe.each([...forms, ...latinForms])('%s', (name, write) => {
  const isLatin = latinForms.some(([it]) => it === name)
  const beyond = isLatin ? 'äöüßé¡ÿ' : 'äßéλ漢\u{1f511}\u{10ffff}'
  const secrets = fc.oneof(secretOf(plain), secretOf(fc.oneof(plain, letters(beyond))))

  test('is found, and nothing of it is left', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const form = write(secret)
        const shown = shownFor(secret, `before ${form} after`)
        expect(shown).toContain('[redacted]')
        expect(shown.startsWith('before ')).toBe(true)
        expect(shown.endsWith(' after')).toBe(true)
        expect(shown).not.toContain(form)
        expect(shown.length).toBeLessThan(7 + 6 + '[redacted]'.length + 64)
      }),
      { numRuns: share(60) },
    )
  })
})

test('each character may be written in a form of its own', () => {
  const mixed = 'p\\u00e4%73&#115;w\\\\\\"r&quot;%2Fd&#x1F511;'
  expect(shownFor('pässw"r"/d\u{1f511}', `a ${mixed} b`)).toBe('a [redacted] b')
})

test('leaves all other text as it is', () => {
  const reported = 'tokeninfo: cant find tokenid 7df350ce1e4b0b78d60c984c02925e982c72211fe9e5d8c7'
  fc.assert(
    fc.property(secretOf(letters('ghijkQRS!?é')), (secret) => {
      expect(shownFor(secret, reported)).toBe(reported)
    }),
    { numRuns: share(100) },
  )
})

test('a long secret is found part by part', () => {
  const secret = Array.from({ length: share(300, 60) }, (_, at) => at.toString(36)).join('-')
  expect(shownFor(secret, `x ${secret} y`)).toMatch(/^x (?:\[redacted\])+ y$/)
})

const longRuns = [
  '\\'.repeat(500_000),
  '%25'.repeat(200_000),
  '&amp;'.repeat(200_000),
  'aé'.repeat(300_000),
]

test.each(shareOf(longRuns))(
  'a long run of what begins a form costs little: %#',
  (run) => {
    // Time of the processor: other processes do not count.
    const began = process.cpuUsage()
    shownFor('"quoted" password é', run)
    const { user, system } = process.cpuUsage(began)
    expect(user + system).toBeLessThan(3_000_000)
  },
  60_000,
)
