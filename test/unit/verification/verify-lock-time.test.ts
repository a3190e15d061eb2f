// Lock times by the rules of nodes. A transaction that waits for a time is final after the median
// time of the last eleven blocks (komodo src/main.cpp, CheckFinalTx). On KMD no lock time may be
// old (AcceptToMemoryPool, CheckBlock; src/komodo_interest.cpp, komodo_validate_interest).

import { describe, expect, test } from 'vitest'

import {
  type AntaraError,
  buildPayment,
  decodeTransaction,
  defineNetwork,
  type Evidence,
  networks,
  type PaymentIntent,
  type Report,
  signCase,
  signTransaction,
  verifyPayment,
} from '../../../src/index.ts'
import {
  agedCoin,
  evidenceFor,
  intent,
  komodoTip,
  p2pkh,
  payment,
  signPayment,
  tipTime,
} from '../../support/payments.ts'
import { a, b, fields, p2pk, privateKeys } from '../../support/resigned.ts'

const codes = ({ findings }: Report): string[] => findings.map(({ code }) => code)
const final = 0xffffffff
const locked = 0xfffffffe

describe('a payment that waits for a time', () => {
  const medianTime = tipTime - 300
  const check = (
    lockTime: number,
    sequence: number,
    evidence: Partial<Evidence> = {},
    asked: Partial<PaymentIntent> = {},
  ) => {
    const changed = fields({ lockTime })(payment)
    const tx = { ...changed, inputs: changed.inputs.map((it) => ({ ...it, sequence })) }
    const given = { ...evidenceFor(tx), ...evidence }
    return verifyPayment(signPayment(tx), { ...intent, ...asked }, given)
  }

  test.each<[number, number, string[]]>([
    [medianTime, locked, []],
    [medianTime + 1, locked, ['lock_time']],
    [tipTime, locked, ['lock_time']],
    // where every input is final, no lock time counts
    [medianTime + 1, final, []],
    [tipTime, final, []],
  ])(
    'a payment waits until %i, with inputs of %i, by the median time',
    (lockTime, sequence, expected) => {
      const report = check(lockTime, sequence, { medianTime })
      expect(codes(report)).toEqual(expected)
      expect(report.ok).toBe(expected.length === 0)
    },
  )

  test('waits where one input of several is not final', () => {
    const changed = fields({ lockTime: tipTime })(payment)
    const inputs = changed.inputs.map((it, at) => ({ ...it, sequence: at === 1 ? locked : final }))
    const tx = { ...changed, inputs }
    const report = verifyPayment(signPayment(tx), intent, { ...evidenceFor(tx), medianTime })
    expect(codes(report)).toEqual(['lock_time'])
  })

  test('is reported until when', () => {
    expect(check(tipTime, locked, { medianTime }).findings).toMatchObject([
      { path: 'lockTime', expected: `at most ${medianTime}`, actual: tipTime },
    ])
  })

  test('a payment may wait as long as requested', () => {
    expect(codes(check(tipTime, locked, { medianTime }, { lockTime: tipTime }))).toEqual([])
    expect(codes(check(tipTime, locked, {}, { lockTime: tipTime }))).toEqual([])
  })

  test.each<[number, number, string[]]>([
    [tipTime, locked, ['lock_time_not_checked']],
    [tipTime - 3599, locked, ['lock_time_not_checked']],
    [tipTime - 3600, locked, []],
    [tipTime, final, []],
    [60, locked, []],
  ])(
    'a payment waits until %i, with inputs of %i, while the median time is not known',
    (lockTime, sequence, expected) => {
      const report = check(lockTime, sequence)
      expect(codes(report)).toEqual(expected)
      expect(report.ok).toBe(true)
    },
  )
})

const value = 1_000_000_000n
const coinTime = 1_700_000_000
const parent = agedCoin(value, p2pk(a), coinTime)
const { txid } = decodeTransaction(parent)
const now = coinTime + 31 * 24 * 3600

describe('a lock time on KMD', () => {
  const check = (lockTime: number, evidence: Partial<Evidence> = {}, network = networks.komodo) => {
    const outputs = [{ value: value - 10_000n, script: p2pkh(b) }]
    const inputs = [{ txid, vout: 0, scriptSig: '', sequence: final }]
    const tx = { ...payment, inputs, outputs, lockTime, expiryHeight: komodoTip + 200 }
    const { hex } = signTransaction(
      tx,
      [privateKeys.get(a)!],
      [{ value, script: p2pk(a) }],
      network,
    )
    const recipients = [{ script: p2pkh(b), amount: value - 10_000n }]
    const spendable = [{ txid, vout: 0 }]
    const asked = { recipients, own: [a], fee: 10_000n, spendable, network, lockTime }
    const given = { previousTransactions: [parent], tipHeight: komodoTip, tipTime: now }
    return verifyPayment(hex, asked, { ...given, ...evidence })
  }
  const stale = (...given: Parameters<typeof check>) =>
    check(...given).findings.filter(({ code }) => code === 'lock_time_stale')

  test.each<[string, number, Partial<Evidence>, string | undefined]>([
    ['an hour old', now - 3600, {}, undefined],
    ['a second more', now - 3601, {}, `at least ${now - 3600}`],
    ['of years ago', 1_500_000_000, {}, `at least ${now - 3600}`],
    ['as old as the median time allows', now - 2823, { medianTime: now }, undefined],
    ['a second older', now - 2824, { medianTime: now }, `at least ${now - 2823}`],
    ['by an old median time', now - 3600, { medianTime: now - 1000 }, undefined],
    ['a height', 4_000, {}, undefined],
    ['none', 0, {}, undefined],
  ])('a lock time on KMD that is %s', (_, lockTime, evidence, expected) => {
    const found = stale(lockTime, evidence)
    expect(found.map((it) => [it.path, it.severity, it.expected, it.actual])).toEqual(
      expected === undefined ? [] : [['lockTime', 'reject', expected, lockTime]],
    )
  })

  test('follows the rules of the network and not its name', () => {
    const renamed = defineNetwork({ ...networks.komodo, name: 'KMD' })
    expect(stale(1_500_000_000, {}, renamed)).toHaveLength(1)
    const { rewards: _, ...byHand } = { ...networks.komodo, name: 'main net' }
    expect(stale(1_500_000_000, {}, byHand)).toHaveLength(1)
    expect(stale(1_500_000_000, {}, networks.komodoTestnet)).toEqual([])
    expect(stale(1_500_000_000, {}, networks.assetChain)).toEqual([])
  })

  test('a lock time without any time is not known to be old', () => {
    expect(stale(1_500_000_000, { tipTime: undefined! })).toEqual([])
  })
})

describe('the builder', () => {
  const base = {
    recipients: [{ script: p2pkh(b), amount: 20_000n }],
    own: [a],
    coins: [{ txid, vout: 0 }],
    previousTransactions: [parent],
    tipHeight: komodoTip,
    tipTime: now,
    heights: { [txid]: 3_600_000 },
    network: networks.komodo,
  }
  const refusal = (changes: object) => {
    try {
      const built = buildPayment({ ...base, ...changes })
      return signCase({ ...built, evidence: built }, [privateKeys.get(a)!]).ok
    } catch (error) {
      const { code, context } = error as AntaraError
      return [code, context]
    }
  }

  test.each<[string, object, unknown]>([
    ['takes a lock time of an hour ago', { lockTime: now - 3600 }, true],
    [
      'refuses one that is older',
      { lockTime: now - 3601 },
      [
        'lock_time_stale',
        { path: 'lockTime', expected: `at least ${now - 3600}`, actual: now - 3601 },
      ],
    ],
    [
      'refuses what the median time makes old',
      { lockTime: now - 3000, medianTime: now - 60 },
      [
        'lock_time_stale',
        { path: 'lockTime', expected: `at least ${now - 60 - 2823}`, actual: now - 3000 },
      ],
    ],
    ['takes a height', { lockTime: 4_000 }, true],
    ['takes no lock time', { lockTime: 0 }, true],
    ['takes an old one elsewhere', { lockTime: 1_500_000_000, network: networks.assetChain }, true],
  ])('%s', (_, changes, expected) => {
    expect(refusal(changes)).toEqual(expected)
  })

  test('claims the reward of KMD by any name', () => {
    const network = defineNetwork({ ...networks.komodo, name: 'KMD' })
    const built = buildPayment({ ...base, network, medianTime: now - 60 })
    const { outputs, lockTime } = decodeTransaction(built.hex)
    expect(outputs[1]!.value).toBe(value + 8470n - 30_000n)
    expect(lockTime).toBe(now)
    expect(built.medianTime).toBe(now - 60)
  })
})
