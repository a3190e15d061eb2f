// Reading JSON in steps takes and refuses what reading it at once does.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  JsonFaultError,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../src/primitives/json.ts'
import { parseJsonSteps } from '../../src/primitives/json-steps.ts'
import { finish } from '../../src/primitives/steps.ts'
import { isQuick, least, share } from '../support/share.ts'

type Outcome = { readonly value: JsonValue } | { readonly fault: string }

function outcomeOf(parse: (text: string) => JsonValue, text: string): Outcome {
  try {
    return { value: parse(text) }
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    return { fault: error.fault }
  }
}

const atOnce = (text: string) => outcomeOf((it) => parseJson(it), text)
const inSteps = (text: string) => outcomeOf((it) => finish(parseJsonSteps(it, 'equal')), text)

test('reads any value as the parser of Node does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 1, 3), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent)
      expect(inSteps(spaced)).toEqual(atOnce(spaced))
    }),
  )
})

function placeOf(parse: (text: string) => JsonValue, text: string): string | undefined {
  try {
    parse(text)
  } catch (error) {
    return / position (\d+)$/.exec((error as Error).message)?.[1]
  }
  return undefined
}

test('accepts and refuses damaged texts as the parser of Node does', () => {
  const characters = fc.constantFrom(
    ...'{}[]",:0.eE-+ \\u\n\ttrue',
    '\u0000',
    '\u00a0',
    '\ud83d',
    '\ude00',
    '',
  )
  fc.assert(
    fc.property(fc.json(), fc.nat(), characters, (text, seed, character) => {
      const at = seed % (text.length + 1)
      const changed = text.slice(0, at) + character + text.slice(at + 1)
      const [steps, once] = [inSteps(changed), atOnce(changed)]
      if ('value' in once) expect(steps, changed).toEqual(once)
      else expect(steps, changed).toHaveProperty('fault')
      if ('value' in steps || steps.fault !== 'not_json') return
      const place = placeOf((it) => finish(parseJsonSteps(it, 'equal')), changed)
      expect(place, changed).toBe(placeOf(parseJson, changed))
    }),
    { numRuns: share(3000) },
  )
})

/** Values of which many are the same, or nearly: a list and an object of its items, `1` and `1.0`. */
const similar = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('1', '1.0', '"1"', '"\\u0031"', 'null', '{}', '[]', '[1]', '{"0":1}'),
    fc.constantFrom('{"value":"1"}', '{"value":"1","isLosslessNumber":true}', '[1,2]', '[2,1]'),
    fc.array(tie('value'), { maxLength: 2 }).map((items) => `[${items.join(' ,')}]`),
    fc
      .tuple(tie('value'), tie('value'), tie('value'))
      .chain(([one, other, third]) =>
        fc.constantFrom(
          `{"a":${one},"b":${other}}`,
          `{"b":${other}, "a":${one}}`,
          `{"a":${one},"a":${one}}`,
          `{"a":${one},"b":${third},"\\u0061":${one}}`,
          `{"a":${one},"a":${other}}`,
          `{"a":{"x":${one},"y":${other}},"a":{"y":${other},"x":${one}}}`,
        ),
      ),
  ),
})).value as fc.Arbitrary<string>

test('a member given twice is read and refused as it is at once', () => {
  const count = { read: 0, refused: 0 }
  fc.assert(
    fc.property(similar, similar, fc.boolean(), (one, other, isCopy) => {
      const text = `[{"m":${one},"n":0,"m":${isCopy ? one : other}}]`
      const steps = inSteps(text)
      expect(steps, text).toEqual(atOnce(text))
      if ('value' in steps) expect(stringifyJson(steps.value)).toBe(stringifyJson(parseJson(text)))
      count['value' in steps ? 'read' : 'refused'] += 1
    }),
    { numRuns: share(2000, 300) },
  )
  expect(count.read).toBeGreaterThan(least(500))
  expect(count.refused).toBeGreaterThan(least(500))
})

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('hostile texts', () => {
  test.each([
    '',
    ' ',
    '1',
    '-',
    '-0',
    '01',
    '1.',
    '.5',
    '1e',
    '1e5',
    '1E+05',
    '12345678901234567890.10',
    '"',
    '"a',
    '"\\"',
    '"\\u00e4\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\u12"',
    '"\\x"',
    '"\u0001"',
    '{"a":1,"a":2}',
    '{"":1,"":2}',
    '{"__proto__":1}',
    '{"\\u005f_proto__":1}',
    '["__proto__"]',
    '{"constructor":1,"toString":2}',
    '{"\\ud800":1}',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    "{'a':1}",
    '{"a":1,}',
    '[1 2]',
    '1 2',
    '[]]',
    '{}{}',
    'nul',
    'nulll',
    'True',
    'NaN',
    '\ufeff1',
    '[1}',
    '{"a":1]',
    deep(128),
    deep(129),
    '['.repeat(200_000),
    '{"a":'.repeat(129),
    ' [ 1 , { "a" : [ ] } ] ',
    '{"1":1,"0":2,"b":3}',
  ])('%j', (text) => {
    expect(inSteps(text)).toEqual(atOnce(text))
  })

  test.each(['{"a":1,"a":1}', '{"a":[],"a":[]}', '{"\\u0061":1,"a":1}'])(
    'refuses a name that is given twice, the same behind it or not: %s',
    (text) => {
      const strictly = outcomeOf((it) => finish(parseJsonSteps(it, 'none')), text)
      expect(strictly).toEqual({ fault: 'duplicate_member' })
      expect(strictly).toEqual(outcomeOf((it) => parseJson(it, 'none'), text))
    },
  )

  test('100,000 names, of which one is there twice, are read in linear time', () => {
    const names = Array.from({ length: share(100_000) }, (_, at) => `"n${at}":${at}`)
    const text = `{${names.join(',')}}`
    expect(inSteps(text)).toEqual(atOnce(text))
    expect(inSteps(`{${names.join(',')},"n77":0}`)).toEqual({ fault: 'duplicate_member' })
    const twice = `{${names.join(',')},${names.join(',')}}`
    expect(inSteps(twice)).toHaveProperty('value')
  })

  test('a long value that is there twice is compared with pauses', () => {
    const items = isQuick ? 20_000 : 100_000
    const list = `[${'0,'.repeat(items - 1)}0]`
    let steps = 0
    for (const parse = parseJsonSteps(`{"a":${list},"a":${list}}`, 'equal'); ; steps += 1) {
      if (parse.next().done) break
    }
    expect(steps).toBeGreaterThan((270 * items) / 100_000)
  })

  test('lets others in between', () => {
    let steps = 0
    for (const parse = parseJsonSteps(`[${'0,'.repeat(99_999)}0]`); !parse.next().done; ) steps += 1
    expect(steps).toBeGreaterThan(90)
  })
})
