import { expect, test } from 'vitest'

import { secp256k1Failure } from '../../../src/condition/keys.ts'
import type { NativeEngine } from '../../../src/engine/native.ts'
import * as records from '../../../src/engine/records.ts'
import { verifySignature } from '../../../src/index.ts'
import { refusalOf } from '../../support/refusal.ts'
import { replaceableEngine } from '../../support/replaceable-engine.ts'

// These tests pass arguments straight to the native object. The engine must not return refused
// input as a value, and no wrong argument may end the process.

/** More than a block: the engine reads none of it. */
const overLimit = '00'.repeat(4_000_100)
const key = `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`

const native = replaceableEngine() as unknown as NativeEngine

type Call = () => unknown

/** One call of each function with more than it takes; `none` for those that take no data. */
const overLimitCalls: Record<string, Call | 'none'> = {
  makeScratch: 'none',
  takeAnswer: 'none',
  engineFeatures: 'none',
  freeCoinIndex: 'none',
  takeVerification: 'none',
  addCoins: () => native.addCoins(index(), beyondAnyCoin, noSizes),
  answerLines: () => native.answerLines(new Uint8Array(4_000_001)),
  createCoinIndex: () => native.createCoinIndex(beyondAnyCoin, noSizes),
  decodeCondition: () => native.decodeCondition(overLimit),
  decodeFulfillment: () => native.decodeFulfillment(overLimit),
  decodeTransaction: () => native.decodeTransaction(overLimit),
  decodeWithTxid: () => native.decodeWithTxid(overLimit),
  derivePublicKey: () => native.derivePublicKey(new Uint8Array(33), key32),
  describeScripts: () => native.describeScripts(overLimit),
  encodeAddresses: () => native.encodeAddresses(overLimit),
  encodeTransaction: () => native.encodeTransaction(overLimit),
  encodeTrees: () => native.encodeTrees(overLimit),
  hash160: () => native.hash160(overLimit),
  leadingTransactionBytes: () => native.leadingTransactionBytes(overLimit),
  readBlockHeaders: () => native.readBlockHeaders(overLimit),
  readConditionScripts: () => native.readConditionScripts(overLimit),
  readFulfillments: () => native.readFulfillments(overLimit),
  readPublicKeys: () => native.readPublicKeys(overLimit),
  recoverPublicKey: () => native.recoverPublicKey(overLimit),
  removeCoins: () => native.removeCoins(index(), Uint32Array.of(7)),
  selectCoins: () => native.selectCoins(beyondAnyCoin, noSizes, noSeed),
  selectIndexed: () => {
    const coins = index()
    records.writeTerms(termsOverLimit)
    return native.selectIndexed(coins, noSeed)
  },
  selectTransfer: () =>
    native.selectTransfer(beyondAnyCoin, noSizes, BigInt64Array.of(1n), noSizes, noSeed),
  signHash: () => native.signHash(overLimit, key32, key32),
  signatureHash: () => native.signatureHash(overLimit, ''),
  signatureHashes: () => native.signatureHashes('', overLimit),
  signaturePreimage: () => native.signaturePreimage(overLimit, ''),
  splitScript: () => native.splitScript(overLimit),
  splitTransactions: () => native.splitTransactions(Uint8Array.of(1)),
  startVerification: () => native.startVerification(overLimit, ''),
  transactionId: () => native.transactionId(overLimit),
  verifyInputs: () => native.verifyInputs(overLimit, ''),
  verifySignature: () => native.verifySignature(overLimit),
}

const beyondAnyCoin = BigInt64Array.of(2n ** 62n + 1n)
const noSizes = new Uint32Array(0)
const noSeed = new Uint8Array(0)
const key32 = new Uint8Array(32).fill(1)

// Files of tests share a process, so the words of the call before may be valid terms.
const termsOverLimit: records.Terms = {
  target: 1n,
  feeRate: -1n,
  longTermRate: 0n,
  fixedFee: 0n,
  changeSpend: 0n,
  changeMin: 1n,
  baseBytes: 0,
  changeBytes: 34,
  feeIsFixed: 0,
  inputsMax: 1,
  bytesMax: 1000,
  inputBytes: 148,
  tokenInputBytes: 0,
  tokenChangeBytes: 0,
  tokenInputsMax: 0,
  sweep: 0,
}

function index() {
  records.writeSizes({ inputBytes: 148 })
  return native.createCoinIndex(BigInt64Array.of(1n), noSizes)!
}

const functionNames = Object.entries(native).flatMap(([name, member]) =>
  typeof member === 'function' ? [name] : [],
)

test('every function of the engine has a case here', () => {
  expect(Object.keys(overLimitCalls).sort()).toEqual(functionNames.sort())
})

const limited = Object.entries(overLimitCalls).flatMap(([name, call]) =>
  call === 'none' ? [] : [[name, call] as const],
)

test.each(limited)('%s returns no value for data over its limit', (_, call) => {
  let result: unknown
  try {
    result = call()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
  }
  expect(result).toBeUndefined()
})

test.each(['der', 'compact'] as const)('refuses a %s signature over the limit', (encoding) => {
  const parts = { hash: '11'.repeat(32), publicKey: key, signature: overLimit, encoding }
  const refused = { code: 'input_over_limit', path: 'signature' }
  expect(refusalOf(() => verifySignature(parts))).toEqual(refused)
  expect(secp256k1Failure(key, overLimit, new Uint8Array(32))).toBe('input_over_limit')
  const longKey = { ...parts, signature: '00', publicKey: overLimit }
  expect(refusalOf(() => verifySignature(longKey)).path).toBe('publicKey')
})
