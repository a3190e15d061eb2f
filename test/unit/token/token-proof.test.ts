import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { finish, type Steps } from '../../../src/primitives/steps.ts'
import { decodeTokenPayload } from '../../../src/token/payload/decode.ts'
import { encodeTokenPayload } from '../../../src/token/payload/encode.ts'
import type { IdentifiedExtra } from '../../../src/token/payload/payload.ts'
import { createTokenHistory } from '../../../src/token/proof/history.ts'
import type { TokenProof } from '../../../src/token/proof/proof.ts'
import { createTokenProver, proveTokenOutput } from '../../../src/token/proof/prove.ts'
import { fulfillmentsOf } from '../../../src/token/rules/fulfillment.ts'
import { komodoRules, lastPayload, nonFungibleEvalCode } from '../../../src/token/rules/komodo.ts'
import type { TokenRules } from '../../../src/token/rules/rules.ts'
import { tokenEvalCodes } from '../../../src/token/rules/slot-script.ts'
import { tokenScript } from '../../../src/token/rules/token-script.ts'
import { decodeTransaction, transactionId } from '../../../src/transaction/decode.ts'
import { encodeTransaction } from '../../../src/transaction/encode.ts'
import type { Transaction, TransactionFields } from '../../../src/transaction/types.ts'
import { isQuick } from '../../support/share.ts'

interface Vectors {
  balances: {
    from: string
    note: string
    height: number
    tokenid: string
    pubkey: string
    balance: number
  }[]
  supplies: { tokenid: string; supply: number | null }[]
  refused: { note: string; reason: string; hex: string }[]
  dataBytes: { byte: string; tokenid: string; balanceAfterCreate: number; transferred: boolean }[]
}
const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../vectors/${path}`, import.meta.url), 'utf8'))
const vectors: Vectors = read('token/proofs.json')
const chain: { height: number; txid: string; hex: string }[] = read(
  'komodod/90-chain-dump.json',
).transactions
const prover = createTokenProver(chain.map((it) => it.hex))
const decoded = new Map<string, Transaction>(
  chain.map((it) => [it.txid, decodeTransaction(it.hex)]),
)

function proofs(txid: string, tokenid: string): TokenProof[] {
  return decoded.get(txid)!.outputs.map((_, vout) => prover.prove(txid, vout, tokenid))
}

describe('the prover and a komodod agree', () => {
  test.each(vectors.supplies)(
    'the prover and a komodod agree on the supply of $tokenid',
    ({ tokenid, supply }) => {
      const amounts = proofs(tokenid, tokenid).map((it) =>
        it.verdict === 'proven' ? it.amount : 0n,
      )
      expect(amounts.reduce((sum, it) => sum + it)).toBe(BigInt(supply ?? 0))
    },
  )

  test.each(vectors.balances)(
    'the prover and a komodod agree on $balance of $tokenid with $pubkey at block $height',
    (row) => {
      // the daemon sums the coins of one address: that of the token's own eval code and f2
      const created = lastPayload(decoded.get(row.tokenid)!.outputs)
      const code = created?.kind === 'create' ? nonFungibleEvalCode(created) : undefined
      const script = tokenScript(row.pubkey, { evalCodes: tokenEvalCodes(0xf2, code) })
      const known = chain.filter((it) => it.height <= row.height)
      const spent = new Set(
        known.flatMap((it) =>
          decoded.get(it.txid)!.inputs.map((input) => `${input.txid}:${input.vout}`),
        ),
      )
      let balance = 0n
      for (const { txid } of known) {
        for (const [vout, output] of decoded.get(txid)!.outputs.entries()) {
          if (output.script !== script || spent.has(`${txid}:${vout}`)) continue
          const proof = prover.prove(txid, vout, row.tokenid)
          expect(proof.verdict).not.toBe('incomplete')
          if (proof.verdict === 'proven') balance += proof.amount
        }
      }
      expect(balance).toBe(BigInt(row.balance))
    },
  )

  test('mined transfers move what they take in', () => {
    let transfers = 0
    for (const { txid, hex } of chain) {
      const transaction = decodeTransaction(hex)
      const { outputs } = transaction
      if (!fulfillmentsOf(transaction).some((it) => it?.evalCodes.includes('f2'))) continue
      transfers += 1
      const claimed = decodeTokenPayload(outputs.at(-1)!.script)
      if (claimed?.kind !== 'transfer') throw new Error(`${txid} is not a transfer`)
      const amounts = proofs(txid, claimed.tokenid)
      expect(
        amounts.some((it) => it.verdict === 'proven'),
        txid,
      ).toBe(true)
    }
    expect(transfers).toBe(46)
  })

  test.each(vectors.refused)(
    'no output of a refused transaction is proven: $note',
    ({ hex, note, reason }) => {
      const { outputs } = decodeTransaction(hex)
      const txid = transactionId(hex)
      const payload = lastPayload(outputs)
      const tokenid = payload?.kind === 'transfer' ? payload.tokenid : txid
      const withRefused = createTokenProver([...chain.map((it) => it.hex), hex])
      const verdicts = outputs.map((_, vout) => withRefused.prove(txid, vout, tokenid))
      expect(verdicts.map((it) => it.verdict)).not.toContain('proven')
      const listed = verdicts.some(
        (it) => it.verdict === 'disproven' && it.rule === 'unequal_amounts',
      )
      // where no output is of the token at all, there is nothing to prove or disprove
      const none = note.startsWith('all token outputs dropped')
      expect(listed).toBe(reason === 'tokens cc inputs != cc outputs' && !none)
    },
  )
})

// Made-up histories. Nothing in them is signed: the prover looks at amounts, keys and payloads.
const keys = {
  alice: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  bob: '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5',
  global: '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95',
  burn: '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
}
type Output = [value: number, script: string]
type Input = [txid: string, vout: number, scriptSig?: string]

function forge(
  inputs: readonly Input[],
  outputs: readonly Output[],
): { hex: string; txid: string } {
  const hex = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: inputs.map(([txid, vout, scriptSig = '']) => ({
      txid,
      vout,
      scriptSig,
      sequence: 0xffffffff,
    })),
    outputs: outputs.map(([value, script]) => ({ value: BigInt(value), script })),
    lockTime: 0,
  })
  return { hex, txid: transactionId(hex) }
}
/** A token input's scriptSig: eval codes and one key over an empty signature. */
function fulfillment(pubkey: string, evalCode = 'f2'): string {
  return `4c79a276a072a26ba067a5658021${pubkey}8140${'00'.repeat(64)}a100af038001${evalCode}a10001`
}
const held = (pubkey: string): string => tokenScript(pubkey, { evalCodes: [0xf2] })
const marker = held(keys.global)
const paid = (pubkey: string): string => `21${pubkey}ac`
const create = (owner = keys.alice, extras: IdentifiedExtra[] = []): Output => [
  0,
  encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'create',
    owner,
    name: 'T',
    description: '',
    extras,
  }),
]
const transfer = (tokenid: string, ...pubkeys: string[]): Output => [
  0,
  encodeTokenPayload({ layout: 'komodo-v1', kind: 'transfer', tokenid, pubkeys }),
]

const funding = forge(
  [['11'.repeat(32), 0]],
  [
    [50000, paid(keys.alice)],
    [500, paid(keys.bob)],
  ],
)
const issue = forge([[funding.txid, 0]], [[10000, marker], [100, held(keys.alice)], create()])
const T = issue.txid
const give = forge(
  [[T, 1, fulfillment(keys.alice)]],
  [[70, held(keys.bob)], [30, held(keys.alice)], transfer(T, keys.bob)],
)
const world = [funding, issue, give].map((it) => it.hex)

describe('rules that disprove an output', () => {
  const other = 'aa'.repeat(32)
  const plain = forge(
    [[funding.txid, 1]],
    [
      [1, held(keys.bob)],
      [1, paid(keys.bob)],
    ],
  )
  const fake = forge([[funding.txid, 1]], [[70, held(keys.bob)], transfer(T, keys.bob)])
  const passedOn = forge(
    [[fake.txid, 0, fulfillment(keys.bob)]],
    [[70, held(keys.alice)], transfer(T, keys.alice)],
  )
  const inflated = forge(
    [[T, 1, fulfillment(keys.alice)]],
    [[101, held(keys.bob)], transfer(T, keys.bob)],
  )
  const twice = forge(
    [
      [T, 1, fulfillment(keys.alice)],
      [T, 1, fulfillment(keys.alice)],
    ],
    [[200, held(keys.bob)], transfer(T, keys.bob)],
  )
  const elsewhere = forge(
    [[T, 1, fulfillment(keys.alice)]],
    [
      [0, held(keys.bob)],
      [70, held(keys.bob)],
      [30, tokenScript(keys.alice, { evalCodes: [0xf1, 0xf2] })],
      transfer(T, keys.bob),
    ],
  )
  const burned = forge(
    [
      [T, 0, fulfillment(keys.global)],
      [T, 1, fulfillment(keys.alice)],
    ],
    [[100, held(keys.burn)], [10000, paid(keys.bob)], transfer(T, keys.burn)],
  )
  const poor = forge(
    [[funding.txid, 1]],
    [[10000, marker], [501, held(keys.bob)], create(keys.bob)],
  )
  const mended = forge(
    [[T, 1, fulfillment(keys.alice)]],
    [[101, held(keys.bob)], [-1, held(keys.bob)], transfer(T, keys.bob)],
  )
  const mendedIssue = forge(
    [[funding.txid, 1]],
    [[10000, marker], [501, held(keys.bob)], [-1, held(keys.bob)], create(keys.bob)],
  )
  const paidTwice = forge(
    [
      [funding.txid, 1],
      [funding.txid, 1],
    ],
    [[10000, marker], [501, held(keys.bob)], create(keys.bob)],
  )
  const borrowed = forge(
    [[funding.txid, 0]],
    [[10000, marker], [501, held(keys.bob)], create(keys.bob)],
  )
  const fromTokens = forge(
    [
      [funding.txid, 0],
      [T, 1, fulfillment(keys.alice)],
    ],
    [[10000, marker], [100, held(keys.alice)], create()],
  )
  const imported = forge([[funding.txid, 1_000_000_000]], [[100, held(keys.alice)], create()])
  const notCreated = forge(
    [[give.txid, 0, fulfillment(keys.bob)]],
    [[70, held(keys.bob)], transfer(give.txid, keys.bob)],
  )
  const ofCoins = forge(
    [[T, 1, fulfillment(keys.alice)]],
    [[100, held(keys.bob)], transfer(funding.txid, keys.bob)],
  )
  const besideFake = forge(
    [[fake.txid, 1, fulfillment(keys.bob)]],
    [[5, held(keys.bob)], transfer(T, keys.bob)],
  )
  const lossy = forge(
    [
      [fake.txid, 0, fulfillment(keys.bob)],
      [give.txid, 0, fulfillment(keys.bob)],
    ],
    [[69, held(keys.bob)], transfer(T, keys.bob)],
  )
  const all = [
    ...world,
    ...[
      plain,
      fake,
      passedOn,
      inflated,
      twice,
      elsewhere,
      burned,
      poor,
      mended,
      mendedIssue,
      paidTwice,
      borrowed,
      fromTokens,
      imported,
      notCreated,
      ofCoins,
      besideFake,
      lossy,
    ].map((it) => it.hex),
  ]

  const cases: [string, string, number, string, string, string][] = [
    ['there is no such output', give.txid, 3, T, 'no_such_output', give.txid],
    ['it is the nulldata output', give.txid, 2, T, 'last_output', give.txid],
    ['it pays to a key', plain.txid, 0, T, 'no_payload', plain.txid],
    ['another token is named', give.txid, 0, other, 'other_token', give.txid],
    ['a creation is asked about another token', T, 1, other, 'other_token', T],
    ['it is the marker', T, 0, T, 'marker', T],
    ['it is worth nothing', elsewhere.txid, 0, T, 'no_amount', elsewhere.txid],
    [
      'its eval codes are not the token’s',
      elsewhere.txid,
      2,
      T,
      'condition_not_listed',
      elsewhere.txid,
    ],
    [
      'a third of the tokens went elsewhere',
      elsewhere.txid,
      1,
      T,
      'unequal_amounts',
      elsewhere.txid,
    ],
    ['nothing went in', fake.txid, 0, T, 'unequal_amounts', fake.txid],
    ['its parent is a fake', passedOn.txid, 0, T, 'unequal_amounts', fake.txid],
    ['a fake gave it no tokens', besideFake.txid, 0, T, 'unequal_amounts', besideFake.txid],
    ['less came out than a sound one gave', lossy.txid, 0, T, 'unequal_amounts', lossy.txid],
    ['more came out than went in', inflated.txid, 0, T, 'unequal_amounts', inflated.txid],
    ['one output was counted twice', twice.txid, 0, T, 'double_spend', twice.txid],
    [
      'a fungible token is burned along with its marker',
      burned.txid,
      0,
      T,
      'marker_spent_with_burn',
      burned.txid,
    ],
    ['the owner paid too little', poor.txid, 1, poor.txid, 'creation_not_funded', poor.txid],
    ['less than nothing balances it', mended.txid, 0, T, 'unequal_amounts', mended.txid],
    ['less than nothing is left', mended.txid, 1, T, 'no_amount', mended.txid],
    [
      'the owner paid for less than nothing too',
      mendedIssue.txid,
      1,
      mendedIssue.txid,
      'creation_not_funded',
      mendedIssue.txid,
    ],
    [
      'the owner paid twice with one coin',
      paidTwice.txid,
      1,
      paidTwice.txid,
      'double_spend',
      paidTwice.txid,
    ],
    ['another paid', borrowed.txid, 1, borrowed.txid, 'creation_not_funded', borrowed.txid],
    [
      'the creation spends tokens',
      fromTokens.txid,
      1,
      fromTokens.txid,
      'creation_spends_tokens',
      fromTokens.txid,
    ],
    [
      'the creation is an import',
      imported.txid,
      0,
      imported.txid,
      'creation_imported',
      imported.txid,
    ],
    ['the id is that of coins', ofCoins.txid, 0, funding.txid, 'not_a_creation', funding.txid],
    ['the id is that of a transfer', notCreated.txid, 0, give.txid, 'not_a_creation', give.txid],
  ]
  test.each(cases)('%s', (_, txid, vout, tokenid, rule, where) => {
    const proof = proveTokenOutput(txid, vout, tokenid, all)
    expect(proof).toMatchObject({ verdict: 'disproven', rule, txid: where })
  })
})

describe('missing transactions', () => {
  const cases: [string, number, string, string[], string[]][] = [
    ['the transaction itself', 0, give.txid, [funding.hex, issue.hex], [give.txid]],
    ['the creation', 0, give.txid, [give.hex], [T]],
    ['who paid for the creation', 0, give.txid, [give.hex, issue.hex], [funding.txid]],
    ['who paid, seen from the creation', 1, T, [issue.hex], [funding.txid]],
  ]
  test.each(cases)('%s', (_, vout, txid, given, missing) => {
    expect(proveTokenOutput(txid, vout, T, given)).toEqual({ verdict: 'incomplete', missing })
  })

  test('every missing ancestor is named at once', () => {
    const gather = forge(
      [
        [give.txid, 0, fulfillment(keys.bob)],
        ['ab'.repeat(32), 7, fulfillment(keys.bob)],
        ['cd'.repeat(32), 0, fulfillment(keys.bob)],
      ],
      [[170, held(keys.alice)], transfer(T, keys.alice)],
    )
    const missing = ['ab'.repeat(32), 'cd'.repeat(32)]
    expect(proveTokenOutput(gather.txid, 0, T, [...world, gather.hex])).toEqual({
      verdict: 'incomplete',
      missing,
    })
    const prover = createTokenProver([give.hex, gather.hex])
    const withoutCreation = { verdict: 'incomplete', missing: [T, ...missing] }
    expect(prover.prove(gather.txid, 0, T)).toEqual(withoutCreation)
    expect(prover.prove(gather.txid, 0, T)).toEqual(withoutCreation)
  })

  test('a missing parent cannot excuse an excess', () => {
    const lossy = forge(
      [
        [give.txid, 0, fulfillment(keys.bob)],
        ['ab'.repeat(32), 0, fulfillment(keys.bob)],
      ],
      [[69, held(keys.alice)], transfer(T, keys.alice)],
    )
    expect(proveTokenOutput(lossy.txid, 0, T, [...world, lossy.hex])).toMatchObject({
      verdict: 'disproven',
      rule: 'unequal_amounts',
      expected: 70n,
      actual: 69n,
    })
  })

  test('inputs that are not the token’s need no proof', () => {
    const withCoins = forge(
      [
        ['ab'.repeat(32), 0],
        [give.txid, 0, fulfillment(keys.bob)],
        ['cd'.repeat(32), 0, fulfillment(keys.bob, 'e3')],
      ],
      [[70, held(keys.alice)], transfer(T, keys.alice)],
    )
    expect(proveTokenOutput(withCoins.txid, 0, T, [...world, withCoins.hex])).toEqual({
      verdict: 'proven',
      amount: 70n,
    })
  })
})

test.each([false, true])(
  'a transaction that many inputs spend from is decoded once, signatures looked at: %s',
  (signatures) => {
    const many = forge(
      [['11'.repeat(32), 0]],
      Array.from({ length: 500 }, () => [1, paid(keys.alice)]),
    )
    const issued = forge(
      Array.from({ length: 500 }, (_, vout) => [many.txid, vout]),
      [[10000, marker], [500, held(keys.alice)], create()],
    )
    const given = new Map([many, issued].map(({ txid, hex }) => [txid, hex]))
    let decodings = 0
    const history = createTokenHistory(
      issued.txid,
      {
        has: (txid) => given.has(txid),
        get: (txid) => {
          decodings += 1
          return decodeTransaction(given.get(txid)!)
        },
      },
      komodoRules,
      { signatures },
    )
    expect(finish(history.prove([{ txid: issued.txid, vout: 1 }]))[0]?.verdict).toBe(
      signatures ? 'disproven' : 'proven',
    )
    expect(decodings).toBeLessThan(10)
  },
)

describe('whole histories', () => {
  // komodo src/primitives/transaction.h, IsCoinImport: of one input
  test('a creation of several inputs is no import', () => {
    const made = forge(
      [
        ['ab'.repeat(32), 1_000_000_000],
        [funding.txid, 1],
      ],
      [[100, held(keys.bob)], create(keys.bob)],
    )
    expect(proveTokenOutput(made.txid, 0, made.txid, [funding.hex, made.hex])).toEqual({
      verdict: 'proven',
      amount: 100n,
    })
  })

  test('an amount may be split and joined again', () => {
    const back = forge(
      [
        [give.txid, 0, fulfillment(keys.bob)],
        [give.txid, 1, fulfillment(keys.alice)],
      ],
      [[100, held(keys.alice)], transfer(T, keys.alice)],
    )
    expect(proveTokenOutput(back.txid, 0, T, [...world, back.hex])).toEqual({
      verdict: 'proven',
      amount: 100n,
    })
  })

  test('an input that shows no key pays nobody back', () => {
    const keyless = forge(
      [[T, 1, '06af038001f201']],
      [[70, held(keys.bob)], [30, held(keys.alice)], transfer(T, keys.bob)],
    )
    const prover = createTokenProver([...world, keyless.hex])
    expect(prover.prove(keyless.txid, 0, T)).toMatchObject({
      rule: 'unequal_amounts',
      expected: 100n,
      actual: 70n,
    })
    expect(prover.prove(keyless.txid, 1, T)).toMatchObject({ rule: 'condition_not_listed' })
  })

  test('two transfers of one output do not add up', () => {
    const again = forge(
      [[T, 1, fulfillment(keys.alice)]],
      [[100, held(keys.bob)], transfer(T, keys.bob)],
    )
    const both = forge(
      [
        [give.txid, 0, fulfillment(keys.bob)],
        [again.txid, 0, fulfillment(keys.bob)],
      ],
      [[170, held(keys.alice)], transfer(T, keys.alice)],
    )
    const proof = proveTokenOutput(both.txid, 0, T, [...world, again.hex, both.hex])
    expect(proof).toMatchObject({ verdict: 'disproven', rule: 'double_spend', txid: again.txid })
  })

  test('a transfer made up from what paid for the creation takes nothing from it', () => {
    const madeUp = forge(
      [[funding.txid, 0, fulfillment(keys.bob)]],
      [[5, held(keys.bob)], transfer(T, keys.bob)],
    )
    const prover = createTokenProver([...world, madeUp.hex])
    expect(prover.prove(madeUp.txid, 0, T)).toMatchObject({ rule: 'unequal_amounts' })
    expect(prover.prove(give.txid, 0, T)).toEqual({ verdict: 'proven', amount: 70n })
  })

  test.each([false, true])(
    'an unsigned transfer that rests on something missing disproves none, signatures: %s',
    (signatures) => {
      const tokenid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'
      const { hex, txid } = chain.find((it) => it.hex.includes(`f274${tokenid}`))!
      const tx = decodeTransaction(hex)
      const madeUp = encodeTransaction({
        ...tx,
        inputs: [...tx.inputs, { ...tx.inputs.at(-1)!, txid: 'ee'.repeat(32) }],
        lockTime: 1,
      })
      const strict = createTokenProver([...chain.map((it) => it.hex), madeUp], { signatures })
      expect(strict.prove(transactionId(madeUp), 0, tokenid).verdict).toBe('incomplete')
      expect(strict.prove(txid, 0, tokenid).verdict).toBe('proven')
    },
  )

  test('coins that are asked about together may not rest on one output', () => {
    const again = forge(
      [[T, 1, fulfillment(keys.alice)]],
      [[100, held(keys.bob)], transfer(T, keys.bob)],
    )
    const given = new Map(
      [funding, issue, give, again].map(({ txid, hex }) => [txid, decodeTransaction(hex)]),
    )
    const history = createTokenHistory(T, given, komodoRules)
    const verdicts = (...txids: string[]) =>
      finish(history.prove(txids.map((txid) => ({ txid, vout: 0 })))).map((it) => it.verdict)
    expect(verdicts(give.txid, again.txid)).toEqual(['proven', 'disproven'])
    expect(verdicts(again.txid, give.txid)).toEqual(['proven', 'disproven'])
    const unknown = 'ab'.repeat(32)
    expect(verdicts(give.txid, unknown, again.txid)).toEqual(['proven', 'incomplete', 'disproven'])
    expect(verdicts(again.txid)).toEqual(['proven'])
    expect(verdicts(give.txid)).toEqual(['proven'])
  })

  test('an output that holds nothing takes nothing from another', () => {
    const again = forge(
      [[T, 1, fulfillment(keys.alice)]],
      [[100, held(keys.bob)], transfer(T, keys.bob)],
    )
    const given = new Map(
      [funding, issue, give, again].map(({ txid, hex }) => [txid, decodeTransaction(hex)]),
    )
    const nulldata = { txid: give.txid, vout: 2 }
    const outpoints = [nulldata, { txid: again.txid, vout: 0 }, { txid: give.txid, vout: 0 }]
    expect(finish(createTokenHistory(T, given, komodoRules).prove(outpoints))).toMatchObject([
      { verdict: 'disproven', rule: 'last_output' },
      { verdict: 'proven', amount: 100n },
      { verdict: 'disproven', rule: 'double_spend', txid: give.txid },
    ])
  })

  test.each([
    ['with the creation', [funding, issue, give]],
    ['without it', [give]],
  ])('a proof is made in steps, and looked up afterwards: %s', (_, transactions) => {
    const back = forge(
      [[give.txid, 0, fulfillment(keys.bob)]],
      [[70, held(keys.alice)], transfer(T, keys.alice)],
    )
    const given = new Map(
      [...transactions, back].map(({ txid, hex }) => [txid, decodeTransaction(hex)]),
    )
    let looks = 0
    const source = {
      has: (txid: string) => given.has(txid),
      get: (txid: string) => {
        looks += 1
        return given.get(txid)
      },
    }
    const rules: TokenRules = {
      ...komodoRules,
      tokensMoved: (seen) => {
        looks += 1
        return komodoRules.tokensMoved(seen)
      },
    }
    const history = createTokenHistory(T, source, rules)
    const outpoints = [{ txid: back.txid, vout: 0 }]
    const counted = <Result>(steps: Steps<Result>) => {
      let count = 0
      let step = steps.next()
      for (; step.done !== true; step = steps.next()) count += 1
      return { count, result: step.value }
    }
    const ask = () => {
      const proof = counted(history.prove(outpoints))
      const missing = counted(history.missingFor([back.txid]))
      expect(proof.result[0]?.verdict).toBe(transactions.length === 3 ? 'proven' : 'incomplete')
      expect(missing.result).toEqual(transactions.length === 3 ? [] : [T])
      return proof.count + missing.count
    }
    expect(ask()).toBeGreaterThan(1)
    const before = looks
    ask()
    expect(looks).toBe(before)
  })

  test('a transfer is proven once, however often it is requested', () => {
    const checked = vi.spyOn(komodoRules, 'transferred')
    const asked = createTokenProver(world)
    expect([0, 1, 0].map((vout) => asked.prove(give.txid, vout, T).verdict)).toEqual([
      'proven',
      'proven',
      'proven',
    ])
    expect(checked).toHaveBeenCalledTimes(1)
    checked.mockRestore()
  })

  test('tokens of another id count for nothing', () => {
    const issue2 = forge([[funding.txid, 0]], [[10000, marker], [7, held(keys.bob)], create()])
    const mixed = forge(
      [
        [give.txid, 0, fulfillment(keys.bob)],
        [issue2.txid, 1, fulfillment(keys.bob)],
      ],
      [[70, held(keys.alice)], [7, paid(keys.bob)], transfer(T, keys.alice)],
    )
    const given = [...world, issue2.hex, mixed.hex]
    expect(proveTokenOutput(mixed.txid, 0, T, given)).toEqual({ verdict: 'proven', amount: 70n })
    const kept = forge(
      [
        [give.txid, 0, fulfillment(keys.bob)],
        [issue2.txid, 1, fulfillment(keys.bob)],
      ],
      [[77, held(keys.alice)], transfer(T, keys.alice)],
    )
    expect(proveTokenOutput(kept.txid, 0, T, [...given, kept.hex]).verdict).toBe('disproven')
  })

  test.each([
    ['pay-to-pubkey', '21', 'ac', keys.bob],
    ['pay-to-pubkey with a longer push', '4c21', 'ac', keys.bob],
    ['pay-to-pubkey-hash', '76a914', '88ac', '06afd46bcdfd22ef94ac122aa11f241244a37ecc'],
  ])('an owner may pay from %s', (_, before, after, data) => {
    const coins = forge([['22'.repeat(32), 0]], [[5, before + data + after]])
    const made = forge([[coins.txid, 0]], [[5, held(keys.alice)], create(keys.bob)])
    expect(proveTokenOutput(made.txid, 0, made.txid, [coins.hex, made.hex]).verdict).toBe('proven')
  })

  test('everything but the marker counts in a creation, whoever holds it', () => {
    const made = forge(
      [[funding.txid, 0]],
      [
        [3, held(keys.bob)],
        [10000, marker],
        [4, tokenScript(keys.bob, { evalCodes: [0xe3] })],
        [9, paid(keys.bob)],
        create(),
      ],
    )
    const prover = createTokenProver([funding.hex, made.hex])
    const verdicts = [0, 1, 2, 3].map((vout) => prover.prove(made.txid, vout, made.txid))
    expect(verdicts).toMatchObject([
      { verdict: 'proven', amount: 3n },
      { rule: 'marker' },
      { verdict: 'proven', amount: 4n },
      { rule: 'not_a_condition' },
    ])
  })

  test('an output of nothing holds nothing, whatever was asked before', () => {
    const made = forge([[funding.txid, 0]], [[0, held(keys.alice)], [3, held(keys.bob)], create()])
    const asked = createTokenProver([funding.hex, made.hex])
    const nothing = { verdict: 'disproven', rule: 'no_amount', txid: made.txid }
    expect(asked.prove(made.txid, 0, made.txid)).toEqual(nothing)
    expect(asked.prove(made.txid, 1, made.txid)).toEqual({ verdict: 'proven', amount: 3n })
    expect(asked.prove(made.txid, 0, made.txid)).toEqual(nothing)
  })

  test('a long chain with shared ancestors takes linear time', () => {
    const links = isQuick ? 1000 : 4000
    const transactions = [...world]
    let previous = give
    for (let at = 0; at < links; at += 1) {
      const owner = at % 2 === 0 ? keys.alice : keys.bob
      const key = fulfillment(at % 2 === 0 ? keys.bob : keys.alice)
      const inputs: Input[] =
        at === 0
          ? [[previous.txid, 0, key]]
          : [
              [previous.txid, 0, key],
              [previous.txid, 1, key],
            ]
      previous = forge(inputs, [[30, held(owner)], [40, held(owner)], transfer(T, owner)])
      transactions.push(previous.hex)
    }
    const start = performance.now()
    expect(proveTokenOutput(previous.txid, 1, T, transactions.reverse())).toEqual({
      verdict: 'proven',
      amount: 40n,
    })
    // a walk that visited shared ancestors again would never end
    expect(performance.now() - start).toBeLessThan(20000)
  })
})

describe('signatures, when they are asked for', () => {
  const signed = createTokenProver(
    chain.map((it) => it.hex),
    { signatures: true },
  )

  test('are right wherever the daemon took tokens', () => {
    let outputs = 0
    for (const { txid, hex } of chain) {
      const payload = lastPayload(decodeTransaction(hex).outputs)
      const tokenid = payload?.kind === 'transfer' ? payload.tokenid : txid
      for (const [vout] of decodeTransaction(hex).outputs.entries()) {
        const plain = prover.prove(txid, vout, tokenid)
        expect(signed.prove(txid, vout, tokenid), `${txid}:${vout}`).toEqual(plain)
        if (plain.verdict === 'proven') outputs += 1
      }
    }
    expect(outputs).toBeGreaterThan(300)
  })

  test('are missing in a history that was made up', () => {
    const prove = (txid: string, vout: number) =>
      proveTokenOutput(txid, vout, T, world, { signatures: true })
    const rule = 'signature_invalid'
    expect(prove(T, 1)).toMatchObject({ verdict: 'disproven', rule, txid: T })
    expect(prove(give.txid, 0)).toMatchObject({ verdict: 'disproven', rule, txid: T })
  })

  const debt = forge([[funding.txid, 1]], [[-1, held(keys.bob)], transfer(T, keys.bob)])
  const spendsDebt = { txid: debt.txid, vout: 0, scriptSig: fulfillment(keys.bob), sequence: 0 }

  test.each<[string, (tx: Transaction) => TransactionFields]>([
    [
      'another amount',
      (tx) => ({
        ...tx,
        outputs: tx.outputs.map((it) =>
          it.script.startsWith('21') ? { ...it, value: it.value - 1n } : it,
        ),
      }),
    ],
    ['a coin of less than nothing', (tx) => ({ ...tx, inputs: [...tx.inputs, spendsDebt] })],
  ])('are wrong after any change: %s', (_, change) => {
    const tokenid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'
    const { hex } = chain.find((it) => it.hex.includes(`f274${tokenid}`))!
    const forged = encodeTransaction(change(decodeTransaction(hex)))
    const txid = transactionId(forged)
    const given = [...chain.map((it) => it.hex), debt.hex, forged]
    const prove = (signatures: boolean) => proveTokenOutput(txid, 0, tokenid, given, { signatures })
    expect(prove(false)).toMatchObject({ verdict: 'proven' })
    expect(prove(true)).toMatchObject({ verdict: 'disproven', rule: 'signature_invalid', txid })
    // and what it spends is still there for the transfer that it was made from
    const strict = createTokenProver(given, { signatures: true })
    expect(strict.prove(txid, 0, tokenid).verdict).toBe('disproven')
    expect(strict.prove(transactionId(hex), 0, tokenid).verdict).toBe('proven')
  })
})

describe('wrong arguments', () => {
  test('a malformed transaction is named', () => {
    expect(() => createTokenProver([issue.hex, issue.hex.slice(2)])).toThrow(
      expect.objectContaining({
        code: 'unknown_transaction_format',
        context: expect.objectContaining({ path: 'transactions[1]' }),
      }),
    )
  })
  test.each([
    ['no list', () => createTokenProver('00' as never)],
    ['no string in it', () => createTokenProver([1 as never])],
    ['no txid', () => proveTokenOutput(1 as never, 0, T, world)],
    ['no output index', () => proveTokenOutput(T, -1, T, world)],
  ])('%s is misuse', (_, run) => {
    expect(run).toThrow(TypeError)
  })
})
