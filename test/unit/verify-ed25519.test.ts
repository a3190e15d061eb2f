import { createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'

import {
  type ConditionTree,
  encodeCondition,
  encodeFulfillment,
  encodeTransaction,
  networks,
  signatureHashes,
  signFulfillment,
  verifyInputs,
  verifyInputsAsync,
} from '../../src/index.ts'
import { pushOf } from '../../src/script/push.ts'

const seed = '11'.repeat(32)
const publicKey = Buffer.from(
  createPublicKey(
    createPrivateKey({
      key: Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex'),
      format: 'der',
      type: 'pkcs8',
    }),
  ).export({ format: 'jwk' }).x!,
  'base64url',
).toString('hex')
const secpKey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

/** komodod takes Ed25519 keys in conditions as well; OpenSSL signs and verifies for us. */
function spendOf(tree: ConditionTree, privateKeys: readonly string[]) {
  const prevouts = [{ value: 5n, script: `${pushOf(encodeCondition(tree))}cc` }]
  const withScriptSig = (scriptSig: string) =>
    encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      inputs: [{ txid: 'ab'.repeat(32), vout: 0, scriptSig, sequence: 0xffffffff }],
      outputs: [{ value: 1n, script: '51' }],
      lockTime: 0,
    })
  const hash = signatureHashes(withScriptSig(''), prevouts)[0]!
  const signed = privateKeys.reduce((partly, key) => signFulfillment(partly, hash, key), tree)
  return { prevouts, hex: withScriptSig(pushOf(`${encodeFulfillment(signed)}01`)) }
}

const withEval = (...keys: ConditionTree[]): ConditionTree => ({
  type: 'threshold-sha-256',
  threshold: 1 + keys.length,
  subconditions: [{ type: 'eval-sha-256', code: 'f2' }, ...keys],
})

describe('a condition of an Ed25519 key', () => {
  const { hex, prevouts } = spendOf(withEval({ type: 'ed25519-sha-256', publicKey }), [seed])

  test('is verified, also on the threads', async () => {
    const verdict = { ok: true, type: 'cryptocondition', hashType: 1, publicKeys: [publicKey] }
    expect(verifyInputs(hex, prevouts)).toMatchObject([verdict])
    expect(verifyInputs(Buffer.from(hex, 'hex'), prevouts)).toMatchObject([verdict])
    expect(await verifyInputsAsync(hex, prevouts, networks.assetChain)).toMatchObject([verdict])
  })

  test('is refused for another amount', async () => {
    const verdict = { ok: false, code: 'signature_mismatch', publicKeys: [] }
    const others = [{ ...prevouts[0]!, value: 6n }]
    expect(verifyInputs(hex, others)).toMatchObject([verdict])
    expect(await verifyInputsAsync(hex, others)).toMatchObject([verdict])
  })

  test('is refused with any bit of its signature flipped', () => {
    const signature = hex.indexOf('8140') + 4
    for (let bit = 0; bit < 512; bit += 7) {
      const at = signature + 2 * (bit >> 3)
      const byte = Number.parseInt(hex.slice(at, at + 2), 16) ^ (1 << (bit & 7))
      const changed = hex.slice(0, at) + byte.toString(16).padStart(2, '0') + hex.slice(at + 2)
      expect(verifyInputs(changed, prevouts)[0]!.ok).toBe(false)
    }
  })
})

test('a condition of keys of both kinds is verified as a whole', () => {
  const key1 = `${'00'.repeat(31)}01`
  const tree = withEval(
    { type: 'ed25519-sha-256', publicKey },
    { type: 'secp256k1-sha-256', publicKey: secpKey },
  )
  const { hex, prevouts } = spendOf(tree, [seed, key1])
  const [verdict] = verifyInputs(hex, prevouts)
  expect(verdict!.ok).toBe(true)
  expect([...verdict!.publicKeys].sort()).toEqual([secpKey, publicKey].sort())
})
