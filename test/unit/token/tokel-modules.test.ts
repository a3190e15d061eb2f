// The modules of tokeld that the library has rules for, by eval code, and the words for the others. Source:
// tokel src/cc/eval.cpp, Eval::Dispatch; src/cc/CCutils.cpp, ProcessCC.

import { describe, expect, test } from 'vitest'

import { type Transaction, type TransactionOutput, tokenScript } from '../../../src/index.ts'
import { encodeTokelData } from '../../../src/token/payload/tokel-data.ts'
import { tokelChain, tokelModuleRefusal } from '../../../src/token/rules/tokel-modules.ts'
import { a, b } from '../../support/resigned.ts'
import { push } from '../../support/sign.ts'
import { assets, mixedScript } from '../../support/sign-tokel.ts'
import { asks, bids, keyTokens, markerOf, p2pk, shown } from '../../support/tokel-market.ts'

const id = (digit: string) => digit.repeat(64)
const [tokenid, coins] = [id('1'), id('2')]
const vec = (hex: string) => (hex.length / 2).toString(16).padStart(2, '0') + hex
const out = (value: bigint, script: string): TransactionOutput => ({ value, script })
const says = (payload: string) => out(0n, `6a${push(payload)}`)
const made = (txid: string, outputs: readonly TransactionOutput[], from = coins) =>
  ({
    txid,
    inputs: [{ txid: from, vout: 0, scriptSig: '', sequence: 0 }],
    outputs,
  }) as unknown as Transaction
const known = new Map(
  [
    made(coins, [out(100_000n, p2pk(a))], id('3')),
    made(tokenid, [out(7n, keyTokens(a)), says(`f56301${vec(a)}015400`)]),
  ].map((it) => [it.txid, it]),
)
const chain = { find: (txid: string) => known.get(txid), height: 10 }
const refusal = (evalCode: number, ...outputs: TransactionOutput[]) =>
  tokelModuleRefusal(evalCode, made(id('9'), outputs), chain)

describe('a module of tokens', () => {
  test('refuses what moves and makes no tokens', () => {
    for (const evalCode of [0xf2, 0xf5]) {
      expect(refusal(evalCode)).toBe('no vouts')
      expect(refusal(evalCode, out(1n, p2pk(b)))).toBe('no tokens cc vins or cc vouts')
    }
    expect(refusal(0xf7)).toBe('no vouts')
    expect(refusal(0xf7, out(1n, p2pk(b)))).toBeUndefined()
  })

  test('has the rules of its own version', () => {
    const creation = [out(7n, keyTokens(a)), says(`f56301${vec(a)}015400`)]
    expect(refusal(0xf5, ...creation)).toBeUndefined()
    expect(refusal(0xf2, ...creation)).toBe('no tokens cc vins or cc vouts')
  })

  test('asks the module to which the data of a new token belong', () => {
    const creation = (data: string) => [
      out(7n, keyTokens(a)),
      says(`f56301${vec(a)}015400${vec(data)}`),
    ]
    expect(refusal(0xf5, ...creation('f702'))).toBe('tkl data invalid: invalid tkl data version')
    expect(refusal(0xf5, ...creation('ee00'))).toContain('module')
    expect(refusal(0xf5, ...creation('00ff'))).toBeUndefined()
    expect(refusal(0xf5, ...creation('f5ff'))).toBeUndefined()
    const { refusalBy } = tokelChain(chain)
    expect(refusalBy(0xf7, made(id('9'), creation('f702')))).toBe(
      'tkl data invalid: invalid tkl data version',
    )
  })

  test('is not asked again by a module that it has asked', () => {
    // Its output names a creation of tokens v1, whose data name the module of tokens v2.
    const data = shown('f2', [a], 1, [`f24301${vec(a)}015400${vec('f5aa')}`])
    const both = [
      out(5n, tokenScript(a, { evalCodes: [0xf2] }) + data),
      out(7n, keyTokens(a)),
      says(`f56301${vec(a)}015400${vec('f2aa')}`),
    ]
    expect(refusal(0xf5, ...both)).toBe('this node lets no module call itself')
  })
})

describe('the module of orders', () => {
  const marker = out(10_000n, markerOf(a))
  const i64 = (value: bigint) => Buffer.from(BigInt64Array.of(value).buffer).toString('hex')
  const terms = `f67301${i64(1000n)}${vec(a)}32000000`

  test('reads the token of an output, if the order is of tokens v2', () => {
    const offer = (units: TransactionOutput, of = tokenid) => [
      units,
      marker,
      says(`f57401${of}${vec(terms)}`),
    ]
    expect(refusal(0xf6, ...offer(out(7n, asks)))).toBeUndefined()
    expect(refusal(0xf6, ...offer(out(7n, p2pk(a))))).toBe(
      'invalid vout0 global two eval address for sell',
    )
    expect(refusal(0xf6, out(7n, p2pk(a)))).toBe('AssetValidate: invalid opreturn payload')
    const data = shown('f6', [assets], 1, [`f57401${coins}`])
    const named = mixedScript([assets], [0xf5, 0xf6], { params: data })
    expect(refusal(0xf6, ...offer(out(7n, named)))).toBe('invalid tokenid in output for tokenask')
  })

  test('reads no token of a plain output, and of none', () => {
    const [bid, art] = [id('4'), id('5')]
    const offers = `f66201${i64(1000n)}${vec(a)}32000000`
    const fills = `f64201${i64(1000n)}${vec(a)}32000000`
    const saysOf = (order: string) => says(`f57401${art}${vec(order)}`)
    const data = encodeTokelData({ royalty: 100 })
    const chainOfBid = new Map([
      ...known,
      [art, made(art, [out(7n, keyTokens(a)), says(`f56301${vec(a)}015400${vec(data)}`)])],
      [bid, made(bid, [out(7000n, bids), marker, saysOf(offers)])],
    ])
    const shows = `4c79a276a072a26ba067a5658021${b}8140${'00'.repeat(64)}a100af038001f6a10001`
    const fill = (...outputs: TransactionOutput[]) => {
      const { inputs } = made(id('9'), [])
      const spends = [...inputs, { txid: bid, vout: 0, scriptSig: shows, sequence: 0 }]
      const tx = { txid: id('9'), inputs: spends, outputs } as unknown as Transaction
      return tokelModuleRefusal(0xf6, tx, { find: (txid) => chainOfBid.get(txid), height: 10 })
    }
    const wrong = 'invalid tokenid in vout for tokenfillbid'
    const [left, paid] = [out(5000n, bids), out(2000n, p2pk(b))]
    expect(fill(left, paid, out(1n, p2pk(b)), out(0n, keyTokens(a)), saysOf(fills))).toBe(wrong)
    // The creator has an output of its own here, so that the units would come after the last one.
    expect(fill(left, out(2000n, keyTokens(b)), saysOf(fills))).toBe(wrong)
  })

  test('refuses a transaction of tokens v1 without an order', () => {
    expect(refusal(0xe3, out(7n, p2pk(a)))).toBe('AssetValidate: invalid opreturn payload')
    expect(refusal(0xe3)).toBe('AssetValidate: invalid opreturn payload')
    const without = says(`f25401${tokenid}01${vec(a)}`)
    expect(refusal(0xe3, out(7n, p2pk(a)), without)).toBe('AssetValidate: invalid opreturn payload')
    const order = `e37301${i64(1000n)}${vec(a)}32000000`
    expect(refusal(0xe3, out(7n, p2pk(a)), says(`f25401${tokenid}01${vec(a)}${vec(order)}`))).toBe(
      'this node does not model orders of tokens v1',
    )
  })
})

test.each([
  [0x10, 'mismatched -ac_cclib vs CClib_name'],
  [0x7f, 'mismatched -ac_cclib vs CClib_name'],
  [0x0f, 'validation not supported for eval code'],
  [0x80, 'validation not supported for eval code'],
])('a code that no module has, %d, is refused: %s', (evalCode, words) => {
  expect(refusal(evalCode, out(1n, p2pk(a)))).toBe(words)
})

test('a module that the library has no rules for is named', () => {
  expect(refusal(0xe4, out(1n, p2pk(a)))).toMatch(/^this node does not model the .+ module$/)
})
