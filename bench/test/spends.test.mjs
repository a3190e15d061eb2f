import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { verify } from '@noble/secp256k1'
import { randomSource } from '../lib/random.mjs'
import { hashesToSign } from '../lib/sighash.mjs'
import { signedSpend } from '../lib/spends.mjs'
import { shapeOf } from '../shapes.mjs'

test('the hashes to sign of the recorded transfer are those under which its signatures verify', () => {
  const file = new URL('../../test/vectors/komodod/91-sighash.json', import.meta.url)
  const [{ fields, txid }] = shapeOf('token').specimens
  const rows = JSON.parse(readFileSync(file, 'utf8'))
    .vectors.filter((/** @type {any} */ row) => row.txid === txid)
    .sort((/** @type {any} */ a, /** @type {any} */ b) => a.input - b.input)
  assert.equal(rows.length, fields.inputs.length)
  const prevouts = rows.map((/** @type {any} */ { amount, scriptCode }) => ({
    value: BigInt(amount),
    script: scriptCode,
  }))
  assert.deepEqual(
    hashesToSign(fields, prevouts),
    rows.map((/** @type {any} */ { sighash }) => sighash),
  )
})

/** R and S of a DER signature, 32 bytes each. @param {string} der */
function compactOf(der) {
  const bytes = Buffer.from(der, 'hex')
  const sizeOfR = bytes[3]
  const r = bytes.subarray(4, 4 + sizeOfR)
  const s = bytes.subarray(4 + sizeOfR + 2)
  return Buffer.concat(
    [r, s].map((integer) => Buffer.concat([Buffer.alloc(32), integer]).subarray(-32)),
  )
}

test('what is called signed is signed, and every fault changes what it should', () => {
  const { signed, tampered } = signedSpend(randomSource('spends.test'), 3)
  const verdicts = (/** @type {typeof signed} */ { fields, prevouts }) =>
    hashesToSign(fields, prevouts).map((hash, index) => {
      const { scriptSig } = fields.inputs[index]
      const end = 2 + 2 * Number.parseInt(scriptSig.slice(0, 2), 16)
      const signature = compactOf(scriptSig.slice(2, end - 2))
      const key = Buffer.from(scriptSig.slice(end + 2), 'hex')
      return verify(signature, Buffer.from(hash, 'hex'), key, { prehash: false, lowS: true })
    })
  assert.deepEqual(verdicts(signed), [true, true, true])
  assert.deepEqual(tampered.map(verdicts), [
    [true, true, false],
    // The stranger's signature is in order; it is the key that the output does not pay.
    [true, true, true],
    [true, true, false],
    [false, false, false],
  ])
  assert.deepEqual(
    tampered.map(({ isSigned }) => isSigned),
    [
      [true, true, false],
      [true, true, false],
      [true, true, false],
      [false, false, false],
    ],
  )
})
