// The signatures of a token's history are checked once. Those of another transaction, or of other
// inputs of it, are checked again.

import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { unsignedInput } from '../../../src/token/proof/signed.ts'
import type { Transaction } from '../../../src/transaction/types.ts'
import { transfer } from '../../support/resigned.ts'
import { prevoutsOf } from '../../support/sign.ts'

/** The example transfer under another txid, because what is known stays known. */
const newTransfer = (): Transaction => ({ ...transfer, txid: randomBytes(32).toString('hex') })
/** The same, with an output that was changed after it was signed. */
const changed = (it: Transaction): Transaction => {
  const [first, ...others] = it.outputs
  return { ...it, outputs: [{ ...first!, value: first!.value + 1n }, ...others] }
}

const spent = prevoutsOf(transfer)
function find(txid: string): Transaction | undefined {
  const outputs: Transaction['outputs'][number][] = []
  for (const [index, input] of transfer.inputs.entries()) {
    if (input.txid === txid) outputs[input.vout] = spent[index]!
  }
  return outputs.length === 0 ? undefined : { ...transfer, txid, outputs }
}
const rulesBrokenBy = (it: Transaction, inputs = it.inputs) => unsignedInput(it, inputs, find)?.rule

test('a transaction is known after its signatures were valid, and not before', () => {
  const it = newTransfer()
  expect(rulesBrokenBy(changed(it))).toBe('signature_invalid')
  expect(rulesBrokenBy(changed(it))).toBe('signature_invalid')
  expect(rulesBrokenBy(it)).toBeUndefined()
  expect(rulesBrokenBy(changed(it))).toBeUndefined()
})

test('another transaction is not known by it', () => {
  expect(rulesBrokenBy(newTransfer())).toBeUndefined()
  expect(rulesBrokenBy(changed(newTransfer()))).toBe('signature_invalid')
})

test('other inputs of the same transaction are checked again', () => {
  const it = newTransfer()
  expect(it.inputs.length).toBeGreaterThan(1)
  expect(rulesBrokenBy(it, it.inputs.slice(0, 1))).toBeUndefined()
  expect(rulesBrokenBy(changed(it), it.inputs.slice(0, 1))).toBeUndefined()
  expect(rulesBrokenBy(changed(it), it.inputs.slice(1))).toBe('signature_invalid')
  expect(rulesBrokenBy(changed(it))).toBe('signature_invalid')
})

test('a transaction is not known while an output that it spends is missing', () => {
  const it = newTransfer()
  expect(unsignedInput(it, it.inputs, () => undefined)?.rule).toBe('signature_invalid')
  expect(rulesBrokenBy(changed(it))).toBe('signature_invalid')
})
