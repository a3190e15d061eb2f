import { createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import {
  type ConditionTree,
  conditionScript,
  defineNetwork,
  encodeCondition,
  encodeFulfillment,
  encodeTransaction,
  networks,
  signatureHash,
  signatureHashes,
  signFulfillment,
  verifyInputs,
  verifyInputsAsync,
} from '../../../src/index.ts'
import { pushOf } from '../../../src/script/push.ts'
import { replaceableEngine } from '../../support/replaceable-engine.ts'

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

  test('is verified as it was, whatever becomes of the bytes meanwhile', async () => {
    const bytes = Buffer.from(hex, 'hex')
    const verdicts = verifyInputsAsync(bytes, prevouts, networks.assetChain)
    bytes.fill(0)
    expect(await verdicts).toMatchObject([{ ok: true, publicKeys: [publicKey] }])
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

describe('many inputs of Ed25519 keys', () => {
  const tree = withEval({ type: 'ed25519-sha-256', publicKey })
  const script = `${pushOf(encodeCondition(tree))}cc`
  const scriptCode = conditionScript(tree)
  type Header = { version: number; overwintered: boolean; versionGroupId?: number }

  /** Spends as many outputs as there are hash types, and one output of no interest before each. */
  function spend(header: Header, hashTypes: readonly number[], branchId?: number) {
    const prevouts = hashTypes.flatMap(() => [
      { value: 3n, script: '51' },
      { value: 5n, script },
    ])
    const withScriptSigs = (scriptSigs: readonly string[]) =>
      encodeTransaction({
        ...header,
        inputs: prevouts.map((_, vout) => {
          const scriptSig = vout % 2 === 0 ? '' : (scriptSigs[vout >> 1] ?? '')
          return { txid: 'ab'.repeat(32), vout, scriptSig, sequence: 0xffffffff }
        }),
        outputs: [1n, 2n].map((value) => ({ value, script: '51' })),
        lockTime: 0,
      })
    const unsigned = withScriptSigs([])
    const signed = hashTypes.map((hashType, at) => {
      const options = { scriptCode, value: 5n, hashType, ...(branchId && { branchId }) }
      const hash = signatureHash(unsigned, 2 * at + 1, options)
      const type = hashType.toString(16).padStart(2, '0')
      return pushOf(`${encodeFulfillment(signFulfillment(tree, hash, seed))}${type}`)
    })
    return { prevouts, hex: withScriptSigs(signed) }
  }

  const sapling = { version: 4, overwintered: true, versionGroupId: 0x892f2085 }
  const headers: [string, Header, number[]][] = [
    ['version 4', sapling, [1, 1, 2, 3, 0x81, 0x82, 0x83, 1]],
    ['version 3', { version: 3, overwintered: true, versionGroupId: 0x03c48270 }, [1, 2, 3, 0x81]],
    // where SINGLE without an output of its index is an error
    ['version 1', { version: 1, overwintered: false }, [3, 1, 2, 0x81, 0x82, 1]],
  ]

  test.each(headers)('are verified with any hash type in %s', async (_, header, hashTypes) => {
    const { prevouts, hex } = spend(header, hashTypes)
    const verdicts = verifyInputs(hex, prevouts)
    const ofKeys = verdicts.filter((_, index) => index % 2 === 1)
    expect(ofKeys.map(({ ok, hashType }) => [ok, hashType])).toEqual(
      hashTypes.map((hashType) => [true, hashType]),
    )
    expect(await verifyInputsAsync(Buffer.from(hex, 'hex'), prevouts)).toEqual(verdicts)
    const others = prevouts.map((prevout) => ({ ...prevout, value: 6n }))
    const refused = verifyInputs(hex, others).filter((_, index) => index % 2 === 1)
    const codes = new Set(refused.map(({ code }) => code))
    const isCommitted = header.overwintered
    expect(codes).toEqual(new Set(isCommitted ? ['signature_mismatch'] : [undefined]))
  })

  test('commit to the branch of their network', () => {
    const other = defineNetwork({ branchId: 0x2bb40e60 })
    const { prevouts, hex } = spend(sapling, [1, 3], other.branchId)
    expect(verifyInputs(hex, prevouts, other).filter(({ ok }) => ok)).toHaveLength(2)
    expect(verifyInputs(hex, prevouts).filter(({ ok }) => ok)).toEqual([])
  })

  const engine = replaceableEngine()

  test('are hashed together, once for each hash type', () => {
    const { prevouts, hex } = spend(sapling, [...Array(40).fill(1), ...Array(40).fill(0x81)])
    const calls = {
      together: vi.fn(engine.signatureHashes),
      single: vi.fn(engine.signatureHash),
    }
    engine.signatureHashes = calls.together
    engine.signatureHash = calls.single
    expect(verifyInputs(hex, prevouts).filter(({ ok }) => ok)).toHaveLength(80)
    expect(calls.together).toHaveBeenCalledTimes(2)
    expect(calls.single).not.toHaveBeenCalled()
  })

  test('are not verified any more once a signal has aborted', async () => {
    const { prevouts, hex } = spend(sapling, [1, 1])
    const signal = AbortSignal.abort(new Error('enough'))
    const verdicts = verifyInputsAsync(hex, prevouts, networks.assetChain, { signal })
    await expect(verdicts).rejects.toThrow('enough')
    const none = null as unknown as object
    await expect(verifyInputsAsync(hex, prevouts, networks.assetChain, none)).rejects.toThrow(
      TypeError,
    )
  })
})
