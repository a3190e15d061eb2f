// The order and the limits of the checks of sendrawtransaction, in the daemon's words:
// komodo src/rpc/rawtransaction.cpp, sendrawtransaction; src/main.cpp, AcceptToMemoryPool,
// CheckTransaction, Consensus::CheckTxInputs.

import { describe, expect, test } from 'vitest'

import { encodeTransaction, networks, signTransaction } from '../../src/index.ts'
import type { AcceptOptions } from '../../src/node/consensus/accept.ts'
import { createEngine, type Engine } from '../../src/node/engine.ts'
import type { ChainProfile } from '../../src/node/profile.ts'
import { p2pkh, p2sh } from '../support/payments.ts'
import { a, b, privateKeys } from '../support/resigned.ts'

const time = 1_795_000_000
const own = p2pkh(a)
const coin = 20_000_000_000n

interface Output {
  readonly value: bigint
  readonly script: string
}

/** A chain with these outputs, which can be spent, and transactions of them. */
function chainWith(...given: readonly Output[]) {
  return chainOf({}, given)
}

function chainOf(profile: Partial<ChainProfile>, given: readonly Output[]) {
  const engine = createEngine({ time, profile: { maturity: 1, ...profile } })
  const [mint] = engine.mine({ script: own, faucetOutputs: given }).transactions
  engine.mine({ script: own })
  const outpoint = (at: number) => {
    const { value, script } = given[at]!
    const vout = mint!.transaction.outputs.findIndex(
      (it, index) => index > at && it.value === value && it.script === script,
    )
    return { txid: mint!.txid, vout, value, script }
  }
  return { engine, coins: given.map((_, at) => outpoint(at)) }
}

interface Spent extends Output {
  readonly txid: string
  readonly vout: number
}

/** A transaction before it is signed. */
function unsigned(
  coins: readonly Omit<Spent, keyof Output>[],
  outputs: readonly Output[],
  { scriptSig = '', lockTime = 0 } = {},
): string {
  return encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: coins.map(({ txid, vout }) => ({ txid, vout, scriptSig, sequence: 0 })),
    outputs,
    lockTime,
    expiryHeight: 0,
    valueBalance: 0n,
    shieldedSpends: [],
    shieldedOutputs: [],
    joinSplits: [],
  })
}

/** A transaction that spends coins of A. */
function spending(coins: readonly Spent[], outputs: readonly Output[], lockTime = 0): string {
  const tx = unsigned(coins, outputs, { lockTime })
  return signTransaction(tx, [privateKeys.get(a)!], coins, networks.assetChain).hex
}

const toBob = (value: bigint): Output => ({ value, script: p2pkh(b) })

/** The fee of a transaction that is accepted, or the daemon's code and words. */
function answerTo(engine: Engine, hex: string, options?: AcceptOptions): string {
  const answer = engine.admit(hex, options)
  return answer.ok ? `fee ${answer.fee}` : `${answer.code} ${answer.message}`
}

describe('sendrawtransaction', () => {
  test('refuses text that is not a transaction', () => {
    const { engine } = chainWith()
    expect(engine.admit('zz')).toEqual({ ok: false, code: -22, message: 'TX decode failed' })
  })

  test('names a transaction that is in the chain', () => {
    const { engine, coins } = chainWith({ value: coin, script: own })
    const hex = spending(coins, [toBob(coin - 10_000n)])
    expect(engine.broadcast(hex)).toMatchObject({ ok: true, isKnown: false, fee: 10_000n })
    expect(engine.admit(hex)).toMatchObject({ ok: true, isKnown: true, fee: 10_000n })
    engine.mine({ script: own })
    expect(engine.admit(hex)).toEqual({
      ok: false,
      code: -27,
      message: 'transaction already in block chain',
    })
  })

  const { engine, coins } = chainWith({ value: coin, script: own })
  const first = coins[0]!
  const paid = toBob(coin - 10_000n)
  const unknown = { ...first, txid: '77'.repeat(32) }
  const supply = engine.state.chain.tip.supply - 50_00000000n

  test.each<[string, string, string]>([
    ['a payment', spending([first], [paid]), 'fee 10000'],
    ['a payment without a fee', spending([first], [toBob(coin)]), 'fee 0'],
    ['a transaction without outputs', unsigned([first], []), '-26 16: bad-txns-vout-empty'],
    [
      'a version before Overwinter',
      encodeTransaction({
        version: 1,
        overwintered: false,
        inputs: [{ txid: first.txid, vout: first.vout, scriptSig: '', sequence: 0 }],
        outputs: [paid],
        lockTime: 0,
      }),
      '-26 16: tx-overwinter-active',
    ],
    [
      'a coinbase',
      unsigned([{ txid: '00'.repeat(32), vout: 0xffffffff }], [paid], { scriptSig: '0101' }),
      '-26 16: coinbase',
    ],
    [
      'an output that is not standard',
      spending([first], [{ ...paid, script: '51' }]),
      '-26 64: scriptpubkey',
    ],
    ['a lock in the future', spending([first], [paid], time + 86_400), '-26 64: non-final'],
    ['an output of nobody', spending([unknown], [paid]), '-25 Missing inputs'],
    ['an output of nobody beside a coin', spending([first, unknown], [paid]), '-25 Missing inputs'],
    ['more than there is', spending([first], [toBob(supply + 1n)]), '-26 16: bad-txns-in-belowout'],
    ['more than it spends', spending([first], [toBob(coin + 1n)]), '-26 16: bad-txns-in-belowout'],
    [
      'a signature of another amount',
      spending([{ ...first, value: coin - 1n }], [paid]),
      '-26 16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)',
    ],
  ])('answers %s', (_, hex, words) => {
    expect(answerTo(engine, hex)).toBe(words)
  })

  test('tells a coin that waits to be spent from one that was spent', () => {
    const { engine, coins } = chainWith({ value: coin, script: own }, { value: coin, script: own })
    const [first, second] = coins as [Spent, Spent]
    const parent = spending(
      [first],
      [
        { value: 1_000_000n, script: own },
        { value: coin - 1_010_000n, script: own },
      ],
    )
    const { txid } = (engine.broadcast(parent) as { transaction: { txid: string } }).transaction
    const rival = spending([first, second], [toBob(coin)])
    expect(answerTo(engine, rival)).toBe('-26 16: mempool conflict')
    // An output of a waiting transaction may be spent.
    const change = { txid, vout: 1, value: coin - 1_010_000n, script: own }
    const child = spending([change], [toBob(coin - 1_020_000n)])
    expect(answerTo(engine, child)).toBe('fee 10000')
    expect(engine.broadcast(child)).toMatchObject({ ok: true })
    engine.mine({ script: own })
    const again = spending([change, second], [toBob(coin)])
    expect(answerTo(engine, again)).toBe('-26 18: bad-txns-inputs-spent')
    // A parent whose outputs are all spent is as unknown as one that never was.
    const last = spending([{ value: 1_000_000n, script: own, txid, vout: 0 }], [toBob(990_000n)])
    expect(engine.broadcast(last)).toMatchObject({ ok: true })
    engine.mine({ script: own })
    expect(answerTo(engine, again)).toBe('-25 Missing inputs')
  })

  test('calls a fee absurd above a nineteenth of the outputs, unless high fees are allowed', () => {
    const { engine, coins } = chainWith({ value: coin, script: own })
    const atLimit = spending(coins, [toBob(19_000_000_000n)])
    expect(answerTo(engine, atLimit)).toBe('fee 1000000000')
    const above = spending(coins, [toBob(18_999_999_999n)])
    expect(answerTo(engine, above)).toMatch(
      /^-25 AcceptToMemoryPool: absurdly high fees [0-9a-f]{64}, 1000000001 > \d+$/,
    )
    expect(answerTo(engine, above, { allowHighFees: true })).toBe('fee 1000000001')
  })

  // komodo src/komodo_defs.h, KOMODO_VALUETOOBIG; src/main.cpp, AcceptToMemoryPool
  test('refuses a payment that is too large for any chain before it compares its inputs', () => {
    const { maxMoney } = networks.assetChain
    const { engine, coins } = chainOf({ maxMoney }, [{ value: coin, script: own }])
    const most = (10_000_000_001n + 777_777n) * 100_000_000n
    const answer = (value: bigint) => answerTo(engine, spending(coins, [toBob(value)]))
    expect(answer(most)).toBe('-26 16: bad-txns-in-belowout')
    expect(answer(most + 1n)).toBe('-26 16: tx valueout is too big')
  })

  test('counts no more coins than there may be', () => {
    const { maxMoney } = createEngine().rules.network
    const { engine, coins } = chainWith(
      { value: maxMoney, script: own },
      { value: 1n, script: own },
    )
    const all = spending(coins.slice(0, 1), [toBob(1_000_000n)])
    expect(answerTo(engine, all, { allowHighFees: true })).toBe(`fee ${maxMoney - 1_000_000n}`)
    const more = spending(coins, [toBob(1_000_000n)])
    expect(answerTo(engine, more, { allowHighFees: true })).toBe(
      '-26 16: bad-txns-inputvalues-outofrange',
    )
  })

  // fifteen signature operations each, and a transaction has 4,000 at most
  test('counts the signature operations of redeem scripts', () => {
    const shared = Array.from({ length: 267 }, () => ({ value: 1_000_000n, script: p2sh('5fae') }))
    const { engine, coins } = chainWith(...shared)
    const redeeming = (count: number) => {
      const spent = coins.slice(0, count).map(({ txid }, at) => ({ txid, vout: at + 1 }))
      const paid = toBob(1_000_000n * BigInt(count) - 10_000n)
      return unsigned(spent, [paid], { scriptSig: '025fae' })
    }
    expect(answerTo(engine, redeeming(267))).toMatch(/sigops/)
    expect(answerTo(engine, redeeming(266))).toMatch(/redeem scripts/)
  })
})
