// These tests cover the rewards of KMD coins. Expected values are calculated by hand from komodo
// src/komodo_interest.cpp: value / 10512000, by the minute, 59 of which do not count.

import { describe, expect, test } from 'vitest'

import { rewardsOf } from '../../../src/chain/network.ts'
import { accruedReward } from '../../../src/chain/reward.ts'
import {
  type AntaraError,
  addressOf,
  buildPayment,
  decodeTransaction,
  defineNetwork,
  type Evidence,
  formatCase,
  formatReport,
  type Network,
  networks,
  parseCase,
  transactionId,
  verifyCase,
  verifyPayment,
} from '../../../src/index.ts'
import { checkReward } from '../../../src/verification/reward.ts'
import {
  agedCoin,
  checkOnKomodo,
  komodoTip,
  p2pkh,
  paymentOnKomodo,
  rewardEvidence,
  rewardTxid,
} from '../../support/payments.ts'
import { a, b, p2pk } from '../../support/resigned.ts'

const coin = 100_000_000n
const lockTime = 1_700_000_000
const minutes = (count: number) => lockTime + 60 * count
const month = 31 * 24 * 60
const year = 365 * 24 * 60

test.each<[string, bigint, number, number, bigint]>([
  // 1e9 / 10512000 = 95; 95 * 1 / 500
  ['the first minute that counts', 10n * coin, 3_600_000, minutes(60), 0n],
  // 1e12 / 10512000 = 95129; / 500
  ['the same of 10000 coins', 10_000n * coin, 3_600_000, minutes(60), 190n],
  ['a second before it', 10_000n * coin, 3_600_000, minutes(60) - 1, 0n],
  // 95 * (44640 - 59) / 500
  ['a month', 10n * coin, 3_600_000, minutes(month), 8470n],
  ['a month, and not a minute more', 10n * coin, 3_600_000, minutes(month + 1), 8470n],
  ['a minute less', 10n * coin, 3_600_000, minutes(month - 1), 8470n],
  // 95 * (44640 - 59)
  ['a month before season 7', 10n * coin, 3_484_957, minutes(month), 4_235_195n],
  ['a month from season 7 on', 10n * coin, 3_484_958, minutes(month), 8470n],
  ['less than ten coins', 10n * coin - 1n, 3_600_000, minutes(month), 0n],
  ['a block after the era', 10n * coin, 7_777_777, minutes(month), 0n],
  ['no block', 10n * coin, 0, minutes(month), 0n],
  // 1e9 / 20 * (525600 - 59) / 525600
  ['a year before block 1000000', 10n * coin, 999_999, minutes(2 * year), 49_994_387n],
  // 95 * (44640 - 59)
  ['a month from block 1000000 on', 10n * coin, 1_000_000, minutes(2 * year), 4_235_195n],
  // 1e9 * 5000000 / (525600 / 44640 = 11) / 1e8
  ['a month before block 250000', 10n * coin, 249_999, minutes(month), 4_545_454n],
  // 3e12 / 20 / 11
  ['the same of 30000 coins', 30_000n * coin, 249_999, minutes(month), 13_636_363_636n],
  ['a year and more before block 250000', 10n * coin, 249_999, minutes(2 * year), 50_000_000n],
])('%s', (_, value, height, tipTime, reward) => {
  expect(accruedReward({ value, height, lockTime }, tipTime)).toBe(reward)
})

test('a coin without a time for its lock time accrues nothing', () => {
  const coinOf = (lock: number) => ({ value: 10n * coin, height: 3_600_000, lockTime: lock })
  expect(accruedReward(coinOf(0), minutes(month))).toBe(0n)
  expect(accruedReward(coinOf(499_999_999), minutes(month))).toBe(0n)
  expect(accruedReward(coinOf(500_000_000), minutes(month))).toBe(8470n)
})

describe('a payment on KMD', () => {
  const reported = (...given: Parameters<typeof checkOnKomodo>) => {
    const { ok, fee, feeKnown, findings } = checkOnKomodo(...given)
    return { ok, fee, feeKnown, findings: findings.map(({ code, actual }) => [code, actual]) }
  }

  test('a payment on KMD without a claim draws a warning about the reward that it leaves', () => {
    expect(reported({})).toEqual({
      ok: true,
      fee: 10_000n,
      feeKnown: 'proven',
      findings: [['reward_unclaimed', 8470n]],
    })
  })

  test('a payment on KMD that pays a part of its fee with the reward has the proven rest as fee', () => {
    expect(reported({}, 8470n)).toEqual({
      ok: true,
      fee: 1530n,
      feeKnown: 'proven',
      findings: [['reward_in_fee', 8470n]],
    })
  })

  test('a payment on KMD with a larger or smaller claim has another fee', () => {
    expect(reported({}, 8471n).findings.map(([code]) => code)).toContain('fee_too_low')
    expect(reported({}, 8469n).findings.map(([code]) => code)).toContain('fee_too_high')
  })

  test('a payment on KMD without heights or time may leave a reward', () => {
    const unknown = ['reward_unknown', 1_000_000_000n]
    const noTime = { heights: { [rewardTxid]: 3_600_000 }, tipTime: undefined! }
    expect(reported(noTime).findings).toEqual([unknown])
    const noHeight = reported({ heights: {} }).findings
    expect(noHeight).toEqual([unknown, ['height_unknown', rewardTxid]])
    expect(reported({ heights: {} }, 8470n).ok).toBe(false)
  })

  // komodo src/komodo_interest.cpp: ten coins, and a time for a lock time
  test.each([
    [10n * coin, 500_000_000, ['reward_unknown']],
    [10n * coin - 1n, 500_000_000, []],
    [10n * coin, 499_999_999, []],
  ])('reports what a coin of %i with a lock time of %i may leave', (value, lock, expected) => {
    const prevout = { value, transaction: { lockTime: lock } } as never
    const found = (network: Network) => checkReward([undefined, prevout, undefined], network, {})
    for (const network of [networks.komodo, networks.komodoTestnet]) {
      const { amount, findings } = found(network)
      expect([amount, findings.map(({ code }) => code)]).toEqual([0n, expected])
    }
    expect(found(networks.assetChain)).toEqual({ amount: 0n, late: 0n, findings: [] })
  })
})

describe('the rules of a network decide whether it pays a reward', () => {
  const { rewards: _, ...komodo } = networks.komodo
  test.each<[string, Network, Network['rewards']]>([
    ['KMD', networks.komodo, 'komodo'],
    ['KMD by another name', defineNetwork({ ...networks.komodo, name: 'main net' }), 'komodo'],
    ['KMD, described without its reward', defineNetwork(komodo), 'komodo'],
    ['KMD, written by hand', { ...komodo, name: 'main net' }, 'komodo'],
    ['a chain without conditions', defineNetwork({ conditions: 'none' }), 'unknown'],
    ['the same, written by hand', { ...komodo, maxMoney: 5n ** 25n }, 'unknown'],
    ['the test network', networks.komodoTestnet, 'unknown'],
    ['an asset chain', networks.assetChain, 'none'],
    ['an asset chain, described', defineNetwork({ name: 'GOLD' }), 'none'],
    ['a chain of tokeld', networks.tokel, 'none'],
    ['a chain that says so', defineNetwork({ conditions: 'none', rewards: 'none' }), 'none'],
  ])('%s', (_, network, expected) => {
    expect(rewardsOf(network)).toBe(expected)
    const { hex, intent } = paymentOnKomodo(0n)
    const report = verifyPayment(hex, { ...intent, network }, rewardEvidence)
    const code = { komodo: ['reward_unclaimed'], unknown: ['reward_unknown'], none: [] }[expected!]
    expect(report.findings.map((it) => it.code)).toEqual(code)
  })

  test.each([null, 'KMD', 1])('a reward of %j is not a reward', (rewards) => {
    expect(() => defineNetwork({ rewards } as never)).toThrow(TypeError)
    const given = { ...networks.assetChain, rewards } as never
    expect(() => addressOf(a, given)).toThrow('network.rewards: expected')
  })

  test('a report and a case file name it', () => {
    const network = defineNetwork({ conditions: 'none', name: 'GOLD' })
    const { hex, intent } = paymentOnKomodo(0n)
    const given = {
      operation: 'payment',
      hex,
      intent: { ...intent, network },
      evidence: rewardEvidence,
    } as const
    expect(formatReport(verifyCase(given), { given })).toContain(
      'GOLD, like assetChain except conditions none, rewards unknown\n',
    )
    expect(parseCase(formatCase(given)).intent.network).toEqual(network)
    const known = { ...given, intent: { ...intent, network: { ...komodo, name: 'main net' } } }
    expect(formatReport(verifyCase(known), { given: known })).toContain('main net, like komodo\n')
  })
})

describe('evidence that cannot be', () => {
  const rejected = (evidence: Partial<Evidence>) =>
    checkOnKomodo(evidence).findings.flatMap(({ code, path, expected, actual }) =>
      code === 'evidence_contradicts' ? [[path, expected, actual]] : [],
    )
  const [time, height] = [rewardEvidence.tipTime!, 3_600_000]

  test('one transaction at two heights is rejected', () => {
    const upper = rewardTxid.toUpperCase()
    for (const heights of [
      { [rewardTxid]: height, [upper]: 3_600_005 },
      { [upper]: height, [rewardTxid]: 3_600_005 },
    ]) {
      expect(rejected({ heights })).toEqual([
        [`evidence.heights.${rewardTxid}`, 'one height of a transaction', `${height} and 3600005`],
      ])
    }
    const same = { [rewardTxid]: height, [upper]: height }
    expect(rejected({ heights: same })).toEqual([])
    expect(checkOnKomodo({ heights: same }).ok).toBe(true)
    const odd = { abc: 1, ABC: 2 }
    expect(rejected({ heights: { ...same, ...odd } })).toEqual([
      ['evidence.heights', 'one height of a transaction', '1 and 2'],
    ])
  })

  test('a tip before the lock time of a coin that accrues is rejected', () => {
    expect(rejected({ tipTime: lockTime - 1 })).toEqual([
      ['evidence.tipTime', `at least ${lockTime}, the lock time of a coin`, lockTime - 1],
    ])
    expect(rejected({ tipTime: lockTime, tipHeight: height })).toEqual([])
  })

  // komodo src/chainparams.cpp, nPowTargetSpacing: a block takes a minute
  test('a tip time that leaves no time for the blocks since a coin is rejected', () => {
    const at = (blocks: number, tipTime: number) =>
      rejected({ tipHeight: height + blocks, tipTime })
    const least = lockTime + 400_000 * 6
    expect(at(400_000, least)).toEqual([])
    expect(at(400_000, least - 1)).toEqual([
      ['evidence.tipTime', `at least ${least}, 400000 blocks after a coin`, least - 1],
    ])
    expect(at(10_000, lockTime + 60)).toEqual([])
    expect(at(10_001, lockTime + 60)).toHaveLength(1)
    const inNoBlock = { heights: { [rewardTxid]: 0 }, tipTime: lockTime + 60 }
    expect(rejected(inNoBlock)).toEqual([])
  })

  test('a median time above the time of the tip is rejected', () => {
    expect(rejected({ medianTime: time + 1 })).toEqual([
      ['evidence.medianTime', `at most ${time}, tipTime`, time + 1],
    ])
    expect(rejected({ medianTime: time })).toEqual([])
    expect(rejected({ medianTime: time + 1, tipTime: undefined! })).toEqual([])
  })

  // 10000 coins of July 2020: 42.4 coins at 5 per cent a year, 0.0848 after season 7
  test('a height of after season 7 for a coin of years before is rejected', () => {
    const old = agedCoin(10_000n * coin, p2pk(a), 1_593_561_600)
    const { txid } = decodeTransaction(old)
    const prevout = { txid, value: 10_000n * coin, transaction: decodeTransaction(old) }
    const reward = (at: number) =>
      checkReward([prevout], networks.komodo, { tipTime: time, heights: { [txid]: at } })
    expect(reward(1_950_000)).toEqual({ amount: 4_240_945_949n, late: 0n, findings: [] })
    const { amount, findings } = reward(3_600_000)
    expect(amount).toBe(0n)
    expect(findings).toMatchObject([
      {
        code: 'evidence_contradicts',
        severity: 'reject',
        path: `evidence.heights.${txid}`,
        expected: 'below 3484958, because the lock time is 1593561600',
        actual: 3_600_000,
      },
    ])
    expect(reward(3_484_957).findings).toEqual([])
    expect(reward(3_484_958).findings).toHaveLength(1)
  })

  // komodo src/komodo_hardfork.cpp, nS7Timestamp: June 30, 2023, 13:37:33; two weeks and an hour
  test('leaves two weeks to season 7', () => {
    const first = 1_688_132_253 - 14 * 24 * 3600 - 3600
    const found = (lock: number) => {
      const transaction = { lockTime: lock } as never
      const prevout = { txid: rewardTxid, value: 10n * coin, transaction }
      const given = { tipTime: time, heights: { [rewardTxid]: height } }
      return checkReward([prevout], networks.komodo, given).findings.length
    }
    expect([found(first - 1), found(first)]).toEqual([1, 0])
  })

  test('ignores the lock time of coins that accrue nothing', () => {
    const found = (value: bigint, network: Network) =>
      checkReward([{ txid: rewardTxid, value, transaction: { lockTime } as never }], network, {
        tipTime: lockTime - 1,
        heights: { [rewardTxid]: height },
      }).findings
    expect(found(10n * coin - 1n, networks.komodo)).toEqual([])
    expect(found(10n * coin, networks.assetChain)).toEqual([])
    expect(found(10n * coin, networks.komodoTestnet)).toMatchObject([{ code: 'reward_unknown' }])
  })

  test.each<[string, Partial<Evidence>, string]>([
    ['in no block, and old', { heights: { [rewardTxid]: 0 } }, 'reward_unknown'],
    [
      'past the last reward, while the tip is not known',
      { heights: { [rewardTxid]: 7_777_777 }, tipHeight: undefined! },
      'reward_unknown',
    ],
    ['of no height', { heights: { ['11'.repeat(32)]: 5 } }, 'reward_unknown'],
  ])('leaves a reward open: a coin %s', (_, evidence, code) => {
    expect(checkOnKomodo(evidence).findings.map((it) => it.code)).toContain(code)
  })

  test('leaves nothing open of a coin that is new, or within what heights there are', () => {
    const found = (evidence: Partial<Evidence>) =>
      checkOnKomodo(evidence).findings.map((it) => it.code)
    const heights = { [rewardTxid]: 0 }
    expect(found({ heights, tipTime: lockTime + 3599 })).not.toContain('reward_unknown')
    expect(found({ heights, tipTime: lockTime + 3600 })).toContain('reward_unknown')
    const late = { heights: { [rewardTxid]: 7_777_776 }, tipHeight: undefined! }
    expect(found(late)).not.toContain('reward_unknown')
  })
})

describe('the builder refuses', () => {
  const previousTransactions = rewardEvidence.previousTransactions
  const older = agedCoin(1_000_000_000n, p2pk(a), 1_500_000_000)
  const olderTxid = transactionId(older)
  const base = {
    recipients: [{ script: p2pkh(b), amount: 20_000n }],
    own: [a],
    coins: [{ txid: rewardTxid, vout: 0 }],
    previousTransactions,
    tipHeight: komodoTip,
    tipTime: rewardEvidence.tipTime!,
    heights: rewardEvidence.heights!,
    network: networks.komodo,
  }
  const refused = (changes: object) => {
    try {
      buildPayment({ ...base, ...changes })
    } catch (error) {
      const { code, context } = error as AntaraError
      return { code, ...context }
    }
    return 'nothing'
  }
  const code = 'evidence_contradicts'

  test.each<[string, object, object | 'nothing']>([
    ['nothing that can be', {}, 'nothing'],
    [
      'a height above the tip',
      { heights: { [rewardTxid]: komodoTip + 1 } },
      {
        code,
        path: `heights.${rewardTxid}`,
        expected: `at most ${komodoTip}`,
        actual: komodoTip + 1,
      },
    ],
    ['nothing at the tip', { heights: { [rewardTxid]: komodoTip } }, 'nothing'],
    [
      'two heights of one transaction',
      { heights: { ...base.heights, [rewardTxid.toUpperCase()]: 7 } },
      {
        code,
        path: `heights.${rewardTxid}`,
        expected: 'one height of a transaction',
        actual: '3600000 and 7',
      },
    ],
    [
      'a tip before a coin',
      { tipTime: lockTime - 1, lockTime: 0 },
      {
        code,
        path: 'tipTime',
        expected: `at least ${lockTime}, the lock time of a coin`,
        actual: lockTime - 1,
      },
    ],
    [
      'a height of season 7 for a coin that is older, where no tip is known',
      {
        tipTime: undefined,
        previousTransactions: [older],
        coins: [{ txid: olderTxid, vout: 0 }],
        heights: { [olderTxid]: 3_600_000 },
      },
      {
        code,
        path: `heights.${olderTxid}`,
        expected: 'below 3484958, because the lock time is 1500000000',
        actual: 3_600_000,
      },
    ],
    [
      'a median time above the tip',
      { medianTime: base.tipTime + 1 },
      {
        code,
        path: 'medianTime',
        expected: `at most ${base.tipTime}, tipTime`,
        actual: base.tipTime + 1,
      },
    ],
    [
      'nothing of a tip before a coin elsewhere',
      { tipTime: 5, network: networks.assetChain },
      'nothing',
    ],
  ])('%s', (_, changes, expected) => {
    expect(refused(changes)).toEqual(expected)
  })

  test.each([{ heights: 5 }, { heights: { [rewardTxid]: '7' } }, { medianTime: 0.5 }])(
    'refuses the wrong type: %o',
    (changes) => {
      expect(() => buildPayment({ ...base, ...changes } as never)).toThrow(TypeError)
    },
  )
})
