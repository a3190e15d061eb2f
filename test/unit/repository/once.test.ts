// A rule of the protocol stands in one file. These tests find the ones that return to a second.

import { expect, test } from 'vitest'

import { filesBelow, textOf } from '../../support/files.ts'

const sources = filesBelow('src').filter((path) => path.endsWith('.ts'))

const filesWith = (pattern: RegExp) => sources.filter((path) => pattern.test(textOf(path))).sort()

test('one file says what a txid, a hash and a public key look like', () => {
  const hex32 = /\^\[0-9a-f(?:A-F)?\]\{64\}\$/
  const key = /\[23\](?:\)|\])?\[0-9a-f(?:A-F)?\]\{64\}/
  // Private keys have the form of hashes, and are not copied to lower case.
  const privateKeys = ['src/condition/sign.ts', 'src/signing/wif.ts']
  expect(filesWith(hex32)).toEqual([privateKeys[0], 'src/primitives/hex-forms.ts', privateKeys[1]])
  expect(filesWith(key)).toEqual(['src/primitives/hex-forms.ts'])
  expect(filesWith(/\.length [!=]== 66\b/)).toEqual([])
})
