// These tests cover a framework server's answer to `withdraw`: the transaction and the claims about
// it.

import { describe, expect, test } from 'vitest'

import {
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  networks,
  type Report,
  signTransaction,
  transactionId,
  verifyPaymentAsync,
  verifyWithdraw,
  type WithdrawIntent,
} from '../../../src/index.ts'
import { formatCoins } from '../../../src/primitives/amount.ts'
import { parseJson } from '../../../src/primitives/json.ts'
import { verifyWithdrawAsync } from '../../../src/verification/withdraw.ts'
import {
  agedCoin,
  evidenceFor,
  p2pkh,
  p2sh,
  payment,
  paymentCases,
  paymentOnKomodo,
  paymentSignings,
  rewardEvidence,
  signPayment,
  twoOfThree,
  withdrawAnswer,
  worthOf,
} from '../../support/payments.ts'
import { a, b, type Change, c, privateKeys } from '../../support/resigned.ts'
import { acceptedFlips, isQuick } from '../../support/share.ts'
import { inMutationRun, testUnless } from '../../support/skip.ts'
import { readVectors } from '../../support/vectors.ts'

const to = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'
const own = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
const shared = 'bFFxjhquJ1Gzj4Pof4SdbMVXEJhrkENBvn'
const amount = 120_000_000n
const spent = payment.inputs.reduce((sum, input) => sum + worthOf(input), 0n)
const tx = {
  ...payment,
  outputs: [
    { value: amount, script: p2pkh(b) },
    { value: spent - amount - 1000n, script: p2pkh(a) },
  ],
}
const hex = signPayment(tx)
const coin = 'TOKTEST'
const intent: WithdrawIntent = {
  coin,
  to,
  amount,
  own: [a],
  redeemScripts: [twoOfThree],
  fee: 1000n,
  spendable: tx.inputs.map(({ txid, vout }) => ({ txid, vout })),
}
const received = spent - amount - 1000n
const response = withdrawAnswer({ hex, coin, from: [own, shared], to, spent, received })

const check = (changed: object = {}, asked: Partial<WithdrawIntent> = {}): Report =>
  verifyWithdraw({ ...response, ...changed }, { ...intent, ...asked }, evidenceFor(tx))
const rejects = ({ findings }: Report): string[] =>
  findings.flatMap(({ severity, code, path }) => (severity === 'reject' ? [`${code} ${path}`] : []))

test('an honest answer agrees', () => {
  const report = check()
  expect(rejects(report)).toEqual([])
  expect(report).toMatchObject({ ok: true, fee: 1000n, hex, txid: response.tx_hash })
  expect(report.verified).toBeDefined()
})

test('one false claim turns the word into no', () => {
  // A person decides, because coins of two keys become change of one.
  expect(check().broadcast).toBe('your-decision')
  expect(check().findings).toContainEqual(expect.objectContaining({ code: 'change_weaker' }))
  const report = check({ tx_hash: '11'.repeat(32) })
  expect([report.ok, report.broadcast, report.verified]).toEqual([false, 'no', undefined])
})

test('gives the same report in slices', async () => {
  for (const changed of [{}, { tx_hash: '11'.repeat(32) }, { tx_hex: '00' }]) {
    const answer = { ...response, ...changed }
    const report = await verifyWithdrawAsync(answer, intent, evidenceFor(tx))
    expect(report).toEqual(check(changed))
  }
})

/** Counts the steps before each of which a verification asks whether it is to stop. */
function countingSignal(stopBefore = Number.POSITIVE_INFINITY) {
  const { signal } = new AbortController()
  let steps = 0
  const throwIfAborted = () => {
    steps += 1
    if (steps >= stopBefore) throw new Error('stopped')
  }
  return { signal: Object.assign(signal, { throwIfAborted }), steps: () => steps }
}

test('compares a response in steps, one for each previous transaction, that a signal stops', async () => {
  const evidence = evidenceFor(tx)
  const { coin: _coin, to: _to, amount: _amount, ...terms } = intent
  const asked = { ...terms, recipients: [{ address: to, amount }] }
  const ofPayment = countingSignal()
  await verifyPaymentAsync(hex, asked, evidence, { signal: ofPayment.signal })
  const all = countingSignal()
  await verifyWithdrawAsync(response, intent, evidence, { signal: all.signal })
  const added = all.steps() - ofPayment.steps()
  expect(added).toBeGreaterThanOrEqual(evidence.previousTransactions.length)
  const { signal } = countingSignal(ofPayment.steps() + 2)
  await expect(verifyWithdrawAsync(response, intent, evidence, { signal })).rejects.toThrow(
    'stopped',
  )
})

test('expects no change that follows from a false amount of the response', () => {
  for (const spent_by_me of ['999', undefined]) {
    expect(rejects(check({ spent_by_me }))).toEqual(['response_contradicts response.spent_by_me'])
  }
})

test('ignores names that are not text', () => {
  const nobody = Object.create(null) as object
  const [reported] = check({ to: [to, nobody] }).findings
  expect(reported).toMatchObject({ path: 'response.to', expected: to, actual: `${to}, ` })
})

test('accepts deeply nested answers', () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 5000; depth += 1) deep = depth % 2 === 0 ? { deep } : [deep]
  expect(check({ memo: deep, extra: deep }).ok).toBe(true)
  for (const member of Object.keys(response)) {
    if (['block_height', 'timestamp', 'internal_id', 'memo'].includes(member)) continue
    expect(check({ [member]: deep }).ok).toBe(false)
    expect(check({ [member]: [deep] }).ok).toBe(false)
  }
  expect(check({ fee_details: { type: 'Utxo', amount: deep } }).ok).toBe(false)
})

test('the payer is reported', () => {
  expect(check({ from: [to] }).findings[0]).toMatchObject({
    expected: `${own}, ${shared}`,
    actual: to,
  })
})

test('further members, zeros and numbers that kept their text say the same', () => {
  expect(check({ total_amount: `${formatCoins(spent)}00`, extra: 1 }).ok).toBe(true)
  expect(check({ spent_by_me: parseJson(formatCoins(spent)) }).ok).toBe(true)
  expect(check({ fee_details: { type: 'Utxo', amount: '0.000010' } }).ok).toBe(true)
  const details = { type: 'Utxo', coin: null, amount: '0.00001' }
  expect(check({ fee_details: details }).ok).toBe(true)
  expect(check({ tx_hash: response.tx_hash.toUpperCase() }).ok).toBe(true)
  expect(check({ coin: undefined, transaction_type: undefined }).ok).toBe(true)
})

test.each<[string, object, string]>([
  ['another txid', { tx_hash: '11'.repeat(32) }, 'response.tx_hash'],
  ['no txid', { tx_hash: undefined }, 'response.tx_hash'],
  ['another coin', { coin: 'KMD' }, 'response.coin'],
  ['somebody else is paid', { to: [own] }, 'response.to'],
  ['somebody further is paid', { to: [to, 'RUC4vHRqYCsaUMgWp6f7o1pQQYg99a8vtK'] }, 'response.to'],
  ['nobody is paid', { to: [] }, 'response.to'],
  ['the recipient is not text', { to: [7] }, 'response.to'],
  ['somebody else pays', { from: [to] }, 'response.from'],
  ['one payer is left out', { from: [own] }, 'response.from'],
  ['one payer is another', { from: [own, to] }, 'response.from'],
  ['one payer twice and the other not', { from: [own, own] }, 'response.from'],
  ['a payer is not text', { from: [own, 7] }, 'response.from'],
  ['who is paid, and what is not text', { to: [to, 7] }, 'response.to'],
  ['one payer too many', { from: [own, shared, to] }, 'response.from'],
  ['another total', { total_amount: formatCoins(spent - 1n) }, 'response.total_amount'],
  [
    'a total in an object',
    { total_amount: { value: formatCoins(spent) } },
    'response.total_amount',
  ],
  ['spent coins in an array', { spent_by_me: [formatCoins(spent)] }, 'response.spent_by_me'],
  ['no total', { total_amount: undefined }, 'response.total_amount'],
  ['a total that is not an amount', { total_amount: '1e3' }, 'response.total_amount'],
  ['less is spent', { spent_by_me: formatCoins(spent - 1n) }, 'response.spent_by_me'],
  ['more comes back', { received_by_me: formatCoins(received + 1n) }, 'response.received_by_me'],
  ['nothing comes back', { received_by_me: '0' }, 'response.received_by_me'],
  ['another change', { my_balance_change: '-1.2' }, 'response.my_balance_change'],
  [
    'a change without its sign',
    { my_balance_change: formatCoins(spent - received) },
    'response.my_balance_change',
  ],
  [
    'another fee',
    { fee_details: { type: 'Utxo', coin, amount: '0.00002' } },
    'response.fee_details.amount',
  ],
  ['no fee', { fee_details: undefined }, 'response.fee_details.amount'],
  [
    "another coin's fee",
    { fee_details: { type: 'Utxo', coin: 'KMD', amount: '0.00001' } },
    'response.fee_details.coin',
  ],
])('%s, it says: rejected', (_, changed, path) => {
  const report = check(changed)
  expect(rejects(report)).toContain(`response_contradicts ${path}`)
  expect(report.ok).toBe(false)
  expect(report.verified).toBeUndefined()
})

test.each<[string, unknown, string]>([
  [
    'Tendermint',
    { ...response, fee_details: { type: 'Tendermint', coin: 'IRIS' } },
    'fees of type Tendermint',
  ],
  ['an ERC20 token', { ...response, fee_details: { type: 'Eth' } }, 'fees of type Eth'],
  [
    'SLP',
    { ...response, transaction_type: { TokenTransfer: '00' } },
    'a transaction of type TokenTransfer',
  ],
  [
    'what a device is to sign',
    { ...response, tx_hex: undefined, tx: {} },
    'no tx_hex, so nothing is signed',
  ],
  ['an empty hex', { ...response, tx_hex: '' }, 'no tx_hex, so nothing is signed'],
  ['nothing', null, 'no tx_hex, so nothing is signed'],
  ['text', 'error', 'no tx_hex, so nothing is signed'],
  ['a list', [], 'no tx_hex, so nothing is signed'],
])('%s cannot be verified', (_, answer, actual) => {
  const report = verifyWithdraw(answer, intent, evidenceFor(tx))
  expect(report.ok).toBe(false)
  expect(report.verified).toBeUndefined()
  expect(report.findings[0]).toMatchObject({ code: 'cannot_be_judged', actual })
  expect(report.findings[0]!.message).toMatch(/^the response cannot be verified/)
})

/** Says of any transaction what is true of it. */
function honestly(changedHex: string): object {
  const changed = decodeTransaction(changedHex)
  const paid = changed.outputs.filter(({ script }) => script !== p2pkh(a))
  const back = changed.outputs.reduce((sum, it) => (paid.includes(it) ? sum : sum + it.value), 0n)
  const all = changed.outputs.reduce((sum, { value }) => sum + value, 0n)
  return {
    ...response,
    tx_hex: changedHex,
    tx_hash: transactionId(changedHex),
    received_by_me: formatCoins(back),
    my_balance_change: formatCoins(back - spent),
    fee_details: { type: 'Utxo', coin, amount: formatCoins(spent - all) },
  }
}

describe('lies that are carried over from transfers', () => {
  const outputs =
    (change: (all: typeof tx.outputs) => typeof tx.outputs): Change =>
    (it) => ({
      ...it,
      outputs: change(it.outputs as typeof tx.outputs),
    })
  const tampers: [string, Change][] = [
    ['another destination', outputs(([x, ...rest]) => [{ ...x!, script: p2pkh(c) }, ...rest])],
    ['one satoshi less', outputs(([x, y]) => [{ ...x!, value: x!.value - 1n }, y!])],
    ['stolen change', outputs(([x, y]) => [x!, { ...y!, script: p2pkh(c) }])],
    [
      'part of the change',
      outputs(([x, y]) => [
        x!,
        { ...y!, value: y!.value - 5000n },
        { value: 5000n, script: p2pkh(c) },
      ]),
    ],
    ['a fee that takes all', outputs(([x]) => [x!])],
    ['a higher fee', outputs(([x, y]) => [x!, { ...y!, value: y!.value - 1n }])],
    ['a note', outputs((all) => [...all, { value: 0n, script: '6a0100' }])],
    ['a lock time', (it) => ({ ...it, lockTime: 4_000_000_000 })],
    ['an expiry far away', (it) => ({ ...it, expiryHeight: 499_999_999 })],
  ]
  test.each(tampers)('%s: no pass, whatever the response claims', (_, change) => {
    const changedHex = signPayment(change(tx))
    for (const answer of [honestly(changedHex), { ...response, tx_hex: changedHex }]) {
      expect(verifyWithdraw(answer, intent, evidenceFor(tx)).ok).toBe(false)
    }
  })

  test.each(paymentSignings)('signed for %s: no pass', (_, options) => {
    const answer = honestly(signPayment(tx, options))
    expect(verifyWithdraw(answer, intent, evidenceFor(tx)).ok).toBe(false)
  })

  test.each(paymentCases)('%s, of another payment: no pass', (_, change) => {
    const changed = change(payment)
    const answer = { ...response, tx_hex: signPayment(changed) }
    expect(verifyWithdraw(answer, intent, evidenceFor(changed)).ok).toBe(false)
  })

  testUnless(inMutationRun)('no bit of the hex can be flipped', () => {
    const isAccepted = (tx_hex: string) => check({ tx_hex }).ok
    expect(acceptedFlips(hex, isAccepted).accepted).toEqual([])
  })
})

test('shortens any answer in findings, and throws nothing', () => {
  const long = 'x'.repeat(isQuick ? 2_000 : 1_000_000)
  const values = [long, 1n, 7, true, [long], { [long]: 1 }, {}, Symbol('x'), () => 1, null]
  const members = Object.keys(response).filter((it) => it !== 'tx_hex')
  for (const member of members) {
    for (const value of values) {
      const report = check({ [member]: value })
      for (const { actual } of report.findings) expect(String(actual).length).toBeLessThan(1000)
    }
  }
  for (const value of values) {
    const report = verifyWithdraw({ tx_hex: value }, intent, evidenceFor(tx))
    expect(report.ok).toBe(false)
  }
})

describe('rewards that coins of KMD have accrued', () => {
  const reward = 8470n
  const made = paymentOnKomodo(reward)
  const { recipients: _, ...terms } = made.intent
  const [worth, back] = [1_000_000_000n, 99_990_000n + reward]
  const checkOf = (changed: object) =>
    verifyWithdraw(
      {
        ...withdrawAnswer({
          hex: made.hex,
          coin: 'KMD',
          from: [own],
          to,
          spent: worth,
          received: back,
        }),
        fee_details: { type: 'Utxo', amount: '0.0001' },
        ...changed,
      },
      { ...terms, own: [a], coin: 'KMD', to, amount: 900_000_000n },
      rewardEvidence,
    )

  // komodo-defi-framework coins/utxo/utxo_common.rs: kmd_rewards are told beside, or added
  test.each<[string, object, string[]]>([
    ['left out of what is spent', {}, []],
    [
      'added to it',
      {
        total_amount: formatCoins(worth + reward),
        spent_by_me: formatCoins(worth + reward),
        my_balance_change: formatCoins(back - worth - reward),
      },
      [],
    ],
    [
      'added to the total alone',
      { total_amount: formatCoins(worth + reward) },
      ['response_contradicts response.total_amount'],
    ],
    [
      'added to the total and to the spent coins, not to the change',
      { total_amount: formatCoins(worth + reward), spent_by_me: formatCoins(worth + reward) },
      ['response_contradicts response.my_balance_change'],
    ],
    [
      'taken from it',
      { total_amount: formatCoins(worth - reward) },
      ['response_contradicts response.total_amount'],
    ],
    [
      'added, and a satoshi',
      { total_amount: formatCoins(worth + reward + 1n) },
      ['response_contradicts response.total_amount'],
    ],
    ['told beside', { kmd_rewards: { amount: formatCoins(reward), claimed_by_me: true } }, []],
    ['told as nothing at all', { kmd_rewards: null }, []],
    [
      'told as more',
      { kmd_rewards: { amount: formatCoins(reward + 1n), claimed_by_me: true } },
      ['response_contradicts response.kmd_rewards.amount'],
    ],
    [
      'told as less',
      { kmd_rewards: { amount: formatCoins(reward - 1n), claimed_by_me: true } },
      ['response_contradicts response.kmd_rewards.amount'],
    ],
    [
      'told as no amount',
      { kmd_rewards: { amount: 'all', claimed_by_me: true } },
      ['response_contradicts response.kmd_rewards.amount'],
    ],
    [
      'told as text',
      { kmd_rewards: '0.0000847' },
      [
        'response_contradicts response.kmd_rewards.amount',
        'response_contradicts response.kmd_rewards.claimed_by_me',
      ],
    ],
    [
      "told as somebody else's",
      { kmd_rewards: { amount: formatCoins(reward), claimed_by_me: false } },
      ['response_contradicts response.kmd_rewards.claimed_by_me'],
    ],
    [
      'left out of the fee',
      { fee_details: { type: 'Utxo', amount: formatCoins(10_000n - reward) } },
      ['response_contradicts response.fee_details.amount'],
    ],
  ])('%s', (_, changed, expected) => {
    expect(rejects(checkOf(changed))).toEqual(expected)
  })
})

test('reports the reward that is due', () => {
  const [made, back] = [paymentOnKomodo(8470n), 99_990_000n + 8470n]
  const stated = { coin: 'KMD', from: [own], to, spent: 1_000_000_000n, received: back }
  const answer = {
    ...withdrawAnswer({ hex: made.hex, ...stated }),
    fee_details: { type: 'Utxo', amount: '0.00009999' },
    kmd_rewards: { amount: '1', claimed_by_me: false },
  }
  const { recipients: __, ...terms } = made.intent
  const asked = { ...terms, own: [a], coin: 'KMD', to, amount: 900_000_000n }
  expect(verifyWithdraw(answer, asked, rewardEvidence).findings).toMatchObject([
    { path: 'response.fee_details.amount', expected: 10_000n, actual: '0.00009999' },
    { path: 'response.kmd_rewards.amount', expected: 8470n, actual: '1' },
    { path: 'response.kmd_rewards.claimed_by_me', expected: true, actual: false },
    { code: 'reward_in_fee' },
  ])
  // whatever else there is to tell
  const { tipHeight: _, ...evidence } = rewardEvidence
  const less = { ...answer, fee_details: { type: 'Utxo', amount: '0.0000153' }, kmd_rewards: null }
  expect(rejects(verifyWithdraw(less, asked, evidence))).toEqual([
    'response_contradicts response.fee_details.amount',
  ])
})

// komodo-defi-framework coins/utxo/utxo_common.rs, calc_interest_if_required: the reward is that of
// the lock time, and stands beside the fee
describe('a reward of KMD that was claimed a while ago', () => {
  const value = 1_000_000_000_000n
  const [madeAt, claimedAt, height] = [1_790_000_000, 1_791_000_000, 4_000_000]
  const parent = agedCoin(value, p2pkh(a), madeAt)
  const txid = transactionId(parent)
  // 95129 * (16666 - 59) / 500, and ten minutes later 95129 * (16676 - 59) / 500
  const [reward, late] = [3_159_614n, 3_161_517n - 3_159_614n]

  interface Claimed {
    /** Seconds. */
    readonly later: number
    readonly claimed?: bigint
    readonly fee?: bigint
    readonly rewards?: object | undefined
    readonly asked?: Partial<WithdrawIntent>
    readonly heights?: Record<string, number>
  }

  function checkClaimed({ later, claimed = reward, fee = 1000n, ...rest }: Claimed): string[] {
    const back = value + claimed - 1_000_000n - 1000n
    const inputs = [{ txid, vout: 0, scriptSig: '', sequence: 0xffffffff }]
    const outputs = [
      { value: 1_000_000n, script: p2pkh(b) },
      { value: back, script: p2pkh(a) },
    ]
    const unsigned = { ...payment, inputs, outputs, lockTime: claimedAt, expiryHeight: 4_000_201 }
    const spentOutputs = [{ value, script: p2pkh(a) }]
    const signed = signTransaction(unsigned, [privateKeys.get(a)!], spentOutputs, networks.komodo)
    const stated = withdrawAnswer({
      hex: signed.hex,
      coin: 'KMD',
      from: [own],
      to,
      spent: value,
      received: back,
    })
    const { rewards = { amount: formatCoins(claimed), claimed_by_me: true }, asked } = rest
    const answer = {
      ...stated,
      fee_details: { type: 'Utxo', coin: 'KMD', amount: formatCoins(fee) },
      kmd_rewards: rewards,
    }
    const spendable = [{ txid, vout: 0 }]
    const report = verifyWithdraw(
      answer,
      {
        ...{ coin: 'KMD', to, amount: 1_000_000n, own: [a], network: networks.komodo, spendable },
        ...asked,
      },
      {
        previousTransactions: [parent],
        tipHeight: 4_000_010,
        tipTime: claimedAt + later,
        heights: rest.heights ?? { [txid]: height },
      },
    )
    return rejects(report)
  }

  test.each([0, 59, 60, 600, 3600])('%i seconds: agrees', (later) => {
    for (const asked of [{}, { fee: 1000n }, { fee: 1000n, maxFee: 1000n }]) {
      expect(checkClaimed({ later, asked })).toEqual([])
    }
  })

  test('a reward claimed over an hour ago would be another', () => {
    expect(checkClaimed({ later: 3601 })).toContain(
      'response_contradicts response.fee_details.amount',
    )
  })

  test.each([networks.assetChain, networks.tokel])(
    'is not given to a miner because the request is for another network: %#',
    (network) => {
      const asked = { network }
      expect(() => checkClaimed({ later: 0, claimed: 0n, rewards: undefined, asked })).toThrow(
        new TypeError('intent.network: coins of KMD may earn a reward; expected networks.komodo'),
      )
    },
  )

  test('is known by heights in either case of letters', () => {
    expect(checkClaimed({ later: 600, heights: { [txid.toUpperCase()]: height } })).toEqual([])
  })

  const contradicted = (member: string) => `response_contradicts response.${member}`
  test.each<[string, Claimed, string[]]>([
    [
      'all of it in the fee',
      { later: 600, fee: 1000n + late, rewards: reported(reward + late) },
      [],
    ],
    [
      'a satoshi more in the fee',
      { later: 600, fee: 1001n + late, rewards: reported(reward + late) },
      [contradicted('fee_details.amount')],
    ],
    [
      'a satoshi less in the fee',
      { later: 600, fee: 999n, rewards: reported(reward) },
      [contradicted('fee_details.amount'), contradicted('kmd_rewards.amount')],
    ],
    [
      'a reward that is not the one of the fee',
      { later: 600, rewards: reported(reward + 1n) },
      [contradicted('kmd_rewards.amount')],
    ],
    [
      'a great reward',
      { later: 600, rewards: reported(9_999_900_000_000n) },
      [contradicted('kmd_rewards.amount')],
    ],
  ])('%s', (_, stated, expected) => {
    expect(checkClaimed(stated)).toEqual(expected)
  })

  function reported(amount: bigint): object {
    return { amount: formatCoins(amount), claimed_by_me: true }
  }
})

describe('a reward that is less than the fee', () => {
  // as much as relays is left of the fee, so that nothing but what is said tells whether it is
  // claimed
  const checkSmall = (fee: bigint, kmd_rewards: object | null) => {
    const claimed = 8470n
    const made = paymentOnKomodo(claimed)
    const back = 99_990_000n + claimed
    const stated = { coin: 'KMD', from: [own], to, spent: 1_000_000_000n, received: back }
    const answer = {
      ...withdrawAnswer({ hex: made.hex, ...stated }),
      fee_details: { type: 'Utxo', amount: formatCoins(fee) },
      kmd_rewards,
    }
    const { fee: _, recipients: __, ...terms } = made.intent
    return rejects(
      verifyWithdraw(
        answer,
        { ...terms, own: [a], coin: 'KMD', to, amount: 900_000_000n },
        rewardEvidence,
      ),
    )
  }

  test('is in the fee, or not', () => {
    const rewards = { amount: '0.0000847', claimed_by_me: true }
    const none = { amount: '0', claimed_by_me: true }
    expect(checkSmall(10_000n, rewards)).toEqual([])
    expect(checkSmall(1530n, none)).toEqual([])
    expect(checkSmall(1530n, { amount: '0', claimed_by_me: false })).toEqual([])
    expect(checkSmall(1530n, null)).toEqual([])
    expect(checkSmall(1531n, null)).toEqual(['response_contradicts response.fee_details.amount'])
    expect(checkSmall(9999n, null)).toEqual(['response_contradicts response.fee_details.amount'])
    expect(checkSmall(10_001n, null)).toEqual(['response_contradicts response.fee_details.amount'])
    expect(checkSmall(10_000n, none)).toEqual(['response_contradicts response.kmd_rewards.amount'])
    expect(checkSmall(1530n, rewards)).toContain('response_contradicts response.kmd_rewards.amount')
  })
})

// 10,000 coins of before season 7: what they have accrued in a month is 42.4 coins
describe('a reward that nobody claims', () => {
  const value = 1_000_000_000_000n
  const reward = 4_240_945_949n
  const [madeAt, height] = [1_593_561_600, 1_950_000]
  const tipTime = madeAt + 31 * 24 * 3600
  const parent = agedCoin(value, p2pkh(a), madeAt)
  const txid = transactionId(parent)
  const back = value - 1_000_000n - 1000n

  const rejectsOf = (fee: bigint, kmd_rewards: unknown, asked: Partial<WithdrawIntent> = {}) => {
    const inputs = [{ txid, vout: 0, scriptSig: '', sequence: 0xffffffff }]
    const outputs = [
      { value: 1_000_000n, script: p2pkh(b) },
      { value: back, script: p2pkh(a) },
    ]
    const unsigned = { ...payment, inputs, outputs, lockTime: 0, expiryHeight: 2_000_200 }
    const spentOutputs = [{ value, script: p2pkh(a) }]
    const signed = signTransaction(unsigned, [privateKeys.get(a)!], spentOutputs, networks.komodo)
    const stated = { coin: 'KMD', from: [own], to, spent: value, received: back }
    const answer = {
      ...withdrawAnswer({ hex: signed.hex, ...stated }),
      fee_details: { type: 'Utxo', coin: 'KMD', amount: formatCoins(fee) },
      kmd_rewards,
    }
    const spendable = [{ txid, vout: 0 }]
    const network = networks.komodo
    const report = verifyWithdraw(
      answer,
      { coin: 'KMD', to, amount: 1_000_000n, own: [a], network, spendable, ...asked },
      {
        previousTransactions: [parent],
        tipHeight: 2_000_000,
        tipTime,
        heights: { [txid]: height },
      },
    )
    expect(report.findings.map(({ code }) => code)).toContain('reward_unclaimed')
    return rejects(report)
  }
  const contradicted = (member: string) => `response_contradicts response.${member}`
  const all = { amount: formatCoins(reward), claimed_by_me: true }

  test('is reported as none', () => {
    for (const rewards of [
      null,
      undefined,
      { amount: '0', claimed_by_me: false },
      { amount: '0', claimed_by_me: true },
    ]) {
      expect(rejectsOf(1000n, rewards)).toEqual([])
    }
  })

  test('cannot be said to be claimed by a fee of as much', () => {
    expect(rejectsOf(1000n + reward, all)).toEqual([
      contradicted('fee_details.amount'),
      contradicted('kmd_rewards.amount'),
    ])
    expect(rejectsOf(1000n, all)).toEqual([contradicted('kmd_rewards.amount')])
    expect(rejectsOf(1000n + reward, null)).toEqual([contradicted('fee_details.amount')])
    // but by one that the request allows: who asks so much knows of it
    expect(rejectsOf(1000n + reward, all, { maxFee: 1000n + reward })).toEqual([])
    expect(rejectsOf(1000n + reward, all, { maxFee: 999n + reward })).toHaveLength(2)
  })

  test.each(['true', 1, null, undefined, {}, []])('is claimed by %j: rejected', (claimed_by_me) => {
    expect(rejectsOf(1000n, { amount: '0', claimed_by_me })).toEqual([
      contradicted('kmd_rewards.claimed_by_me'),
    ])
  })
})

describe('change to keys behind a script hash', () => {
  const change = spent - amount - 1000n
  const toShared = {
    ...tx,
    outputs: [tx.outputs[0]!, { value: change, script: p2sh(twoOfThree) }],
  }
  const sharedHex = signPayment(toShared)
  const checkShared = (received: bigint, asked: Partial<WithdrawIntent> = {}) => {
    const stated = { coin, from: [own, shared], to, spent, received }
    const answer = withdrawAnswer({ hex: sharedHex, ...stated })
    return rejects(verifyWithdraw(answer, { ...intent, ...asked }, evidenceFor(toShared)))
  }
  const tamper = [
    'response_contradicts response.received_by_me',
    'response_contradicts response.my_balance_change',
  ]

  test('is received, if its script was given', () => {
    const received = (value: bigint) =>
      checkShared(value).filter((it) => it.startsWith('response_contradicts'))
    expect(received(change)).toEqual([])
    expect(received(0n)).toEqual(tamper)
  })
})

test('a reward of 0 must have claimed_by_me: false', () => {
  const { findings } = check({ kmd_rewards: { amount: '0', claimed_by_me: 'no' } })
  const path = 'response.kmd_rewards.claimed_by_me'
  expect(findings).toContainEqual(expect.objectContaining({ path, expected: false, actual: 'no' }))
})

test('chains without rewards have none to tell of', () => {
  expect(check({ kmd_rewards: { amount: '0', claimed_by_me: true } }).ok).toBe(true)
  expect(rejects(check({ kmd_rewards: { amount: '0.00000001', claimed_by_me: true } }))).toEqual([
    'response_contradicts response.kmd_rewards.amount',
  ])
})

test('the first eight of many names are reported', () => {
  const names = Array.from({ length: 9 }, (_, at) => `name ${at}`)
  for (const member of ['to', 'from']) {
    for (const count of [8, 9]) {
      const { findings } = check({ [member]: names.slice(0, count) })
      expect(findings[0]).toMatchObject({
        path: `response.${member}`,
        actual: names.slice(0, 8).join(', '),
      })
    }
  }
})

describe('without a previous transaction nothing passes', () => {
  const { previousTransactions, ...rest } = evidenceFor(tx)
  const [missing, ...given] = previousTransactions
  const { txid, vout } = tx.inputs.find((it) => it.txid === transactionId(missing!))!
  const stated = (value: bigint) => ({ txid, vout, value })

  test.each<[string, Evidence['amounts']]>([
    ['and nobody says what it is worth', undefined],
    ['but with an amount', [stated(7n)]],
    ['but with two that differ', [stated(7n), stated(8n)]],
  ])('%s', (_, amounts) => {
    const evidence = { ...rest, previousTransactions: given, ...(amounts && { amounts }) }
    const found = rejects(verifyWithdraw(response, intent, evidence))
    expect(found.join()).toContain('prevout_missing')
    expect(found.join()).not.toContain('response_contradicts')
  })

  test('a previous transaction without the spent output is refused', () => {
    const beyond = { ...tx, inputs: tx.inputs.map((it) => ({ ...it, vout: it.vout + 99 })) }
    const hex = signPayment(beyond)
    const answer = { ...response, tx_hex: hex, tx_hash: transactionId(hex) }
    const found = rejects(verifyWithdraw(answer, intent, evidenceFor(beyond)))
    expect(found.join()).toContain('prevout_index')
  })
})

test('ignores previous transactions that are malformed', () => {
  const evidence = evidenceFor(tx)
  const previousTransactions = ['zz', '', ...evidence.previousTransactions]
  const answer = { ...response, total_amount: '1' }
  const report = verifyWithdraw(answer, intent, { ...evidence, previousTransactions })
  expect(rejects(report)).toEqual(['response_contradicts response.total_amount'])
})

test('verifies the requested withdrawal', () => {
  expect(rejects(check({}, { to: own }))).toContain('amount outputs[1].value')
  expect(rejects(check({}, { amount: 1n })).length).toBeGreaterThan(0)
  expect(
    rejects(check({}, { to: 'bitcoincash:qqg6z43mlf26up06vgdjufz6hedrtry99cvk5dgcnt' })),
  ).toEqual(['intent_address intent.recipients[0]'])
  expect(() => check({}, { own: (() => true) as never })).toThrow(/^intent\.own: /)
  expect(() => check({}, { coin: 7 as never })).toThrow(/^intent\.coin: /)
  expect(() => check({}, { amount: '1' as never })).toThrow(/^intent\.amount: /)
  expect(() => check({}, { recipients: [] } as never)).toThrow(/^intent: unknown member recipients/)
})

test('all coins go to one address, with every claim about it', () => {
  const all = { ...tx, outputs: [{ value: spent - 1000n, script: p2pkh(b) }] }
  const answer = honestly(signPayment(all))
  expect(verifyWithdraw(answer, { ...intent, amount: 'max' }, evidenceFor(all)).ok).toBe(true)
})

test('the documented answer of a KMD wallet is refused for want of what it spends, and nothing else', () => {
  const { exchanges } = readVectors<{ exchanges: { at: string; response: string }[] }>(
    'rpc/docs-framework.json',
  )
  const documented = exchanges.find(({ at }) => at.includes('withdraw__status__kdf__03'))!
  const { details } = JSON.parse(documented.response).result
  const report = verifyWithdraw(
    details,
    {
      coin: 'KMD',
      to: 'RWKi9wkqMH4C9h4psPKjcKQaYNq5vsL89F',
      amount: 10_000_000_000n,
      own: ['RUYJYSTuCKm9gouWzQN1LirHFEYThwzA2d'],
      network: networks.komodo,
      fee: 1000n,
      lockTime: decodeTransaction(details.tx_hex).lockTime,
    },
    { previousTransactions: [], tipTime: decodeTransaction(details.tx_hex).lockTime },
  )
  expect(new Set(rejects(report).map((it) => it.split(' ')[0]))).toEqual(
    new Set(['prevout_missing', 'fee_unknown']),
  )
  expect(report.effects.map(({ role }) => role)).toEqual(['destination', 'native-change'])
  expect(encodeTransaction(decodeTransaction(details.tx_hex))).toBe(details.tx_hex)
})
