// A condition of two keys goes from one signer to the other, and is complete with both signatures.

import { expect, test } from 'vitest'

import {
  type ConditionTree,
  conditionToJson,
  encodeCondition,
  encodeTransaction,
  networks,
  verifyInputs,
} from '../../../src/index.ts'
import { pushOf } from '../../../src/script/push.ts'
import { passedCondition, signConditionPart } from '../../../src/signing/partial-signature.ts'
import { a, b, c, privateKeys, transfer } from '../../support/resigned.ts'

const both = [a, b].map((publicKey) => ({ type: 'secp256k1-sha-256', publicKey }) as const)
const tree: ConditionTree = {
  type: 'threshold-sha-256',
  threshold: 2,
  subconditions: [
    { type: 'eval-sha-256', code: 'f5' },
    { type: 'threshold-sha-256', threshold: 2, subconditions: both },
  ],
}
const value = 7n
const hexWith = (scriptSig: string) =>
  encodeTransaction({ ...transfer, inputs: [{ ...transfer.inputs[0]!, scriptSig }] })
const prevout = { value, script: `${pushOf(encodeCondition(tree))}cc` }
const hex = hexWith('')
const sign = (given: ConditionTree, pubkey: string) =>
  signConditionPart({ tree: given, hex, vin: 0, value }, privateKeys.get(pubkey)!, networks.tokel)

test('one of two signatures is passed on, and the second completes the input', () => {
  const first = sign(tree, a)
  // tokel src/cc/CCtx.cpp, FinalizeCCV2Tx: a push of the hash type stands for what lacks
  expect(first.scriptSig).toBe('0101')
  const passed = passedCondition(JSON.parse(JSON.stringify(first.condition)))!
  const second = sign(passed, b)
  expect(second).not.toHaveProperty('condition')
  const [verdict] = verifyInputs(hexWith(second.scriptSig), [prevout], networks.tokel)
  expect(verdict).toMatchObject({ ok: true })
  expect([...verdict!.publicKeys].sort()).toEqual([a, b].sort())
})

test('a key that has no part in it adds nothing', () => {
  const { scriptSig, condition } = sign(tree, c)
  expect(scriptSig).toBe('0101')
  expect(condition).toEqual(conditionToJson(tree, { dialect: 'tokel' }))
})

test('a tree that cannot be written at all is an error of the program', () => {
  const wrong = { type: 'threshold-sha-256', threshold: 1, subconditions: 7 }
  expect(() => sign(wrong as unknown as ConditionTree, a)).toThrow(TypeError)
})

test.each([undefined, null, 7, 'f5', {}, { type: 'threshold-sha-256' }])(
  'no condition is read from %j',
  (json) => {
    expect(passedCondition(json)).toBeUndefined()
  },
)

test('an error of the reader itself is passed on', () => {
  const json = {
    get type() {
      throw new RangeError('out of memory')
    },
  }
  expect(() => passedCondition(json)).toThrow(RangeError)
})
