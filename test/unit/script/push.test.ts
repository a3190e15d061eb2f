// Pushes, and the numbers and data that they push: komodo src/script/script.h, CScript and
// CScriptNum.

import { describe, expect, test } from 'vitest'
import { decodeConditionParams } from '../../../src/index.ts'
import { numberOf, pushForms, pushOf, splitScript } from '../../../src/script/push.ts'
import { refusalOf } from '../../support/refusal.ts'

describe('a push takes the shortest form', () => {
  test.each([
    [1, '01'],
    [75, '4b'],
    [76, '4c4c'],
    [255, '4cff'],
    [256, '4d0001'],
    [65_535, '4dffff'],
    [65_536, '4e00000100'],
  ])('a push of %i bytes takes the shortest form', (bytes, prefix) => {
    const data = 'ab'.repeat(bytes)
    expect(pushOf(data)).toBe(prefix + data)
    expect(splitScript(prefix + data)).toEqual([
      { opcode: Number(`0x${prefix.slice(0, 2)}`), data },
    ])
  })
})

describe('a form refuses data that its length cannot tell', () => {
  test.each([
    ['direct', 75],
    ['pushdata1', 255],
    ['pushdata2', 65_535],
  ] as const)('%s takes %i bytes at most', (form, most) => {
    const data = 'ab'.repeat(most)
    expect(pushOf(data, form)).toHaveLength(
      pushForms[form].opcode.length + 2 * pushForms[form].width + 2 * most,
    )
    expect(refusalOf(() => pushOf(`${data}ab`, form))).toMatchObject({
      code: 'push_too_short',
      path: 'push',
    })
  })
})

describe('a number', () => {
  test.each<[string, bigint]>([
    ['4f', -1n],
    ['51', 1n],
    ['60', 16n],
    ['00', 0n],
    ['0100', 0n],
    ['017f', 127n],
    ['0180', 0n],
    ['0181', -1n],
    ['01ff', -127n],
    ['028000', 128n],
    ['028080', -128n],
    ['020001', 256n],
    ['0400e40b54', 1_410_065_408n],
    ['04000000ff', -2_130_706_432n],
  ])('a pushed number is read from %s', (script, expected) => {
    expect(numberOf(splitScript(script)[0]!)).toBe(expected)
  })

  test.each(['50', '61', '75', 'ac'])('of %s, which pushes nothing, is 0', (script) => {
    expect(numberOf(splitScript(script)[0]!)).toBe(0n)
  })
})

describe('parameters of an output with a condition', () => {
  const header = '0401f20101'
  const key = '210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

  test.each<[string, string, string | undefined]>([
    ['OP_0', '00', '00'],
    ['OP_1', '51', '01'],
    ['OP_16', '60', '10'],
    ['OP_1NEGATE', '4f', undefined],
    ['OP_RESERVED', '50', undefined],
    ['OP_NOP', '61', undefined],
    ['an OP_PUSHDATA1 of no bytes', '4c00', undefined],
    ['an OP_PUSHDATA4 of no bytes', '4e00000000', undefined],
  ])('read %s as balanced data', (_, step, element) => {
    const params = decodeConditionParams(`${header}${key}${step}`)
    expect(params?.data).toEqual(element === undefined ? undefined : [element])
  })
})
