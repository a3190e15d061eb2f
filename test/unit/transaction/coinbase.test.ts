// Decoding the input of a coinbase or an import.

import { describe, expect, test } from 'vitest'
import { coinbaseHeight, isCoinbase, isCoinImport } from '../../../src/transaction/coinbase.ts'

const input = (scriptSig: string) => ({
  txid: '00'.repeat(32),
  vout: 0xffffffff,
  scriptSig,
  sequence: 0xffffffff,
})

describe('a coinbase begins with its height', () => {
  test.each<[string, number]>([
    // Bitcoin's block of this height is the first that must begin with it: BIP 34.
    ['03fc7903', 227_836],
    ['51', 1],
    ['60', 16],
    ['5a00', 10],
    ['0111', 17],
    ['017f00', 127],
    ['028000', 128],
    ['02ff7f', 32_767],
    ['03008000', 32_768],
    ['0400000001', 16_777_216],
    // Bitcoin's first block begins with its difficulty, so this is not a height of a block.
    ['04ffff001d0104', 0x1d00ffff],
  ])('a coinbase begins with its height in %s', (scriptSig, height) => {
    expect(coinbaseHeight({ inputs: [input(scriptSig)] })).toBe(height)
  })

  test.each([
    '',
    '00',
    '50',
    '61',
    '4f',
    '03fc79',
    '01',
    '0200',
    '04000000',
    '050000000001',
    '4c0111',
  ])('a coinbase does not begin with %j', (scriptSig) => {
    expect(coinbaseHeight({ inputs: [input(scriptSig)] })).toBeUndefined()
  })

  test('a coinbase without inputs has no height', () => {
    expect(coinbaseHeight({ inputs: [] })).toBeUndefined()
  })
})

test('a coinbase has one input, which spends nothing', () => {
  expect(isCoinbase({ inputs: [input('51')] })).toBe(true)
  expect(isCoinbase({ inputs: [input('51'), input('51')] })).toBe(false)
  expect(isCoinbase({ inputs: [{ ...input('51'), vout: 0 }] })).toBe(false)
  expect(isCoinbase({ inputs: [{ ...input('51'), txid: '01'.repeat(32) }] })).toBe(false)
  expect(isCoinbase({ inputs: [] })).toBe(false)
})

// komodo src/primitives/transaction.h, CTransaction::IsCoinImport: vout 10e8
test('an import has one input, whose index says so', () => {
  const imports = { ...input('51'), vout: 1_000_000_000 }
  expect(isCoinImport({ inputs: [imports] })).toBe(true)
  expect(isCoinImport({ inputs: [imports, imports] })).toBe(false)
  expect(isCoinImport({ inputs: [input('51')] })).toBe(false)
})
