// These tests cover what the page shows of a transaction: the places of its fields, the amounts
// that flow through it, and the pasted text.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { differencesOf } from '../../../inspector/compare.ts'
import { type Field, fieldsOf, isWithin, marksOf } from '../../../inspector/fields.ts'
import { flowsOf } from '../../../inspector/flow.ts'
import { copyLink, packLink, unpackLink } from '../../../inspector/link.ts'
import { type Subject, subjectOf, type TransactionSubject } from '../../../inspector/subject.ts'
import { amountText, brief } from '../../../inspector/words.ts'
import {
  addressOf,
  decodeTokenTransaction,
  decodeTransaction,
  describeTransaction,
  encodeTransaction,
  formatCase,
  networks,
  scriptOfAddress,
  type TransactionFields,
  tokenScript,
} from '../../../src/index.ts'
import { build } from '../../support/built-orders.ts'
import { keys, readVectors } from '../../support/komodod.ts'
import { madeOrders } from '../../support/orders.ts'
import { isQuick, shareOf } from '../../support/share.ts'
import * as market from '../../support/tokel-market.ts'
import { tokeldCases } from '../../support/tokeld-cases.ts'
import { chain } from '../../support/vectors.ts'

const example = (name: string) =>
  readFileSync(new URL(`../../../examples/${name}.json`, import.meta.url), 'utf8')
const names = Object.keys(networks)

function transactionIn(text: string): TransactionSubject {
  const subject = subjectOf(text, 'assetChain')
  if (subject.kind !== 'transaction') throw new Error(`${subject.kind} found`)
  return subject
}

const wireNumber = (hex: string): bigint =>
  BigInt(`0x${(hex.match(/../g) ?? []).reverse().join('') || '0'}`)

/** Returns the value that the bytes of a field encode, without the engine's decoder. */
function expected({ path }: Field, bytes: string, tx: ReturnType<typeof decodeTransaction>) {
  const [, list, at, member] = /^(inputs|outputs)\[(\d+)\]\.(\w+)$/.exec(path) ?? []
  if (list === undefined) return undefined
  const item = tx[list as 'inputs' | 'outputs'][Number(at)] as unknown as Record<string, unknown>
  switch (member) {
    case 'txid':
      return [bytes.match(/../g)!.reverse().join(''), item.txid]
    case 'vout':
    case 'sequence':
      return [wireNumber(bytes), BigInt(item[member] as number)]
    case 'value':
      return [BigInt.asIntN(64, wireNumber(bytes)), item.value]
    case 'script':
    case 'scriptSig':
      return [bytes, item[member]]
    default:
      return undefined
  }
}

describe('fields', () => {
  const { transactions } = readVectors<{
    transactions: { hex: string; parsed?: { segwit: boolean } }[]
  }>('real/transactions.json')
  const real = transactions.filter(({ parsed }) => parsed?.segwit === false)
  test.each([
    ['the recorded chain', chain.map(({ hex }) => hex)],
    ['other real ones, shielded among them', real.map(({ hex }) => hex)],
  ])('tile every transaction, and say what its bytes say: %s', (_, hexes) => {
    expect(hexes.length).toBeGreaterThan(0)
    for (const hex of shareOf(hexes)) {
      const tx = decodeTransaction(hex)
      const fields = fieldsOf(tx)
      expect(fields[0]!.start).toBe(0)
      expect(fields.at(-1)!.end).toBe(hex.length / 2)
      for (const [at, field] of fields.entries()) {
        expect(field.start).toBe(at === 0 ? 0 : fields[at - 1]!.end)
        const bytes = hex.slice(2 * field.start, 2 * field.end)
        const both = expected(field, bytes, tx)
        if (both !== undefined) expect(both[0]).toEqual(both[1])
      }
    }
  })

  test('belong to the paths that findings name', () => {
    expect(isWithin('outputs[1].script', 'outputs[1]')).toBe(true)
    expect(isWithin('outputs[1].script', 'outputs')).toBe(true)
    expect(isWithin('outputs[10].script', 'outputs[1]')).toBe(false)
    expect(isWithin('inputs[0].txid', 'outputs')).toBe(false)
  })
})

describe('marks', () => {
  const fields = fieldsOf(decodeTransaction(JSON.parse(example('transfer')).hex))
  const at = (path: string, severity: 'reject' | 'warn' | 'info') => ({ path, severity })

  test('are the worst finding of a field, or of the part that contains it', () => {
    const findings = [
      at('outputs[1]', 'reject'),
      at('outputs[1]', 'warn'),
      at('outputs[1].script', 'warn'),
      at('inputs', 'warn'),
      at('lockTime', 'info'),
    ]
    const marks = marksOf(fields, findings)
    expect([marks.get('outputs[1].script'), marks.get('outputs[1].value')]).toEqual([
      'reject',
      'reject',
    ])
    expect(marks.get('inputs[0].txid')).toBe('warn')
    expect([marks.get('lockTime'), marks.get('outputs[0].value')]).toEqual([undefined, undefined])
  })
})

describe('flows', () => {
  test('coins balance with the fee, tokens by themselves', () => {
    const [coins, token] = flowsOf(transactionIn(example('transfer')))
    const sum = (parts: readonly { amount?: bigint }[]) =>
      parts.reduce((total, { amount }) => total + amount!, 0n)
    expect(coins).toMatchObject({ asset: 'coins' })
    expect(sum(coins!.inputs)).toBe(sum(coins!.outputs))
    expect(coins!.outputs.at(-1)).toEqual({ path: 'fee', label: 'fee', amount: 10_000n })
    expect(token!.inputs).toEqual([{ path: 'inputs[1]', label: 'token', amount: 1000n }])
    expect(token!.outputs.map(({ label, amount }) => [label, amount])).toEqual([
      ['destination', 100n],
      ['token-change', 900n],
    ])
  })

  test('a creation turns coins into units', () => {
    const [coins, token] = flowsOf(transactionIn(example('create')))
    expect(coins!.outputs.map(({ label }) => label)).toContain('becomes tokens')
    expect(token!.inputs).toEqual([])
    expect(token!.outputs).toEqual([{ path: 'outputs[1]', label: 'issuance', amount: 1000n }])
  })

  const balances = (subject: TransactionSubject) =>
    flowsOf(subject).map(({ asset, inputs, outputs }) => {
      const sum = (parts: readonly { amount?: bigint }[]) =>
        parts.reduce((total, { amount = 0n }) => total + amount, 0n)
      return { asset, gained: sum(outputs) - sum(inputs) }
    })
  const even = (assets: readonly string[]) => assets.map((asset) => ({ asset, gained: 0n }))

  test.each(madeOrders.map((it) => [it.kind, it] as const))(
    'the units that an order holds are not coins: %s, unsigned and signed',
    (kind, order) => {
      const unsigned = formatCase(build(order))
      const signed = JSON.stringify({ ...JSON.parse(unsigned), hex: order.hex })
      const tokenid = kind === 'ask' ? order.params[1]! : order.params[0]!
      const assets = kind === 'bid' ? ['coins'] : ['coins', tokenid]
      for (const text of [unsigned, signed]) {
        expect(balances(transactionIn(text))).toEqual(even(assets))
      }
    },
  )

  const tokelSubject = (
    hex: string,
    parents: readonly ReturnType<typeof decodeTransaction>[],
  ): TransactionSubject => ({
    kind: 'transaction',
    hex,
    transaction: decodeTransaction(hex),
    network: networks.tokel,
    token: decodeTokenTransaction(hex, networks.tokel)!,
    parents: new Map(parents.map((it) => [it.txid, it])),
  })

  test('show each of several tokens that move at once by itself', () => {
    const { make, given, otherGiven, funding, namedTokens, tokenid, otherTokenid } = market
    const key = keys.A.pubkey
    const { hex } = make(
      [
        [funding, 0],
        [given, 0],
        [otherGiven, 0],
      ],
      [
        { value: 400n, script: namedTokens(key, tokenid) },
        { value: 400n, script: namedTokens(key, otherTokenid) },
        { value: 99_990_000n, script: market.p2pk(key) },
      ],
    )
    const parents = [funding, given, otherGiven].map((it) => decodeTransaction(it.hex))
    expect(balances(tokelSubject(hex, parents))).toEqual([
      { asset: 'coins', gained: 0n },
      { asset: tokenid, gained: 0n },
      { asset: otherTokenid, gained: 0n },
    ])
  })

  test('show tokens of tokeld by its own rules', () => {
    const moved = tokeldCases.flatMap((it) => (it.operation === 'create' ? [] : [it]))
    expect(moved.length).toBeGreaterThan(20)
    for (const { hex, intent, evidence, operation } of moved) {
      const { tokenCreate = '', previousTransactions } = evidence
      const parents = [tokenCreate, ...previousTransactions].map((it) => decodeTransaction(it))
      const subject = tokelSubject(hex, parents)
      const isBid = operation === 'order' && intent.kind === 'bid'
      const assets = isBid ? ['coins'] : ['coins', intent.tokenid]
      expect(
        balances(subject).toSorted((one, other) => (one.asset < other.asset ? 1 : -1)),
      ).toEqual(even(assets.toSorted().toReversed()))
    }
  })

  test('no amount of an input and no fee is reported without evidence', () => {
    const flows = flowsOf(transactionIn(JSON.parse(example('transfer')).hex))
    for (const { inputs, outputs } of flows) {
      expect(inputs.every(({ amount }) => amount === undefined)).toBe(true)
      expect(outputs.map(({ path }) => path)).not.toContain('fee')
    }
  })

  test('amounts keep every digit', () => {
    expect(amountText(123_456_789_012_345_678n, 'coins')).toBe(
      '1\u202f234\u202f567\u202f890.12345678',
    )
    expect(amountText(-1n, 'coins')).toBe('-0.00000001')
    expect(amountText(9_007_199_254_740_993n, 'ab')).toContain('993 units')
  })
})

describe('pasted text', () => {
  const key = JSON.parse(example('transfer')).intent.from
  const script = tokenScript(key)
  test.each<[string, string, Subject['kind']]>([
    ['a case', example('transfer'), 'transaction'],
    [
      'hex in capitals, with blanks around it',
      ` ${JSON.parse(example('create')).hex.toUpperCase()}\n`,
      'transaction',
    ],
    ['a condition', script.slice(2, -2), 'condition'],
    ['a script', script, 'script'],
    ['an address', 'RNYuPekegLgPANq3vBuYKZeC2ReiR7oSfL', 'script'],
    ['words', 'hello', 'trouble'],
    ['an address with a typo', 'RNYuPekegLgPANq3vBuYKZeC2ReiR7oSfM', 'trouble'],
    ['no case', '{"operation": 1}', 'trouble'],
    ['deeply nested JSON', `${'{"a":'.repeat(100_000)}1`, 'trouble'],
    ['half a transaction', JSON.parse(example('create')).hex.slice(0, 340), 'trouble'],
  ])('%s', (_, text, kind) => {
    expect(subjectOf(text, 'assetChain').kind).toBe(kind)
  })

  test('a transaction that is cut short names the byte', () => {
    const hex: string = JSON.parse(example('create')).hex
    expect(subjectOf(hex.slice(0, 340), 'assetChain')).toMatchObject({
      kind: 'trouble',
      offset: 132,
    })
  })

  test('a case carries its verdict', () => {
    const { checked } = transactionIn(example('transfer-wrong-destination'))
    expect(checked!.report.ok).toBe(false)
    expect(checked!.report.findings.map(({ code }) => code)).toContain('destination')
  })
})

describe('the comparison of two transactions', () => {
  const compare = (first: string, second: string) =>
    differencesOf(transactionIn(first), transactionIn(second))
  const wordsOf = (first: string, second: string) =>
    compare(first, second).map(({ words }) => words)
  const { hex } = JSON.parse(example('transfer'))

  test('finds nothing between a transaction and itself, with or without its case', () => {
    expect(compare(example('transfer'), example('transfer'))).toEqual([])
    expect(compare(hex.toUpperCase(), example('transfer'))).toEqual([])
  })

  test('tells who gets the tokens instead, and that the verdict changes', () => {
    const [verdict, recipient, ...others] = compare(
      example('transfer'),
      example('transfer-wrong-destination'),
    )
    expect(verdict).toEqual({
      words: 'The verdict on broadcasting differs',
      first: 'your-decision',
      second: 'no',
    })
    expect(recipient).toEqual({
      words: 'The recipient of output 0 differs',
      first: decodedAddress(example('transfer')),
      second: decodedAddress(example('transfer-wrong-destination')),
    })
    expect(others).toEqual([])
  })

  const decodedAddress = (text: string) =>
    describeTransaction(JSON.parse(text).hex).vout[0]!.scriptPubKey.addresses![0]

  test('names a request that was changed together with the transaction', () => {
    const given = JSON.parse(example('transfer'))
    const other = { ...given, intent: { ...given.intent, amount: '900' } }
    expect(compare(example('transfer'), JSON.stringify(other))).toContainEqual({
      words: 'The request differs in amount',
      first: '100',
      second: '900',
    })
  })

  const made = (fields: Partial<TransactionFields>) =>
    encodeTransaction({
      ...{ version: 1, overwintered: false, lockTime: 0 },
      inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
      outputs: [],
      ...fields,
    })
  const key = JSON.parse(example('transfer')).intent.from
  const keyScript = `21${key}ac`
  const hashScript = scriptOfAddress(addressOf(key, networks.assetChain), networks.assetChain)
  const paid = (value: bigint, script = hashScript) => ({ value, script })

  test('does not take a key for the hash of the key, whose address is the same', () => {
    const words = wordsOf(
      made({ outputs: [paid(5n)] }),
      made({ outputs: [{ value: 5n, script: keyScript }] }),
    )
    expect(words).toEqual(['The script of output 0 differs'])
  })

  test('calls another amount to the same recipient one difference', () => {
    const [one, other] = [made({ outputs: [paid(5n)] }), made({ outputs: [paid(6n)] })]
    expect(compare(one, other)).toEqual([
      {
        words: expect.stringMatching(/^The amount of output 0 to R\w+ differs$/),
        first: '0.00000005',
        second: '0.00000006',
      },
    ])
  })

  test('notices an output and an input that are there twice, and another order', () => {
    const [once, twice] = [made({ outputs: [paid(5n)] }), made({ outputs: [paid(5n), paid(5n)] })]
    expect(wordsOf(once, twice)).toEqual(['Only the second has output 1'])
    const { inputs } = decodeTransaction(once)
    const doubled = made({ inputs: [...inputs, ...inputs], outputs: [paid(5n)] })
    expect(wordsOf(once, doubled)).toEqual(['Only the second spends this output, as input 1'])
    const [there, back] = [
      [paid(5n), paid(6n)],
      [paid(6n), paid(5n)],
    ]
    expect(wordsOf(made({ outputs: there }), made({ outputs: back }))).toHaveLength(2)
  })

  test('finds a difference wherever one byte differs', () => {
    const shielded = readVectors<{ transactions: { hex: string }[] }>('real/transactions.json')
      .transactions.map((it) => it.hex)
      .filter((it) => it.length < 12_000 && hasShielded(it))
    const samples = [hex, ...chain.slice(0, 3).map((it) => it.hex), ...shielded.slice(0, 2)]
    expect(samples.length).toBeGreaterThan(4)
    for (const sample of samples) {
      const before = transactionIn(sample)
      const step = Math.max(1, Math.floor(sample.length / 2 / (isQuick ? 60 : 200)))
      let decoded = 0
      for (let at = 0; at < sample.length / 2; at += step) {
        const byte = Number.parseInt(sample.slice(2 * at, 2 * at + 2), 16) ^ 1
        const digits = byte.toString(16).padStart(2, '0')
        const changed = subjectOf(
          sample.slice(0, 2 * at) + digits + sample.slice(2 * at + 2),
          'assetChain',
        )
        if (changed.kind !== 'transaction') continue
        decoded += 1
        expect(differencesOf(before, changed), `byte ${at}`).not.toEqual([])
      }
      expect(decoded).toBeGreaterThan(isQuick ? 15 : 50)
    }
  })

  function hasShielded(text: string): boolean {
    try {
      const { shieldedOutputs, joinSplits } = decodeTransaction(text)
      return shieldedOutputs.length + joinSplits.length > 0
    } catch {
      return false
    }
  }

  test('takes the time of its length for thousands of outputs', () => {
    const many = Array.from({ length: isQuick ? 2_000 : 5_000 }, (_, at) => paid(BigInt(at)))
    const other = many.map(({ value, script }) => ({ value: value + 1n, script }))
    expect(compare(made({ outputs: many }), made({ outputs: other })).length).toBeGreaterThan(
      many.length - 1_000,
    )
  })
})

describe('links', () => {
  test('is copied if the page may write to the clipboard, and only then', async () => {
    const written: string[] = []
    const writeText = async (text: string) => void written.push(text)
    expect(await copyLink('#hex=00', { writeText })).toBe(true)
    expect(written).toEqual(['#hex=00'])
    const refuses = async () => {
      throw new Error('not allowed')
    }
    expect(await copyLink('#hex=00', { writeText: refuses })).toBe(false)
    expect(await copyLink('#hex=00', undefined)).toBe(false)
  })

  test('bring back what was put in', async () => {
    const given = { text: example('transfer'), network: 'tokel' } as const
    expect(await unpackLink(`#${await packLink(given)}`, names)).toEqual(given)
    expect(await unpackLink('#hex=00', names)).toEqual({ text: '00', network: 'assetChain' })
    expect(await unpackLink('', names)).toBeUndefined()
  })

  test('refuse damage, unknown networks and sizes that would fill the memory', async () => {
    const bomb = deflateRawSync(Buffer.alloc(isQuick ? 20_000_001 : 100_000_000)).toString(
      'base64url',
    )
    await expect(unpackLink(`#z=${bomb}`, names)).rejects.toThrow(RangeError)
    await expect(unpackLink(`#z=${'a'.repeat(2_000_001)}`, names)).rejects.toThrow(RangeError)
    await expect(unpackLink('#z=!!', names)).rejects.toThrow(TypeError)
    await expect(unpackLink('#z=AAAA', names)).rejects.toThrow()
    await expect(unpackLink('#hex=00&network=nowhere', names)).rejects.toThrow(TypeError)
    // The maker of a link cannot write text on the page.
    await expect(unpackLink('#hex=00&network=AGREES', names)).rejects.not.toThrow(/AGREES/)
  })

  test('are not made if the page could not read them', async () => {
    // Random bytes cannot be compressed.
    const text = randomBytes(32 * 60_000).toString('hex')
    await expect(packLink({ text, network: 'assetChain' })).rejects.toThrow(RangeError)
  })
})

describe('words', () => {
  test('are cut if they are long, with a note', () => {
    expect(brief('\u202e')).toBe('\\u{202e}')
    expect(brief('a'.repeat(20_003))).toBe(`${'a'.repeat(20_000)}… 3 characters more`)
  })
})
