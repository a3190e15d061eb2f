import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'

import {
  addressOf,
  addressOfScript,
  createTokenProver,
  decodeRawTransaction,
  decodeScript,
  decodeTransaction,
  decodeTransactions,
  decodeWif,
  defineNetwork,
  describeTransaction,
  type Evidence,
  encodeTransaction,
  encodeWif,
  networks,
  publicKeyOf,
  scriptOfAddress,
  type TransactionFields,
  transactionId,
  transactionIds,
  verifyInputs,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { refusalOf } from '../../support/refusal.ts'
import { chain } from '../../support/vectors.ts'

// Mistakes of the calling program are TypeErrors; a test that fails here has let one pass for data,
// or answered it with an error of its own.

const { hex, txid } = chain[20]!
const raw = Buffer.from(hex, 'hex')

const throwing = new Proxy(
  {},
  {
    get() {
      throw new Error('a trap was run')
    },
    getPrototypeOf() {
      throw new Error('a trap was run')
    },
    has() {
      throw new Error('a trap was run')
    },
  },
)

const notSources: [name: string, value: unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['an object', {}],
  ['a number', 5],
  ['NaN', Number.NaN],
  ['a bigint', 1n],
  ['a boolean', true],
  ['a symbol', Symbol('hex')],
  ['a function', () => hex],
  ['an array of bytes', [1, 0, 0, 0]],
  ['a String object', new String(hex)],
  ['a date', new Date(0)],
  ['an object without a class', Object.create(null)],
  ['an object that says it is bytes', { length: 1, 0: 1, [Symbol.toStringTag]: 'Uint8Array' }],
  ['an object with a prototype of bytes', Object.create(Uint8Array.prototype)],
  ['a proxy of bytes', new Proxy(raw, {})],
  ['a proxy with traps that throw', throwing],
  ['an ArrayBuffer', raw.buffer],
  ['a DataView', new DataView(new ArrayBuffer(10))],
  ['16-bit words', new Uint16Array(5)],
  ['signed bytes', new Int8Array(10)],
  ['clamped bytes', new Uint8ClampedArray(10)],
]

const notStrings: [name: string, value: unknown][] = [...notSources, ['bytes', raw]]

describe('a source of the wrong type', () => {
  const calls: [name: string, call: (source: never) => unknown][] = [
    ['decodeTransaction', decodeTransaction],
    ['transactionId', transactionId],
    ['decodeRawTransaction', decodeRawTransaction],
    ['describeTransaction', describeTransaction],
  ]
  describe.each(calls)('of %s', (_, call) => {
    test.each(notSources)('%s', (_, value) => {
      expect(() => call(value as never)).toThrow(TypeError)
    })
  })

  describe.each([
    ['decodeTransactions', decodeTransactions],
    ['transactionIds', transactionIds],
  ] as const)('a source of the wrong type is refused: %s', (_, call) => {
    test.each(notStrings)('%s', (_, value) => {
      expect(() => call(value as never)).toThrow(TypeError)
      expect(() => call([hex, value as never])).toThrow(TypeError)
    })

    test('text where a list belongs', () => {
      expect(() => call(hex as never)).toThrow(TypeError)
    })
  })

  test.each(notStrings)('refuses scripts and addresses of the wrong type: %s', (_, value) => {
    expect(() => decodeScript(value as never)).toThrow(TypeError)
    expect(() => addressOfScript(value as never, networks.komodo)).toThrow(TypeError)
    expect(() => scriptOfAddress(value as never, networks.komodo)).toThrow(TypeError)
  })
})

describe('an option of the wrong type', () => {
  const address = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
  test.each([
    ['null', null],
    ['an object', {}],
    ['text', 'komodo'],
    ['a number', 5],
    ['a network with unknown conditions', { ...networks.komodo, conditions: 'bitcoin' }],
  ])('%s as a network', (_, network) => {
    expect(() => decodeScript('51', network as never)).toThrow(TypeError)
    expect(() => addressOfScript('51', network as never)).toThrow(TypeError)
    expect(() => decodeRawTransaction(hex, { network: network as never })).toThrow(TypeError)
  })

  test.each([[null], [undefined], [5], ['komodo']])('%s where a network belongs', (network) => {
    const wanted = 'network: expected a network, such as networks.komodo, got '
    const key = '11'.repeat(32)
    const pubkey = publicKeyOf(key)
    for (const call of [
      () => scriptOfAddress(address, network as never),
      () => addressOf(pubkey, network as never),
      () => encodeWif(key, network as never),
      () => decodeWif(key, network as never),
    ]) {
      expect(call).toThrow(TypeError)
      expect(call).toThrow(wanted)
    }
  })

  test.each([[null], ['older'], [1], [{}]])('%s as a dialect', (dialect) => {
    expect(() => decodeRawTransaction(hex, { dialect: dialect as never })).toThrow(TypeError)
    expect(() => describeTransaction(hex, { dialect: dialect as never })).toThrow(TypeError)
  })

  test.each([
    [null],
    [undefined],
    ['komodo'],
    [5],
    [['komodo']],
    [{ prefix: 60 }],
    [{ pubKeyHashPrefix: '60' }],
    [{ maxMoney: 21 }],
    [{ name: null }],
  ])('%j of defineNetwork', (overrides) => {
    expect(() => defineNetwork(overrides as never)).toThrow(TypeError)
  })
})

interface Resizable extends ArrayBuffer {
  resize(bytes: number): void
}

/** A buffer of ES2024, which Node 20 has and the library's own target has not. */
function resizable(kind: typeof ArrayBuffer | typeof SharedArrayBuffer, bytes: number): Resizable {
  return Reflect.construct(kind, [bytes, { maxByteLength: 9999 }])
}

describe('memory', () => {
  const calls = [decodeTransaction, transactionId, decodeRawTransaction]

  test('is refused if threads share it', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(raw.length))
    shared.set(raw)
    const growable = new Uint8Array(resizable(SharedArrayBuffer, raw.length))
    growable.set(raw)
    for (const call of calls) {
      expect(() => call(shared)).toThrow(TypeError)
      expect(() => call(growable)).toThrow(TypeError)
    }
  })

  test('is refused if it was detached', () => {
    const detached = Uint8Array.from(raw)
    structuredClone(detached.buffer, { transfer: [detached.buffer] })
    for (const call of calls) expect(() => call(detached)).toThrow(TypeError)
  })

  test('is read as far as its view reaches if it can be resized', () => {
    const buffer = resizable(ArrayBuffer, raw.length)
    const tracking = new Uint8Array(buffer)
    const fixed = new Uint8Array(buffer, 0, raw.length)
    tracking.set(raw)
    expect(transactionId(tracking)).toBe(txid)
    buffer.resize(raw.length + 1)
    expect(() => transactionId(tracking)).toThrow(
      expect.objectContaining({ code: 'trailing_bytes', context: { offset: raw.length } }),
    )
    expect(transactionId(fixed)).toBe(txid)
    buffer.resize(raw.length - 1)
    expect(() => transactionId(tracking)).toThrow(expect.objectContaining({ code: 'truncated' }))
    expect(() => transactionId(fixed)).toThrow(expect.objectContaining({ code: 'empty_input' }))
  })

  test('is read where the view begins and no further than it ends', () => {
    for (const offset of [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17]) {
      const larger = Buffer.alloc(raw.length + 40, 0xee)
      raw.copy(larger, offset)
      const view = larger.subarray(offset, offset + raw.length)
      expect(decodeTransaction(view).txid).toBe(txid)
      expect(encodeTransaction(decodeTransaction(view))).toBe(hex)
      expect(decodeRawTransaction(view)).toBe(decodeRawTransaction(hex))
    }
    const pooled = Buffer.from(hex, 'hex')
    expect(pooled.buffer.byteLength).toBeGreaterThan(pooled.length)
    expect(transactionId(pooled)).toBe(txid)
  })

  test('may be of a subclass or of another realm', () => {
    class Bytes extends Uint8Array {}
    expect(transactionId(Bytes.from(raw))).toBe(txid)
    const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes: [...raw] })
    expect(foreign).not.toBeInstanceOf(Uint8Array)
    expect(transactionId(foreign)).toBe(txid)
  })

  test('is not needed any more once a call has returned', () => {
    const mutable = Buffer.from(raw)
    const tx = decodeTransaction(mutable)
    mutable.fill(0)
    expect(encodeTransaction(tx)).toBe(hex)
    expect(tx.txid).toBe(txid)
    const later = decodeTransaction(chain[40]!.hex)
    expect(encodeTransaction(tx)).toBe(hex)
    expect(later.txid).toBe(chain[40]!.txid)
  })
})

describe('fields of the wrong type', () => {
  const fields: TransactionFields = {
    version: 1,
    overwintered: false,
    lockTime: 0,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: [{ value: 1000n, script: '51' }],
  }
  const [input] = fields.inputs
  const [output] = fields.outputs

  test('are right as they stand here', () => {
    expect(encodeTransaction(fields)).toMatch(/^01000000/)
  })

  const notFields = notSources.filter(([, value]) => value !== throwing)
  test.each(notFields)('%s instead of a transaction', (_, value) => {
    expect(() => encodeTransaction(value as never)).toThrow(TypeError)
  })

  const uint32s = ['version', 'lockTime', 'versionGroupId', 'expiryHeight']
  const notUint32s = [null, '1', 1n, -1, 0.5, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY, {}, []]
  test.each(uint32s)('%s', (name) => {
    for (const value of notUint32s) {
      expect(() => encodeTransaction({ ...fields, [name]: value })).toThrow(TypeError)
      expect(() => encodeTransaction({ ...fields, [name]: value })).toThrow(new RegExp(`^${name}:`))
    }
  })

  test('a version with the flag of Overwinter in it', () => {
    expect(() => encodeTransaction({ ...fields, version: 2 ** 31 })).toThrow(/^version: /)
  })

  test.each(['vout', 'sequence'])('inputs[0].%s', (name) => {
    for (const value of [undefined, ...notUint32s]) {
      const wrong = { ...fields, inputs: [{ ...input!, [name]: value }] }
      expect(() => encodeTransaction(wrong)).toThrow(TypeError)
      expect(() => encodeTransaction(wrong)).toThrow(new RegExp(`^inputs\\[0\\]\\.${name}:`))
    }
  })

  const notTexts = [undefined, null, 5, 1n, {}, [], raw]
  test.each(['txid', 'scriptSig'])('inputs[0].%s', (name) => {
    for (const value of notTexts) {
      const wrong = { ...fields, inputs: [{ ...input!, [name]: value }] }
      expect(() => encodeTransaction(wrong as never)).toThrow(TypeError)
      expect(() => encodeTransaction(wrong as never)).toThrow(
        new RegExp(`^inputs\\[0\\]\\.${name}:`),
      )
    }
  })

  test('outputs[0].script and value', () => {
    for (const value of notTexts) {
      const wrong = { ...fields, outputs: [{ ...output!, script: value }] }
      expect(() => encodeTransaction(wrong as never)).toThrow(/^outputs\[0\]\.script: /)
    }
    for (const value of [undefined, null, 5, '1000', {}]) {
      const wrong = { ...fields, outputs: [{ ...output!, value }] }
      expect(() => encodeTransaction(wrong as never)).toThrow(TypeError)
      expect(() => encodeTransaction(wrong as never)).toThrow(/^outputs\[0\]\.value: /)
    }
  })

  test.each(['inputs', 'outputs', 'joinSplits', 'shieldedSpends', 'shieldedOutputs'])(
    '%s',
    (name) => {
      for (const value of [null, 5, 'text', {}, { length: 1 }, raw]) {
        expect(() => encodeTransaction({ ...fields, [name]: value })).toThrow(TypeError)
      }
      for (const item of [null, undefined, 5, 'text']) {
        expect(() => encodeTransaction({ ...fields, [name]: [item] })).toThrow(TypeError)
      }
    },
  )

  test('overwintered', () => {
    for (const value of [undefined, null, 0, 1, 'true']) {
      expect(() => encodeTransaction({ ...fields, overwintered: value as never })).toThrow(
        /^overwintered: /,
      )
    }
  })

  test('valueBalance', () => {
    for (const value of [null, 0, '0']) {
      expect(() => encodeTransaction({ ...fields, valueBalance: value as never })).toThrow(
        /^valueBalance: /,
      )
    }
  })

  test('a getter may run the engine: nothing that was gathered before it is lost', () => {
    const busy = [
      () => decodeTransaction(hex),
      () => encodeTransaction({ ...fields, lockTime: 7 }),
      () => decodeScript('51'),
      () => transactionIds([hex]),
      () => refusalOf(() => decodeTransaction('00')),
      () => expect(() => encodeTransaction({ ...fields, outputs: [null as never] })).toThrow(),
    ]
    const plain = encodeTransaction({ ...fields, outputs: [output!, output!] })
    for (const call of busy) {
      const computed = {
        value: 1000n,
        get script() {
          call()
          return '51'
        },
      }
      expect(encodeTransaction({ ...fields, outputs: [computed, output!] })).toBe(plain)
    }
  })
})

describe('an array with a hole', () => {
  // biome-ignore lint/suspicious/noSparseArray: that is the mistake
  const holed = <Item>(item: Item): Item[] => [item, , item] as Item[]
  const key = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
  const tokenid = '11'.repeat(32)
  const intent = { tokenid, destination: key, amount: 1n, from: key }
  const recipients = holed({ pubkey: key, amount: 1n })
  const cases: [path: string, call: () => unknown][] = [
    ['intent.recipients', () => verifyTokenTransfer(hex, { ...intent, recipients }, evidence())],
    ['evidence.previousTransactions', () => verifyTokenTransfer(hex, intent, evidence(holed(hex)))],
    ['sources', () => decodeTransactions(holed(hex))],
    ['prevouts', () => verifyInputs(hex, holed({ value: 1n, script: '' }))],
    ['transactions', () => createTokenProver(holed(hex))],
  ]
  test.each(cases)('%s is named with its place', (path, call) => {
    expect(call).toThrow(new TypeError(`${path}[1]: expected an item, got none`))
  })

  test.each(['inputs', 'outputs'] as const)('a source of %s is not a transaction', (name) => {
    const tx = decodeTransaction(hex)
    const [item] = tx[name]
    const encode = (list: unknown[]) => () => encodeTransaction({ ...tx, [name]: list } as never)
    expect(encode([item])).not.toThrow()
    expect(encode(holed(item))).toThrow(new TypeError(`${name}[1]: expected an item, got none`))
    for (const none of [undefined, null, 0]) {
      expect(encode([item, none])).toThrow(TypeError)
      expect(encode([item, none])).toThrow(new RegExp(`^${name}\\[1\\]: expected an object, got`))
    }
  })

  function evidence(previousTransactions: string[] = []): Evidence {
    return { previousTransactions }
  }
})
