// Orders of a real komodod are verified against the intent that made them. Then they are changed in
// every way that pays an attacker, and signed again with all keys, the module's published one too.

import { describe, expect, test } from 'vitest'
import {
  buildTokenCancelBid,
  decodeTransaction,
  type Evidence,
  encodeTokenPayload,
  encodeTransaction,
  type FindingCode,
  formatReport,
  networks,
  type Report,
  signTransaction,
  type TokenOrderIntent,
  type TokenPayloadFields,
  type TransactionFields,
  tokenScript,
  transactionId,
  verifyTokenOrder,
  verifyTokenOrderAsync,
} from '../../../src/index.ts'
import { findingCodes } from '../../../src/request/finding-table.ts'
import { createTokenValidator } from '../../../src/token/rules/validation.ts'
import { chainTransaction, keys, previousTransactions, unspentCoin } from '../../support/komodod.ts'
import {
  assetsKey,
  chainHexes,
  circumstancesOf,
  intentOf,
  isOrderCode,
  type MadeOrder,
  madeOrders,
  orderKeys,
} from '../../support/orders.ts'
import {
  both,
  type Change,
  drop,
  headerCases,
  insert,
  move,
  output,
  outputs,
  p2pk,
} from '../../support/resigned.ts'
import { acceptedFlips, shareOf } from '../../support/share.ts'
import { inMutationRun, testUnless } from '../../support/skip.ts'

const a = keys.A.pubkey
const b = keys.B.pubkey
const c = keys.C.pubkey

interface Checked {
  readonly kind: TokenOrderIntent['kind']
  readonly hex: string
  readonly intent: TokenOrderIntent
  readonly evidence: Evidence
}

const recorded: Checked[] = madeOrders.map((made) => ({
  kind: made.kind,
  hex: made.hex,
  intent: boundIntentOf(made),
  evidence: evidenceOf(made.hex, intentOf(made).tokenid, circumstancesOf(made).tipHeight),
}))

/** Returns the intent of an order. Only the coins that it spends bind a bid to a chain. */
function boundIntentOf(made: MadeOrder): TokenOrderIntent {
  const intent = intentOf(made)
  if (intent.kind !== 'bid') return intent
  return { ...intent, spendable: circumstancesOf(made).coins }
}

function evidenceOf(hex: string, tokenid: string, tipHeight: number): Evidence {
  return {
    previousTransactions: previousTransactions(hex),
    tokenCreate: chainTransaction(tokenid),
    tipHeight,
  }
}

const bid = madeOrders.find(({ kind }) => kind === 'bid')!

/**
 * Returns a cancelled bid, of which no recording exists. Our builder lays it out as CancelBuyOffer
 * does, which leaves the marker.
 */
function cancelled(): Checked {
  const built = buildTokenCancelBid({
    tokenid: bid.params[1]!,
    order: transactionId(bid.hex),
    from: b,
    coins: [unspentCoin(p2pk(b))],
    previousTransactions: chainHexes,
    tipHeight: 102,
  })
  const { hex } = signTransaction(built.hex, orderKeys, built.coins)
  const { intent } = built
  const evidence = evidenceOf(hex, intent.tokenid, 102)
  return { kind: 'cancelBid', hex, intent, evidence }
}

const all: readonly Checked[] = [...recorded, cancelled()]
const seen = new Set<string>()
const codes = ({ findings }: Report) => {
  for (const { code } of findings) seen.add(code)
  return findings.map(({ code }) => code)
}

test.each(all)('$kind agrees with the intent that made it', ({ hex, intent, evidence }) => {
  const report = verifyTokenOrder(hex, intent, evidence)
  // tokens whose ancestors were not given, and the price of a bid, which no chain enforces
  const expectedWarnings = ['token_parent_unproven', 'bid_price_unenforced']
  expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual(
    report.findings.filter(({ code }) => expectedWarnings.includes(code)),
  )
  expect(report.ok).toBe(true)
  const whole = verifyTokenOrder(hex, intent, { ...evidence, previousTransactions: chainHexes })
  const usual = ['fill_price', 'immature_coinbase', 'bid_price_unenforced']
  // the recorded chain has the order of a made-up cancellation filled
  if (!chainHexes.includes(hex)) usual.push('output_contested')
  expect(codes(whole).filter((code) => !usual.includes(code))).toEqual([])
})

test('slices come to the same verdicts', async () => {
  for (const { hex, intent, evidence } of all) {
    const report = verifyTokenOrder(hex, intent, evidence)
    expect(await verifyTokenOrderAsync(hex, intent, evidence)).toEqual(report)
    const other = { ...intent, tokenid: '11'.repeat(32) }
    expect(await verifyTokenOrderAsync(hex, other, evidence)).toMatchObject({ ok: false })
  }
})

// tokens.md section 3: AddNormalinputs comes first, then the order; its tokens are not the wallet's
test.each(all.filter(({ kind }) => kind === 'fillAsk' || kind === 'cancelAsk'))(
  '$kind: the tokens of the order before all coins are told as that alone',
  ({ hex, intent, evidence }) => {
    const { inputs, ...rest } = decodeTransaction(hex)
    const at = inputs.findIndex(({ txid }) => 'order' in intent && txid === intent.order)
    const moved = [inputs[at]!, ...inputs.toSpliced(at, 1)]
    const reported = codes(
      verifyTokenOrder(encodeTransaction({ ...rest, inputs: moved }), intent, evidence),
    )
    expect(reported).toContain('order_input')
    expect(reported).not.toContain('input_order')
  },
)

// komodo src/cc/assets.cpp, AssetsValidate: "illegal asset vin0", which the token rules say as well
test('a bid is not filled by a transaction that begins with a token', () => {
  const { hex, intent, evidence } = all.find(({ kind }) => kind === 'fillBid')!
  const { inputs, ...rest } = decodeTransaction(hex)
  const known = new Map(chainHexes.map((it) => [transactionId(it), decodeTransaction(it)]))
  const resigned = (order: typeof inputs) => {
    const bare = order.map((it) => ({ ...it, scriptSig: '' }))
    const spent = bare.map(({ txid, vout }) => known.get(txid)!.outputs[vout]!)
    return signTransaction({ ...rest, inputs: bare }, orderKeys, spent).hex
  }
  const isCondition = ({ scriptSig }: (typeof inputs)[number]) => scriptSig.startsWith('4c')
  const coins = inputs.filter((it) => !isCondition(it))
  const [order, token] = inputs.filter(isCondition)
  const refusal = (it: string) =>
    createTokenValidator().orderRefusal(decodeTransaction(it), (txid) => known.get(txid))
  const honest = resigned([coins[0]!, order!, token!, ...coins.slice(1)])
  expect(refusal(honest)).toBeUndefined()
  expect(codes(verifyTokenOrder(honest, intent, evidence))).not.toContain('order_input')
  const turned = resigned([token!, order!, ...coins])
  expect(refusal(turned)).toBe('illegal asset vin0')
  const report = verifyTokenOrder(turned, intent, evidence)
  expect(report.ok).toBe(false)
  expect(report.findings.filter(({ code }) => code === 'order_input')).toMatchObject([
    {
      severity: 'reject',
      path: 'inputs[0]',
      expected: 'an own coin',
      actual: `${token!.txid}:${token!.vout}`,
    },
  ])
})

// The order's output is not a coin of the wallet, and the intent names the order.
test.each(all.filter(({ kind }) => kind !== 'ask' && kind !== 'bid'))(
  '$kind: of what may be spent the order need not be listed, but all else',
  ({ kind, hex, intent, evidence }) => {
    const inputs = decodeTransaction(hex).inputs.map(({ txid, vout }) => ({ txid, vout }))
    const unlisted = (spendable: typeof inputs) =>
      verifyTokenOrder(hex, { ...intent, spendable }, evidence)
        .findings.filter(({ code }) => code === 'unlisted_input')
        .map(({ path }) => path)
    const { order = '' } = intent as { order?: string }
    const isLent = ({ txid, vout }: (typeof inputs)[number]) =>
      txid === order && (vout === 0 || kind.startsWith('cancel'))
    const own = inputs.filter((it) => !isLent(it))
    expect(own.length).toBeLessThan(inputs.length)
    expect(unlisted(own)).toEqual([])
    expect(unlisted([])).toEqual(own.map((it) => `inputs[${inputs.indexOf(it)}]`))
    expect(unlisted(inputs.filter(isLent))).toEqual(unlisted([]))
  },
)

// tokens.md section 3.2: AddTokenCCInputs ends when it has what is offered; the marker is coins
test('an ask spends no token more than it offers', () => {
  const { hex, intent, evidence } = all.find(({ kind }) => kind === 'ask')!
  const { inputs, outputs, ...rest } = decodeTransaction(hex)
  const payload = `f274${intent.tokenid}0121${a}`
  const parent = encodeTransaction({
    ...rest,
    inputs: [{ ...inputs.at(-1)!, txid: '77'.repeat(32) }],
    outputs: [
      { value: 5n, script: tokenScript(a) },
      { value: 0n, script: `6a${(payload.length / 2).toString(16)}${payload}` },
    ],
  })
  const more = { ...inputs.at(-1)!, txid: transactionId(parent), vout: 0 }
  const asked = encodeTransaction({ ...rest, inputs: [...inputs, more], outputs })
  const previousTransactions = [...evidence.previousTransactions, parent]
  const { findings } = verifyTokenOrder(asked, intent, { ...evidence, previousTransactions })
  expect(findings.filter(({ code }) => code === 'extra_input')).toMatchObject([
    { path: `inputs[${inputs.length}]`, expected: 'units' in intent ? intent.units : 0n },
  ])
})

// tokens.md section 3: the bid pays for the units; own coins pay the fee and the marker, no more
test('a fill of a bid spends no coin more than fee and marker take', () => {
  const { hex, intent, evidence } = all.find(({ kind }) => kind === 'fillBid')!
  const tx = decodeTransaction(hex)
  const extras = (values: readonly bigint[]) => {
    const outputs = values.map((value) => ({ value, script: p2pk(a) }))
    const parent = encodeTransaction({ ...tx, outputs })
    const coins = values.map((_, vout) => ({
      ...tx.inputs[0]!,
      txid: transactionId(parent),
      vout,
    }))
    const inputs = [coins[0]!, ...tx.inputs.slice(1), ...coins.slice(1)]
    const previousTransactions = [...evidence.previousTransactions, parent]
    const given = { ...evidence, previousTransactions }
    const { findings } = verifyTokenOrder(encodeTransaction({ ...tx, inputs }), intent, given)
    return findings.filter(({ code }) => code === 'extra_input')
  }
  const last = `inputs[${tx.inputs.length}]`
  expect(extras([20_000n, 1n])).toMatchObject([{ path: last, expected: 20_000n, actual: 20_001n }])
  expect(extras([19_999n, 1n])).toEqual([])
})

// A warning about absurd fees needs no evidence from a daemon (checklist 6.6).
test.each(all.filter(({ kind }) => kind.startsWith('cancel')))(
  '$kind: a fee of over a tenth of coins and marker is told',
  ({ hex, intent, evidence }) => {
    const { effects } = verifyTokenOrder(hex, intent, evidence)
    const change = effects.find(({ role }) => role === 'native-change')!.output
    const dear = encodeTransaction(drop(change)(decodeTransaction(hex)))
    expect(codes(verifyTokenOrder(dear, intent, evidence))).toContain('fee_share')
  },
)

// An offer is in no order yet, and what is taken back is told with its order.
test('a report names the order that is filled', () => {
  for (const { kind, hex, intent, evidence } of all) {
    const operation = `token${kind.toLowerCase()}` as 'tokenask'
    const given = { operation, hex, intent: intent as never, evidence }
    const text = formatReport(verifyTokenOrder(hex, intent, evidence), { given })
    const lines = text.split('\n').filter((line) => /^ *order /.test(line))
    const order = 'order' in intent ? intent.order : ''
    expect(lines.map((line) => line.trim().replace(/ +/, ' '))).toEqual(
      kind.startsWith('fill') ? [`order ${order}`] : [],
    )
    expect(text.includes(`order ${order} of token`)).toBe(kind.startsWith('cancel'))
  }
})

testUnless(inMutationRun).each(all)(
  'no bit of a $kind can be flipped',
  ({ hex, intent, evidence }) => {
    const isAccepted = (flipped: string) => verifyTokenOrder(flipped, intent, evidence).ok
    expect(acceptedFlips(hex, isAccepted).accepted).toEqual([])
  },
)

function prevoutsOf({ inputs }: TransactionFields) {
  return inputs.map(({ txid, vout }) => decodeTransaction(chainTransaction(txid)).outputs[vout]!)
}

/** Signs whatever it has become. */
function resigned(tx: TransactionFields): string {
  const inputs = tx.inputs.map((it) => ({ ...it, scriptSig: '' }))
  return signTransaction(encodeTransaction({ ...tx, inputs }), orderKeys, prevoutsOf(tx)).hex
}

function check({ hex, intent, evidence }: Checked, change: Change): Report {
  const tx = change(decodeTransaction(hex))
  const given = [...evidence.previousTransactions, ...previousTransactionsOf(tx)]
  return verifyTokenOrder(resigned(tx), intent, { ...evidence, previousTransactions: given })
}

function previousTransactionsOf({ inputs }: TransactionFields): string[] {
  return inputs.map(({ txid }) => chainTransaction(txid))
}

type Case = readonly [what: string, change: Change, code: FindingCode]

const last = (tx: TransactionFields) => tx.outputs.length - 1
/** Where native change is: the last but one, as long as nothing else is. */
const changeOf = (tx: TransactionFields) => last(tx) - 1
const at =
  (place: (tx: TransactionFields) => number, change: (at: number) => Change): Change =>
  (tx) =>
    change(place(tx))(tx)
const inputsChanged =
  (change: (inputs: TransactionFields['inputs']) => TransactionFields['inputs']): Change =>
  (tx) => ({ ...tx, inputs: change(tx.inputs) })
const nulldata = (change: (script: string) => string): Change =>
  outputs((list) =>
    list.map((it, index) => {
      if (index !== list.length - 1) return it
      const isLong = it.script.startsWith('6a4c')
      const blob = change(it.script.slice(isLong ? 6 : 4))
      const bytes = (blob.length / 2).toString(16).padStart(2, '0')
      return { ...it, script: `6a${blob.length > 150 ? '4c' : ''}${bytes}${blob}` }
    }),
  )
const otherToken = keys.txids.fungible!

/** Changes that are wrong in any step, wherever its outputs are. */
const common: readonly Case[] = [
  [
    'native change to another',
    at(changeOf, (n) => output(n, { script: p2pk(c) })),
    'native_change_destination',
  ],
  [
    'native change to a script',
    at(changeOf, (n) => output(n, { script: `a914${'22'.repeat(20)}87` })),
    'native_change_destination',
  ],
  [
    'part of the change to another',
    at(last, (n) => insert(n, 50_000n, p2pk(c), n - 1)),
    'unexpected_output',
  ],
  [
    'part of the change as a second change',
    at(last, (n) => both(insert(n, 50_000n, p2pk(a), n - 1), insert(n, 50_000n, p2pk(b), n - 1))),
    'unexpected_output',
  ],
  [
    'a token output of nothing',
    at(last, (n) => insert(n, 0n, tokenScript(c), n - 1)),
    'unexpected_output',
  ],
  [
    'coins to the tokens of another',
    at(last, (n) => insert(n, 500n, tokenScript(c), n - 1)),
    'unexpected_output',
  ],
  [
    'coins to the key of the module',
    at(last, (n) => insert(n, 500n, p2pk(assetsKey), n - 1)),
    'unexpected_output',
  ],
  [
    'a fee of 0.01',
    at(changeOf, (n) =>
      outputs((list) =>
        list.map((it, i) => (i === n ? { ...it, value: it.value - 990_000n } : it)),
      ),
    ),
    'fee_too_high',
  ],
  [
    'a fee half as high again',
    at(changeOf, (n) =>
      outputs((list) => list.map((it, i) => (i === n ? { ...it, value: it.value - 5_000n } : it))),
    ),
    'fee_with_change',
  ],
  [
    'no fee',
    at(changeOf, (n) =>
      outputs((list) => list.map((it, i) => (i === n ? { ...it, value: it.value + 10_000n } : it))),
    ),
    'fee_too_low',
  ],
  [
    'a fee of one',
    at(changeOf, (n) =>
      outputs((list) => list.map((it, i) => (i === n ? { ...it, value: it.value + 9_999n } : it))),
    ),
    'fee_too_low',
  ],
  ['no native change', at(changeOf, (n) => drop(n)), 'fee_too_high'],
  ['nulldata that burns a coin', at(last, (n) => move(n - 1, n, 1n)), 'nulldata_value'],
  ['no nulldata', at(last, (n) => drop(n)), 'nulldata_missing'],
  [
    'two nulldata outputs',
    at(last, (n) => (tx) => insert(n, 0n, tx.outputs[n]!.script, n - 1)(tx)),
    'multiple_nulldata',
  ],
  ['nulldata first', outputs((list) => [list.at(-1)!, ...list.slice(0, -1)]), 'nulldata_position'],
  ['another tokenid', nulldata((hex) => hex.replace(/^f274.{64}/, `f274${otherToken}`)), 'tokenid'],
  [
    'the tokenid in the other byte order',
    nulldata((hex) =>
      hex.replace(/^f274(.{64})/, (_, id: string) => `f274${id.match(/../g)!.reverse().join('')}`),
    ),
    'tokenid',
  ],
  ['no tokenid', nulldata((hex) => hex.replace(/^f274.{64}/, `f274${'00'.repeat(32)}`)), 'tokenid'],
  ['funcid x', nulldata((hex) => `f278${hex.slice(4)}`), 'nulldata_malformed'],
  ['eval code f5', nulldata((hex) => `f5${hex.slice(2)}`), 'nulldata_malformed'],
  ['no order in the payload', nulldata((hex) => hex.replace(/12(2c|02)e3.*$/, '')), 'order_terms'],
  ['more in the payload', nulldata((hex) => `${hex}1104aabbccdd`), 'nulldata_extra'],
  ['a second order in the payload', nulldata((hex) => `${hex}1202e378`), 'nulldata_extra'],
  ['a byte after the payload', nulldata((hex) => `${hex}00`), 'nulldata_trailing'],
  [
    'opcodes after the payload',
    at(last, (n) => (tx) => output(n, { script: `${tx.outputs[n]!.script}51` })(tx)),
    'nulldata_trailing',
  ],
  [
    'the order marked as gateways’',
    nulldata((hex) => hex.replace(/12((?:2c|02)e3)/, '13$1')),
    'order_terms',
  ],
  ...headerCases,
  ["another token's marker is spent", spending(keys.txids.fungible!, 0), 'marker_spend'],
  ["another person's coin is spent", (tx) => spending(othersCoin(tx), 2)(tx), 'unexpected_input'],
  [
    'tokens of another kind go into the change',
    (tx) => spending(...othersTokens(tx))(tx),
    'foreign_token_input',
  ],
  ['the first output to another', output(0, { script: p2pk(c) }), 'order_output'],
  ['one more in the first output', at(changeOf, (n) => move(n, 0, 1n)), 'order_amount'],
  ['one less in the first output', at(changeOf, (n) => move(0, n, 1n)), 'order_amount'],
]

/** Another input, whose value goes into the change. */
function spending(txid: string, vout: number): Change {
  return (tx) => {
    const { value } = decodeTransaction(chainTransaction(txid)).outputs[vout]!
    const paid = tx.outputs.map((it, n) =>
      n === changeOf(tx) ? { ...it, value: it.value + value } : it,
    )
    const extra = { txid, vout, scriptSig: '', sequence: 0xffffffff }
    return { ...tx, inputs: [...tx.inputs, extra], outputs: paid }
  }
}

/** Returns the key of the maker, who owns the native coin that is spent. */
const makerOf = (tx: TransactionFields): string => {
  const { script } = prevoutsOf(tx)[0]!
  return script.includes(a) || script.includes('3bdb00e1143be1f59682fcb817ad82e5acd57efc') ? a : b
}
const othersCoin = (tx: TransactionFields): string =>
  makerOf(tx) === a ? keys.txids.transfer_B_A! : keys.txids.nodesc!
const othersTokens = (tx: TransactionFields): [string, number] =>
  makerOf(tx) === a ? [keys.txids.nodesc!, 1] : [keys.txids.transfer_partial!, 0]

/**
 * Where a step has another word for it: the first output is not an order, no token may be spent.
 */
const ownCodes: Partial<Record<TokenOrderIntent['kind'], Record<string, FindingCode>>> = {
  cancelAsk: { order_output: 'destination', order_amount: 'amount' },
  // The returned marker, or the change, is taken for the output of the order.
  cancelBid: {
    order_output: 'payment_amount',
    order_amount: 'payment_amount',
    foreign_token_input: 'foreign_condition_input',
  },
  bid: { foreign_token_input: 'foreign_condition_input' },
}

const price = (sats: bigint) => Buffer.from(BigInt64Array.of(sats).buffer).toString('hex')
const reprice = (to: bigint): Change =>
  nulldata((hex) => hex.replace(/(e3[62737342535342]{2}).{16}(21)/, `$1${price(to)}$2`))

const own: Readonly<Record<TokenOrderIntent['kind'], readonly Case[]>> = {
  ask: [
    ['another price', reprice(1n), 'order_terms'],
    ['no price', reprice(0n), 'order_terms'],
    ['a price below nothing', reprice(-1n), 'order_terms'],
    ['another maker', nulldata((hex) => hex.replace(a, b)), 'order_terms'],
    ['a bid instead', nulldata((hex) => hex.replace('e373', 'e362')), 'order_terms'],
    ['a fill instead', nulldata((hex) => hex.replace('e373', 'e353')), 'order_terms'],
    [
      'the module not named',
      nulldata((hex) => hex.replace(`0121${assetsKey}`, `0121${b}`)),
      'nulldata_pubkeys',
    ],
    ['nobody named', nulldata((hex) => hex.replace(`0121${assetsKey}`, '00')), 'nulldata_pubkeys'],
    [
      'the marker to another',
      output(1, { script: tokenScript(c, { evalCodes: [0xe3] }) }),
      'order_marker',
    ],
    ['the marker as coins', output(1, { script: p2pk(c) }), 'order_marker'],
    ['a small marker', move(1, 3, 1n), 'order_marker'],
    ['no marker', drop(1, 3), 'order_marker'],
    ['the offer as plain tokens', output(0, { script: tokenScript(assetsKey) }), 'order_output'],
    [
      'the offer as an assets coin',
      output(0, { script: tokenScript(assetsKey, { evalCodes: [0xe3] }) }),
      'order_output',
    ],
    ['token change to another', output(2, { script: tokenScript(c) }), 'token_change_destination'],
    ['token change as coins', drop(2, 3), 'token_change_destination'],
    ['a unit of the change as a coin', move(2, 3, 1n), 'token_change'],
    [
      'the offer after the marker',
      outputs(([one, two, ...rest]) => [two!, one!, ...rest]),
      'order_position',
    ],
  ],
  bid: [
    ['another amount of units', reprice(1n), 'order_terms'],
    ['no units', reprice(0n), 'order_terms'],
    ['another maker', nulldata((hex) => hex.replace(b, a)), 'order_terms'],
    ['an ask instead', nulldata((hex) => hex.replace('e362', 'e373')), 'order_terms'],
    [
      'somebody named',
      nulldata((hex) => hex.replace(/^(f274.{64})00/, `$10121${c}`)),
      'nulldata_pubkeys',
    ],
    [
      'the marker to another',
      output(1, { script: tokenScript(c, { evalCodes: [0xe3] }) }),
      'order_marker',
    ],
    ['a small marker', move(1, 2, 1n), 'order_marker'],
    ['no marker', drop(1, 2), 'order_marker'],
    ['the offer as tokens', output(0, { script: tokenScript(assetsKey) }), 'order_output'],
    ['the offer to the key of the module', output(0, { script: p2pk(assetsKey) }), 'order_output'],
    ['the marker first', outputs(([one, two, ...rest]) => [two!, one!, ...rest]), 'order_position'],
  ],
  fillAsk: [
    [
      'the marker of the order is spent too',
      (tx) => spending(tx.inputs[1]!.txid, 1)(tx),
      'foreign_condition_input',
    ],
    ['one unit less', move(1, 0, 1n), 'amount'],
    ['no units', move(1, 0, 30n), 'amount'],
    ['the units to another', output(1, { script: tokenScript(c) }), 'destination'],
    [
      'the units as an assets coin',
      output(1, { script: tokenScript(b, { evalCodes: [0xe3] }) }),
      'destination_condition',
    ],
    ['the seller gets more', move(4, 2, 1n), 'payment_amount'],
    ['the seller gets less', move(2, 4, 1n), 'payment_amount'],
    ['another gets what is due to the seller', output(2, { script: p2pk(c) }), 'payment'],
    [
      'the marker to another',
      output(3, { script: tokenScript(c, { evalCodes: [0xe3] }) }),
      'order_marker',
    ],
    [
      'the marker to oneself',
      output(3, { script: tokenScript(b, { evalCodes: [0xe3] }) }),
      'order_marker',
    ],
    ['no marker', drop(3, 4), 'order_marker'],
    ['the rest for nothing', reprice(0n), 'order_terms'],
    ['the rest for more', reprice(700_001n), 'order_terms'],
    ['the rest as one’s own', nulldata((hex) => hex.replace(`21${a}`, `21${b}`)), 'order_terms'],
    ['the rest to oneself', output(0, { script: tokenScript(b) }), 'order_output'],
    [
      'the order not spent',
      both(
        inputsChanged((list) => list.slice(0, 1)),
        drop(0),
        drop(0),
      ),
      'order_input',
    ],
    ['the order first', inputsChanged(([one, two]) => [two!, one!]), 'order_input'],
    [
      'the units after the payment',
      outputs(([one, two, three, ...rest]) => [one!, three!, two!, ...rest]),
      'order_position',
    ],
  ],
  fillBid: [
    [
      'the marker of the order is spent too',
      (tx) => spending(tx.inputs[1]!.txid, 1)(tx),
      'foreign_condition_input',
    ],
    ['one unit more to the bidder', move(4, 2, 1n), 'amount'],
    ['one unit less to the bidder', move(2, 4, 1n), 'amount'],
    ['one coin less for them', move(1, 0, 1n), 'payment_amount'],
    ['the coins to another', output(1, { script: p2pk(c) }), 'payment_amount'],
    ['the units to another', output(2, { script: tokenScript(c) }), 'destination'],
    ['the units as plain coins', output(2, { script: p2pk(b) }), 'destination_condition'],
    ['token change to another', output(4, { script: tokenScript(c) }), 'token_change_destination'],
    [
      'token change to the bidder',
      output(4, { script: tokenScript(b) }),
      'token_change_destination',
    ],
    [
      'the marker to another',
      output(3, { script: tokenScript(c, { evalCodes: [0xe3] }) }),
      'order_marker',
    ],
    ['nothing asked for the rest', reprice(0n), 'order_terms'],
    ['all asked for again', reprice(10n), 'order_terms'],
    [
      'the rest as one’s own',
      nulldata((hex) =>
        hex.replace(`21${b}00`, `21${a}00`).replace(new RegExp(`21${b}$`), `21${a}`),
      ),
      'order_terms',
    ],
    [
      'the order last',
      inputsChanged(([one, two, ...rest]) => [one!, ...rest, two!]),
      'order_input',
    ],
    [
      'the marker before the units',
      outputs(([one, two, three, four, ...rest]) => [one!, two!, four!, three!, ...rest]),
      'order_position',
    ],
  ],
  cancelAsk: [
    ['one unit less', move(0, 1, 1n), 'amount'],
    ['the units to another', output(0, { script: tokenScript(c) }), 'destination'],
    ['the coins of the marker to another', output(1, { script: p2pk(c) }), 'payment_amount'],
    ['a fill instead', nulldata((hex) => hex.replace('e378', 'e36f')), 'order_terms'],
    ['another named', nulldata((hex) => hex.replace(`0121${a}`, `0121${c}`)), 'nulldata_pubkeys'],
    ['the order first', inputsChanged(([one, two, three]) => [two!, one!, three!]), 'order_input'],
    [
      'the marker before the order',
      inputsChanged(([one, two, three]) => [one!, three!, two!]),
      'order_input',
    ],
    ['the coins first', outputs(([one, two, ...rest]) => [two!, one!, ...rest]), 'order_position'],
  ],
  cancelBid: [
    ['the coins to another', output(0, { script: p2pk(c) }), 'payment_amount'],
    ['the coins of the marker to another', output(1, { script: p2pk(c) }), 'payment_amount'],
    ['one coin less', move(0, 2, 1n), 'payment_amount'],
    ['an ask’s instead', nulldata((hex) => hex.replace('e36f', 'e378')), 'order_terms'],
    [
      'somebody named',
      nulldata((hex) => hex.replace(/^(f274.{64})00/, `$10121${c}`)),
      'nulldata_pubkeys',
    ],
    ['the order first', inputsChanged(([one, two, three]) => [two!, one!, three!]), 'order_input'],
  ],
}

describe.each(all)('$kind', (checked) => {
  const { kind } = checked
  const cases = [
    ...common.map(([what, change, code]): Case => [what, change, ownCodes[kind]?.[code] ?? code]),
    ...own[kind],
  ]

  test('is changed in more than forty ways', () => {
    expect(cases.length).toBeGreaterThan(40)
  })

  test.each(shareOf(cases, all.indexOf(checked)))('%s', (_, change, code) => {
    const report = check(checked, change)
    expect(report.ok).toBe(false)
    expect(codes(report)).toContain(code)
  })
})

const of = (kind: TokenOrderIntent['kind']) => all.find((it) => it.kind === kind)!

function reported(report: Report, code: FindingCode) {
  for (const it of report.findings) seen.add(it.code)
  return report.findings.find((it) => it.code === code)
}

test('a report states the price of a unit and the units that stay', () => {
  const { hex, intent, evidence } = of('fillAsk')
  expect(reported(verifyTokenOrder(hex, intent, evidence), 'fill_price')).toMatchObject({
    severity: 'info',
    path: 'outputs[2].value',
    expected: '100 units for 1000000 satoshis, 10000 each',
    actual: '30 units for 300000 satoshis, 10000 each; 70 for 700000 stay',
  })
  const sold = of('fillBid')
  expect(
    reported(verifyTokenOrder(sold.hex, sold.intent, sold.evidence), 'fill_price'),
  ).toMatchObject({
    path: 'outputs[1].value',
    expected: '10 units for 1000000 satoshis, 100000 each',
    actual: '4 units for 400000 satoshis, 100000 each; 6 for 600000 stay',
  })
})

test('only a fill has a price', () => {
  for (const { kind, hex, intent, evidence } of all) {
    const price = reported(verifyTokenOrder(hex, intent, evidence), 'fill_price')
    expect([kind, price !== undefined]).toEqual([kind, kind.startsWith('fill')])
  }
})

test("the daemon's cut is rejected, with what a unit would cost", () => {
  const fill = of('fillAsk')
  // the recorded fill as komodod lays it out for 29 of the 30 units that the same coins buy
  const report = check(fill, move(1, 0, 1n))
  expect(reported(report, 'amount')).toMatchObject({ expected: 30n, actual: 29n })
  expect(reported(report, 'fill_price')?.actual).toBe(
    '29 units for 300000 satoshis, 10344.8275 each; 71 for 700000 stay',
  )
})

test('a cancelled bid that leaves its marker, as the daemon does, is a warning', () => {
  const { hex, intent, evidence } = of('cancelBid')
  const tx = decodeTransaction(hex)
  const left = {
    ...tx,
    inputs: tx.inputs.slice(0, 2),
    outputs: tx.outputs.map((it, n) => (n === 2 ? { ...it, value: it.value - 10_000n } : it)),
  }
  const report = verifyTokenOrder(resigned(left), intent, evidence)
  expect(codes(report)).toEqual(['order_marker_left'])
  expect(report.ok).toBe(true)
})

describe('a request that makes no sense is rejected first', () => {
  const checkAsked = (
    kind: TokenOrderIntent['kind'],
    asked: object,
    evidence?: Partial<Evidence>,
  ) => {
    const it = of(kind)
    return verifyTokenOrder(it.hex, { ...it.intent, ...asked } as TokenOrderIntent, {
      ...it.evidence,
      ...evidence,
    })
  }
  const dust = { expected: 'at least 57', actual: 56n }
  test.each<[string, TokenOrderIntent['kind'], object, FindingCode, object?]>([
    ['an ask for nothing', 'ask', { price: 0n }, 'intent_price'],
    ['an ask for dust', 'ask', { price: 56n }, 'intent_price', dust],
    ['a bid of dust', 'bid', { price: 56n }, 'intent_price', dust],
    ['a bid of less than nothing', 'bid', { price: -1n }, 'intent_price'],
    ['a bid beyond all coins', 'bid', { price: 1n << 63n }, 'intent_price'],
    ['no units', 'ask', { units: 0n }, 'intent_amount'],
    ['more units than an output holds', 'bid', { units: 1n << 63n }, 'intent_amount'],
    ['an order that is not an id', 'fillAsk', { order: 'zz' }, 'intent_order'],
    ['an order and a digit', 'fillAsk', { order: `1${'11'.repeat(32)}` }, 'intent_order'],
    ['a letter and an order', 'fillAsk', { order: `z${'11'.repeat(32)}` }, 'intent_order'],
    ['an order and a letter', 'fillAsk', { order: `${'11'.repeat(32)}z` }, 'intent_order'],
    ['an order that was not given', 'fillAsk', { order: '11'.repeat(32) }, 'order_missing'],
    ['a bid that was not given', 'fillBid', { order: '11'.repeat(32) }, 'order_missing'],
    ['an ask that is a bid', 'fillAsk', { order: transactionId(bid.hex) }, 'order_missing'],
    ['more than there is', 'fillAsk', { units: 101n }, 'order_fill'],
    ['more than is wanted', 'fillBid', { units: 11n }, 'order_fill'],
    [
      'another price',
      'fillAsk',
      { price: 299_999n },
      'order_price',
      { expected: 299_999n, actual: 300_000n },
    ],
    ['another price of a bid', 'fillBid', { price: 400_001n }, 'order_price'],
    ['another token’s order', 'fillAsk', { tokenid: otherToken }, 'order_malformed'],
    ['another’s ask to be cancelled', 'cancelAsk', { from: b }, 'order_not_own'],
    ['another’s bid to be cancelled', 'cancelBid', { from: a }, 'order_not_own'],
    ['an offer by a module', 'ask', { from: assetsKey }, 'intent_module_key'],
    ['an offer by no key', 'ask', { from: '02' }, 'intent_pubkey'],
    ['no token', 'bid', { tokenid: '00'.repeat(32) }, 'intent_tokenid'],
    ['an end', 'ask', { expiryHeight: 1000 }, 'order_expiry'],
    [
      'a price that units do not share',
      'bid',
      { network: networks.tokel, price: 100_001n },
      'intent_price',
    ],
  ])('%s', (_, kind, asked, code, details = {}) => {
    const report = checkAsked(kind, asked)
    expect(report.ok).toBe(false)
    expect(reported(report, code)).toMatchObject({ severity: 'reject', ...details })
  })

  test('a price from what is not dust to all there can be', () => {
    for (const price of [57n, (1n << 63n) - 1n]) {
      for (const kind of ['ask', 'bid'] as const) {
        expect(codes(checkAsked(kind, { price }))).not.toContain('intent_price')
      }
    }
  })

  // komodo src/cc/assets.cpp, AssetsValidate: the order is the second input, outputs are in order
  test('a finding about a moved output names the output in its place', () => {
    const details = (kind: TokenOrderIntent['kind'], change: Change, code: FindingCode) => {
      const it = of(kind)
      const hex = encodeTransaction(change(decodeTransaction(it.hex)))
      const { path, expected, actual } = reported(
        verifyTokenOrder(hex, it.intent, it.evidence),
        code,
      )!
      return [path, expected, actual]
    }
    const { inputs, outputs: paid } = decodeTransaction(of('fillAsk').hex)
    const [coin, order] = inputs.map(({ txid, vout }) => `${txid}:${vout}`)
    const only = (count: number) => inputsChanged((list) => list.slice(0, count))
    expect(details('fillAsk', only(1), 'order_input')).toEqual([
      'inputs[1]',
      order,
      'no such input',
    ])
    const swapped = inputsChanged(([one, two]) => [two!, one!])
    expect(details('fillAsk', swapped, 'order_input')).toEqual(['inputs[1]', order, coin])
    const cancel = decodeTransaction(of('cancelAsk').hex)
    const [first, , marker] = cancel.inputs.map(({ txid, vout }) => `${txid}:${vout}`)
    const markerLast = inputsChanged(([one, two, three]) => [one!, two!, one!, three!])
    expect(details('cancelAsk', markerLast, 'order_input')).toEqual(['inputs[2]', marker, first])
    // The script of the marker is a condition.
    const markerFirst = inputsChanged(([one, two, three]) => [three!, two!, one!])
    const illegal = ['inputs[0]', 'an own coin', marker]
    expect(details('cancelAsk', markerFirst, 'order_input')).toEqual(illegal)
    const alone = outputs((list) => [list[1]!])
    const output = ({ value, script }: (typeof paid)[number]) => `${value} to ${script}`
    expect(details('fillAsk', alone, 'order_position')).toEqual([
      'outputs[1]',
      output(paid[1]!),
      'no such output',
    ])
    const turned = outputs(([one, two, ...rest]) => [two!, one!, ...rest])
    expect(details('fillAsk', turned, 'order_position')).toEqual([
      'outputs[0]',
      output(paid[0]!),
      output(paid[1]!),
    ])
  })

  test('a report states what changes hands', () => {
    const it = of('fillAsk')
    const priceOf = (change: Change) => {
      const hex = encodeTransaction(change(decodeTransaction(it.hex)))
      return reported(verifyTokenOrder(hex, it.intent, it.evidence), 'fill_price')?.actual
    }
    const values = (units: bigint, coins: bigint) =>
      both(output(1, { value: units }), output(2, { value: coins }))
    expect(priceOf(values(1n, 0n))).toBe('1 units for 0 satoshis, 0 each; 99 for 1000000 stay')
    expect(priceOf(values(100n, 1n))).toBe('100 units for 1 satoshis, 0.01 each')
    expect(priceOf(values(0n, 1n))).toBeUndefined()
    expect(priceOf(values(1n, -1n))).toBeUndefined()
    expect(priceOf(outputs((list) => list.slice(0, 1)))).toBeUndefined()
    expect(priceOf(outputs((list) => list.slice(0, 2)))).toBe(
      '30 units for 0 satoshis, 0 each; 70 for 1000000 stay',
    )
  })

  test('terms that are not there are reported', () => {
    const { hex, intent, evidence } = of('ask')
    const tx = decodeTransaction(hex)
    const { script } = tx.outputs.at(-1)!
    const other = encodeTransaction(nulldata((it) => `${it.slice(0, it.indexOf('2ce3'))}`)(tx))
    expect(script).toContain('2ce3')
    const without = verifyTokenOrder(other, intent, evidence)
    expect(without.findings.find(({ code }) => code === 'order_terms')).toMatchObject({
      actual: 'no order',
    })
  })

  test('a fill may say what it costs', () => {
    for (const [kind, price] of [
      ['fillAsk', 300_000n],
      ['fillBid', 400_000n],
    ] as const) {
      expect(checkAsked(kind, { price })).toMatchObject({ ok: true })
    }
  })

  test('an order of the other kind', () => {
    const given = {
      previousTransactions: [...of('fillAsk').evidence.previousTransactions, bid.hex],
    }
    const report = checkAsked('fillAsk', { order: transactionId(bid.hex) }, given)
    expect(reported(report, 'order_malformed')).toMatchObject({ expected: 'ask', actual: 'bid' })
  })

  test('an order whose transaction has none, or has it elsewhere', () => {
    const { previousTransactions } = of('fillAsk').evidence
    const { hex, intent } = of('fillAsk')
    const order = 'order' in intent ? intent.order : ''
    const made = previousTransactions.find((it) => transactionId(it) === order)!
    const { outputs: all, ...rest } = decodeTransaction(made)
    const reportOf = (changed: typeof all) => {
      const other = encodeTransaction({ ...rest, outputs: changed })
      const asked = { ...intent, order: transactionId(other) } as TokenOrderIntent
      const evidence = { ...of('fillAsk').evidence, previousTransactions: [other] }
      return verifyTokenOrder(hex, asked, evidence)
    }
    const checkOrder = (changed: typeof all) => reported(reportOf(changed), 'order_malformed')
    const script = p2pk(a)
    expect(checkOrder(all.slice(0, -1))).toMatchObject({ expected: 'ask', actual: 'no order' })
    expect(checkOrder(all.map((it, at) => (at === 0 ? { ...it, script } : it)))).toMatchObject({
      expected: all[0]!.script,
      actual: script,
    })
    expect(checkOrder(all)).toBeUndefined()
    const empty = reportOf(all.map((it, at) => (at === 0 ? { ...it, value: 0n } : it)))
    expect(codes(empty)).toContain('order_fill')
  })

  test('a bid for what may not be a token is a warning, and for what is none a reject', () => {
    const { tokenCreate: _, ...rest } = of('bid').evidence
    const { hex, intent } = of('bid')
    const report = verifyTokenOrder(hex, intent, rest)
    expect(codes(report)).toEqual(['bid_token_unknown', 'bid_price_unenforced'])
    expect(report.ok).toBe(true)
  })

  // komodo src/cc/CCtokens.cpp, TokensValidate: each eval code of a spent condition has to agree
  test.each([
    ['7b22', ['7b']],
    ['ee00', ['ee']],
    ['f100', []],
    ['f200', []],
  ])('a bid for a token whose data begin %s, which may be unmovable', (data, actual) => {
    const { hex, intent, evidence } = of('bid')
    const { outputs: made, ...rest } = decodeTransaction(chainTransaction(intent.tokenid))
    const nulldata = encodeTokenPayload({
      ...{ layout: 'komodo-v1', kind: 'create', owner: a, name: 'N', description: '' },
      extras: [{ id: 0x11, kind: 'nonFungible', data }],
    } as TokenPayloadFields)
    const changed = made.map((it, at) => (at < made.length - 1 ? it : { ...it, script: nulldata }))
    const tokenCreate = encodeTransaction({ ...rest, outputs: changed })
    const asked = { ...intent, tokenid: transactionId(tokenCreate) }
    const { findings } = verifyTokenOrder(hex, asked, { ...evidence, tokenCreate })
    const found = findings.filter(({ code }) => code === 'data_eval_code')
    expect(found.map((it) => it.actual)).toEqual(actual)
    expect(found.every(({ path }) => path === 'evidence.tokenCreate')).toBe(true)
  })

  test('a bid that nothing binds to a chain is a warning', () => {
    const { hex, intent, evidence } = of('bid')
    const { spendable: _, ...unbound } = intent
    const report = verifyTokenOrder(hex, unbound as TokenOrderIntent, evidence)
    expect(codes(report)).toEqual(['chain_unbound', 'bid_price_unenforced'])
    expect(report.ok).toBe(true)
  })

  test('a request of the wrong type is a TypeError', () => {
    const { hex, intent, evidence } = of('fillAsk')
    const asked = (members: object) => () =>
      verifyTokenOrder(hex, { ...intent, ...members } as TokenOrderIntent, evidence)
    for (const members of [
      { kind: 'swap' },
      { order: 7 },
      { units: 30 },
      { price: '1' },
      { from: 1 },
    ]) {
      expect(asked(members)).toThrow(TypeError)
    }
    expect(() => verifyTokenOrder(hex, undefined as never, evidence)).toThrow(TypeError)
    const offer = of('ask')
    for (const expiryHeight of ['7', 1.5, -1, 2 ** 32]) {
      const asked = { ...offer.intent, expiryHeight } as never
      const run = () => verifyTokenOrder(offer.hex, asked, offer.evidence)
      expect(run).toThrow(/^intent\.expiryHeight: /)
    }
    for (const kind of ['buy', '', 'toString', undefined, 7]) {
      const asked = { ...intent, kind } as never
      expect(() => verifyTokenOrder(hex, asked, evidence)).toThrow(/^intent\.kind: /)
    }
  })
})

test('every finding of orders has been seen', () => {
  const ofTokeld = ['order_expired', 'order_maker']
  const wanted = findingCodes().filter((code) => isOrderCode(code) && !ofTokeld.includes(code))
  expect(wanted.filter((code) => !seen.has(code))).toEqual([])
  expect(wanted.length).toBeGreaterThan(15)
})
