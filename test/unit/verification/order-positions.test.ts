// These tests cover the positions of the outputs of an order's steps, by script and by value, and
// the outputs beside a bid. Sources: komodo src/cc/assets.cpp, AssetsValidate; tokel
// src/cc/assets.cpp.

import { describe, expect, test } from 'vitest'

import {
  buildTokenCancelBid,
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  type FindingCode,
  type Report,
  signTransaction,
  type TokenOrderIntent,
  type TransactionFields,
  tokenScript,
  transactionId,
  verifyInputs,
  verifyTokenOrder,
} from '../../../src/index.ts'
import { createTokenValidator } from '../../../src/token/rules/validation.ts'
import { refusal } from '../../support/bobs-tokens.ts'
import { build, cancelBid, made } from '../../support/built-orders.ts'
import { chainTransaction, keys, previousTransactions } from '../../support/komodod.ts'
import {
  chainHexes,
  circumstancesOf,
  intentOf,
  madeOrders,
  orderKeys,
} from '../../support/orders.ts'
import { shareOf } from '../../support/share.ts'
import { orderBaselines } from '../../support/tokel-baselines.ts'
import { readVectors } from '../../support/vectors.ts'

const known = new Map(chainHexes.map((hex) => [transactionId(hex), decodeTransaction(hex)]))

interface Step {
  readonly name: string
  readonly hex: string
  readonly check: (hex: string) => Report
}

const ofKomodod: Step[] = madeOrders.map((it) => {
  const intent = intentOf(it)
  const { tipHeight } = circumstancesOf(it)
  const evidence = {
    previousTransactions: previousTransactions(it.hex),
    tokenCreate: chainTransaction(intent.tokenid),
    tipHeight,
  }
  return {
    name: `komodod: ${it.kind}`,
    hex: it.hex,
    check: (hex) => verifyTokenOrder(hex, intent, evidence),
  }
})
const cancelledBid = cancelBid()
const steps: readonly Step[] = [
  ...ofKomodod,
  {
    name: 'komodod: cancelBid',
    hex: cancelledBid.hex,
    check: (hex) => verifyTokenOrder(hex, cancelledBid.intent, cancelledBid),
  },
  ...orderBaselines.map(({ name, made: { hex }, check }) => ({
    name: `tokeld: ${name}`,
    hex,
    check: (it: string) => check(it),
  })),
]

const codesOf = ({ findings }: Report) => findings.map(({ code }) => code)
const swapped = (hex: string, one: number, other: number) => {
  const { outputs, ...rest } = decodeTransaction(hex)
  const turned = outputs.map((it, at) => {
    if (at === one) return outputs[other]!
    return at === other ? outputs[one]! : it
  })
  return encodeTransaction({ ...rest, outputs: turned })
}

describe.each(steps.map((step, turn) => ({ ...step, turn })))('$name', ({ hex, check, turn }) => {
  const { outputs } = decodeTransaction(hex)
  const roles = check(hex).effects.map(({ role }) => role)
  const placed = roles.flatMap((role, at) =>
    role === 'native-change' || role === 'nulldata' ? [] : [at],
  )

  test('stands in order', () => {
    expect(codesOf(check(hex))).not.toContain('order_position')
    expect(placed.length).toBeGreaterThan(0)
  })

  const changes = roles.flatMap((role, at) => (role === 'native-change' ? [at] : []))
  const pairs = placed.flatMap((one) =>
    [...placed, ...changes].flatMap((other) => (other > one ? [[one, other] as const] : [])),
  )
  test.each(shareOf(pairs, turn))('is rejected with outputs %i and %i swapped', (one, other) => {
    const isSame =
      outputs[one]!.value === outputs[other]!.value &&
      outputs[one]!.script === outputs[other]!.script
    expect(isSame).toBe(false)
    const report = check(swapped(hex, one, other))
    expect(codesOf(report)).toContain('order_position')
    expect(report.ok).toBe(false)
  })
})

function resigned({ hex, known: all }: { hex: string; known: typeof known }): string {
  const tx = decodeTransaction(hex)
  const inputs = tx.inputs.map((it) => ({ ...it, scriptSig: '' }))
  const prevouts = inputs.map(({ txid, vout }) => all.get(txid)!.outputs[vout]!)
  return signTransaction(encodeTransaction({ ...tx, inputs }), orderKeys, prevouts).hex
}

const refusalOfChain = (hex: string) =>
  createTokenValidator().orderRefusal(decodeTransaction(resigned({ hex, known })), (txid) =>
    known.get(txid),
  )

// the same by the module's own rules
test.each<[kind: TokenOrderIntent['kind'], one: number, other: number, refused: string]>([
  ['cancelBid', 0, 1, 'invalid refund for cancelbuy'],
  ['fillBid', 1, 5, 'locked value doesnt match vout0+1 fillbuy'],
  ['fillBid', 4, 5, 'vout2 doesnt match inputs fillbuy'],
  ['fillAsk', 2, 4, 'mismatched remainder for fillask'],
])('komodod refuses a %s with outputs %i and %i swapped', (kind, one, other, refused) => {
  const { hex } = kind === 'cancelBid' ? cancelledBid : made(kind)
  expect(refusalOfChain(hex)).toBeUndefined()
  expect(refusalOfChain(swapped(hex, one, other))).toBe(refused)
})

test('a position names the output that belongs there, by value and script', () => {
  const { hex, check } = steps.find(({ name }) => name === 'komodod: cancelBid')!
  const { outputs } = decodeTransaction(hex)
  const reported = check(swapped(hex, 0, 1)).findings.filter(
    ({ code }) => code === 'order_position',
  )
  const text = ({ value, script }: (typeof outputs)[number]) => `${value} to ${script}`
  expect(reported).toMatchObject([
    {
      severity: 'reject',
      path: 'outputs[0]',
      expected: text(outputs[0]!),
      actual: text(outputs[1]!),
    },
    {
      severity: 'reject',
      path: 'outputs[1]',
      expected: text(outputs[1]!),
      actual: text(outputs[0]!),
    },
  ])
})

test('another value in its place is reported as that alone', () => {
  const { hex, check } = steps.find(({ name }) => name === 'komodod: fillBid')!
  const { outputs, ...rest } = decodeTransaction(hex)
  const changed = outputs.map((it, at) => (at === 1 ? { ...it, value: it.value + 1n } : it))
  const codes = codesOf(check(encodeTransaction({ ...rest, outputs: changed })))
  expect(codes).toContain('payment_amount')
  expect(codes).not.toContain('order_position')
})

describe('the cost and the rest of a fill', () => {
  const priceOf = (report: Report) => report.findings.find(({ code }) => code === 'fill_price')
  const withValues = (hex: string, values: Readonly<Record<number, bigint>>) => {
    const { outputs, ...rest } = decodeTransaction(hex)
    const changed = outputs.map((it, at) => ({ ...it, value: values[at] ?? it.value }))
    return encodeTransaction({ ...rest, outputs: changed })
  }
  const step = (name: string) => steps.find((it) => it.name === name)!

  test.each(steps.map((it, turn) => ({ ...it, turn })))(
    '$name: is never less than nothing',
    ({ hex, check, turn }) => {
      const { outputs } = decodeTransaction(hex)
      const changes = [...outputs.keys()].flatMap((at) =>
        [1n, 10n ** 9n, 10n ** 15n].map((value) => ({ [at]: value })),
      )
      for (const change of shareOf(changes, turn, 3)) {
        expect(String(priceOf(check(withValues(hex, change)))?.actual)).not.toMatch(/-\d/)
      }
    },
  )

  test('is not told of what takes more than there is', () => {
    const { hex, check } = step('komodod: fillBid')
    expect(priceOf(check(hex))).toBeDefined()
    // all coins of the bid, and a satoshi more
    expect(priceOf(check(withValues(hex, { 1: 1_000_000n })))?.actual).toBe(
      '4 units for 1000000 satoshis, 250000 each; 6 for 0 stay',
    )
    expect(priceOf(check(withValues(hex, { 1: 1_000_001n })))).toBeUndefined()
    expect(priceOf(check(withValues(hex, { 2: 10n })))?.actual).toBe(
      '10 units for 400000 satoshis, 40000 each',
    )
    expect(priceOf(check(withValues(hex, { 2: 11n })))).toBeUndefined()
  })

  // tokel src/cc/CCassetsUtils.cpp, ValidateAskRemainder: the price of a unit stays
  test("leaves tokeld's orders at the price of a unit", () => {
    const bought = step('tokeld: fillAsk')
    expect(priceOf(bought.check(withValues(bought.hex, { 2: 297_000n, 3: 33_000n })))?.actual).toBe(
      '30 units for 330000 satoshis, 11000 each, 33000 of them royalty; 70 for 700000 stay',
    )
    const sold = step('tokeld: fillBid')
    expect(priceOf(sold.check(withValues(sold.hex, { 1: 270_000n, 2: 30_000n })))?.actual).toBe(
      '4 units for 300000 satoshis, 75000 each, 30000 of them royalty; 7 for 700000 stay',
    )
  })
})

// komodo src/cc/CCassetsCore.cpp, AssetValidateBuyvin: "invalid normal vout1 for buyvin"
describe('a bid without its marker in output 1', () => {
  const b = keys.B.pubkey
  const bid = decodeTransaction(made('bid').hex)
  const changedBid = (change: object) => {
    const outputs = bid.outputs.map((it, at) => (at === 1 ? { ...it, ...change } : it))
    return encodeTransaction({ ...bid, outputs })
  }
  const bare: readonly (readonly [what: string, change: object])[] = [
    ['coins of its maker', { script: `21${b}ac` }],
    ['a marker of another', { script: tokenScript(keys.A.pubkey, { evalCodes: [0xe3] }) }],
    ['a marker of less', { value: 9_999n }],
  ]

  test.each(bare)(
    'a bid without its marker in output 1, %s, is neither filled nor taken back',
    (_, change) => {
      const order = changedBid(change)
      const { script } = decodeTransaction(order).outputs[1]!
      const actual = 'value' in change ? change.value : script
      const txid = transactionId(order)
      const reported = { path: 'order', expected: 'a marker of 10000', actual }
      const known = [...chainHexes, order]
      const fill = () => build(made('fillBid'), { order: txid, previousTransactions: known })
      const cancel = () => cancelBid({ order: txid, previousTransactions: known })
      expect(refusal(fill)).toEqual({ code: 'order_malformed', ...reported })
      expect(refusal(cancel)).toEqual({ code: 'order_malformed', ...reported })
      const filled = build(made('fillBid'))
      for (const { intent, hex, ...given } of [filled, cancelledBid]) {
        const evidence = { ...given, previousTransactions: known } as Evidence
        const asked = { ...intent, order: txid } as TokenOrderIntent
        const { findings } = verifyTokenOrder(hex, asked, evidence)
        expect(findings.filter(({ code }) => code === 'order_malformed')).toMatchObject([
          { severity: 'reject', path: 'intent.order', expected: reported.expected, actual },
        ])
      }
    },
  )

  test('is one with no output 1', () => {
    const { outputs, ...rest } = bid
    const order = encodeTransaction({ ...rest, outputs: [outputs[0]!, outputs.at(-1)!] })
    const asked = { order: transactionId(order), previousTransactions: [...chainHexes, order] }
    expect(refusal(() => cancelBid(asked)).code).toBe('order_malformed')
  })
})

// komodo src/cc/CCassetstx.cpp: what CancelBuyOffer makes, which leaves the marker and pays its
// coins all the same
describe('a cancelled bid that leaves its marker', () => {
  const b = keys.B.pubkey
  const own = `21${b}ac`
  const order = decodeTransaction(made('bid').hex)

  /** Paid by one coin, with whatever change. */
  function cancelledWith(coin: bigint, change?: bigint) {
    const parent: TransactionFields = {
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      // a coinbase, which nobody has signed
      inputs: [{ txid: '00'.repeat(32), vout: 0xffffffff, scriptSig: '', sequence: 0xffffffff }],
      outputs: [{ value: coin, script: own }],
      lockTime: 0,
    }
    const funding = encodeTransaction(parent)
    const input = { scriptSig: '', sequence: 0xffffffff }
    const built = buildTokenCancelBid({
      tokenid: made('bid').params[1]!,
      order: order.txid,
      from: b,
      coins: circumstancesOf(made('fillAsk')).coins,
      previousTransactions: chainHexes,
      tipHeight: 102,
    })
    const { outputs, ...rest } = decodeTransaction(built.hex)
    const hex = encodeTransaction({
      ...rest,
      inputs: [
        { txid: transactionId(funding), vout: 0, ...input },
        { txid: order.txid, vout: 0, ...input },
      ],
      outputs: [
        ...outputs.slice(0, 2),
        ...(change === undefined ? [] : [{ value: change, script: own }]),
        outputs.at(-1)!,
      ],
    })
    const all = new Map([...known, [transactionId(funding), decodeTransaction(funding)]])
    const signed = resigned({ hex, known: all })
    const evidence = { previousTransactions: [made('bid').hex, funding], tipHeight: 102 }
    const report = verifyTokenOrder(signed, built.intent, evidence)
    const findings = report.findings.filter(({ code }) => code !== 'immature_coinbase')
    return { ...report, findings }
  }

  const { tokenid, bid, coin, hex } = readVectors<{
    tokenid: string
    bid: string
    coin: { value: string; script: string }
    hex: string
  }>('komodod/cancelbid-without-fee.json')

  test('was recorded with a fee of nothing, in the shape of these tests', () => {
    const { inputs, outputs } = decodeTransaction(hex)
    expect(inputs[1]).toMatchObject({ txid: bid, vout: 0 })
    expect(outputs.at(-1)!.script).toContain(tokenid)
    const [refund, marker] = outputs
    const spent = [
      { value: BigInt(coin.value), script: coin.script },
      { value: refund!.value, script: order.outputs[0]!.script },
    ]
    // each signature commits to the worth of its coin, so that the fee is proven
    const verdicts = verifyInputs(hex, spent)
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, true])
    expect(BigInt(coin.value) - marker!.value).toBe(0n)
  })

  test.each([
    [10_000n, 0n],
    [10_001n, 1n],
    [19_999n, 9_999n],
  ])(
    'a cancelled bid that a coin of %i pays agrees with a fee of %i, and a warning',
    (paid, fee) => {
      const report = cancelledWith(paid)
      expect(report.findings).toMatchObject([
        { code: 'order_marker_left', severity: 'warn' },
        {
          code: 'fee_below_requested',
          severity: 'warn',
          path: 'fee',
          expected: 10_000n,
          actual: fee,
        },
      ])
      expect(report).toMatchObject({ ok: true, fee })
    },
  )

  test('pays the whole fee where it can', () => {
    expect(codesOf(cancelledWith(20_000n))).toEqual(['order_marker_left'])
    expect(codesOf(cancelledWith(29_999n))).toEqual(['order_marker_left', 'fee_rounding'])
    expect(codesOf(cancelledWith(50_000n, 30_000n))).toEqual(['order_marker_left'])
  })

  test.each<[coin: bigint, change: bigint | undefined, code: FindingCode]>([
    // with change komodod pays the fee in full
    [50_000n, 40_000n, 'fee_too_low'],
    [50_000n, 30_001n, 'fee_too_low'],
    [9_999n, undefined, 'fee_too_low'],
    [40_000n, undefined, 'fee_too_high'],
  ])('is rejected for a coin of %i with change of %o', (paid, change, code) => {
    const report = cancelledWith(paid, change)
    expect(report.ok).toBe(false)
    expect(codesOf(report)).toContain(code)
    expect(codesOf(report)).not.toContain('fee_below_requested')
  })

  test('is the only step that may pay less without change', () => {
    for (const [kind, needed] of [
      ['fillAsk', 310_000n],
      ['fillBid', 10_000n],
      ['cancelAsk', 0n],
    ] as const) {
      const { from } = made(kind)
      const funding = encodeTransaction({
        version: 4,
        overwintered: true,
        versionGroupId: 0x892f2085,
        inputs: [{ txid: '66'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
        outputs: [{ value: needed + 9_999n, script: `21${from}ac` }],
        lockTime: 0,
      })
      const { hex, intent, ...given } = build(made(kind), {
        fee: 9_999n,
        coins: [{ txid: transactionId(funding), vout: 0 }],
        previousTransactions: [...chainHexes, funding],
      })
      const checked = (fee: bigint) =>
        codesOf(verifyTokenOrder(hex, { ...intent, fee, maxFee: 20_000n }, given))
      expect(checked(9_999n)).not.toContain('fee_too_low')
      expect(checked(10_000n)).toContain('fee_too_low')
      expect(checked(10_000n)).not.toContain('fee_below_requested')
    }
  })

  test('is the only step that may pay less', () => {
    for (const { hex, check } of steps) {
      const { outputs, ...rest } = decodeTransaction(hex)
      const at = check(hex).effects.findIndex(({ role }) => role === 'native-change')
      if (at < 0) continue
      const rich = outputs.map((it, n) => (n === at ? { ...it, value: it.value + 1n } : it))
      const report = check(encodeTransaction({ ...rest, outputs: rich }))
      expect(codesOf(report)).toContain('fee_too_low')
    }
  })
})

// komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet: data of the assets module may stand bare
test('an order without its id is a warning', () => {
  for (const { hex, check } of ofKomodod) {
    const { outputs, ...rest } = decodeTransaction(hex)
    const { script, value } = outputs.at(-1)!
    const payload = script.slice(script.startsWith('6a4c') ? 6 : 4)
    const bare = payload.replace(/12((?:2c|02)e3)/, '$1')
    expect(bare).not.toBe(payload)
    const size = (bare.length / 2).toString(16).padStart(2, '0')
    const shorter = `6a${bare.length > 150 ? '4c' : ''}${size}${bare}`
    const changed = [...outputs.slice(0, -1), { value, script: shorter }]
    const reported = check(encodeTransaction({ ...rest, outputs: changed })).findings
    expect(reported.filter(({ path }) => path.endsWith('.script'))).toMatchObject([
      { code: 'nulldata_legacy', severity: 'warn', path: `outputs[${outputs.length - 1}].script` },
    ])
    expect(codesOf(check(hex))).not.toContain('nulldata_legacy')
  }
})
