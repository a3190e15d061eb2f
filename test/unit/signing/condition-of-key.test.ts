// The conditions of the keys that signed last are kept, which changes no answer.

import { expect, test } from 'vitest'

import { encodeCondition, moduleCondition, publicKeyOf } from '../../../src/index.ts'
import { treeFinder } from '../../../src/signing/condition-of-key.ts'

const [one, other] = ['1', '2'].map((digit) => publicKeyOf(digit.padStart(64, '0')))
const tokensOf = (key: string) => encodeCondition(moduleCondition([key], { evalCodes: [0xf2] }))

test('a search finds the conditions of its own keys, whatever was searched before', () => {
  const [mine, theirs] = [tokensOf(one!), tokensOf(other!)]
  for (let turn = 0; turn < 2; turn += 1) {
    expect(treeFinder([one!])(mine)).toEqual(moduleCondition([one!], { evalCodes: [0xf2] }))
    expect(treeFinder([one!])(theirs)).toBeUndefined()
    expect(treeFinder([other!])(theirs)).toEqual(moduleCondition([other!], { evalCodes: [0xf2] }))
    expect(treeFinder([other!])(mine)).toBeUndefined()
    expect(treeFinder([one!, other!])(theirs)).toBeDefined()
  }
})

test('an invalid key fails every search, not only the first one', () => {
  const search = () => treeFinder([`02${'ff'.repeat(32)}`])(tokensOf(one!))
  expect(search).toThrow('condition_public_key')
  expect(search).toThrow('condition_public_key')
})
