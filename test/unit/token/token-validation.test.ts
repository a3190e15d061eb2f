import { describe, expect, test } from 'vitest'
import { decodeTransaction, type Transaction, tokenScript } from '../../../src/index.ts'
import { fulfillmentsOf } from '../../../src/token/rules/fulfillment.ts'
import { createTokenValidator } from '../../../src/token/rules/validation.ts'
import { readVectors } from '../../support/komodod.ts'
import { a, b, c, moduleKey } from '../../support/resigned.ts'
import { push } from '../../support/sign.ts'

const { transactions } = readVectors<{ transactions: { txid: string; hex: string }[] }>(
  'komodod/90-chain-dump.json',
)
interface Proofs {
  refused: { note: string; reason: string; hex: string }[]
  supplies: { tokenid: string; supply: number | null }[]
}
const { refused, supplies } = readVectors<Proofs>('token/proofs.json')
const chain = new Map(transactions.map(({ txid, hex }) => [txid, decodeTransaction(hex)]))
const find = (txid: string): Transaction | undefined => chain.get(txid)
const validator = createTokenValidator()

const spends = (code: string) => (tx: Transaction) =>
  fulfillmentsOf(tx).some((it) => it?.evalCodes.includes(code))

describe('the validator and a komodod agree', () => {
  test('every mined transaction keeps the rules', () => {
    const mined = [...chain.values()]
    const transfers = mined.filter(spends('f2'))
    const orders = mined.filter(spends('e3'))
    expect([transfers.length, orders.length]).toEqual([46, 3])
    for (const it of transfers) expect(validator.refusal(it, find), it.txid).toBeUndefined()
    for (const it of orders) expect(validator.orderRefusal(it, find), it.txid).toBeUndefined()
  })

  test.each(refused)(
    'the validator and a komodod agree on why it refused: $note',
    ({ hex, reason }) => {
      expect(validator.refusal(decodeTransaction(hex), find)).toBe(reason)
    },
  )

  test.each(supplies)(
    'the validator and a komodod agree on the supply of $tokenid',
    ({ tokenid, supply }) => {
      expect(validator.supplyOf(tokenid, find)).toBe(BigInt(supply ?? 0))
    },
  )
})

// komodo src/cc/CCtokens.cpp, IsTokensvout to TokensValidate, on a small chain that is made up here
describe('the validator says', () => {
  const id = (digit: string) => digit.repeat(64)
  const held = (pubkey: string, ...evalCodes: number[]) => {
    return tokenScript(pubkey, { evalCodes: [...evalCodes, 0xf2] })
  }
  const p2pk = (pubkey: string) => `21${pubkey}ac`
  const signed = (pubkey: string) =>
    `4c79a276a072a26ba067a5658021${pubkey}8140${'00'.repeat(64)}a100af038001f2a10001`
  type Output = [value: bigint, script: string]
  type Input = [txid: string, vout: number, scriptSig?: string]
  const made = (txid: string, inputs: Input[], outputs: Output[]): Transaction =>
    ({
      txid,
      inputs: inputs.map(([from, vout, scriptSig = '']) => {
        return { txid: from, vout, scriptSig, sequence: 0 }
      }),
      outputs: outputs.map(([value, script]) => ({ value, script })),
    }) as never as Transaction
  const creates = (extras = ''): Output => [0n, `6a${push(`f26321${a}015400${extras}`)}`]
  const gives = (tokenid: string, to: string): Output => [
    0n,
    `6a${push(`f274${tokenid}0121${to}`)}`,
  ]

  const [funds, token, nft, moved] = [id('1'), id('2'), id('3'), id('4')]
  const [poor, imported, alsoImported, unequal] = [id('5'), id('6'), id('7'), id('8')]
  const nothing = id('9')
  const coins = 1_000_000_000
  const known = [
    made(
      funds,
      [[id('f'), 0]],
      [
        [100n, p2pk(a)],
        [1n, p2pk(a)],
        [99n, p2pk(a)],
      ],
    ),
    made(token, [[funds, 0]], [[10_000n, held(moduleKey)], [100n, held(a)], creates()]),
    made(nft, [[funds, 1]], [[1n, held(a, 0xf1)], creates('1102f1aa')]),
    made(moved, [[token, 1, signed(a)]], [[70n, held(b)], [30n, held(a)], gives(token, b)]),
    made(poor, [[funds, 2]], [[100n, held(a)], creates()]),
    made(imported, [[nothing, coins]], [[100n, held(a)], creates()]),
    made(
      alsoImported,
      [
        [nothing, coins],
        [nothing, 0],
      ],
      [[100n, held(a)], creates()],
    ),
    made(unequal, [[token, 1, signed(a)]], [[101n, held(b)], gives(token, b)]),
  ]
  const byTxid = new Map(known.map((it) => [it.txid, it]))
  let finds = 0
  const findHere = (txid: string) => {
    finds += 1
    return byTxid.get(txid)
  }
  const refusalOf = (inputs: Input[], outputs: Output[]) =>
    createTokenValidator().refusal(made(id('e'), inputs, outputs), findHere)

  test.each<[string, Input[], Output[], string | undefined]>([
    [
      'nothing of what moves all',
      [[token, 1, signed(a)]],
      [[100n, held(b)], gives(token, b)],
      undefined,
    ],
    [
      'nothing of what moves a part',
      [[moved, 0, signed(b)]],
      [[60n, held(c)], [10n, held(b)], gives(token, c)],
      undefined,
    ],
    ['what it is without outputs', [[token, 1, signed(a)]], [], 'no vouts'],
    [
      'what it is without a payload',
      [[token, 1, signed(a)]],
      [[100n, held(b)]],
      'TokenValidate: invalid opreturn payload',
    ],
    [
      'that a creation names no token',
      [[token, 1, signed(a)]],
      [[100n, held(b)], creates()],
      'cant find token create txid',
    ],
    [
      'that there is no such token',
      [[token, 1, signed(a)]],
      [[100n, held(b)], gives(id('0'), b)],
      'cant find token create txid',
    ],
    [
      'that one is too few',
      [[token, 1, signed(a)]],
      [[99n, held(b)], gives(token, b)],
      'tokens cc inputs != cc outputs',
    ],
    [
      'that one is too many',
      [[token, 1, signed(a)]],
      [[101n, held(b)], gives(token, b)],
      'tokens cc inputs != cc outputs',
    ],
    [
      'that a parent which does not come out even brings nothing',
      [[unequal, 0, signed(b)]],
      [[101n, held(c)], gives(token, c)],
      'tokens cc inputs != cc outputs',
    ],
    [
      'that a parent which is not there brings nothing',
      [[id('d'), 0, signed(b)]],
      [[1n, held(c)], gives(token, c)],
      'tokens cc inputs != cc outputs',
    ],
    [
      'that coins bring nothing',
      [[token, 1]],
      [[100n, held(b)], gives(token, b)],
      'tokens cc inputs != cc outputs',
    ],
    [
      'that nothing moves',
      [[funds, 2]],
      [[5n, p2pk(a)], gives(token, b)],
      'no token inputs for transfer',
    ],
    [
      'that a marker may not be spent with a burn',
      [
        [token, 0, signed(moduleKey)],
        [token, 1, signed(a)],
      ],
      [
        [100n, held('02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead')],
        gives(token, '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'),
      ],
      'spending cc marker not supported for fungible tokens',
    ],
    [
      'nothing of a non-fungible one',
      [[nft, 0, signed(a)]],
      [[1n, held(b, 0xf1)], gives(nft, b)],
      undefined,
    ],
    [
      'that a non-fungible one lies under its code',
      [[nft, 0, signed(a)]],
      [[1n, held(b)], gives(nft, b)],
      'tokens cc inputs != cc outputs',
    ],
  ])('%s', (_, inputs, outputs, words) => {
    expect(refusalOf(inputs, outputs)).toBe(words)
  })

  test('why orders are refused', () => {
    const refused = (outputs: Output[]) =>
      createTokenValidator().orderRefusal(made(id('e'), [[token, 1, signed(a)]], outputs), findHere)
    expect(refused([])).toBe('AssetValidate: no vouts')
    expect(refused([gives(token, b)])).toBe('AssetValidate: invalid opreturn payload')
  })

  test('how much an output holds', () => {
    const amount = (txid: string, vout: number, tokenid = token) =>
      createTokenValidator().amountIn({ txid, vout }, tokenid, findHere)
    expect([amount(token, 1), amount(token, 0), amount(token, 2), amount(token, 9)]).toEqual([
      100n,
      0n,
      0n,
      0n,
    ])
    expect([amount(moved, 0), amount(moved, 1), amount(moved, 0, nft)]).toEqual([70n, 30n, 0n])
    expect([amount(unequal, 0), amount(id('d'), 0), amount(nft, 0, token)]).toEqual([0n, 0n, 0n])
    expect(amount(nft, 0, nft)).toBe(1n)
    // the creation is unknown, so nothing is known of the token's conditions
    const orphan = made(id('c'), [[nothing, 0, signed(a)]], [[5n, held(b)], gives(id('0'), b)])
    const find = (txid: string) => (txid === orphan.txid ? orphan : undefined)
    expect(createTokenValidator().amountIn({ txid: orphan.txid, vout: 0 }, id('0'), find)).toBe(0n)
  })

  test('the supply of a creation that was paid for or imported', () => {
    const supply = (tokenid: string) => createTokenValidator().supplyOf(tokenid, findHere)
    expect([supply(token), supply(nft), supply(poor)]).toEqual([100n, 1n, 0n])
    expect([supply(imported), supply(alsoImported)]).toEqual([100n, 0n])
    expect([supply(moved), supply(funds), supply(id('0'))]).toEqual([0n, 0n, 0n])
  })

  test('the creation of a token, and none for other transactions', () => {
    const creation = (tokenid: string) => createTokenValidator().creationOf(tokenid, findHere)
    expect(creation(nft)).toMatchObject({ kind: 'create', owner: a, name: 'T' })
    expect([creation(moved), creation(funds), creation(id('0'))]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('earlier results without a search, while they are not too many', () => {
    const caching = createTokenValidator()
    const findsFor = (tokenid: string) => {
      const start = finds
      caching.amountIn({ txid: moved, vout: 9 }, tokenid, findHere)
      return finds - start
    }
    // the transaction, and the token's creation
    expect([findsFor(token), findsFor(token)]).toEqual([2, 1])
    const others = (from: number, count: number) => {
      for (let at = from; at < from + count; at += 1) findsFor(at.toString(16).padStart(64, '0'))
    }
    others(0, 19_999)
    expect(findsFor(token)).toBe(1)
    others(19_999, 1)
    expect([findsFor(token), findsFor(token)]).toEqual([2, 1])
  })
})
