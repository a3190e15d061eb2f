// Forged parents whose scriptSigs contain no signature at all. komodo src/script/interpreter.cpp:
// chains accept further pushes, longer ones and high S, which no node relays. But strict DER is not
// a flag there, and a scriptSig that only pushes leaves its data on the stack.

import { describe, expect, test } from 'vitest'
import {
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  networks,
  signTransaction,
  type TransactionFields,
  verifyPayment,
  verifyPaymentAsync,
} from '../../../src/index.ts'
import { pushOf } from '../../../src/script/push.ts'
import { chainTransaction } from '../../support/komodod.ts'
import { madeUpFields as base } from '../../support/made-up.ts'
import { p2pkh, p2sh, twoOfThree } from '../../support/payments.ts'
import { a, b, p2pk, privateKeys, transferHex } from '../../support/resigned.ts'

const coin = 100_000_000n
const keys = [privateKeys.get(a)!, privateKeys.get(b)!]
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A script that two atomic swaps use. The verifier does not check it here. */
const swap = `6304ffffff7fb17521${a}ac6782012088a914${'11'.repeat(20)}8821${b}ac68`
const scripts = {
  'a key': p2pk(b),
  'a key hash': p2pkh(b),
  'two of three keys': twoOfThree,
  'two of three keys behind a hash': p2sh(twoOfThree),
  'a swap behind a hash': p2sh(swap),
}
type Spent = keyof typeof scripts

/**
 * The rightly signed spend of a coin, and the pushes of its scriptSig: signatures, then the rest.
 */
function signedParent(spent: Spent, version = 4) {
  const script = scripts[spent]
  const old = { overwintered: false, version: 1 }
  const { versionGroupId: _, expiryHeight: __, ...sprout } = base
  const fields: TransactionFields = version === 4 ? base : { ...sprout, ...old }
  const root = encodeTransaction({ ...fields, outputs: [{ value: 2n * coin, script }] })
  const { txid } = decodeTransaction(root)
  const inputs = [{ txid, vout: 0, scriptSig: '', sequence: 0xffffffff }]
  const outputs = [{ value: coin, script: p2pk(a) }]
  const unsigned = encodeTransaction({ ...fields, inputs, outputs })
  const redeemScript = spent.includes('hash') && spent !== 'a key hash' ? twoOfThree : undefined
  const prevout = { value: 2n * coin, script, ...(redeemScript && { redeemScript }) }
  const signed =
    spent === 'a swap behind a hash'
      ? unsigned
      : signTransaction(unsigned, keys, [prevout], networks.assetChain).hex
  return { root, signed: decodeTransaction(signed) }
}

interface Given extends Partial<Evidence> {
  readonly version?: number
}

function argumentsOf(spent: Spent, change: (scriptSig: string) => string, given: Given = {}) {
  const { version, heights: claimed, ...evidence } = given
  const { root, signed } = signedParent(spent, version)
  const [input] = signed.inputs
  const parent = encodeTransaction({
    ...signed,
    inputs: [{ ...input!, scriptSig: change(input!.scriptSig) }],
  })
  const { txid, outputs } = decodeTransaction(parent)
  const unsigned = encodeTransaction({
    ...base,
    inputs: [{ txid, vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: [{ value: coin - 10_000n, script: p2pkh(b) }],
    expiryHeight: 1201,
  })
  const { hex } = signTransaction(unsigned, keys, outputs, networks.assetChain)
  const intent = {
    recipients: [{ script: p2pkh(b), amount: coin - 10_000n }],
    own: [a],
    fee: 10_000n,
    spendable: [{ txid, vout: 0 }],
  }
  const heights = claimed && { [txid]: claimed.parent!, [decodeTransaction(root).txid]: 5 }
  return [
    hex,
    intent,
    {
      previousTransactions: [parent, root],
      tipHeight: 1000,
      ...evidence,
      ...(heights && { heights }),
    },
  ] as const
}

function check(...given: Parameters<typeof argumentsOf>): string[] {
  return verifyPayment(...argumentsOf(...given)).findings.map(({ code, path }) => `${code} ${path}`)
}

const where = 'evidence.previousTransactions[0].inputs[0].scriptSig'
const refused = [`ancestor_signature ${where}`]
const left = [`ancestor_unproven ${where}`]

/** Lengths and numbers as strict DER has them, signed by nobody. */
const nobodys = `3044${`0220${'11'.repeat(32)}`.repeat(2)}01`
const signatures = /(?:47|48)(30(?:44|45).*?01)(?=47|48|21|4c|$)/g
const replaced = (by: string) => (scriptSig: string) => scriptSig.replace(signatures, by)
const eachSignature = (change: (signature: string) => string) => (scriptSig: string) =>
  scriptSig.replace(signatures, (_, signature: string) => change(signature))

function highS(signature: string): string {
  const r = signature.slice(4, 8 + 2 * Number.parseInt(signature.slice(6, 8), 16))
  const s = signature.slice(4 + r.length + 4, -2)
  const high = (order - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
  const digits = /^[89a-f]/.test(high) ? `00${high}` : high
  const content = `${r}02${(digits.length / 2).toString(16)}${digits}`
  return `30${(content.length / 2).toString(16)}${content}01`
}

const signable: Spent[] = [
  'a key',
  'a key hash',
  'two of three keys',
  'two of three keys behind a hash',
]

describe.each(signable)('a parent that spends %s', (spent) => {
  test.each([4, 1])('agrees where it is rightly signed, in version %d', (version) => {
    expect(check(spent, (it) => it, { version })).toEqual([])
  })

  test.each([
    ['a byte', replaced('0101')],
    ['a number', replaced('51')],
    ['nothing', replaced('00')],
    ['no DER at all', replaced(pushOf('aa'.repeat(71)))],
    ['a wrong length', replaced(pushOf(`3045${nobodys.slice(4)}`))],
    ['a zero', replaced(pushOf('300602010002010001'))],
    ['a signature of nobody', replaced(pushOf(nobodys))],
    ['a signature of nobody, with high S', replaced(pushOf(highS(nobodys)))],
    ['a signature of nobody, in a longer push', replaced(`4c47${nobodys}`)],
    [
      'a signature of nobody below another item',
      (it: string) => `51${replaced(pushOf(nobodys))(it)}`,
    ],
    ['a push that reaches over the end', () => '4c'],
  ])('is refused where in place of each signature there is %s', (_, change) => {
    expect(check(spent, change)).toEqual(refused)
    expect(check(spent, change, { version: 1 })).toEqual(refused)
    expect(check(spent, change, { heights: { parent: 7 } })).toEqual(refused)
  })

  test.each([
    ['in longer pushes', eachSignature((it) => `4c${pushOf(it)}`)],
    ['with high S', eachSignature((it) => pushOf(highS(it)))],
    ['below which another item lies', (it: string) => `51${it}`],
  ])('agrees where it is rightly signed %s, as chains take it', (_, change) => {
    for (const version of [4, 1]) expect(check(spent, change, { version })).toEqual([])
  })

  test('is left open where the hash type is none that nodes relay, unless it is in a block', () => {
    const odd = eachSignature((it) => pushOf(`${it.slice(0, -2)}77`))
    expect(check(spent, odd)).toEqual(left)
    expect(check(spent, odd, { heights: { parent: 0 } })).toEqual([
      'unconfirmed_input inputs[0]',
      ...left,
    ])
    expect(check(spent, odd, { heights: { parent: 7 } })).toEqual([])
  })

  test('is left open where its scriptSig computes, which a script hash does not allow', () => {
    const isHash = spent === 'two of three keys behind a hash'
    expect(check(spent, (it) => `61${it}`)).toEqual(isHash ? refused : left)
  })
})

test('another key than the one that is hashed is refused, however long', () => {
  const forged = (key: string) => () => pushOf(nobodys) + key
  for (const key of ['0101', '51', '00', pushOf('02'.repeat(70)), pushOf(a)]) {
    expect(check('a key hash', forged(key))).toEqual(refused)
  }
})

test('too few signatures, or another script than the one that is hashed, are refused', () => {
  expect(check('two of three keys', () => '00')).toEqual(refused)
  expect(check('two of three keys behind a hash', () => pushOf(twoOfThree))).toEqual(refused)
  expect(check('two of three keys behind a hash', () => '51')).toEqual(refused)
  expect(check('two of three keys behind a hash', () => pushOf(swap))).toEqual(refused)
})

test('scripts that are not checked here are left open in no block alone', () => {
  const spend = () => `${pushOf(nobodys)}51${pushOf(swap)}`
  expect(check('a swap behind a hash', spend)).toEqual([])
  expect(check('a swap behind a hash', spend, { heights: { parent: 7 } })).toEqual([])
  expect(check('a swap behind a hash', spend, { heights: { parent: 0 } })).toEqual([
    'unconfirmed_input inputs[0]',
    ...left,
  ])
  expect(check('a swap behind a hash', () => pushOf(twoOfThree))).toEqual(refused)
})

test('comes to the same findings in slices', async () => {
  for (const change of [replaced('0101'), eachSignature((it) => pushOf(highS(it)))]) {
    const given = argumentsOf('two of three keys', change)
    expect(await verifyPaymentAsync(...given)).toEqual({ ...verifyPayment(...given) })
  }
})

// komodo src/cryptoconditions/src/secp256k1.c: high S verifies nowhere; src/script/interpreter.cpp:
// a fulfillment may be pushed in any form
test.each([
  ['as it was mined', (it: string) => it, []],
  ['in a longer push', (it: string) => `4d${it.slice(2, 4)}00${it.slice(4)}`, []],
  ['by nobody', (it: string) => it.replace(/8140.{128}/, `8140${'11'.repeat(64)}`), refused],
  ['with high S', (it: string) => it.replace(/(8140.{64}).{2}/, '$1f0'), refused],
  ['with a zero', (it: string) => it.replace(/8140.{128}/, `8140${'00'.repeat(64)}`), refused],
  ['with another item on top', (it: string) => `${it}51`, refused],
  ['by a number', () => '51', refused],
])('a parent that fulfills a condition %s', (_, change, expected) => {
  const mined = decodeTransaction(transferHex)
  const inputs = mined.inputs.map((it) =>
    it.scriptSig.startsWith('4c') ? { ...it, scriptSig: change(it.scriptSig) } : it,
  )
  const parent = encodeTransaction({ ...mined, inputs })
  const { txid, outputs } = decodeTransaction(parent)
  const { value } = outputs[2]!
  const unsigned = encodeTransaction({
    ...base,
    inputs: [{ txid, vout: 2, scriptSig: '', sequence: 0xffffffff }],
    outputs: [{ value: value - 10_000n, script: p2pkh(b) }],
    expiryHeight: 61,
  })
  const { hex } = signTransaction(unsigned, keys, [outputs[2]!], networks.assetChain)
  const intent = {
    recipients: [{ script: p2pkh(b), amount: value - 10_000n }],
    own: [a],
    fee: 10_000n,
    spendable: [{ txid, vout: 2 }],
  }
  const before = new Set(mined.inputs.map((it) => chainTransaction(it.txid)))
  const evidence = { previousTransactions: [parent, ...before], tipHeight: 20 }
  const found = verifyPayment(hex, intent, evidence).findings.flatMap(({ code, path }) =>
    code.startsWith('ancestor') ? [`${code} ${path.replace(/inputs\[\d\]/, 'inputs[0]')}`] : [],
  )
  expect(found).toEqual(expected)
})
