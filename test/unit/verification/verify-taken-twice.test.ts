// These tests cover what a chain gives once, beside outputs: the notes of the shielded pools and
// the reward of a block. komodo src/main.cpp, CheckTransactionWithoutProofVerification
// (bad-joinsplits-nullifiers-duplicate), ContextualCheckBlock (bad-cb-height), AcceptToMemoryPool
// (coinbase), and src/coins.cpp, SetNullifiers, which keeps the two pools apart.

import { describe, expect, test } from 'vitest'
import { networks, type Report, type TransactionFields } from '../../../src/index.ts'
import { type Coin, coin, earned, pay, spending, tipHeight } from '../../support/payments-of-a.ts'

const reported = ({ findings }: Report) => findings.map(({ code, path }) => `${code} ${path}`)
const rejects = ({ findings }: Report) =>
  findings.flatMap(({ severity, code, path }) => (severity === 'reject' ? [`${code} ${path}`] : []))
const at = (index: number) => `evidence.previousTransactions[${index}]`

const filled = (byte: string, bytes: number) => byte.repeat(bytes)
const shieldedSpend = (nullifier: string) => ({
  cv: filled('00', 32),
  anchor: filled('00', 32),
  nullifier: filled(nullifier, 32),
  rk: filled('00', 32),
  proof: filled('00', 192),
  spendAuthSig: filled('00', 64),
})

/** Pays A out of Sapling notes. */
const fromSapling = (nullifiers: readonly string[], lockTime: number) =>
  earned(coin, {
    inputs: [],
    lockTime,
    valueBalance: coin,
    shieldedSpends: nullifiers.map(shieldedSpend),
    bindingSig: filled('00', 64),
  })

/** Pays A out of Sprout notes. */
const fromSprout = ([one, other]: readonly [string, string], lockTime: number) => {
  const ciphertext = filled('00', 601)
  const joinSplit = {
    vpubOld: 0n,
    vpubNew: coin,
    anchor: filled('00', 32),
    nullifiers: [filled(one, 32), filled(other, 32)] as const,
    commitments: [filled('00', 32), filled('00', 32)] as const,
    ephemeralKey: filled('00', 32),
    randomSeed: filled('00', 32),
    macs: [filled('00', 32), filled('00', 32)] as const,
    proof: filled('00', 192),
    ciphertexts: [ciphertext, ciphertext] as const,
  }
  const signed = { joinSplitPubKey: filled('00', 32), joinSplitSig: filled('00', 64) }
  return earned(coin, { inputs: [], lockTime, joinSplits: [joinSplit], ...signed })
}

/** A coinbase that begins with `scriptSig`, which names its block. */
const coinbase = (scriptSig: string, more: Partial<TransactionFields> = {}) => {
  const inputs = [{ txid: '00'.repeat(32), vout: 0xffffffff, scriptSig, sequence: 0xffffffff }]
  return earned(coin, { inputs, ...more })
}

describe('a note', () => {
  test('is not spent by two ancestors', () => {
    const [one, other] = [fromSapling(['01', '02'], 0), fromSapling(['03', '02'], 1)]
    const coins: Coin[] = [
      [one, 0],
      [other, 0],
    ]
    const report = pay(coins, [other, one])
    expect(reported(report)).toEqual([`ancestor_conflict ${at(1)}.shieldedSpends[1].nullifier`])
    const note = `the Sapling note of nullifier ${filled('02', 32)}`
    expect(report.findings[0]!.actual).toBe(`${note} is spent by ${one.txid} and by ${other.txid}`)
  })

  test('is not spent by two ancestors through JoinSplits', () => {
    const [one, other] = [fromSprout(['01', '02'], 0), fromSprout(['02', '03'], 1)]
    const coins: Coin[] = [
      [one, 0],
      [other, 0],
    ]
    expect(reported(pay(coins, [one, other]))).toEqual([
      `ancestor_conflict ${at(0)}.joinSplits[0].nullifiers[1]`,
    ])
  })

  test('is not spent twice by one ancestor', () => {
    const twice = fromSapling(['01', '01'], 0)
    expect(reported(pay([[twice, 0]], [twice]))).toEqual([
      `ancestor_invalid ${at(0)}.shieldedSpends[1].nullifier`,
    ])
    const joined = fromSprout(['01', '01'], 0)
    expect(reported(pay([[joined, 0]], [joined]))).toEqual([
      `ancestor_invalid ${at(0)}.joinSplits[0].nullifiers[1]`,
    ])
  })

  test('a note of the other pool is another note', () => {
    const [one, other] = [fromSapling(['01'], 0), fromSprout(['01', '02'], 1)]
    const coins: Coin[] = [
      [one, 0],
      [other, 0],
    ]
    expect(reported(pay(coins, [one, other]))).toEqual([])
  })

  test('a note that a given transaction in a block has spent is gone', () => {
    const [one, rival] = [fromSapling(['01'], 0), fromSapling(['01'], 1)]
    const found = (height: number) =>
      reported(pay([[one, 0]], [one, rival], { heights: { [one.txid]: 7, [rival.txid]: height } }))
    expect(found(8)).toEqual([`output_spent ${at(0)}.shieldedSpends[0].nullifier`])
    expect(found(0)).toEqual([`output_contested ${at(0)}.shieldedSpends[0].nullifier`])
  })
})

describe('the reward of a block', () => {
  test('is not paid by two coinbases', () => {
    const [one, other] = [coinbase('02e80300'), coinbase('02e80301')]
    const coins: Coin[] = [
      [one, 0],
      [other, 0],
    ]
    const report = pay(coins, [one, other])
    expect(rejects(report)).toEqual([`ancestor_conflict ${at(0)}.inputs[0]`])
    expect(report.findings.find(({ severity }) => severity === 'reject')!.actual).toBe(
      `the reward of block 1000 is spent by ${one.txid} and by ${other.txid}`,
    )
  })

  test('the rewards of two blocks are two rewards', () => {
    const coins: Coin[] = [
      [coinbase('02e803'), 0],
      [coinbase('02e703'), 0],
    ]
    expect(
      rejects(
        pay(
          coins,
          coins.map(([it]) => it),
        ),
      ),
    ).toEqual([])
    const unnamed: Coin[] = [
      [coinbase(''), 0],
      [coinbase('00'), 0],
    ]
    expect(
      rejects(
        pay(
          unnamed,
          unnamed.map(([it]) => it),
        ),
      ),
    ).toEqual([])
  })

  test('is not what an input pays that only looks like a part of a coinbase', () => {
    const root = earned(2n * coin)
    const [one, other] = ['02e80300', '02e80301'].map((scriptSig, lockTime) => {
      const spent = { txid: root.txid, vout: lockTime, scriptSig: '51', sequence: 0xffffffff }
      const empty = { ...spent, txid: '00'.repeat(32), vout: 0xffffffff, scriptSig }
      return earned(coin, { inputs: [empty, spent], lockTime })
    })
    const coins: Coin[] = [
      [one!, 0],
      [other!, 0],
    ]
    expect(rejects(pay(coins, [one!, other!]))).toEqual([
      `ancestor_invalid ${at(0)}.inputs[0]`,
      `ancestor_invalid ${at(1)}.inputs[0]`,
    ])
  })
})

describe('the height of a coinbase', () => {
  const named = coinbase('02f401')
  const found = (from: ReturnType<typeof coinbase>, height: number) =>
    rejects(pay([[from, 0]], [from], { heights: { [from.txid]: height } }))

  test('is the one that it names', () => {
    expect(found(named, 500)).toEqual([])
    for (const height of [499, 501, 1]) {
      expect(found(named, height)).toEqual([`ancestor_height ${at(0)}`])
    }
    expect(found(coinbase('5a'), 10)).toEqual([])
    expect(found(coinbase('5a'), 11)).toEqual([`ancestor_height ${at(0)}`])
  })

  test('is reported with the block that it names', () => {
    const shown = (from: ReturnType<typeof coinbase>) =>
      pay([[from, 0]], [from], { heights: { [from.txid]: 499 } }).findings.find(
        ({ code }) => code === 'ancestor_height',
      )
    expect(shown(named)).toMatchObject({ expected: '500', actual: `499 of ${named.txid}` })
    expect(shown(coinbase('00'))).toMatchObject({ expected: 'a coinbase that names its block' })
  })

  test('is that of a block, because nodes keep no coinbase that waits for one', () => {
    expect(found(named, 0)).toEqual([`ancestor_height ${at(0)}`])
    expect(found(coinbase('00'), 0)).toEqual([`ancestor_height ${at(0)}`])
    const child = spending([[named, 0]], [coin])
    const heights = { [child.txid]: 0, [named.txid]: 0 }
    expect(rejects(pay([[child, 0]], [child, named], { heights }))).toEqual([
      `ancestor_height ${at(1)}`,
    ])
  })

  test('says nothing of a transaction that is not a coinbase', () => {
    const root = earned(coin)
    expect(found(root, 499)).toEqual([])
  })
})

// komodo src/main.cpp, Consensus::CheckTxInputs, bad-txns-premature-spend-of-coinbase
describe('an ancestor that spends a coinbase of KMD', () => {
  const { komodo, assetChain } = networks
  const check = (network: typeof komodo, height: number | undefined, of = 500) => {
    const from = coinbase('02f401')
    const parent = spending([[from, 0]], [coin], {}, network)
    const heights = {
      ...(height !== undefined && { [parent.txid]: height }),
      [from.txid]: of,
    }
    const report = pay([[parent, 0]], [parent, from], { network, heights, tipHeight })
    return report.findings.filter(({ code }) => code === 'premature_coinbase')
  }

  test('is in a block a hundred after it at the earliest', () => {
    expect(check(komodo, 600)).toEqual([])
    expect(check(komodo, 599)).toMatchObject([
      { path: `${at(0)}.inputs[0]`, expected: '100 blocks', actual: 99 },
    ])
  })

  test('may wait for a block once it may be in the next one', () => {
    const waiting = (tip: number) => {
      const from = coinbase('02f401')
      const parent = spending([[from, 0]], [coin], {}, komodo)
      const heights = { [parent.txid]: 0, [from.txid]: 500 }
      const report = pay([[parent, 0]], [parent, from], {
        network: komodo,
        heights,
        tipHeight: tip,
      })
      return rejects(report).filter((it) => it.startsWith('premature'))
    }
    expect(waiting(599)).toEqual([])
    expect(waiting(598)).toEqual([`premature_coinbase ${at(0)}.inputs[0]`])
  })

  test('is left to who knows where a height is missing, and on other chains', () => {
    expect(check(komodo, undefined)).toEqual([])
    expect(check(assetChain, 501)).toEqual([])
  })
})
