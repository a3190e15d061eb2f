// The size of the given bytes bounds the work of a verification. Each family of hostile cases is
// verified at one, two and four times a size; the work is counted, not timed.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import type { Evidence, Recipient, TransactionFields, TransferIntent } from '../../../src/index.ts'
import { madeUpInputs } from '../../support/made-up.ts'
import { putModulesBack } from '../../support/own-modules.ts'
import { a, b, c, evidenceFor, p2pk, transfer, transferIntent } from '../../support/resigned.ts'
import { isQuick, shareOf } from '../../support/share.ts'

const work = { calls: 0, characters: 0, payloads: 0, errors: 0 }

// Modules of their own: others may have loaded them without the counts.
putModulesBack()
vi.resetModules()
vi.doMock('../../../src/errors/antara-error.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/errors/antara-error.ts')>()
  class AntaraError extends original.AntaraError {
    constructor(...args: ConstructorParameters<typeof original.AntaraError>) {
      super(...args)
      work.errors += 1
    }
  }
  return { ...original, AntaraError }
})

vi.doMock('../../../src/token/payload/decode.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/token/payload/decode.ts')>()
  return {
    ...original,
    decodeTokenPayload(script: string) {
      work.payloads += script.length
      return original.decodeTokenPayload(script)
    },
  }
})

const { startEngine } = await import('../../../src/engine/call.ts')
const {
  conditionScript,
  decodeTransaction,
  encodeTransaction,
  moduleCondition,
  networks,
  tokenScript,
  transactionId,
  verifyTokenTransfer,
} = await import('../../../src/index.ts')
vi.doUnmock('../../../src/errors/antara-error.ts')
vi.doUnmock('../../../src/token/payload/decode.ts')

const native = startEngine().engine
const engine = native as unknown as Record<string, unknown>
const uncounted = { ...engine }

beforeAll(() => {
  for (const [name, original] of Object.entries(uncounted)) {
    if (typeof original !== 'function') continue
    engine[name] = (...args: unknown[]): unknown => {
      work.calls += 1
      for (const arg of args) if (typeof arg === 'string') work.characters += arg.length
      return Reflect.apply(original, native, args)
    }
  }
})

afterAll(() => {
  Object.assign(engine, uncounted)
})

interface Given {
  readonly tx: TransactionFields
  readonly intent?: Partial<TransferIntent>
  readonly evidence?: Partial<Evidence>
}

/** Returns the work of one verification. */
function workOf({ tx, intent, evidence }: Given): typeof work {
  const given = { previousTransactions: [], tipHeight: 12, ...evidence }
  const hex = encodeTransaction(tx)
  Object.assign(work, { calls: 0, characters: 0, payloads: 0, errors: 0 })
  expect(verifyTokenTransfer(hex, { ...transferIntent, ...intent }, given).ok).toBe(false)
  // A count of zero would pass every bound.
  expect(Math.min(work.calls, work.characters)).toBeGreaterThan(0)
  return { ...work }
}

type Output = TransactionFields['outputs'][number]

const times = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** A transaction that looks as if it had been mined, with outputs of anybody's choice. */
function parentWith(outputs: readonly Output[], more: Partial<TransactionFields> = {}): string {
  return encodeTransaction({ ...transfer, inputs: madeUpInputs, outputs: [...outputs], ...more })
}

/** Spends outputs 0 to `count` - 1 of each transaction. */
function spending(parents: readonly string[], count: number, scriptSig = ''): TransactionFields {
  const inputs = parents.flatMap((hex) => {
    const txid = transactionId(hex)
    return times(count, (vout) => ({ txid, vout, scriptSig, sequence: 0xffffffff }))
  })
  return { ...transfer, inputs }
}

function nulldata(data: string): Output {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length / 2)
  return { value: 0n, script: `6a4e${size.toString('hex')}${data}` }
}

const native1 = (value: bigint, key = a): Output => ({ value, script: p2pk(key) })
const token1 = (value: bigint, key = a): Output => ({ value, script: tokenScript(key) })
const payloadOf = (more: string): Output =>
  nulldata(`f274${transferIntent.tokenid}01${`21${b}`}${more}`)
/** Own tokens v2, that name theirs themselves or not. */
const tokenV2 = (naming?: string): string =>
  conditionScript(moduleCondition([a], { evalCodes: [0xf5] }), {
    form: 'M',
    params: {
      version: 2,
      evalCode: 0xf5,
      m: 1,
      n: 1,
      pubkeys: [a],
      data: naming === undefined ? [] : [naming],
    },
  })
const someKey = (at: number): string => `02${(at + 1).toString(16).padStart(64, '0')}`
/** 15 keys, of which one signs; a signature that none of them made. */
const multisig = `51${`21${c}`.repeat(15)}5fae`
const signature = `00483045022100${'11'.repeat(32)}0220${'11'.repeat(32)}01`

/** By name, a case that is `scale` times as large as the first. */
const families: [name: string, make: (scale: number) => Given][] = [
  [
    'inputs that spend coins of one transaction',
    (scale) => {
      const parent = parentWith(times(200 * scale, () => native1(1000n)))
      return { tx: spending([parent], 200 * scale), evidence: { previousTransactions: [parent] } }
    },
  ],
  [
    'inputs that spend tokens of one transaction with many empty extras',
    (scale) => {
      const outputs = times(200 * scale, () => token1(1n))
      const parent = parentWith([...outputs, payloadOf('1200'.repeat(200 * scale))])
      return { tx: spending([parent], 200 * scale), evidence: { previousTransactions: [parent] } }
    },
  ],
  [
    'inputs that spend tokens of one transaction with a payload that is none',
    (scale) => {
      const outputs = times(200 * scale, () => token1(1n))
      const parent = parentWith([...outputs, nulldata(`f274${'00'.repeat(2000 * scale)}`)])
      return { tx: spending([parent], 200 * scale), evidence: { previousTransactions: [parent] } }
    },
  ],
  [
    'transactions that are spent from',
    (scale) => {
      const parents = times(200 * scale, (at) =>
        parentWith([token1(BigInt(at + 1)), payloadOf('1200')], { lockTime: at }),
      )
      return { tx: spending(parents, 1), evidence: { previousTransactions: parents } }
    },
  ],
  [
    'ancestors, one behind the other',
    (scale) => {
      const ancestors: string[] = []
      let last = parentWith([token1(100n), payloadOf('')])
      for (let at = 0; at < 200 * scale; at += 1) {
        ancestors.push(last)
        const { inputs } = spending([last], 1, transfer.inputs[1]!.scriptSig)
        last = parentWith([token1(100n), payloadOf('')], { inputs })
      }
      ancestors.push(last)
      return { tx: spending([last], 1), evidence: { previousTransactions: ancestors } }
    },
  ],
  [
    'ancestors with rivals, each beside the one before',
    (scale) => {
      const given: string[] = []
      let last = parentWith([token1(100n), payloadOf('')])
      for (let at = 0; at < 100 * scale; at += 1) {
        const { inputs } = spending([last], 1, transfer.inputs[1]!.scriptSig)
        const rival = parentWith([token1(100n), payloadOf('')], { inputs, lockTime: 1 })
        given.push(last, rival)
        last = parentWith([token1(100n), payloadOf('')], { inputs })
      }
      given.push(last)
      const heights = Object.fromEntries(given.map((hex) => [transactionId(hex), 0]))
      return { tx: spending([last], 1), evidence: { previousTransactions: given, heights } }
    },
  ],
  [
    'tokens v2 that are given at once',
    (scale) => {
      const tokenids = times(100 * scale, (at) => someKey(at).slice(2))
      const outputs = tokenids.map((id): Output => ({ value: 1n, script: tokenV2(`f57401${id}`) }))
      const parent = parentWith([...outputs, payloadOf('1200'.repeat(100 * scale))])
      return {
        tx: spending([parent], 100 * scale),
        intent: { network: networks.tokel, tokenid: tokenids[0]!, tokenids },
        evidence: { previousTransactions: [parent] },
      }
    },
  ],
  [
    'inputs that spend two tokens v2 of one transaction with a long payload',
    (scale) => {
      const tokenids = times(2, (at) => someKey(at).slice(2))
      const outputs = times(200 * scale, (): Output => ({ value: 1n, script: tokenV2() }))
      const long = nulldata(`f57401${tokenids[0]}${'00'.repeat(2000 * scale)}`)
      const parent = parentWith([...outputs, long])
      return {
        tx: spending([parent], 200 * scale),
        intent: { network: networks.tokel, tokenid: tokenids[0]!, tokenids },
        evidence: { previousTransactions: [parent] },
      }
    },
  ],
  [
    'outputs that nobody asked for',
    (scale) => ({ tx: { ...transfer, outputs: times(500 * scale, () => token1(0n, c)) } }),
  ],
  [
    'outputs to the destination',
    (scale) => ({ tx: { ...transfer, outputs: times(500 * scale, () => token1(100n, b)) } }),
  ],
  [
    'nulldata outputs',
    (scale) => ({ tx: { ...transfer, outputs: times(500 * scale, () => payloadOf('')) } }),
  ],
  [
    'a payload with many extras',
    (scale) => ({ tx: { ...transfer, outputs: [payloadOf('1200'.repeat(500 * scale))] } }),
  ],
  [
    'inputs that spend from one of several keys',
    (scale) => {
      const parent = parentWith(times(100 * scale, () => ({ value: 1n, script: multisig })))
      return {
        tx: spending([parent], 100 * scale, signature),
        evidence: { previousTransactions: [parent] },
      }
    },
  ],
  [
    'the same coin, with a long script, again and again',
    (scale) => {
      const script = `${tokenScript(c)}4d${(9000).toString(16).match(/../g)!.reverse().join('')}${'00'.repeat(9000)}75`
      const parent = parentWith([{ value: 1n, script }])
      const { inputs } = spending([parent], 1)
      return {
        tx: { ...transfer, inputs: times(200 * scale, () => inputs[0]!) },
        evidence: { previousTransactions: [parent] },
      }
    },
  ],
  [
    'the same evidence again and again',
    (scale) => {
      const parent = parentWith([token1(1n), payloadOf('')])
      return {
        tx: spending([parent], 1),
        evidence: { previousTransactions: times(200 * scale, () => parent) },
      }
    },
  ],
]

describe('work grows as what is given', () => {
  test.each(shareOf(families, 0, 4))('%s', (_, make) => {
    const scales = isQuick ? [2] : [2, 4]
    // the engine asks for more memory once, and is then called a second time
    workOf(make(Math.max(...scales)))
    const once = workOf(make(1))
    for (const scale of scales) {
      const more = workOf(make(scale))
      for (const [what, count] of Object.entries(more)) {
        const allowed = 1.1 * scale * once[what as keyof typeof work] + 20
        expect([what, scale, count]).toEqual([what, scale, Math.min(count, Math.floor(allowed))])
      }
    }
  })

  test('recipients and outputs that are neither', () => {
    const workOn = (scale: number) => {
      const recipients: Recipient[] = times(50 * scale, (at) => ({
        pubkey: [b, c][at % 2]!,
        amount: BigInt(at + 1),
      }))
      const destination = recipients[0]!.pubkey
      const intent = { destination, amount: 1n, recipients, network: networks.tokel }
      const outputs = times(50 * scale, (at) => token1(BigInt(at + 1), someKey(at)))
      return workOf({ tx: { ...transfer, outputs }, intent })
    }
    const once = workOn(1)
    const more = workOn(4)
    expect(more.calls).toBeLessThanOrEqual(4.4 * once.calls)
    expect(more.characters).toBeLessThanOrEqual(4.4 * once.characters)
  })
})

test('a transaction with more inputs than any chain takes is not walked', () => {
  const parent = parentWith(times(2000, () => token1(1n)))
  const evidence = { previousTransactions: times(100, () => parent) }
  const counts = [1025, 2000].map((count) => workOf({ tx: spending([parent], count), evidence }))
  for (const { calls, payloads, errors } of counts) {
    // the transaction itself, and the two keys of the intent
    expect(calls).toBeLessThanOrEqual(3)
    expect([payloads, errors]).toEqual([0, 0])
  }
  const hex = encodeTransaction(spending([parent], 1025))
  const report = verifyTokenTransfer(hex, transferIntent, { previousTransactions: [parent] })
  expect(report.findings.map(({ code }) => code)).toEqual(['too_many_inputs'])
  expect(report.txid).toBe(decodeTransaction(hex).txid)
})

test('a good transfer and the creation of its token are each read once, without an error', () => {
  const hex = encodeTransaction(transfer)
  const evidence = evidenceFor(transfer, 12)
  Object.assign(work, { calls: 0, characters: 0, payloads: 0, errors: 0 })
  expect(verifyTokenTransfer(hex, transferIntent, evidence).ok).toBe(true)
  const created = decodeTransaction(evidence.tokenCreate!).outputs.at(-1)!.script
  const { payloads, errors } = work
  expect(payloads).toBe(transfer.outputs.at(-1)!.script.length + created.length)
  expect(errors).toBe(0)
})

test('a previous transaction over the size that is mined is not read', () => {
  const parent = parentWith(times(6000, () => native1(1n)))
  expect(parent.length).toBeGreaterThan(400_000)
  const tx = spending([parent], 1)
  const { characters } = workOf({ tx, evidence: { previousTransactions: [parent, parent] } })
  expect(characters).toBeLessThan(5000)
  const hex = encodeTransaction(tx)
  const { findings } = verifyTokenTransfer(hex, transferIntent, { previousTransactions: [parent] })
  const claimed = findings.find(({ code }) => code === 'previous_transaction_malformed')
  expect(claimed).toMatchObject({
    expected: 'at most 200000 bytes',
    actual: `${parent.length / 2} bytes`,
  })
})

test('a payload in a script that is never mined is not read', () => {
  const tx = { ...transfer, outputs: [payloadOf('1200'.repeat(5000))] }
  expect(workOf({ tx })).toMatchObject({ payloads: 0, errors: 0 })
})
