import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AntaraError } from '../../src/errors/antara-error.ts'
import { printable } from '../../src/primitives/printable.ts'
import type { PushForm } from '../../src/script/push.ts'
import { decodeTokenPayload } from '../../src/token/payload/decode.ts'
import { encodeTokenPayload } from '../../src/token/payload/encode.ts'
import type { TokenPayloadFields } from '../../src/token/payload/payload.ts'
import {
  decodeTokelData,
  encodeTokelData,
  type TokelData,
} from '../../src/token/payload/tokel-data.ts'
import { anyText } from '../support/any-text.ts'
import { least, share } from '../support/share.ts'

const hex = (maxLength: number, minLength = 0) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes).toString('hex'))
const pubkey = hex(33, 33)
const text = anyText({ maxLength: 300 })
const create = {
  kind: fc.constant('create' as const),
  owner: pubkey,
  name: text,
  description: text,
}
const transfer = { kind: fc.constant('transfer' as const), tokenid: hex(32, 32) }
const bare = fc.record({ kind: fc.constant('unknown' as const), data: hex(300) })
// under 0x10, so that no lone extra reads as legacy data
const identified = fc.record({
  kind: fc.constant('unknown' as const),
  id: fc.integer({ min: 0, max: 15 }),
  data: hex(300),
})
const komodo = { layout: fc.constant('komodo-v1' as const), extras: fc.array(identified) }
const tokel = { layout: fc.constant('tokel-v1' as const), extras: fc.array(bare) }
const tokensV2 = { layout: fc.constant('tokens-v2' as const), extras: fc.array(bare) }
const pubkeys = fc.array(pubkey, { maxLength: 2 })
const payload: fc.Arbitrary<TokenPayloadFields> = fc.oneof(
  fc.record({ ...create, ...komodo }),
  fc.record({ ...create, ...tokel }),
  fc.record({ ...create, ...tokensV2 }),
  fc.record({ ...transfer, ...komodo, pubkeys }),
  fc.record({ ...transfer, ...tokel, pubkeys }),
  fc.record({ ...transfer, ...tokensV2, pubkeys: fc.constant([]) }),
)

test('encoded payloads decode to the same meaning', () => {
  fc.assert(
    fc.property(payload, (fields) => {
      const script = encodeTokenPayload(fields)
      const decoded = decodeTokenPayload(script)
      const extras = fields.extras?.map((it) => ({
        data: it.data,
        ...('id' in it && { id: it.id }),
      }))
      expect(decoded).toMatchObject({ ...fields, extras, minimal: true, rest: '', trailing: '' })
    }),
  )
})

test('a decoded script is given back byte for byte, whatever was done to it', () => {
  fc.assert(
    fc.property(
      payload,
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { maxLength: 3 }),
      hex(20),
      (fields, flips, tail) => {
        const bytes = Buffer.from(encodeTokenPayload(fields) + tail, 'hex')
        for (const [at, mask] of flips) bytes[at % bytes.length]! ^= mask
        const script = bytes.toString('hex')
        let decoded: ReturnType<typeof decodeTokenPayload>
        try {
          decoded = decodeTokenPayload(script)
        } catch (error) {
          if (!(error instanceof AntaraError)) throw error
          expect(error.context.offset).toBeLessThanOrEqual(bytes.length)
          return
        }
        if (decoded !== undefined) expect(encodeTokenPayload(decoded)).toBe(script)
      },
    ),
    { numRuns: share(2000) },
  )
})

test('a payload may be pushed in any form that holds it', () => {
  const forms: PushForm[] = ['direct', 'pushdata1', 'pushdata2', 'pushdata4']
  fc.assert(
    fc.property(payload, fc.constantFrom(...forms), (fields, push) => {
      let script: string
      try {
        script = encodeTokenPayload({ ...fields, push, minimal: false })
      } catch (error) {
        expect(error).toMatchObject({ code: 'push_too_short' })
        return
      }
      const decoded = decodeTokenPayload(script)
      const shortest = encodeTokenPayload(fields)
      expect(decoded).toMatchObject({ push, minimal: script === shortest })
      expect(decoded && encodeTokenPayload({ ...decoded, minimal: true })).toBe(shortest)
    }),
  )
})

test('arbitrary scripts are payloads, or not, or refused with a typed error', () => {
  const beginnings = ['', 'f263', 'f274', 'f24301', 'f25401', 'f56301', 'f57401']
  const seen = { decoded: 0, other: 0, refused: 0 }
  const outcomeOf = (script: string): keyof typeof seen => {
    try {
      const decoded = decodeTokenPayload(script)
      if (decoded === undefined) return 'other'
      expect(encodeTokenPayload(decoded)).toBe(script)
      return 'decoded'
    } catch (error) {
      if (!(error instanceof AntaraError)) throw error
      return 'refused'
    }
  }
  fc.assert(
    fc.property(fc.constantFrom(...beginnings), hex(70), fc.boolean(), (first, rest, isWhole) => {
      const data = first + rest
      const push = (data.length / 2).toString(16).padStart(2, '0')
      seen[outcomeOf(isWhole ? `6a${push}${data}` : `6a${data}`)] += 1
    }),
    { numRuns: share(2000, 125) },
  )
  // Chance hardly ever makes a payload; the test above begins with real ones.
  expect(Math.min(seen.other, seen.refused)).toBeGreaterThan(least(100))
})

test('Tokel properties come back in their order', () => {
  const number = fc.nat({ max: 0x02000000 })
  const data = fc
    .record(
      { id: number, url: text, royalty: fc.nat({ max: 999 }), arbitrary: hex(300) },
      { requiredKeys: [] },
    )
    .chain((it) =>
      fc
        .shuffledSubarray(Object.entries(it))
        .map((entries) => Object.fromEntries(entries) as TokelData),
    )
  fc.assert(
    fc.property(data, (properties) => {
      const decoded = decodeTokelData(encodeTokelData(properties))
      expect(Object.entries(decoded)).toEqual(Object.entries(properties))
    }),
  )
})

test('different texts print differently, on one line, with nothing hidden', () => {
  fc.assert(
    fc.property(anyText(), anyText(), (one, other) => {
      expect(printable(one)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      if (one !== other) expect(printable(one)).not.toBe(printable(other))
    }),
  )
})
