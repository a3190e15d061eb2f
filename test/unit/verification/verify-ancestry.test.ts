// These tests cover contradictions within evidence. A transaction can be on a chain only together
// with all its ancestors; komodo src/main.cpp, CheckTransactionWithoutProofVerification,
// CheckTxInputs, IsExpiredTx, IsFinalTx, and UpdateCoins, which takes each output once.

import { describe, expect, test } from 'vitest'
import {
  buildTokenTransfer,
  decodeTransaction,
  type Network,
  networks,
  type Report,
  signTransaction,
  type TransactionFields,
  verifyPayment,
  verifyPaymentAsync,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { findingCodes } from '../../../src/request/finding-table.ts'
import { chainTransaction, unspentCoin } from '../../support/komodod.ts'
import { madeUpInputs } from '../../support/made-up.ts'
import { p2pkh, twoOfThree } from '../../support/payments.ts'
import {
  type Coin,
  coin,
  earned,
  keys,
  type Made,
  made,
  pay,
  paymentOf,
  spending,
  tipHeight,
} from '../../support/payments-of-a.ts'
import { a, b, p2pk, tokenid, transfer, transferHex } from '../../support/resigned.ts'
import { inMutationRun, testUnless } from '../../support/skip.ts'
import { chain } from '../../support/vectors.ts'

/** Proofs and keys of zeros: nobody but a node with the proving keys can check them. */
const shieldedSpend: Partial<TransactionFields> = {
  shieldedSpends: [
    {
      cv: '00'.repeat(32),
      anchor: '00'.repeat(32),
      nullifier: '00'.repeat(32),
      rk: '00'.repeat(32),
      proof: '00'.repeat(192),
      spendAuthSig: '00'.repeat(64),
    },
  ],
  bindingSig: '00'.repeat(64),
}

function joinSplitOf(vpubOld: bigint, vpubNew: bigint): Partial<TransactionFields> {
  const two = ['00'.repeat(32), '11'.repeat(32)] as const
  const noteCiphertext = '00'.repeat(601)
  const joinSplit = {
    vpubOld,
    vpubNew,
    anchor: two[0],
    nullifiers: two,
    commitments: two,
    ephemeralKey: two[0],
    randomSeed: two[0],
    macs: two,
    proof: '00'.repeat(192),
    ciphertexts: [noteCiphertext, noteCiphertext] as const,
  }
  return {
    joinSplits: [joinSplit],
    joinSplitPubKey: '00'.repeat(32),
    joinSplitSig: '00'.repeat(64),
  }
}

const seen = new Set<string>()
const reported = ({ findings }: Report) => {
  for (const { code } of findings) seen.add(code)
  return findings.map(({ code, path }) => `${code} ${path}`)
}
const first = 'evidence.previousTransactions[0]'

describe('a payment', () => {
  const root = earned(10n * coin)
  const parent = spending([[root, 0]], [4n * coin, 5n * coin])
  const child = spending([[parent, 0]], [3n * coin])

  test('agrees where nothing speaks against what it comes from', () => {
    expect(reported(pay([[child, 0]], [child, parent, root]))).toEqual([])
    expect(pay([[child, 0]], [child, parent, root]).ok).toBe(true)
  })

  test('may not spend an output and what that output became', () => {
    const report = pay(
      [
        [parent, 0],
        [child, 0],
      ],
      [parent, child],
    )
    expect(reported(report)).toEqual(['ancestor_conflict inputs[0]'])
    expect(report.findings[0]!.actual).toBe(
      `${parent.txid}:0 is spent by ${report.txid} and by ${child.txid}`,
    )
    expect(report.verified).toBeUndefined()
  })

  test('may not spend an output and what that became three transactions later', () => {
    const second = spending([[child, 0]], [2n * coin])
    const third = spending([[second, 0]], [coin])
    const coins: Coin[] = [
      [third, 0],
      [parent, 0],
    ]
    expect(reported(pay(coins, [root, parent, child, second, third]))).toEqual([
      'ancestor_conflict inputs[1]',
    ])
    // one step of it was not given: nothing shows that the coins are the same
    expect(reported(pay(coins, [root, parent, third]))).toEqual([])
    expect(reported(pay(coins, [root, parent, child, third]))).toEqual([
      'output_contested inputs[1]',
    ])
  })

  test('may not come from two transactions that spend the same output', () => {
    const rival = spending([[parent, 0]], [2n * coin])
    const coins: Coin[] = [
      [child, 0],
      [rival, 0],
    ]
    expect(reported(pay(coins, [child, rival, parent]))).toEqual([
      `ancestor_conflict ${first}.inputs[0]`,
    ])
  })

  test('may not come from a rival of its own parent, however far back', () => {
    const rival = spending([[root, 0]], [9n * coin])
    const later = spending([[rival, 0]], [8n * coin])
    const coins: Coin[] = [
      [child, 0],
      [later, 0],
    ]
    expect(reported(pay(coins, [later, rival, child, parent, root]))).toEqual([
      'ancestor_conflict evidence.previousTransactions[3].inputs[0]',
    ])
  })

  test('is warned of another given transaction that spends the same output', () => {
    const rival = spending([[parent, 0]], [2n * coin])
    const report = pay([[parent, 0]], [parent, rival])
    expect(reported(report)).toEqual(['output_contested inputs[0]'])
    expect(report.ok).toBe(true)
    const heights = { [parent.txid]: 7, [rival.txid]: 0 }
    expect(reported(pay([[parent, 0]], [parent, rival], { heights }))).toEqual([
      'output_contested inputs[0]',
    ])
  })

  test('may not spend what a transaction in a block has spent', () => {
    const rival = spending([[parent, 0]], [2n * coin])
    const heights = { [parent.txid]: 7, [rival.txid]: 8 }
    expect(reported(pay([[parent, 0]], [parent, rival], { heights }))).toEqual([
      'output_spent inputs[0]',
    ])
  })

  test('is not told of itself, nor of what spends other outputs', () => {
    const itself = paymentOf([[parent, 0]])
    const beside = spending([[parent, 1]], [coin])
    const after = spending([[made(itself.hex), 0]], [coin], {
      inputs: [{ txid: itself.txid, vout: 0, scriptSig: '00', sequence: 0xffffffff }],
    })
    expect(reported(pay([[parent, 0]], [itself, parent, beside, after]))).toEqual([])
  })

  test('given the same parent twice, in either case of letters, agrees', () => {
    const upper = { ...parent, hex: parent.hex.toUpperCase() }
    expect(reported(pay([[parent, 0]], [parent, upper, parent]))).toEqual([])
  })

  test('comes to the same findings in slices', async () => {
    const forged = spending([[root, 0]], [4n * coin], { lockTime: 1 })
    const swapped = made(forged.hex.replace('0084d717', '0184d717'))
    expect(swapped.hex).not.toBe(forged.hex)
    const report = pay([[swapped, 0]], [swapped, root])
    expect(reported(report)).toEqual([`ancestor_signature ${first}.inputs[0].scriptSig`])
    const intent = {
      recipients: [{ script: p2pkh(b), amount: swapped.outputs[0]!.value - 10_000n }],
      own: [a],
      fee: 10_000n,
      spendable: [{ txid: swapped.txid, vout: 0 }],
    }
    const evidence = { previousTransactions: [swapped.hex, root.hex], tipHeight }
    expect(await verifyPaymentAsync(report.hex, intent, evidence)).toEqual({ ...report })
  })
})

describe('signatures of parents', () => {
  const root = earned(10n * coin)

  test.each([
    ['without the transaction that it spends', []],
    ['with it', [root]],
  ])('refuses a parent that is not signed, %s', (_, given) => {
    const inputs = [{ txid: root.txid, vout: 0, scriptSig: '', sequence: 0xffffffff }]
    const parent = earned(coin, { inputs })
    const report = pay([[parent, 0]], [parent, ...given])
    expect(reported(report)).toContain(`ancestor_signature ${first}.inputs[0].scriptSig`)
  })

  test('refuses a parent that another key has signed', () => {
    const stolen = earned(10n * coin, { outputs: [{ value: 10n * coin, script: p2pk(b) }] })
    const parent = spending([[root, 0]], [coin])
    const { inputs } = decodeTransaction(parent.hex)
    const forged = earned(coin, { inputs: [{ ...inputs[0]!, txid: stolen.txid }] })
    const report = pay([[forged, 0]], [forged, stolen])
    expect(reported(report)).toEqual([`ancestor_signature ${first}.inputs[0].scriptSig`])
    expect(report.findings[0]!.actual).toBe(`signature_mismatch, in ${forged.txid}`)
  })

  test('refuses it behind a parent that is rightly signed', () => {
    const inputs = [{ txid: root.txid, vout: 0, scriptSig: '0101', sequence: 0xffffffff }]
    const unsigned = earned(5n * coin, { inputs: [{ ...inputs[0]!, scriptSig: '' }] })
    const parent = spending([[unsigned, 0]], [coin])
    expect(reported(pay([[parent, 0]], [parent, unsigned, root]))).toEqual([
      'ancestor_signature evidence.previousTransactions[1].inputs[0].scriptSig',
    ])
  })

  test.each([
    ['what anybody may spend', '51'],
    ['a script of an unknown kind', '5187'],
  ])('takes an empty scriptSig that spends %s', (_, script) => {
    const open = earned(2n * coin, { outputs: [{ value: 2n * coin, script }] })
    const inputs = [{ txid: open.txid, vout: 0, scriptSig: '', sequence: 0xffffffff }]
    const parent = earned(coin, { inputs })
    expect(reported(pay([[parent, 0]], [parent, open]))).toEqual([])
  })

  test.each([
    ['a key hash', p2pkh(b)],
    ['a bare key', p2pk(b)],
    ['keys of which two sign', twoOfThree],
    ['a script hash', `a914${'00'.repeat(20)}87`],
    ['a condition', decodeTransaction(transferHex).outputs[0]!.script],
  ])('refuses an empty scriptSig that spends %s', (_, script) => {
    const locked = earned(2n * coin, { outputs: [{ value: 2n * coin, script }] })
    const inputs = [{ txid: locked.txid, vout: 0, scriptSig: '', sequence: 0xffffffff }]
    const parent = earned(coin, { inputs })
    expect(reported(pay([[parent, 0]], [parent, locked]))).toEqual([
      `ancestor_signature ${first}.inputs[0].scriptSig`,
    ])
  })

  test('checks no more of them than one transaction may have', () => {
    // 64 script hashes count as 16 signatures each: 1,024 in all
    const coins = 64
    const script = `a914${'00'.repeat(20)}87`
    const locked = (more: number) =>
      earned(coin, { outputs: Array(coins + more).fill({ value: coin, script }) })
    const check = (more: number) => {
      const { txid, outputs } = locked(more)
      const inputs = outputs.map((_, vout) => {
        return { txid, vout, scriptSig: '0151', sequence: 0xffffffff }
      })
      const parent = earned(coin, { inputs })
      return reported(pay([[parent, 0]], [parent, locked(more)]))
    }
    expect(check(0)).toEqual([`ancestor_signature ${first}.inputs[0].scriptSig`])
    expect(check(1)).toEqual([])
  })
})

describe('amounts that parents pay out', () => {
  const root = earned(10n * coin)

  test('refuses a parent that pays out more than it spends', () => {
    const exact = spending([[root, 0]], [10n * coin])
    expect(reported(pay([[exact, 0]], [exact, root]))).toEqual([])
    const more = spending([[root, 0]], [10n * coin + 1n])
    const report = pay([[more, 0]], [more, root])
    expect(reported(report)).toEqual([`ancestor_value ${first}.outputs`])
    expect(report.findings[0]).toMatchObject({
      expected: `at most ${10n * coin}`,
      actual: `${10n * coin + 1n}, in ${more.txid}`,
    })
  })

  test('leaves open what is paid out of transactions that were not given', () => {
    const second = earned(coin, { lockTime: 1 })
    const two: Coin[] = [
      [root, 0],
      [second, 0],
    ]
    const parent = spending(two, [12n * coin])
    expect(reported(pay([[parent, 0]], [parent, root]))).toEqual([])
    expect(reported(pay([[parent, 0]], [parent, root, second]))).toEqual([
      `ancestor_value ${first}.outputs`,
    ])
  })

  // komodo src/komodo_interest.cpp: at most five per cent, of ten coins and more with a lock time
  test('allows a reward on KMD, where coins accrue one', () => {
    const aged = earned(10n * coin, { lockTime: 1_700_000_000 })
    const claim = (extra: bigint, of: Made, network: Network) => {
      const parent = spending([[of, 0]], [10n * coin + extra], {}, network)
      return reported(pay([[parent, 0]], [parent, of], { network, tipTime: 1_800_000_000 })).filter(
        (it) => it.startsWith('ancestor'),
      )
    }
    const most = (10n * coin) / 20n
    expect(claim(most, aged, networks.komodo)).toEqual([])
    expect(claim(most + 1n, aged, networks.komodo)).toEqual([`ancestor_value ${first}.outputs`])
    expect(claim(1n, aged, networks.assetChain)).toEqual([`ancestor_value ${first}.outputs`])
    expect(claim(1n, root, networks.komodo)).toEqual([`ancestor_value ${first}.outputs`])
  })

  test('counts what leaves the shielded pool, and what enters it', () => {
    const shielded = (valueBalance: bigint) => {
      const parent = spending([[root, 0]], [11n * coin], { valueBalance })
      return reported(pay([[parent, 0]], [parent, root])).filter((it) =>
        it.startsWith('ancestor_value'),
      )
    }
    expect(shielded(coin)).toEqual([])
    expect(shielded(coin - 1n)).toEqual([`ancestor_value ${first}.outputs`])
    expect(shielded(-coin)).toEqual([`ancestor_value ${first}.outputs`])
  })

  test('counts what leaves the pool by a JoinSplit, and what enters it', () => {
    const check = (paid: bigint, vpubOld: bigint, vpubNew: bigint) => {
      const parent = spending([[root, 0]], [paid], joinSplitOf(vpubOld, vpubNew))
      return reported(pay([[parent, 0]], [parent, root]))
    }
    const refused = [`ancestor_value ${first}.outputs`]
    expect(check(11n * coin, 0n, coin)).toEqual([])
    expect(check(11n * coin + 1n, 0n, coin)).toEqual(refused)
    expect(check(9n * coin, coin, 0n)).toEqual([])
    expect(check(9n * coin + 1n, coin, 0n)).toEqual(refused)
  })

  const coinbaseInputs = [
    { txid: '00'.repeat(32), vout: 0xffffffff, scriptSig: '0151', sequence: 0xffffffff },
  ]

  test('takes a coinbase, and a coin imported from another chain, as they are', () => {
    const coinbase = earned(3n * coin, { inputs: coinbaseInputs })
    expect(reported(pay([[coinbase, 0]], [coinbase]))).toEqual(['immature_coinbase inputs[0]'])
    const imported = earned(coin, {
      inputs: [{ txid: root.txid, vout: 1_000_000_000, scriptSig: '', sequence: 0xffffffff }],
    })
    expect(reported(pay([[imported, 0]], [imported, root]))).toEqual([])
  })

  test('takes no import that spends an output as well for one', () => {
    const victim = earned(10n * coin, { outputs: [{ value: 10n * coin, script: p2pk(b) }] })
    const spent = { txid: victim.txid, vout: 0, scriptSig: '', sequence: 0xffffffff }
    const imported = { ...spent, txid: 'dd'.repeat(32), vout: 1_000_000_000, scriptSig: '0101' }
    const forged = earned(500n * coin, { inputs: [spent, imported] })
    expect(reported(pay([[forged, 0]], [forged, victim]))).toEqual([
      `ancestor_invalid ${first}.inputs[1].vout`,
      `ancestor_signature ${first}.inputs[0].scriptSig`,
      `ancestor_value ${first}.outputs`,
    ])
  })

  // komodo src/main.cpp, CheckTransactionWithoutProofVerification, bad-txns-valuebalance-nonzero
  test('refuses coins out of the shielded pool without a shielded part', () => {
    const parent = spending([[root, 0]], [11n * coin], { valueBalance: coin })
    expect(reported(pay([[parent, 0]], [parent, root]))).toEqual([
      `ancestor_invalid ${first}.valueBalance`,
    ])
  })

  test('leaves open what only a proof of the shielded pool would show', () => {
    const part = (bytes: number) => '11'.repeat(bytes)
    const shieldedSpends = [
      {
        cv: part(32),
        anchor: part(32),
        nullifier: part(32),
        rk: part(32),
        proof: part(192),
        spendAuthSig: part(64),
      },
    ]
    const more = { shieldedSpends, valueBalance: coin, bindingSig: part(64) }
    const parent = spending([[root, 0]], [11n * coin], more)
    const heights = { [parent.txid]: 0, [root.txid]: 7 }
    expect(reported(pay([[parent, 0]], [parent, root], { heights }))).toEqual([
      'unconfirmed_input inputs[0]',
      'ancestor_unproven inputs[0]',
    ])
  })

  // komodo src/primitives/transaction.h, IsCoinImport: exactly one input
  test.each([
    ['behind', [0, 1]],
    ['before', [1, 0]],
  ])('checks a parent with the input of an import %s another input', (_, order) => {
    const own = order.indexOf(0)
    const parentOf = (scriptSig: string, value: bigint) => {
      const inputs = [
        { txid: root.txid, vout: 0, scriptSig, sequence: 0xffffffff },
        { txid: 'dd'.repeat(32), vout: 1_000_000_000, scriptSig: '51', sequence: 0xffffffff },
      ]
      return earned(value, { inputs: order.map((at) => inputs[at]!) })
    }
    const invalid = `ancestor_invalid ${first}.inputs[${order.indexOf(1)}].vout`
    const unsigned = `ancestor_signature ${first}.inputs[${own}].scriptSig`
    const value = `ancestor_value ${first}.outputs`
    const check = (parent: Made) => reported(pay([[parent, 0]], [parent, root]))
    expect(check(parentOf('', 10n * coin + 1n))).toEqual([invalid, unsigned, value])
    expect(check(parentOf('', 10n * coin))).toEqual([invalid, unsigned])
    const { scriptSig } = decodeTransaction(spending([[root, 0]], [coin]).hex).inputs[0]!
    expect(check(parentOf(scriptSig, 10n * coin))).toEqual([invalid, unsigned])
  })

  // komodo src/serialize.h, MAX_SIZE: no transaction with more outputs can be read
  test.each([
    [0x01ffffff, false],
    [0x02000000, true],
  ])('refuses a parent that spends output %i of an unknown transaction: %s', (vout, isRefused) => {
    const parent = earned(coin, { inputs: [{ ...madeUpInputs[0]!, vout }] })
    const found = reported(pay([[parent, 0]], [parent]))
    const refusals = [`ancestor_invalid ${first}.inputs[0].vout`, `ancestor_value ${first}.outputs`]
    expect(found).toEqual(isRefused ? refusals : [])
  })

  test.each<[string, Partial<TransactionFields>, string]>([
    ['spends nothing', { inputs: [] }, '.inputs'],
    ['spends an output twice', { inputs: [...madeUpInputs, ...madeUpInputs] }, '.inputs[1]'],
    ['spends a null outpoint', { inputs: [...madeUpInputs, ...coinbaseInputs] }, '.inputs[1]'],
    [
      'spends an output that there is not',
      { inputs: [{ ...madeUpInputs[0]!, txid: root.txid, vout: 1 }] },
      '.inputs[0].vout',
    ],
    [
      'pays out less than nothing first',
      {
        outputs: [
          { value: -1n, script: p2pk(b) },
          { value: coin, script: p2pk(a) },
        ],
      },
      '.outputs[0].value',
    ],
    [
      'pays out less than nothing',
      {
        outputs: [
          { value: coin, script: p2pk(a) },
          { value: -1n, script: p2pk(b) },
        ],
      },
      '.outputs[1].value',
    ],
  ])('refuses a parent that %s', (_, more, where) => {
    const parent = earned(coin, more)
    const vout = parent.outputs.findIndex(({ value }) => value === coin)
    expect(reported(pay([[parent, vout]], [parent, root]))).toContain(
      `ancestor_invalid ${first}${where}`,
    )
  })

  test.each<[string, Partial<TransactionFields>]>([
    ['a shielded spend alone', { inputs: [], valueBalance: coin, ...shieldedSpend }],
    ['a shielded spend and a coin', shieldedSpend],
    ['a JoinSplit alone', { inputs: [], ...joinSplitOf(0n, coin) }],
    ['a JoinSplit and a coin', joinSplitOf(0n, coin)],
  ])('takes a parent that spends %s', (_, more) => {
    const parent = earned(coin, more)
    expect(reported(pay([[parent, 0]], [parent]))).toEqual([])
  })

  test('refuses a parent that pays out more than there may be', () => {
    const { maxMoney } = networks.komodo
    const outputs = (value: bigint) => [
      { value: coin, script: p2pk(a) },
      { value, script: p2pk(b) },
    ]
    const check = (value: bigint) => {
      const parent = earned(coin, { outputs: outputs(value) })
      return reported(pay([[parent, 0]], [parent], { network: networks.komodo }))
    }
    expect(check(maxMoney)).toEqual([])
    expect(check(maxMoney + 1n)).toEqual([`ancestor_invalid ${first}.outputs[1].value`])
  })

  test('names eight of a kind', () => {
    const coins = Array.from({ length: 9 }, (_, lockTime): Coin => {
      return [earned(coin, { inputs: [], lockTime }), 0]
    })
    const found = reported(
      pay(
        coins,
        coins.map(([it]) => it),
      ),
    )
    expect(found.filter((it) => it.startsWith('ancestor_invalid'))).toEqual(
      coins.slice(1).map((_, at) => `ancestor_invalid evidence.previousTransactions[${at}].inputs`),
    )
  })
})

describe('heights', () => {
  const root = earned(10n * coin)
  const parent = spending([[root, 0]], [5n * coin])

  test('say nothing where none were given', () => {
    expect(reported(pay([[parent, 0]], [parent], {}))).toEqual([])
  })

  test('warn of each input if the source knows none of the transactions', () => {
    const report = pay([[parent, 0]], [parent], { heights: {} })
    expect(reported(report)).toEqual(['height_unknown inputs[0]'])
  })

  test('refuse a parent above the tip', () => {
    const at = (height: number) =>
      reported(pay([[parent, 0]], [parent], { heights: { [parent.txid]: height } }))
    expect(at(tipHeight)).toEqual([])
    expect(at(tipHeight + 1)).toEqual([`ancestor_height ${first}`])
  })

  test('compare with no tip where none was given', () => {
    const check = (heights: Record<string, number>) => {
      const { hex } = paymentOf([[parent, 0]])
      const terms = {
        recipients: [{ script: p2pkh(b), amount: 5n * coin - 10_000n }],
        own: [a],
        fee: 10_000n,
        spendable: [{ txid: parent.txid, vout: 0 }],
      }
      const previousTransactions = [parent.hex, root.hex]
      return reported(verifyPayment(hex, terms, { previousTransactions, heights }))
    }
    const without = ['expiry_not_checked expiryHeight']
    expect(check({ [parent.txid]: tipHeight })).toEqual(without)
    expect(check({ [root.txid]: 0 })).toEqual([...without, 'height_unknown inputs[0]'])
    expect(check({ [parent.txid]: 7, [root.txid]: 8 })).toEqual([
      ...without,
      `ancestor_height ${first}`,
    ])
  })

  test('refuse an ancestor above the tip, and one above what spends it', () => {
    const at = (of: number, height: number) =>
      reported(
        pay([[parent, 0]], [parent, root], {
          heights: { [parent.txid]: height, [root.txid]: of },
        }),
      )
    expect(at(7, 7)).toEqual([])
    expect(at(7, 8)).toEqual([])
    expect(at(8, 7)).toEqual([`ancestor_height ${first}`])
    expect(at(0, 7)).toEqual([`ancestor_height ${first}`])
    expect(at(tipHeight + 1, 0)).toContain('ancestor_height evidence.previousTransactions[1]')
  })

  test('warn of a parent that has none', () => {
    const other = earned(coin, { lockTime: 1 })
    const coins: Coin[] = [
      [parent, 0],
      [other, 0],
    ]
    const report = pay(coins, [parent, other], { heights: { [parent.txid.toUpperCase()]: 7 } })
    expect(reported(report)).toEqual(['height_unknown inputs[1]'])
    expect(report.findings).toMatchObject([
      { code: 'height_unknown', path: 'inputs[1]', actual: other.txid },
    ])
    expect(report.ok).toBe(true)
  })

  test('warn of a parent in no block, which is checked as far as it was given', () => {
    const heights = { [parent.txid]: 0, [root.txid]: 7 }
    expect(reported(pay([[parent, 0]], [parent, root], { heights }))).toEqual([
      'unconfirmed_input inputs[0]',
    ])
    const report = pay([[parent, 0]], [parent], { heights })
    expect(reported(report)).toEqual(['unconfirmed_input inputs[0]', 'ancestor_unproven inputs[0]'])
    expect(report.findings[1]!.actual).toBe(parent.txid)
    expect(report.ok).toBe(true)
  })

  test('warn of an ancestor in no block behind a parent in none', () => {
    const child = spending([[parent, 0]], [coin])
    const heights = { [child.txid]: 0, [parent.txid]: 0, [root.txid]: 7 }
    const report = pay([[child, 0]], [child, parent, root], { heights })
    expect(reported(report)).toEqual([
      'unconfirmed_input inputs[0]',
      'ancestor_unconfirmed inputs[0]',
    ])
    expect(report.findings[1]!.actual).toBe(parent.txid)
    // There is no further evidence about the ancestors behind it.
    const { [root.txid]: _, ...fewer } = heights
    expect(reported(pay([[child, 0]], [child, parent, root], { heights: fewer }))).toEqual(
      reported(report),
    )
  })

  test('behind a parent in a block nothing is left open', () => {
    const child = spending([[parent, 0]], [coin])
    const heights = { [child.txid]: 9 }
    expect(reported(pay([[child, 0]], [child, parent], { heights }))).toEqual([])
  })

  test.each([
    ['in no block, at the tip', tipHeight, 0, true],
    ['in no block, one above the tip', tipHeight + 1, 0, false],
    ['in a block above its expiry', 6, 7, true],
    ['in a block at its expiry', 7, 7, false],
    ['that never expires', 0, 0, false],
  ])('refuse a parent that expired: %s', (_, expiryHeight, height, isRefused) => {
    const expiring = spending([[root, 0]], [coin], { expiryHeight })
    const heights = { [expiring.txid]: height, [root.txid]: 5 }
    const found = reported(pay([[expiring, 0]], [expiring, root], { heights }))
    expect(found.includes(`ancestor_expired ${first}.expiryHeight`)).toBe(isRefused)
  })

  test('leave the expiry of a parent open where no height is known', () => {
    const expiring = spending([[root, 0]], [coin], { expiryHeight: 6 })
    expect(reported(pay([[expiring, 0]], [expiring, root]))).toEqual([])
    const { tipHeight: _, ...none } = { tipHeight }
    const heights = { [expiring.txid]: 0, [root.txid]: 5 }
    const report = pay([[expiring, 0]], [expiring, root], { heights, ...none, tipHeight: 5 })
    expect(reported(report)).not.toContain(`ancestor_expired ${first}.expiryHeight`)
  })

  const tipTime = 1_700_000_000
  // komodo src/main.cpp, IsFinalTx: inputs of 0xfffffffe are final in the block of the lock time
  // itself, and before the fork of lock times they were in earlier ones
  test.each([
    ['by a height after the next block', tipHeight + 1, 0, [0xfffffffe, 0]],
    ['by a height, in the next block', tipHeight, 0, [0]],
    ['by a height that has passed', tipHeight - 1, 0, []],
    ['by a height, in an earlier block', 8, 7, [0]],
    ['by a height, in its own block', 7, 7, [0]],
    ['by a height before its own block', 6, 7, []],
    ['by a time after any that a clock has reached', tipTime + 7201, 0, [0xfffffffe, 0]],
    ['by the last time that a clock may have reached', tipTime + 7200, 0, [0]],
    ['by a time within what clocks differ', tipTime + 7199, 0, []],
  ])('refuse a parent that is locked: %s', (_, lockTime, height, refused) => {
    const inputs = [{ txid: root.txid, vout: 0, scriptSig: '' }]
    const lockedBy = (sequence: number) => {
      const locked = spending([[root, 0]], [coin], {
        inputs: [{ ...inputs[0]!, sequence }],
        lockTime,
      })
      const heights = { [locked.txid]: height, [root.txid]: 5 }
      const tip = { tipTime, tipHeight: tipHeight - 1 }
      return reported(pay([[locked, 0]], [locked, root], { heights, ...tip })).includes(
        `ancestor_locked ${first}.lockTime`,
      )
    }
    expect([0xffffffff, 0xfffffffe, 0].filter(lockedBy)).toEqual(refused)
  })

  /** Returns true if a parent is refused that spends two coins with these sequences. */
  const isLocked = (
    sequences: readonly [number, number],
    lockTime: number,
    { height, ...tip }: { readonly height?: number; readonly tipTime?: number },
  ) => {
    const coins = [earned(coin), earned(coin, { lockTime: 1 })].map((it): Coin => [it, 0])
    const inputs = coins.map(([{ txid }, vout], at) => {
      return { txid, vout, scriptSig: '', sequence: sequences[at]! }
    })
    const locked = spending(coins, [coin], { inputs, lockTime })
    const given = [locked, ...coins.map(([it]) => it)]
    const heights = height === undefined ? {} : { [locked.txid]: height }
    const report = pay([[locked, 0]], given, { ...tip, heights })
    return reported(report).includes(`ancestor_locked ${first}.lockTime`)
  }

  test('refuse a parent at its own lock time unless all of its inputs are as daemons make them', () => {
    const own = { height: 7, tipTime }
    expect(isLocked([0xfffffffe, 0xffffffff], 7, own)).toBe(false)
    expect(isLocked([0xfffffffe, 0], 7, own)).toBe(true)
    expect(isLocked([0, 0xfffffffe], 7, own)).toBe(true)
  })

  test('leave a lock by a time open where no height, or no time, is known', () => {
    const late = tipTime + 100_000
    expect(isLocked([0, 0], late, { height: 0, tipTime })).toBe(true)
    expect(isLocked([0, 0], late, { tipTime })).toBe(false)
    expect(isLocked([0, 0], late, { height: 0 })).toBe(false)
  })
})

// komodo src/cc/CCtokens.cpp: of 1000 units, 900 are A's after the recorded transfer
describe('tokens', () => {
  const parent = { ...made(transferHex), change: 1 }
  const nativeCoin = unspentCoin(p2pk(a))
  const all = chain.map(({ hex }) => hex)
  const built = (tokenCoins: readonly { txid: string; vout: number }[], more: readonly string[]) =>
    buildTokenTransfer({
      tokenid,
      recipients: [{ pubkey: b, amount: 1500n }],
      from: a,
      tokenCoins,
      coins: [nativeCoin],
      previousTransactions: [...more, ...all],
      tipHeight,
    })

  test('may not be spent together with what they became', () => {
    const child = buildTokenTransfer({
      tokenid,
      recipients: [{ pubkey: a, amount: 900n }],
      from: a,
      tokenCoins: [{ txid: parent.txid, vout: parent.change }],
      coins: [{ txid: parent.txid, vout: 2 }],
      previousTransactions: all,
      tipHeight,
    })
    const signedChild = made(signTransaction(child.hex, keys, child.coins).hex)
    const both = [
      { txid: parent.txid, vout: parent.change },
      { txid: signedChild.txid, vout: 0 },
    ]
    const twice = built(both, [signedChild.hex])
    const { hex } = signTransaction(twice.hex, keys, twice.coins)
    const previousTransactions = [signedChild.hex, transferHex, chainTransaction(tokenid)]
    const report = verifyTokenTransfer(hex, twice.intent, {
      previousTransactions: [...previousTransactions, chainTransaction(nativeCoin.txid)],
      tipHeight,
    })
    reported(report)
    const rejects = report.findings.filter(({ severity }) => severity === 'reject')
    expect(rejects.map(({ code }) => code)).toEqual(['token_supply', 'ancestor_conflict'])
    expect(report.ok).toBe(false)
  })

  test('may not be more than their creation issued, whatever ancestors are missing', () => {
    // the supply itself, and what it became, without what shows that
    const issued = { txid: tokenid, vout: 1 }
    const later = transfer.inputs.some(({ txid }) => txid === tokenid)
    expect(later).toBe(true)
    const twice = built([issued, { txid: parent.txid, vout: parent.change }], [])
    const { hex } = signTransaction(twice.hex, keys, twice.coins)
    const stripped = made(transferHex)
    const evidence = {
      previousTransactions: [
        stripped.hex,
        chainTransaction(tokenid),
        chainTransaction(nativeCoin.txid),
      ],
      tipHeight,
    }
    const report = verifyTokenTransfer(hex, twice.intent, evidence)
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        code: 'token_supply',
        expected: 'at most 1000',
        actual: 1900n,
      }),
    )
  })
})

testUnless(inMutationRun)('every finding about ancestors has been seen', () => {
  const ofAncestors = findingCodes().filter((code) =>
    /^(?:ancestor_|output_(?:spent|contested)|token_supply|height_unknown)/.test(code),
  )
  expect(ofAncestors.filter((code) => !seen.has(code))).toEqual([])
  expect(ofAncestors.length).toBeGreaterThan(5)
})
