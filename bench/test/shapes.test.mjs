import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomSource } from '../lib/random.mjs'
import { txidOf, wireHex } from '../lib/wire.mjs'
import { codecShapes, shapeOf } from '../shapes.mjs'

test('the recorded transfer is rebuilt byte for byte from the fields of its recorded decode', () => {
  const [{ hex, fields, txid }] = shapeOf('token').specimens
  assert.equal(wireHex(fields), hex)
  assert.equal(txidOf(hex), txid)
})

test('shapes have the sizes that their names promise', () => {
  const sizes = Object.fromEntries(codecShapes.map((name) => [name, shapeOf(name).bytes]))
  assert.deepEqual(sizes, {
    payment: 244,
    token: 545,
    'inputs-100': 14763,
    'outputs-500': 17325,
    'payment-v1': 225,
    'inputs-100-v1': 14744,
    'outputs-500-v1': 17306,
  })
})

test('a seed gives the same bytes on every machine', () => {
  // printf 'payment/0' | sha256sum, then the same with payment/1
  const expected =
    '4e75102773ba1fc7f0f23f5c0faa86726f312dac1699717728c48e76215a9085' +
    'af48feaaf7fc8cd1d2ceed8d4c594dd726ab0eb0c02bbceffc46f05191020fd9'
  const random = randomSource('payment')
  assert.equal(random.hex(10) + random.hex(54), expected)
  const [first] = shapeOf('payment').specimens
  assert.equal(first.fields.inputs[0].txid, expected.slice(0, 64))
})

test('no two specimens of a shape are alike', () => {
  for (const name of codecShapes) {
    const { specimens } = shapeOf(name)
    assert.equal(new Set(specimens.map(({ hex }) => hex)).size, specimens.length, name)
  }
})
