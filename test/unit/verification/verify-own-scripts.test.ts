// Change to keys that are shared with others, where something else is unusual as well.

import { describe, expect, test } from 'vitest'

import {
  buildPayment,
  encodeTransaction,
  networks,
  type Report,
  transactionId,
  verifyPayment,
} from '../../../src/index.ts'
import { agedCoin, p2pkh, p2sh, payment, twoOfThree } from '../../support/payments.ts'
import { a, b } from '../../support/resigned.ts'

const codes = ({ findings }: Report): string[] => findings.map(({ code }) => code)
const script = p2sh(twoOfThree)
const coin = 1_000_000_000n

describe('change back to shared keys', () => {
  const lockTime = 1_700_000_000
  const tipTime = lockTime + 31 * 24 * 3600
  const aged = agedCoin(coin, script, lockTime)
  const txid = transactionId(aged)
  const others = agedCoin(coin, p2pkh(a), lockTime)
  const evidence = {
    previousTransactions: [aged, others],
    tipHeight: 3_700_000,
    tipTime,
    heights: { [txid]: 3_600_000 },
  }
  const input = (of: string) => ({ txid: of, vout: 0, scriptSig: '', sequence: 0xffffffff })
  const check = (inputs: readonly string[], change: bigint, given: object = {}) => {
    const outputs = [
      { value: 100_000n, script: p2pkh(b) },
      { value: change, script },
    ]
    const tx = { ...payment, inputs: inputs.map(input), outputs, lockTime: tipTime }
    const intent = {
      recipients: [{ script: p2pkh(b), amount: 100_000n }],
      own: [a],
      redeemScripts: [twoOfThree],
      network: networks.komodo,
      fee: 10_000n,
      maxFee: 2_000_000_000n,
    }
    const hex = encodeTransaction({ ...tx, expiryHeight: evidence.tipHeight + 200 })
    return codes(verifyPayment(hex, intent, { ...evidence, ...given }))
  }

  // ten coins accrue 8470 satoshis in the month that the first block of the reward allows
  test('takes the reward along, where all that is spent is theirs', () => {
    const change = coin - 10_000n - 100_000n + 8470n
    expect(check([txid], change)).not.toContain('change_locked')
    expect(check([txid], coin + 1n)).not.toContain('change_locked')
    expect(check([txid, transactionId(others)], coin)).not.toContain('change_locked')
    expect(check([txid, transactionId(others)], coin + 1n)).toContain('change_locked')
  })

  test('is verified beside an unknown coin', () => {
    const missing = { previousTransactions: [aged] }
    const found = check([transactionId(others), txid], coin + 1n, missing)
    expect(found).toEqual(expect.arrayContaining(['prevout_missing', 'change_locked']))
    expect(check([transactionId(others), txid], coin, missing)).not.toContain('change_locked')
  })

  test('takes the reward along in what is built', () => {
    const built = buildPayment({
      recipients: [{ script: p2pkh(b), amount: 1000n }],
      own: [script],
      redeemScripts: [twoOfThree],
      coins: [{ txid, vout: 0 }],
      network: networks.komodo,
      fee: 1000n,
      ...evidence,
      previousTransactions: [aged],
    })
    const { findings } = verifyPayment(built.hex, built.intent, built)
    expect(findings.map(({ code }) => code)).toEqual(['reward_claimed', 'unsigned'])
  })
})
