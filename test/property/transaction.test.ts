import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  type DecodedTransaction,
  decodeRawTransaction,
  decodeTransaction,
  decodeTransactions,
  describeTransaction,
  encodeTransaction,
  isAntaraError,
  type JoinSplit,
  type TransactionFields,
  transactionId,
  transactionIds,
} from '../../src/index.ts'
import { disagreement } from '../support/differential.ts'
import { refusalOf, withoutStackTraces } from '../support/refusal.ts'
import { share } from '../support/share.ts'
import { chain, readVectors } from '../support/vectors.ts'

withoutStackTraces()

const hex = (bytesMax: number, bytesMin = 0) =>
  fc
    .uint8Array({ minLength: bytesMin, maxLength: bytesMax })
    .map((bytes) => Buffer.from(bytes).toString('hex'))
const fixed = (bytes: number) => hex(bytes, bytes)
const pair = (bytes: number) => fc.tuple(fixed(bytes), fixed(bytes))
const uint32 = fc.oneof(
  fc.nat({ max: 2 ** 32 - 1 }),
  fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1, 499_999_999, 500_000_000),
)
const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, -1n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)),
)
// Lengths on both sides of the borders between CompactSize forms, too.
const script = fc.oneof(
  hex(80),
  fc.constantFrom(252, 253, 254, 300).map((bytes) => '51'.repeat(bytes)),
)
const transparent = {
  inputs: fc.array(
    fc.record({ txid: fixed(32), vout: uint32, scriptSig: script, sequence: uint32 }),
    { maxLength: 5 },
  ),
  outputs: fc.array(fc.record({ value: int64, script }), { maxLength: 5 }),
  lockTime: uint32,
}
const shieldedSpend = fc.record({
  cv: fixed(32),
  anchor: fixed(32),
  nullifier: fixed(32),
  rk: fixed(32),
  proof: fixed(192),
  spendAuthSig: fixed(64),
})
const shieldedOutput = fc.record({
  cv: fixed(32),
  cmu: fixed(32),
  ephemeralKey: fixed(32),
  encCiphertext: fixed(580),
  outCiphertext: fixed(80),
  proof: fixed(192),
})
/** Eight compressed points, whose first bytes allow two values each. */
const phgrProof = fc
  .tuple(
    ...['02', '02', '0a', '02', '02', '02', '02', '02'].map((lead) =>
      fc
        .tuple(fc.boolean(), fixed(lead === '0a' ? 64 : 32))
        .map(
          ([isOdd, rest]) => (isOdd ? lead.replace(/.$/, lead === '02' ? '3' : 'b') : lead) + rest,
        ),
    ),
  )
  .map((points) => points.join(''))
const joinSplit = (proof: fc.Arbitrary<string>): fc.Arbitrary<JoinSplit> =>
  fc.record({
    vpubOld: int64,
    vpubNew: int64,
    anchor: fixed(32),
    nullifiers: pair(32),
    commitments: pair(32),
    ephemeralKey: fixed(32),
    randomSeed: fixed(32),
    macs: pair(32),
    proof,
    ciphertexts: pair(601),
  })

/** Gives the list its closing members, which are there exactly when it has items. */
const withJoinSplits = (proof: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.array(joinSplit(proof), { maxLength: 2 }), fixed(32), fixed(64))
    .map(([joinSplits, joinSplitPubKey, joinSplitSig]) =>
      joinSplits.length > 0 ? { joinSplits, joinSplitPubKey, joinSplitSig } : { joinSplits },
    )
const withShieldedParts = fc
  .tuple(
    fc.array(shieldedSpend, { maxLength: 2 }),
    fc.array(shieldedOutput, { maxLength: 2 }),
    fixed(64),
  )
  .map(([shieldedSpends, shieldedOutputs, bindingSig]) => ({
    shieldedSpends,
    shieldedOutputs,
    ...(shieldedSpends.length + shieldedOutputs.length > 0 && { bindingSig }),
  }))

const none = { versionGroupId: 0, expiryHeight: 0, valueBalance: 0n }
const noShieldedParts = { shieldedSpends: [], shieldedOutputs: [] }
const together = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((all): TransactionFields => Object.assign({}, ...all))

const versions: [name: string, fields: fc.Arbitrary<TransactionFields>][] = [
  [
    'version 1',
    together(
      fc.record(transparent),
      fc.record({ version: fc.constantFrom(0, 1), overwintered: fc.constant(false) }),
      fc.constant({ ...none, ...noShieldedParts, joinSplits: [] }),
    ),
  ],
  [
    'version 2 and up, before Overwinter',
    together(
      fc.record(transparent),
      fc.record({
        version: fc.oneof(fc.constant(2), fc.integer({ min: 2, max: 2 ** 31 - 1 })),
        overwintered: fc.constant(false),
      }),
      withJoinSplits(phgrProof),
      fc.constant({ ...none, ...noShieldedParts }),
    ),
  ],
  [
    'version 3',
    together(
      fc.record({ ...transparent, expiryHeight: uint32 }),
      withJoinSplits(phgrProof),
      fc.constant({
        version: 3,
        overwintered: true,
        versionGroupId: 0x03c48270,
        valueBalance: 0n,
        ...noShieldedParts,
      }),
    ),
  ],
  [
    'version 4',
    together(
      fc.record({ ...transparent, expiryHeight: uint32, valueBalance: int64 }),
      withShieldedParts,
      withJoinSplits(fixed(192)),
      fc.constant({ version: 4, overwintered: true, versionGroupId: 0x892f2085 }),
    ),
  ],
]
const anyVersion = fc.oneof(...versions.map(([, fields]) => fields))

describe.each(versions)('%s', (_, fields) => {
  test('decodes to the fields that were encoded', () => {
    fc.assert(
      fc.property(fields, (tx) => {
        const encoded = encodeTransaction(tx)
        expect({ ...decodeTransaction(encoded) }).toEqual(tx)
        expect({ ...decodeTransaction(Buffer.from(encoded, 'hex')) }).toEqual(tx)
        expect(encodeTransaction(decodeTransaction(encoded))).toBe(encoded)
      }),
      { numRuns: share(100, 25) },
    )
  })

  test('is read by the oracle as by the engine', () => {
    fc.assert(
      fc.property(fields, (tx) => {
        expect(disagreement(Buffer.from(encodeTransaction(tx), 'hex'))).toBeUndefined()
      }),
      { numRuns: share(100, 25) },
    )
  })

  test('is plain data: JSON, copies and members that are left out say the same', () => {
    fc.assert(
      fc.property(fields, (tx) => {
        const encoded = encodeTransaction(tx)
        const decoded = decodeTransaction(encoded)
        expect(encodeTransaction({ ...decoded })).toBe(encoded)
        expect(encodeTransaction(structuredClone({ ...decoded }))).toBe(encoded)
        const isEmpty = (value: unknown) =>
          value === 0n || value === 0 || (Array.isArray(value) && value.length === 0)
        const optional = Object.entries(tx).filter(
          ([name, value]) => /^(inputs|outputs|lockTime|version)$/.test(name) || !isEmpty(value),
        )
        expect(encodeTransaction(Object.fromEntries(optional) as never)).toBe(encoded)
      }),
      { numRuns: share(100, 25) },
    )
  })
})

test('a batch is what its members are, in any mix and order', () => {
  fc.assert(
    fc.property(fc.array(anyVersion, { maxLength: 8 }), (fields) => {
      const hexes = fields.map(encodeTransaction)
      expect(decodeTransactions(hexes)).toEqual(hexes.map((text) => decodeTransaction(text)))
      expect(transactionIds(hexes)).toEqual(hexes.map((text) => transactionId(text)))
      expect(decodeTransactions(hexes).map(({ txid }) => txid)).toEqual(transactionIds(hexes))
    }),
    { numRuns: share(100, 25) },
  )
})

test('the JSON text parses, and says what the description says', () => {
  fc.assert(
    fc.property(anyVersion, (fields) => {
      const encoded = encodeTransaction(fields)
      const described: DecodedTransaction = describeTransaction(encoded)
      const parsed = JSON.parse(decodeRawTransaction(encoded))
      expect(parsed.txid).toBe(described.txid)
      expect(parsed.vin).toEqual(described.vin)
      expect(parsed.vout.map((output: { scriptPubKey: object }) => output.scriptPubKey)).toEqual(
        described.vout.map(({ scriptPubKey }) => scriptPubKey),
      )
      const legacy = JSON.parse(decodeRawTransaction(encoded, { dialect: 'legacy' }))
      expect(legacy.size).toBe(encoded.length / 2)
    }),
    { numRuns: share(100, 25) },
  )
})

describe('mutants of real transactions', () => {
  const signed = readVectors<{ rows: [hex: string][] }>('signing/komodo-sighash.json').rows
  const real = [...chain.slice(0, 120).map(({ hex }) => hex), ...signed.map(([hex]) => hex)].map(
    (text) => Buffer.from(text, 'hex'),
  )
  const flip = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
  const cut = fc.tuple(fc.nat(), fc.nat({ max: 400 }))

  test('are read exactly or refused as the oracle refuses them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...real),
        fc.array(flip, { maxLength: 4 }),
        fc.option(cut),
        fc.option(fc.constantFrom(...real)),
        (original, flips, removed, spliced) => {
          let mutant: Buffer = Buffer.from(original)
          for (const [position, mask] of flips) mutant[position % mutant.length]! ^= mask
          if (removed !== null) {
            const start = removed[0] % mutant.length
            const rest = (spliced ?? mutant).subarray(start + removed[1])
            mutant = Buffer.concat([mutant.subarray(0, start), rest])
          }
          expect(disagreement(mutant)).toBeUndefined()
        },
      ),
      { numRuns: share(3000) },
    )
  })

  test('arbitrary bytes after any known header are no exception', () => {
    const headers = ['', '01000000', '02000000', '030000807082c403', '0400008085202f89']
    fc.assert(
      fc.property(fc.constantFrom(...headers), hex(200), (header, rest) => {
        expect(disagreement(Buffer.from(header + rest, 'hex'))).toBeUndefined()
      }),
      { numRuns: share(3000) },
    )
  })

  const text = fc.oneof(
    fc.uint16Array({ maxLength: 60 }).map((units) => String.fromCharCode(...units)),
    fc.tuple(hex(60), fc.nat(), fc.nat({ max: 0xffff })).map(([digits, position, unit]) => {
      const start = position % (digits.length + 1)
      return digits.slice(0, start) + String.fromCharCode(unit) + digits.slice(start + 1)
    }),
  )

  test('arbitrary text is decoded or refused with a typed error', () => {
    fc.assert(
      fc.property(text, (source) => {
        try {
          encodeTransaction(decodeTransaction(source))
        } catch (error) {
          if (!isAntaraError(error)) throw error
          expect(error.context.offset).toBeLessThanOrEqual(source.length)
        }
      }),
      { numRuns: share(1000) },
    )
  })
})

describe('fields that cannot be encoded', () => {
  const [everything] = fc.sample(
    together(
      fc.record({ ...transparent, expiryHeight: uint32, valueBalance: int64 }),
      fc.record({
        inputs: fc.constant([
          { txid: '11'.repeat(32), vout: 0, scriptSig: '51', sequence: 0 },
          { txid: '22'.repeat(32), vout: 1, scriptSig: '5151', sequence: 1 },
        ]),
        outputs: fc.constant([
          { value: 1n, script: '51' },
          { value: 2n, script: '5151' },
        ]),
        shieldedSpends: fc.array(shieldedSpend, { minLength: 2, maxLength: 2 }),
        shieldedOutputs: fc.array(shieldedOutput, { minLength: 2, maxLength: 2 }),
        joinSplits: fc.array(joinSplit(fixed(192)), { minLength: 2, maxLength: 2 }),
        bindingSig: fixed(64),
        joinSplitPubKey: fixed(32),
        joinSplitSig: fixed(64),
      }),
      fc.constant({ version: 4, overwintered: true, versionGroupId: 0x892f2085 }),
    ),
    { numRuns: 1, seed: 1 },
  )
  const tx = everything!
  const lists = ['inputs', 'outputs', 'shieldedSpends', 'shieldedOutputs', 'joinSplits'] as const

  /** Every member whose value is hex, with its path and how to put another value there. */
  const members = [
    ...lists.flatMap((list) =>
      Object.entries(tx[list]![1]!).flatMap(([name, value]) =>
        typeof value === 'number' || typeof value === 'bigint'
          ? []
          : [
              {
                path: `${list}[1].${name}`,
                bytes: [value].flat()[0]!.length / 2,
                put: (text: string) => ({
                  ...tx,
                  [list]: [
                    tx[list]![0],
                    { ...tx[list]![1], [name]: Array.isArray(value) ? [value[0], text] : text },
                  ],
                }),
              },
            ],
      ),
    ),
    ...(['joinSplitPubKey', 'joinSplitSig', 'bindingSig'] as const).map((name) => ({
      path: name,
      bytes: tx[name]!.length / 2,
      put: (text: string) => ({ ...tx, [name]: text }),
    })),
  ]

  test('are hex in 26 places', () => {
    expect(encodeTransaction(tx)).toMatch(/^0400008085202f8902/)
    expect(members.length).toBe(26)
  })

  test.each(members)('$path', ({ path, bytes, put }) => {
    const isFree = /script/i.test(path)
    const good = 'ab'.repeat(bytes)
    expect(() => encodeTransaction(put(good))).not.toThrow()
    expect(encodeTransaction(put(good.toUpperCase()))).toBe(encodeTransaction(put(good)))
    for (const bad of ['g', ' ', '\0', '\u0141', '\u{1f9ff}'[0]!]) {
      const text = good.slice(0, -1) + bad
      expect(refusalOf(() => encodeTransaction(put(text)))).toEqual({
        code: 'malformed_hex',
        offset: bytes - 1,
        path,
      })
    }
    const code = isFree ? 'odd_length_hex' : /txid/.test(path) ? 'wrong_length' : 'odd_length_hex'
    expect(refusalOf(() => encodeTransaction(put(good.slice(1))))).toMatchObject({ code, path })
    if (isFree) return
    for (const other of [good.slice(2), `${good}ab`, '']) {
      expect(refusalOf(() => encodeTransaction(put(other)))).toEqual({ code: 'wrong_length', path })
    }
  })

  test('amounts beyond 64 bits', () => {
    for (const value of [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n + 1n]) {
      const wrong: [path: string, fields: TransactionFields][] = [
        ['outputs[1].value', { ...tx, outputs: [tx.outputs[0]!, { value, script: '' }] }],
        ['valueBalance', { ...tx, valueBalance: value }],
        [
          'joinSplits[0].vpubOld',
          { ...tx, joinSplits: [{ ...tx.joinSplits![0]!, vpubOld: value }] },
        ],
        [
          'joinSplits[0].vpubNew',
          { ...tx, joinSplits: [{ ...tx.joinSplits![0]!, vpubNew: value }] },
        ],
      ]
      for (const [path, fields] of wrong) {
        expect(refusalOf(() => encodeTransaction(fields))).toEqual({
          code: 'amount_out_of_range',
          path,
        })
      }
    }
  })

  test('versions and group ids that are not a pair', () => {
    const pairs = [
      { version: 3, versionGroupId: 0x892f2085 },
      { version: 4, versionGroupId: 0x03c48270 },
      { version: 4, versionGroupId: 0 },
      { version: 5, versionGroupId: 0x26a7270a },
      { version: 2, versionGroupId: 0x892f2085 },
    ]
    const bare = { overwintered: true, inputs: [], outputs: [], lockTime: 0 }
    for (const pair of pairs) {
      const code = 'unknown_transaction_format'
      expect(refusalOf(() => encodeTransaction({ ...bare, ...pair }))).toEqual({ code })
    }
  })

  test('parts that the version cannot carry', () => {
    const version1 = { version: 1, overwintered: false, inputs: [], outputs: [], lockTime: 0 }
    const version3 = { ...version1, version: 3, overwintered: true, versionGroupId: 0x03c48270 }
    const { shieldedSpends = [], shieldedOutputs = [], bindingSig = '' } = tx
    const phgr = fc.sample(joinSplit(phgrProof), { numRuns: 1, seed: 1 })
    const joinSplits = {
      joinSplits: phgr,
      joinSplitPubKey: tx.joinSplitPubKey!,
      joinSplitSig: tx.joinSplitSig!,
    }
    const wrong: TransactionFields[] = [
      { ...version1, versionGroupId: 1 },
      { ...version1, expiryHeight: 1 },
      { ...version1, valueBalance: 1n },
      { ...version3, valueBalance: 1n },
      { ...version1, shieldedSpends, bindingSig },
      { ...version3, shieldedSpends, bindingSig },
      { ...version3, shieldedOutputs, bindingSig },
      { ...version1, ...joinSplits },
    ]
    for (const fields of wrong) {
      expect(refusalOf(() => encodeTransaction(fields))).toEqual({ code: 'field_not_in_version' })
    }
    expect(() => encodeTransaction({ ...version3, ...joinSplits })).not.toThrow()
  })
})
