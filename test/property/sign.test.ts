import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hash160 } from '../../src/engine/calls.ts'
import {
  type ConditionTree,
  decodeTransaction,
  encodeCondition,
  type InputVerdict,
  type Prevout,
  type PrevoutToSign,
  signTransaction,
  type TransactionFields,
  verifyInputs,
} from '../../src/index.ts'
import { bytesFromHex, hexFromBytes } from '../../src/primitives/hex.ts'
import { publicKeyFormsOf } from '../../src/primitives/secp256k1.ts'
import { pushOf } from '../../src/script/push.ts'
import { share } from '../support/share.ts'

const keys = [1, 2, 3].map((key) => key.toString(16).padStart(64, '0'))
const publicKeys = keys.map((key) => publicKeyFormsOf(bytesFromHex(key)).map(hexFromBytes))

const publicKey = fc.tuple(fc.nat(2), fc.nat(1)).map(([key, form]) => publicKeys[key]![form]!)
const compressedKey = fc.nat(2).map((key) => publicKeys[key]![0]!)

/** Scripts that the keys can satisfy, as they stand in an output or behind a hash. */
const plainScript = fc.oneof(
  publicKey.map((key) => `${pushOf(key)}ac`),
  publicKey.map((key) => `76a914${hash160(key)}88ac`),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.array(compressedKey, { minLength: 3, maxLength: 5 }))
    .map(([required, of]) => `5${required}${of.map((it) => pushOf(it)).join('')}5${of.length}ae`),
)

const prevoutOfScript = fc
  .tuple(plainScript, fc.boolean())
  .map(
    ([script, isHidden]): Omit<PrevoutToSign, 'value'> =>
      isHidden ? { script: `a914${hash160(script)}87`, redeemScript: script } : { script },
  )

const prevoutOfCondition = fc
  .tuple(fc.array(compressedKey, { minLength: 1, maxLength: 4 }), fc.constantFrom('f2', 'e3', '10'))
  .map(([of, code]): Omit<PrevoutToSign, 'value'> => {
    const condition: ConditionTree = {
      type: 'threshold-sha-256',
      threshold: 2,
      subconditions: [
        { type: 'eval-sha-256', code },
        {
          type: 'threshold-sha-256',
          threshold: 1,
          subconditions: of.map((key) => ({ type: 'secp256k1-sha-256', publicKey: key })),
        },
      ],
    }
    return { script: `${pushOf(encodeCondition(condition))}cc`, condition }
  })

const prevout = fc
  .tuple(
    fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
    fc.oneof(prevoutOfScript, prevoutOfCondition),
  )
  .map(([value, spent]): PrevoutToSign => ({ value, ...spent }))

const header = fc.constantFrom(
  { version: 1, overwintered: false },
  { version: 2, overwintered: false },
  { version: 3, overwintered: true, versionGroupId: 0x03c48270, expiryHeight: 77 },
  { version: 4, overwintered: true, versionGroupId: 0x892f2085, expiryHeight: 77 },
)

const uint32 = fc.integer({ min: 0, max: 0xffffffff })
const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(hexFromBytes)

interface Example {
  readonly fields: TransactionFields
  readonly prevouts: readonly PrevoutToSign[]
}

const example = fc
  .record({
    header,
    spends: fc.array(fc.tuple(prevout, hexOf(32), uint32, uint32), { minLength: 1, maxLength: 4 }),
    outputs: fc.array(
      fc.record({
        value: fc.nat().map(BigInt),
        script: fc.uint8Array({ maxLength: 90 }).map(hexFromBytes),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    lockTime: uint32,
  })
  .map(
    ({ header: head, spends, outputs, lockTime }): Example => ({
      fields: {
        ...head,
        inputs: spends.map(([, txid, vout, sequence]) => ({ txid, vout, scriptSig: '', sequence })),
        outputs,
        lockTime,
      },
      prevouts: spends.map(([spent]) => spent),
    }),
  )

function verdictsOf(hex: string, prevouts: readonly Prevout[]): InputVerdict[] {
  try {
    return verifyInputs(hex, prevouts)
  } catch {
    return [] // no transaction at all any more
  }
}

function flipped(hex: string, bit: number): string {
  const bytes = Buffer.from(hex, 'hex')
  bytes[bit >> 3]! ^= 1 << (bit & 7)
  return bytes.toString('hex')
}

test('signed transactions verify, and fail with any bit changed', () => {
  fc.assert(
    fc.property(
      example,
      fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
      ({ fields, prevouts }, picks) => {
        const { hex, complete } = signTransaction(fields, keys, prevouts)
        expect(complete).toBe(true)
        expect(verifyInputs(hex, prevouts).every(({ ok, hashType }) => ok && hashType === 1)).toBe(
          true,
        )

        const { inputs } = decodeTransaction(hex)
        for (const pick of picks) {
          const bit = pick % (4 * hex.length)
          const changed = verdictsOf(flipped(hex, bit), prevouts)
          const touched = scriptSigAt(hex, inputs, bit >> 3)
          // A scriptSig is signed by nobody, everything else by every input.
          for (const [index, { ok }] of changed.entries()) {
            if (touched === undefined || touched === index) expect(ok).toBe(false)
          }
        }
        const amount = picks[0]! % prevouts.length
        const others = prevouts.map((spent, index) =>
          index === amount ? { ...spent, value: spent.value ^ 1n } : spent,
        )
        expect(verifyInputs(hex, others)[amount]!.ok).toBe(!fields.overwintered)
      },
    ),
    { numRuns: share(40) },
  )
})

/** Which input's scriptSig a byte belongs to, its length included. */
function scriptSigAt(
  hex: string,
  inputs: readonly { readonly scriptSig: string }[],
  byte: number,
): number | undefined {
  let from = 0
  for (const [index, { scriptSig }] of inputs.entries()) {
    const start = hex.indexOf(scriptSig, from)
    if (2 * byte >= start && 2 * byte < start + scriptSig.length) return index
    from = start + scriptSig.length
  }
  return undefined
}
