// Reading JSON in steps takes and refuses what reading it at once does.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonFaultError, type JsonValue, parseJson } from '../../src/primitives/json.ts'
import { parseJsonSteps } from '../../src/primitives/json-steps.ts'
import { finish } from '../../src/primitives/steps.ts'
import { share } from '../support/share.ts'

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
const inSteps = (text: string) => outcomeOf((it) => finish(parseJsonSteps(it)), text)

test('reads any value as the parser of Node does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 1, 3), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent)
      expect(inSteps(spaced)).toEqual(atOnce(spaced))
    }),
  )
})

test('accepts and refuses damaged texts as the parser of Node does', () => {
  const characters = fc.constantFrom(...'{}[]",:0.eE-+ \\u\n\ttrue', '\u0000', '\u00a0', '')
  fc.assert(
    fc.property(fc.json(), fc.nat(), characters, (text, seed, character) => {
      const at = seed % (text.length + 1)
      const changed = text.slice(0, at) + character + text.slice(at + 1)
      const [steps, once] = [inSteps(changed), atOnce(changed)]
      // Twice the same is once where it is read at once.
      if ('fault' in steps && steps.fault === 'duplicate_member') return
      if ('value' in once) expect(steps, changed).toEqual(once)
      else expect(steps, changed).toHaveProperty('fault')
    }),
    { numRuns: share(3000) },
  )
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
      expect(inSteps(text)).toEqual({ fault: 'duplicate_member' })
    },
  )

  test('100,000 names, of which one is there twice, are read in linear time', () => {
    const names = Array.from({ length: share(100_000) }, (_, at) => `"n${at}":${at}`)
    const text = `{${names.join(',')}}`
    expect(inSteps(text)).toEqual(atOnce(text))
    expect(inSteps(`{${names.join(',')},"n77":0}`)).toEqual({ fault: 'duplicate_member' })
  })

  test('lets others in between', () => {
    let steps = 0
    for (const parse = parseJsonSteps(`[${'0,'.repeat(99_999)}0]`); !parse.next().done; ) steps += 1
    expect(steps).toBeGreaterThan(90)
  })
})
