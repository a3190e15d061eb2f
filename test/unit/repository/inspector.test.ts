// These tests cover what the page shows of a transaction: the places of its fields, the amounts
// that flow through it, and the pasted text.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Field, fieldsOf, isWithin, marksOf } from '../../../inspector/fields.ts'
import { flowsOf } from '../../../inspector/flow.ts'
import { copyLink, packLink, unpackLink } from '../../../inspector/link.ts'
import { type Subject, subjectOf, type TransactionSubject } from '../../../inspector/subject.ts'
import { amountText, brief } from '../../../inspector/words.ts'
import {
  decodeTokenTransaction,
  decodeTransaction,
  formatCase,
  networks,
  tokenScript,
} from '../../../src/index.ts'
import { build } from '../../support/built-orders.ts'
import { keys, readVectors } from '../../support/komodod.ts'
import { madeOrders } from '../../support/orders.ts'
import * as market from '../../support/tokel-market.ts'
import { tokeldCases } from '../../support/tokeld-cases.ts'
import { chain } from '../../support/vectors.ts'

const example = (name: string) =>
  readFileSync(new URL(`../../../examples/${name}.json`, import.meta.url), 'utf8')
const names = Object.keys(networks)
const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex')

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
    for (const hex of hexes) {
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

  test('are the worst that is said of a field, or of what it is a part of', () => {
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
    'the units that an order holds are no coins: %s, unsigned and signed',
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

  test('no amount of an input and no fee is told without evidence', () => {
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

describe('what was pasted', () => {
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
    const bomb = deflateRawSync(Buffer.alloc(100_000_000)).toString('base64url')
    await expect(unpackLink(`#z=${bomb}`, names)).rejects.toThrow(RangeError)
    await expect(unpackLink(`#z=${'a'.repeat(2_000_001)}`, names)).rejects.toThrow(RangeError)
    await expect(unpackLink('#z=!!', names)).rejects.toThrow(TypeError)
    await expect(unpackLink('#z=AAAA', names)).rejects.toThrow()
    await expect(unpackLink('#hex=00&network=nowhere', names)).rejects.toThrow(TypeError)
    // The maker of a link cannot write text on the page.
    await expect(unpackLink('#hex=00&network=AGREES', names)).rejects.not.toThrow(/AGREES/)
  })

  test('are not made if the page could not read them', async () => {
    // Hashes cannot be compressed.
    const text = Array.from({ length: 60_000 }, (_, at) => sha256Hex(String(at))).join('')
    await expect(packLink({ text, network: 'assetChain' })).rejects.toThrow(RangeError)
  })
})

describe('words', () => {
  test('are cut if they are long, with a note', () => {
    expect(brief('\u202e')).toBe('\\u{202e}')
    expect(brief('a'.repeat(20_003))).toBe(`${'a'.repeat(20_000)}… 3 characters more`)
  })
})
