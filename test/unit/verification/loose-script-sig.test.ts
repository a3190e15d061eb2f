// ScriptSigs that chains accept in more forms than one, and what becomes of each. Sources: komodo
// src/script/interpreter.cpp, VerifyScript, EvalScript and CheckSignatureEncoding; BIP 66; BIP 146.

import { describe, expect, test } from 'vitest'

import { tightened } from '../../../src/verification/loose-script-sig.ts'
import { p2pkh, p2sh } from '../../support/payments.ts'
import { a, b, c, p2pk } from '../../support/resigned.ts'
import { push } from '../../support/sign.ts'

/** The order of the group: SEC 2, secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const half = order / 2n
const hexOf = (value: bigint) => value.toString(16).padStart(64, '0')
const byte = (value: number) => value.toString(16).padStart(2, '0')
const framed = (tag: string, content: string) => `${tag}${byte(content.length / 2)}${content}`
const r = framed('02', '11'.repeat(32))
/** The integer in strict DER: a first digit of 8 or more needs a zero byte before it. */
const integer = (value: bigint) =>
  framed('02', /^[89a-f]/.test(hexOf(value)) ? `00${hexOf(value)}` : hexOf(value))
const signed = (s: string) => `${framed('30', r + s)}01`
const signature = signed(integer(half))
const other = signed(integer(half - 1n))
/** The shortest in strict DER, with its hash type. */
const shortest = '300602010102010101'

const twoOfThree = `5221${a}21${b}21${c}53ae`
const unknown = '76a9'
const pushes = (...items: string[]) => items.map(push).join('')

describe('a scriptSig for a key', () => {
  test('is its last push, whatever is before it', () => {
    const form = { scriptSig: push(signature) }
    expect(tightened(push(signature), p2pk(a))).toEqual(form)
    expect(tightened(pushes('aabb', signature), p2pk(a))).toEqual(form)
    expect(tightened(`4f5160${push(signature)}`, p2pk(a))).toEqual(form)
    const length = byte(signature.length / 2)
    expect(tightened(`4d${length}00${signature}`, p2pk(a))).toEqual(form)
    expect(tightened(`4e${length}000000${signature}`, p2pk(a))).toEqual(form)
  })

  test('has as many bytes as a signature at least', () => {
    expect(tightened(push(shortest), p2pk(a))).toEqual({ scriptSig: push(shortest) })
    expect(tightened(push(shortest.slice(2)), p2pk(a))).toBe('refused')
    expect(tightened('', p2pk(a))).toBe('refused')
    for (const number of ['00', '4f', '51', '60']) {
      expect(tightened(`${push(signature)}${number}`, p2pk(a))).toBe('refused')
    }
  })

  test('is refused if a push reaches over its end', () => {
    expect(tightened(`${push(signature)}05aa`, p2pk(a))).toBe('refused')
  })

  // 50 is reserved, and 61 is the first that pushes nothing.
  test.each(['50', '61', 'ac'])('is open with the operation %s, which may do anything', (it) => {
    expect(tightened(`${push(signature)}${it}`, p2pk(a))).toBe('open')
    expect(tightened(`${push(signature)}${it}`, unknown)).toBe('other')
    expect(tightened(`${pushes('51')}${it}`, p2sh('51'))).toBe('refused')
  })
})

describe('a scriptSig for the hash of a key', () => {
  test('is a signature and the key', () => {
    const form = { scriptSig: pushes(signature, a) }
    expect(tightened(pushes(signature, a), p2pkh(a))).toEqual(form)
    expect(tightened(pushes('aa', signature, a), p2pkh(a))).toEqual(form)
    expect(tightened(`${push(signature)}4c21${a}`, p2pkh(a))).toEqual(form)
  })

  test('is refused with another key, or without one or a signature', () => {
    expect(tightened(pushes(signature, b), p2pkh(a))).toBe('refused')
    expect(tightened(push(a), p2pkh(a))).toBe('refused')
    expect(tightened('', p2pkh(a))).toBe('refused')
    expect(tightened(pushes('aa', a), p2pkh(a))).toBe('refused')
  })
})

describe('a scriptSig for several keys', () => {
  test('is one push that is ignored, and as many signatures as must sign', () => {
    const form = { scriptSig: `00${pushes(signature, other)}` }
    expect(tightened(`00${pushes(signature, other)}`, twoOfThree)).toEqual(form)
    expect(tightened(pushes('aa', signature, other), twoOfThree)).toEqual(form)
    expect(tightened(pushes('aa', 'bb', signature, other), twoOfThree)).toEqual(form)
  })

  test('is refused without the push that is ignored, or with what is not a signature', () => {
    expect(tightened(pushes(signature, other), twoOfThree)).toBe('refused')
    expect(tightened(`00${push(signature)}`, twoOfThree)).toBe('refused')
    expect(tightened(`00${pushes('aa', signature)}`, twoOfThree)).toBe('refused')
    expect(tightened(`00${pushes(signature, 'aa')}`, twoOfThree)).toBe('refused')
  })
})

describe('a scriptSig for the hash of a script', () => {
  test('has the script last, after what that script needs', () => {
    expect(tightened(pushes('aa', signature, p2pk(a)), p2sh(p2pk(a)))).toEqual({
      scriptSig: pushes(signature, p2pk(a)),
    })
    expect(tightened(`00${pushes(signature, other, twoOfThree)}`, p2sh(twoOfThree))).toEqual({
      scriptSig: `00${pushes(signature, other)}4c69${twoOfThree}`,
    })
    // OP_1 pushes one byte of 01, and OP_1NEGATE one of 81
    expect(tightened('51', p2sh('01'))).toBe('other')
    expect(tightened('60', p2sh('10'))).toBe('other')
    expect(tightened('4f', p2sh('81'))).toBe('other')
  })

  test('is refused with another script, without one, or if that script is not satisfied', () => {
    expect(tightened(pushes(signature, p2pk(a)), p2sh(p2pk(b)))).toBe('refused')
    expect(tightened('', p2sh(p2pk(a)))).toBe('refused')
    expect(tightened(push(p2pk(a)), p2sh(p2pk(a)))).toBe('refused')
    expect(tightened(push(unknown), p2sh(unknown))).toBe('other')
  })
})

describe('the second number of a signature', () => {
  const lowered = (it: string) => {
    const form = tightened(push(it), p2pk(a))
    return typeof form === 'string' ? form : form.scriptSig.slice(2)
  }

  test('is the lower one of the two that are valid', () => {
    expect(lowered(signed(integer(half)))).toBe(signed(integer(half)))
    expect(lowered(signed(integer(half + 1n)))).toBe(signed(integer(half)))
    expect(lowered(signed(integer(half + 2n)))).toBe(signed(integer(half - 1n)))
    // A low number may be short.
    expect(lowered(signed(integer(order - 0x80n)))).toBe(signed('02020080'))
    expect(lowered(signed(integer(order - 1n)))).toBe(signed('020101'))
  })

  test('stays as it is if it is out of range', () => {
    for (const s of [order, order + 1n]) {
      expect(lowered(signed(integer(s)))).toBe(signed(integer(s)))
    }
  })

  test('stays as it is if it is not in strict DER, which no chain accepts', () => {
    const high = integer(half + 2n)
    const negative = framed('02', high.slice(6))
    expect(lowered(signed(negative))).toBe(signed(negative))
    const padded = framed('02', `00${high.slice(4)}`)
    expect(lowered(signed(padded))).toBe(signed(padded))
    const otherTag = `03${high.slice(2)}`
    expect(lowered(signed(otherTag))).toBe(signed(otherTag))
    const length = Number.parseInt(signed(high).slice(2, 4), 16)
    for (const wrong of [length - 1, length + 1]) {
      const framedWrong = `30${byte(wrong)}${signed(high).slice(4)}`
      expect(lowered(framedWrong)).toBe(framedWrong)
    }
  })

  test('may be missing, which no chain accepts', () => {
    const without = '300602020101020001'
    expect(lowered(without)).toBe(without)
  })

  test('keeps the hash type', () => {
    const high = signed(integer(half + 1n)).slice(0, -2)
    expect(lowered(`${high}83`)).toBe(`${signature.slice(0, -2)}83`)
  })
})
