import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { conditionCases, conditionOf, recordedFulfillment } from '../lib/conditions.mjs'
import { shapeOf } from '../shapes.mjs'

const specimenOf = (/** @type {string} */ name) =>
  conditionCases().find((benchCase) => benchCase.name === name).items[0]

test('the recorded fulfillment is written byte for byte from its tree', () => {
  assert.equal(specimenOf('token').fulfillment, recordedFulfillment())
})

test('its condition is the one that the daemon paid the rest of the tokens to', () => {
  const [{ fields }] = shapeOf('token').specimens
  assert.ok(fields.outputs.some(({ script }) => script.includes(specimenOf('token').condition)))
})

test("the conditions of the draft's smallest examples are those that are published", () => {
  const file = new URL('../../test/vectors/condition/rfc.json', import.meta.url)
  const { vectors } = JSON.parse(readFileSync(file, 'utf8'))
  const binary = (/** @type {string} */ name) =>
    vectors.find((/** @type {any} */ vector) => vector.name === name).conditionBinary.toLowerCase()
  const preimage = { type: 'preimage-sha-256', preimage: '' }
  assert.equal(conditionOf(preimage), binary('0000_test-minimal-preimage'))
  const prefix = { type: 'prefix-sha-256', prefix: '', maxMessageLength: 0, subcondition: preimage }
  assert.equal(conditionOf(prefix), binary('0001_test-minimal-prefix'))
  const threshold = { type: 'threshold-sha-256', threshold: 1, subconditions: [preimage] }
  assert.equal(conditionOf(threshold), binary('0002_test-minimal-threshold'))
})
