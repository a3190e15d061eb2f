// JSON of files and servers: what is read, what is refused, and where the fault is. The parser of the
// platform is the oracle for values.

import { describe, expect, test } from 'vitest'

import {
  hasMoreValues,
  isEscaped,
  isJsonObject,
  isLosslessNumber,
  JsonFaultError,
  LosslessNumber,
  memberOf,
  nestingMax,
  parseJson,
  parsePlainJson,
  stringifyJson,
} from '../../../src/primitives/json.ts'
import {
  amount,
  bytes,
  height,
  items,
  malformed,
  object,
  parseJson as parseFile,
  string,
  strings,
} from '../../../src/primitives/json-fields.ts'
import { lineAndColumn, pathText, placesOf } from '../../../src/primitives/json-places.ts'
import { bigintAsText } from '../../../src/primitives/json-replacer.ts'
import { parseJsonSteps } from '../../../src/primitives/json-steps.ts'
import { findMemberTwice } from '../../../src/primitives/json-twice.ts'
import { finish } from '../../../src/primitives/steps.ts'

/** Returns the fault of a text, and `none` if there is none. */
function faultOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof JsonFaultError) return error.fault
    throw error
  }
  return 'none'
}
const messageOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}
const contextOf = (read: () => unknown): object => {
  try {
    read()
  } catch (error) {
    const { code, context } = error as { code: string; context: object }
    return { code, ...context }
  }
  return {}
}

/** The value with numbers as JSON.parse gives them. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, it) => (isLosslessNumber(it) ? Number(it.value) : it)))

const inSteps = (text: string) => finish(parseJsonSteps(text, 'equal'))
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

describe('JSON text', () => {
  test.each([
    'null',
    'true',
    'false',
    '0',
    '-0.5e+10',
    '1E-2',
    '10',
    '"text"',
    '""',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"',
    '"\\ud83e\\ude99"',
    '"\\\\"',
    '[]',
    '{}',
    ' [ 1 , [ ] , { } ] ',
    '\t{\n"a" : 1 ,\r "b":{"c":[true,false,null]}}',
    '{"a:b":"c:d","e":"{[,"}',
    '{"a":1,"A":2,"":3}',
    '[[1],[2,[3]]]',
    '{"__proto":1,"a__proto__":2}',
    nested(nestingMax),
    nestedObjects(nestingMax),
    `[${Array(200).fill('[]').join()}]`,
    `[${Array(200).fill('{}').join()}]`,
    '[null,"\\u0041",{"b":null}]',
  ])('is read as the platform reads it: %s', (text) => {
    const value: unknown = JSON.parse(text)
    expect(plain(parseJson(text))).toEqual(value)
    expect(parsePlainJson(text)).toEqual(value)
    expect(plain(inSteps(text))).toEqual(value)
  })

  test('keeps every digit of a number', () => {
    const number = '123456789012345678901234567890.1234567890'
    for (const read of [parseJson, inSteps]) {
      const [value] = read(`[${number}]`) as LosslessNumber[]
      expect(isLosslessNumber(value)).toBe(true)
      expect(value!.value).toBe(number)
    }
  })

  test.each([
    '',
    ' ',
    'nul',
    'truefalse',
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1}',
    '{"a":1]',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a" 1}',
    '{a:1}',
    '{1:1}',
    '{,}',
    '"',
    '"a',
    '"a\\"',
    '"\\x"',
    '"\\u12"',
    '"\n"',
    "'a'",
    '1 1',
    '[] x',
    ']',
    '}',
  ])('is refused where the platform refuses it: %j', (text) => {
    expect(() => JSON.parse(text)).toThrow()
    for (const read of [parseJson, parsePlainJson, inSteps]) {
      expect(faultOf(() => read(text))).toBe('not_json')
    }
  })

  test.each([
    ['a member called __proto__', '{"__proto__":1}', 'forbidden_member'],
    ['one that is written with escapes', '{"\\u005f_proto__":1}', 'forbidden_member'],
    ['one within a list', '[{"a":[{"__proto__":{}}]}]', 'forbidden_member'],
    ['half of a character', '"\\ud83e"', 'malformed_text'],
    ['half of a character that is written plainly', '"\\u0061\ud83e"', 'malformed_text'],
    ['half of a character before an escape', '"\ud800\\n"', 'malformed_text'],
    ['half of a character beside an escape', '["\ud800","\\u0041"]', 'malformed_text'],
    ['half of a character without any escape', '["a",{"b":"\udc00\ud800"}]', 'malformed_text'],
    ['half of a character in a plain name', '{"\udfff":1}', 'malformed_text'],
    ['half of a character in a name', '{"\\ude99":1}', 'malformed_text'],
    ['half of a character in a list', '[1,["\\uDBFF"]]', 'malformed_text'],
    ['lists that are nested too deep', nested(nestingMax + 1), 'nested_too_deep'],
    ['objects that are nested too deep', nestedObjects(nestingMax + 1), 'nested_too_deep'],
    ['a name given twice with other values', '{"a":1,"a":2}', 'duplicate_member'],
    ['a name given twice within a list', '[{"b":{"a":1,"a":"1"}}]', 'duplicate_member'],
    ['a list and an object of one name', '{"a":[1],"a":{"0":1}}', 'duplicate_member'],
    ['the same within', '[2,{"b":{"c":1,"a":[1],"a":{"0":1}}}]', 'duplicate_member'],
    ['the same beside others', '{"x":{"y":1},"a":{"0":1},"a":[1]}', 'duplicate_member'],
    ['a name given twice by an escape', '{"a":1,"\\u0061":2}', 'duplicate_member'],
  ])('is refused although the platform takes it: %s', (_, text, fault) => {
    expect(() => JSON.parse(text)).not.toThrow()
    for (const read of [parseJson, parsePlainJson, inSteps]) {
      expect(faultOf(() => read(text))).toBe(fault)
    }
  })

  test('of the same value twice is read, unless no name may be there twice', () => {
    const text = '{"a":[1,{"b":2}],"a":[ 1, {"b": 2} ]}'
    for (const read of [parseJson, parsePlainJson, inSteps]) {
      expect(plain(read(text))).toEqual({ a: [1, { b: 2 }] })
    }
    expect(faultOf(() => parseJson(text, 'none'))).toBe('duplicate_member')
    expect(faultOf(() => finish(parseJsonSteps(text, 'none')))).toBe('duplicate_member')
    expect(faultOf(() => finish(parseJsonSteps(text)))).toBe('duplicate_member')
  })

  test('of a daemon has the first of two members, as daemons read it', () => {
    expect(plain(parseJson('{"a":1,"b":2,"a":3}', 'first'))).toEqual({ a: 1, b: 2 })
    expect(faultOf(() => parseJson('{"a":1', 'first'))).toBe('not_json')
    expect(faultOf(() => parseJson('{"__proto__":1}', 'first'))).toBe('forbidden_member')
  })

  test('brackets and colons within strings are no nesting and no members', () => {
    const text = JSON.stringify({ a: '['.repeat(500), b: '{"x":1,"y":2}', '\\': '\\"{' })
    expect(plain(parseJson(text))).toEqual(JSON.parse(text))
    expect(parsePlainJson(text)).toEqual(JSON.parse(text))
    expect(plain(inSteps(text))).toEqual(JSON.parse(text))
  })

  test('names the duplicate member and its position, and the nesting limit', () => {
    expect(messageOf(() => inSteps('{"a":1, "a":2}'))).toBe("Duplicate key 'a' at position 8")
    expect(messageOf(() => parseJson('{"a":1, "a":2}'))).toBe(
      "Duplicate key 'a' encountered at position 9",
    )
    expect(messageOf(() => parseJson(nested(129)))).toBe('nested deeper than 128')
    expect(messageOf(() => inSteps(nested(129)))).toBe('nested deeper than 128')
  })

  test.each([
    ['', 0, 'JSON value'],
    ['[1,x]', 3, 'JSON value'],
    ['[1,', 3, 'JSON value'],
    ['{"a":}', 5, 'JSON value'],
    ['{"a"x', 4, 'Colon'],
    ['{"a" 1}', 5, 'Colon'],
    ['{ x', 2, 'Quoted name'],
    ['{"a":1,}', 7, 'Quoted name'],
    ['[1 x', 3, "Comma or ']'"],
    ['{"a":1 "b"', 7, "Comma or '}'"],
    ['[1}', 2, "Comma or ']'"],
    ['1 x', 2, 'End of input'],
    ['truex', 4, 'End of input'],
    ['1.2.3', 3, 'End of input'],
    ['01', 1, 'End of input'],
    ['[ "abc', 6, 'End of string'],
    ['"ab\\"', 5, 'End of string'],
    ['[ "\\x"]', 3, 'Character or escape'],
    ['"\\n\\u00e9\\u12x4"', 9, 'Character or escape'],
    ['"a\tb"', 2, 'Character or escape'],
    ['"a\n', 2, 'Character or escape'],
    ['"a\\', 2, 'Character or escape'],
    ['{"a\u0001":1}', 3, 'Character or escape'],
    ['-', 1, 'Digit'],
    ['[-x]', 2, 'Digit'],
    ['1.', 2, 'Digit'],
    ['1.e5', 2, 'Digit'],
    ['[1.5e]', 5, 'Digit'],
    ['1E+', 3, 'Digit'],
  ])('names what is missing, and its place: %j', (text, at, expected) => {
    expect(messageOf(() => inSteps(text))).toBe(`${expected} expected at position ${at}`)
    expect(messageOf(() => parseJson(text))).toMatch(new RegExp(` at position ${at}$`))
  })

  test('a text of many values is read with pauses', () => {
    const stepsOf = (count: number) => {
      const steps = parseJsonSteps(`[${Array(count).fill('1').join(',')}]`)
      let pauses = 0
      while (steps.next().done !== true) pauses += 1
      return pauses
    }
    expect([1000, 1022, 1023, 2046, 2047, 10_000].map(stepsOf)).toEqual([0, 0, 1, 1, 2, 9])
  })
})

describe('the number of values of a text', () => {
  test.each([
    ['1', 1],
    ['[]', 2],
    ['[1,2]', 3],
    ['{"a":1,"b":[1,2]}', 5],
    ['"[,{"', 1],
    ['["a,b","\\",["]', 3],
  ])('is counted without strings: %s', (text, count) => {
    expect(hasMoreValues(text, count)).toBe(false)
    expect(hasMoreValues(text, count - 1)).toBe(count > 1)
  })
})

test('a character is escaped behind an odd number of backslashes', () => {
  expect(['a"', '\\"', '\\\\"', 'a\\\\\\"', '"'].map((it) => isEscaped(it, it.length - 1))).toEqual(
    [false, true, false, true, false],
  )
})

describe('a member that is given twice', () => {
  test.each([
    ['{"a":1,"b":2}', undefined],
    ['{"a":1,"a":1}', undefined],
    ['{"a":{"x":1,"y":2},"a":{"y":2, "x" : 1}}', undefined],
    ['{"a":"b","a":"\\u0062"}', undefined],
    ['{"a":[{"b":1}],"c":[{"b":2}]}', undefined],
    ['{"a":1,"a":1.0}', { name: 'a', position: 8 }],
    ['{"a":1,"a":2}', { name: 'a', position: 8 }],
    ['{"a":1, "a" :2}', { name: 'a', position: 9 }],
    ['{"a":"1","a":1}', { name: 'a', position: 10 }],
    ['{"a":[1],"a":{"0":1}}', { name: 'a', position: 10 }],
    ['{"a":[1,2],"a":[2,1]}', { name: 'a', position: 12 }],
    ['{"a":[[1],2],"a":[1,[2]]}', { name: 'a', position: 14 }],
    ['{"a":[12],"a":[1,2]}', { name: 'a', position: 11 }],
    ['[{"b\\"":1,"b\\"":2}]', { name: 'b"', position: 11 }],
    ['{"a":1,"a":2,"a":3}', { name: 'a', position: 8 }],
    ['{"x":{"a":1,"a":2},"b":1,"b":2}', { name: 'a', position: 13 }],
    ['{"a":{"c":1,"b":2},"a":{"c":2,"b":1}}', { name: 'a', position: 20 }],
    ['[ ]', undefined],
    ['{ }', undefined],
    ['[1 ,2]', undefined],
  ])('is found with its place if the values differ: %s', (text, expected) => {
    expect(findMemberTwice(text)).toEqual(expected)
  })
})

describe('JSON that is written', () => {
  test('has each digit of big integers and of numbers that were read', () => {
    expect(stringifyJson({ a: 2n ** 70n, b: new LosslessNumber('1.10'), c: 1.5, d: [null] })).toBe(
      '{"a":1180591620717411303424,"b":1.10,"c":1.5,"d":[null]}',
    )
    expect(stringifyJson(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991')
  })

  test.each([
    [Number.NaN, 'NaN cannot be written as JSON'],
    [Number.POSITIVE_INFINITY, 'Infinity cannot be written as JSON'],
    [2 ** 53, '9007199254740992 is not exact: pass a bigint'],
    [undefined, 'value cannot be written as JSON'],
  ])('is refused where the server would receive another value: %s', (value, message) => {
    expect(() => stringifyJson(value)).toThrow(new TypeError(message))
    if (value !== undefined) expect(() => stringifyJson({ a: [value] })).toThrow(TypeError)
  })

  test('has big integers as decimal text for people', () => {
    expect(JSON.stringify({ a: 2n ** 70n, b: 1, c: 'x' }, bigintAsText)).toBe(
      '{"a":"1180591620717411303424","b":1,"c":"x"}',
    )
  })
})

test('a member is an own member of an object', () => {
  const number = new LosslessNumber('1')
  expect(memberOf({ a: 'b' }, 'a')).toBe('b')
  expect(memberOf({ a: 'b' }, 'toString')).toBeUndefined()
  expect(memberOf(number, 'value')).toBeUndefined()
  expect(memberOf(['x'], '0')).toBeUndefined()
  expect(memberOf(undefined, 'a')).toBeUndefined()
  expect([{}, [], null, 'text', number, undefined, true].map((it) => isJsonObject(it))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ])
  expect(isLosslessNumber({ isLosslessNumber: true, value: '1' })).toBe(false)
})

describe('a JSON file that a person wrote', () => {
  const code = 'malformed_case'

  test('is read up to a number of values', () => {
    expect(parseFile('{"a":[1,2]}')).toEqual({ a: [1, 2] })
    expect(parseFile('[1,2,3]', 4)).toEqual([1, 2, 3])
    const more = { code, path: 'case', expected: 'at most 3 values', actual: 'more' }
    expect(contextOf(() => parseFile('[1,2,3]', 3))).toEqual(more)
    expect(parseFile('"a, b, c"', 1)).toBe('a, b, c')
    expect(contextOf(() => parseFile('[]', 1))).toMatchObject({ actual: 'more' })
  })

  test.each([
    ['{\n  "a": x\n}', 9, 'something else in line 2, column 8'],
    ['[1,]', 3, 'something else in line 1, column 4'],
    ['{"position 5":1,"position 5":2}', 17, 'a member given twice in line 1, column 18'],
    ['{"é": 1,\n"é": 2}', 11, 'a member given twice in line 2, column 2'],
  ])('is refused with the place of its fault: %j', (text, offset, actual) => {
    const fault = { code, path: 'case', expected: 'JSON', offset, actual }
    expect(contextOf(() => parseFile(text))).toEqual(fault)
  })

  test.each([
    [nested(nestingMax + 1), 'values nested too deep'],
    ['{"__proto__":1}', 'a member called __proto__'],
    ['"\\ud800"', 'half of a character'],
  ])('is refused with the kind of its fault: %s', (text, actual) => {
    expect(contextOf(() => parseFile(text))).toEqual({
      code,
      path: 'case',
      expected: 'JSON',
      actual,
    })
  })

  test('is refused with the fault of the program as it is, if that is none of the file', () => {
    expect(() => parseFile(undefined as never)).toThrow(TypeError)
  })

  const key = 'ab'.repeat(32)
  const twice = 'x'.repeat(101)

  test.each<[string, () => unknown, object]>([
    ['an object', () => object(null, 'case', ['a']), { expected: 'an object', actual: null }],
    ['an object', () => object([], 'case', ['a']), { expected: 'an object', actual: 'an array' }],
    ['an object', () => object('x', 'case', ['a']), { expected: 'an object', actual: 'x' }],
    [
      'an object',
      () => object(undefined, 'case', []),
      { expected: 'an object', actual: 'nothing' },
    ],
    [
      'known members',
      () => object({ fe: 1 }, 'case', ['fee', 'own']),
      { path: 'case.fe', expected: 'fee', actual: 'fe' },
    ],
    [
      'known members',
      () => object({ fee: 1, quite: 1 }, 'case', ['fee', 'own']),
      { path: 'case.quite', expected: 'fee, own', actual: 'quite' },
    ],
    [
      'members that are no private keys',
      () => object({ [key]: 1 }, 'case', ['fee']),
      { path: 'case.what may be a private key', actual: 'what may be a private key' },
    ],
    ['a string', () => string(5, 'case.a'), { path: 'case.a', expected: 'a string', actual: 5 }],
    [
      'strings',
      () => strings(['a', {}], 'case.a'),
      { path: 'case.a[1]', expected: 'a string', actual: 'Object' },
    ],
    [
      'an array',
      () => strings('a', 'case.a'),
      { path: 'case.a', expected: 'an array of strings', actual: 'a' },
    ],
    ['hex', () => bytes('', 'case.a'), { expected: 'hex of at least one byte', actual: '' }],
    ['hex', () => bytes('abc', 'case.a'), { actual: 'abc' }],
    ['hex', () => bytes(['ab'], 'case.a'), { actual: 'an array' }],
    [
      'an amount',
      () => amount(5, 'case.a'),
      { expected: 'a string of 1 to 20 decimal digits', actual: 5 },
    ],
    ['an amount', () => amount('-5', 'case.a'), { actual: '-5' }],
    ['an amount', () => amount(' 5', 'case.a'), { actual: ' 5' }],
    ['an amount', () => amount('5 ', 'case.a'), { actual: '5 ' }],
    ['an amount', () => amount('', 'case.a'), { actual: '' }],
    ['an amount', () => amount(['5'], 'case.a'), { actual: 'an array' }],
    ['an amount', () => amount('1'.repeat(21), 'case.a'), { actual: '1'.repeat(21) }],
    [
      'a height',
      () => height('5', 'case.a'),
      { expected: 'a whole number from 0 to 4294967295', actual: '5' },
    ],
    ['a height', () => height(-1, 'case.a'), { actual: -1 }],
    ['a height', () => height(1.5, 'case.a'), { actual: 1.5 }],
    ['a height', () => height(2 ** 32, 'case.a'), { actual: 2 ** 32 }],
    ['a key', () => string(5, key), { actual: 5 }],
  ])('has %s where one is expected', (_, read, fault) => {
    expect(contextOf(read)).toMatchObject({ code, ...fault })
  })

  test('has values of each kind', () => {
    const value = { a: 1, b: 2 }
    expect(object(value, 'case', ['a', 'b'])).toBe(value)
    expect(string('', 'case')).toBe('')
    expect(strings(['a', ''], 'case')).toEqual(['a', ''])
    expect(bytes('aB', 'case')).toBe('aB')
    expect(amount('0', 'case')).toBe(0n)
    expect(amount('9'.repeat(20), 'case')).toBe(BigInt('9'.repeat(20)))
    expect([0, 5, 2 ** 32 - 1].map((it) => height(it, 'case'))).toEqual([0, 5, 2 ** 32 - 1])
    const paths = items([1, 2], 'case', { named: 'numbers', read: (_, path) => path })
    expect(paths).toEqual(['case[0]', 'case[1]'])
  })

  test('shows a value in brief, and no private key', () => {
    const actualOf = (value: unknown) => malformed('case', 'text', value).context.actual
    const words = 'a-word.'.repeat(20)
    expect(actualOf(words.slice(0, 100))).toBe(words.slice(0, 100))
    expect(actualOf(words.slice(0, 101))).toBe(`${words.slice(0, 100)}…`)
    expect(actualOf(twice)).toBe('what may be a private key')
    expect([true, 5, null, {}, []].map(actualOf)).toEqual([true, 5, null, 'Object', 'an array'])
  })
})

describe('the place of a value', () => {
  test('is named as a path', () => {
    expect(pathText([])).toBe('')
    expect(pathText(['users', 'alice', 0, 1, 'coins'])).toBe('users.alice[0][1].coins')
    expect(pathText([0, 'a'])).toBe('[0].a')
  })

  test('is where its name begins, or an item itself', () => {
    const text = ` {"a" : [ 1, {"b":"x\\"]"} ,[true] ],\n"c": {}, "d\\n":"e,f", "a": 5, "g":[], "h": nul }`
    const places = Object.fromEntries(placesOf(text))
    const expected: Record<string, string> = {
      '': '{"a"',
      a: '"a" ',
      'a[0]': '1,',
      'a[1]': '{"b"',
      'a[1].b': '"b"',
      'a[2]': '[true',
      'a[2][0]': 'true',
      c: '"c"',
      'd\n': '"d\\n"',
      g: '"g"',
      h: '"h"',
    }
    expect(Object.keys(places)).toEqual(Object.keys(expected))
    for (const [path, begins] of Object.entries(expected)) {
      expect(text.slice(places[path]).startsWith(begins)).toBe(true)
    }
  })

  test('is that of the first of two', () => {
    expect(placesOf('{"a":1,"a":2}').get('a')).toBe(1)
    expect([...placesOf('5')]).toEqual([['', 0]])
    expect([...placesOf('[]')]).toEqual([['', 0]])
  })

  test('is told as a line and a column, both from 1', () => {
    expect([0, 2, 3, 4, 6].map((at) => lineAndColumn('ab\n\ncd', at))).toEqual([
      'line 1, column 1',
      'line 1, column 3',
      'line 2, column 1',
      'line 3, column 1',
      'line 3, column 3',
    ])
  })
})
