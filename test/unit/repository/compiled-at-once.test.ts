import { expect, test } from 'vitest'
import { calledFunctions, withFunctionsCompiled } from '../../../scripts/compiled-at-once.mjs'

const everywhere: ReadonlySet<string> = { has: () => true } as never

/** A script begins with a statement, as each file of the build does. */
function compiled(code: string): string {
  const script = `0;${code}`
  return String(withFunctionsCompiled(script, calledFunctions(script, everywhere)))
}

/** Runs a script in strict mode and returns the value of an expression after it. */
const resultOf = (code: string, expression: string): unknown =>
  new Function(`'use strict'; ${code}; return ${expression}`)()

test('functions are in parentheses, and declarations stand before all else', () => {
  expect(compiled('f(); function f(a) { return a }')).toBe(
    'var f = (function f(a) { return a });0;f(); ',
  )
  expect(compiled('const f = a => 1')).toBe('0;const f = (function(a) { return ( 1) })')
  expect(compiled('const f = async (a) => {}')).toBe('0;const f = (async function (a)  {})')
})

test.each([
  ['const f = (a = (b) => b + 1) => a(1)', 'f()', 2],
  ['const f = (a = ((b) => b + 1)) => a(1)', 'f()', 2],
  ['const f = ({ a, b: [c] = [2] }, ...rest) => [a, c, ...rest]', 'f({ a: 1 }, 3)', [1, 2, 3]],
  ['const f = ([a], { b = (x) => x } = {}) => b(a)', 'f([7])', 7],
  ['const f = (a = /=>/, b = "=>") => a.test(b)', 'f()', true],
  ['const f = (/* => */) => 1', 'f()', 1],
  ['const f = (a /* => */, // =>\n) => a', 'f(3)', 3],
  ['const f = () => /* => */ 1', 'f()', 1],
  ['const f = (\n  a,\n) =>\n  // =>\n  a', 'f(4)', 4],
  ['const f = () => ({ a: 1 })', 'f()', { a: 1 }],
  ['const f = () => (1, 2)', 'f()', 2],
  ['const f = () => { if (f) return; return 1 }', 'f()', undefined],
  ['const f = a => b => c => a + b + c', 'f(1)(2)(3)', 6],
  ['const f = a => a ? b => -b : c => c', '[f(1)(2), f(0)(3)]', [-2, 3]],
  ['const f = (x) => `$' + '{((y) => y)(x)} => `', 'f(1)', '1 => '],
  ['const f = async => async, asyncs = asyncs => asyncs', 'f(1) + asyncs(2)', 3],
  ['const é = "😀", f = (a) => a + é', 'f("ü")', 'ü😀'],
  ['function* f(a) { yield* a.map((b) => b + 1) }', '[...f([1, 2])]', [2, 3]],
  ['const f = () => 1, { g } = { g: () => 2 }', '[f.name, g.name]', ['f', 'g']],
])('%j has the value that it had', (code, expression, value) => {
  expect(resultOf(code, expression)).toEqual(value)
  expect(compiled(code)).toContain('(function')
  expect(resultOf(compiled(code), expression)).toEqual(value)
})

test.each([
  'const f = async x => x',
  'const f = async(x) => { await 0; return x }',
  'async function f(x) { return x }',
])('%j still returns a promise', async (code) => {
  expect(compiled(code)).toContain('(async function')
  await expect(resultOf(compiled(code), 'f(5)')).resolves.toBe(5)
})

test.each([
  ['class A { x = 1; m() { return () => this.x } }', 'new A().m()()', 1],
  ['class A { x = 1; m() { return (a = this.x) => a } }', 'new A().m()()', 1],
  ['class A { x = 1; m() { return () => () => this.x } }', 'new A().m()()()', 1],
  ['class A { x = "k"; m() { return () => class { static [this.x] = 1 } } }', 'new A().m()().k', 1],
  [
    'class A { m() { return 1 } } class B extends A { n() { return () => super.m() } }',
    'new B().n()()',
    1,
  ],
  ['function G() { this.f = (a = new.target) => a === G }', 'new G().f()', true],
  ['const g = function () { return () => arguments[0] }', 'g(7)()', 7],
  ['const g = function () { return (a = arguments[0]) => a }', 'g(7)()', 7],
])(
  '%j keeps an arrow function that uses what the function around it has',
  (code, expression, value) => {
    expect(resultOf(code, expression)).toBe(value)
    expect(resultOf(compiled(code), expression)).toBe(value)
  },
)

test('only functions that were called are in parentheses, also after other statements changed', () => {
  const code = 'const one = (a) => a, two = (b) => b; function three() { return (c) => c }'
  const places = ['(b) => b', 'function three() { return (c) => c }'].map((text) => {
    const start = code.indexOf(text)
    return `${start}-${start + text.length}`
  })
  const keys = calledFunctions(code, new Set(places))
  expect(String(withFunctionsCompiled(`const zero = () => 0; ${code}`, keys))).toBe(
    'var three = (function three() { return (c) => c });' +
      'const zero = () => 0; const one = (a) => a, two = (function(b) { return ( b) }); ',
  )
})

test('a function that the script lacks is an error', () => {
  const keys = calledFunctions('0; function one() {} const two = () => 2', everywhere)
  expect(() => withFunctionsCompiled('0; function one() {}', keys)).toThrow(': two 0')
})
