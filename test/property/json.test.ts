// Members given twice, against a second opinion: what `JSON.stringify` makes of both values.

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { JsonFaultError, parseJson, parsePlainJson } from '../../src/primitives/json.ts'
import { least, share } from '../support/share.ts'

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, 1, '', '0', 'a"\\', 'é', {}, []),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('0', '1', 'value', 'isLosslessNumber', 'a"\\'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value

/** The same value written in another way: spaces, escapes, members the other way round. */
function rewritten(it: unknown): string {
  if (Array.isArray(it)) return `[ ${it.map(rewritten).join(' , ')} ]`
  if (typeof it === 'object' && it !== null) {
    const members = Object.entries(it).reverse()
    return `{\n${members.map(([name, one]) => `${rewritten(name)} : ${rewritten(one)}`).join(',\t')}}`
  }
  if (typeof it !== 'string') return JSON.stringify(it)
  const escaped = it.replace(/[a-z0-9é]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `"${escaped.replace(/["]|\\(?!u)/g, '\\$&')}"`
}

function sorted(it: unknown): unknown {
  if (Array.isArray(it)) return ['array', ...it.map(sorted)]
  if (typeof it !== 'object' || it === null) return it
  const members = Object.entries(it).map(([name, one]) => [name, sorted(one)])
  return {
    object: members.sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1)),
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

test('members given twice pass exactly when they are the same', () => {
  let refused = 0
  fc.assert(
    fc.property(value, value, fc.boolean(), (one, other, isCopy) => {
      const second = isCopy ? one : other
      const text = `[{"x":[1],"m":${JSON.stringify(one)},"n":2,"\\u006d":${rewritten(second)}}]`
      for (const parse of [parseJson, parsePlainJson]) {
        let fault: string | undefined
        try {
          parse(text)
        } catch (error) {
          if (!(error instanceof JsonFaultError)) throw error
          fault = error.fault
        }
        expect(fault).toBe(isSame(one, second) ? undefined : 'duplicate_member')
        refused += fault === undefined ? 0 : 1
      }
    }),
    { numRuns: share(2000, 125) },
  )
  expect(refused).toBeGreaterThan(least(500))
})
