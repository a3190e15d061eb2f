// These tests ask a node that is forked from a daemon about transactions of both chains: ADR 0034.
// A stand-in with a few transactions is that daemon.

import { describe, expect, test } from 'vitest'

import { encodeTransaction, networks, signTransaction } from '../../src/index.ts'
import { createEngine } from '../../src/node/engine.ts'
import type { BaseChain } from '../../src/node/state/base-chain.ts'
import {
  type StoredTransaction,
  storedTransaction,
} from '../../src/node/state/stored-transaction.ts'
import type { Outpoint, TransactionOutput } from '../../src/transaction/types.ts'
import { p2pkh } from '../support/payments.ts'
import { a, b, privateKeys } from '../support/resigned.ts'

const own = p2pkh(a)
const coin = 20_000_000_000n
const toBob = (value: bigint): TransactionOutput => ({ value, script: p2pkh(b) })

function unsigned(inputs: readonly Outpoint[], outputs: readonly TransactionOutput[]): string {
  return encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: inputs.map(({ txid, vout }) => ({ txid, vout, scriptSig: '', sequence: 0 })),
    outputs,
    lockTime: 0,
  })
}

/** A transaction that spends coins of A. */
function signed(
  coins: readonly (Outpoint & TransactionOutput)[],
  outputs: readonly TransactionOutput[],
): string {
  const tx = unsigned(coins, outputs)
  return signTransaction(tx, [privateKeys.get(a)!], coins, networks.assetChain).hex
}

/** A transaction of the daemon that pays a coin to A. */
const below = storedTransaction(
  unsigned([{ txid: '55'.repeat(32), vout: 0 }], [{ value: coin, script: own }]),
)

/** A daemon with `below` in a block, and with transactions that wait. */
function daemonWith(...waiting: readonly StoredTransaction[]) {
  const asked: Outpoint[][] = []
  const base = {
    height: 0,
    transaction(txid: string) {
      if (txid === below.txid) return { stored: below, height: 0 }
      const stored = waiting.find((it) => it.txid === txid)
      return stored && { stored, height: undefined }
    },
    coin: (txid: string, vout: number) =>
      txid === below.txid && vout === 0
        ? { value: coin, script: own, height: 0, coinbase: false }
        : undefined,
    isSpentInMempool: () => false,
    hasCoins: (txid: string) => txid === below.txid,
    expect: (outpoints: readonly Outpoint[]) => {
      asked.push(outpoints.map(({ txid, vout }) => ({ txid, vout })))
    },
  } as unknown as BaseChain
  return { base, asked }
}

/** A node on top of the daemon, with a coin of its own blocks that pays A. */
function nodeOn({ base }: { base: BaseChain }) {
  const engine = createEngine({ time: 1_795_000_000, profile: { maturity: 1 } })
  const faucetOutputs = [{ value: coin, script: own }]
  const [mint] = engine.mine({ script: own, faucetOutputs }).transactions
  engine.mine({ script: own })
  engine.startFrom({ ...engine.state.chain, base })
  const vout = mint!.transaction.outputs.findLastIndex(({ value }) => value === coin)
  return { engine, minted: { txid: mint!.txid, vout } }
}

describe('a transaction that waits at the daemon', () => {
  test.each<[string, Outpoint[], bigint]>([
    ['what the outputs of its parent leave', [{ txid: below.txid, vout: 0 }], 10_000n],
    [
      'nothing for an output that its parent does not have',
      [
        { txid: below.txid, vout: 0 },
        { txid: below.txid, vout: 9 },
      ],
      10_000n,
    ],
    [
      'nothing for a parent that the daemon does not show',
      [
        { txid: '77'.repeat(32), vout: 0 },
        { txid: below.txid, vout: 0 },
      ],
      10_000n,
    ],
  ])('is known, and its fee counts %s', (_, inputs, fee) => {
    const waiting = storedTransaction(unsigned(inputs, [toBob(coin - 10_000n)]))
    const { engine } = nodeOn(daemonWith(waiting))
    expect(engine.admit(waiting.hex)).toEqual({
      ok: true,
      transaction: waiting,
      fee,
      isKnown: true,
    })
  })
})

test('a child of what waits at the daemon is accepted', () => {
  const outputs = [{ value: coin - 10_000n, script: own }]
  const waiting = storedTransaction(unsigned([{ txid: below.txid, vout: 0 }], outputs))
  const { engine } = nodeOn(daemonWith(waiting))
  const parent = { txid: waiting.txid, vout: 0, ...outputs[0]! }
  const hex = signed([parent], [toBob(coin - 30_000n)])
  expect(engine.admit(hex)).toMatchObject({ ok: true, fee: 20_000n, isKnown: false })
})

test('a spend of both chains asks the daemon at once for what is not the own chain', () => {
  const daemon = daemonWith()
  const { engine, minted } = nodeOn(daemon)
  const coins = [minted, { txid: below.txid, vout: 0 }].map((it) => ({
    ...it,
    value: coin,
    script: own,
  }))
  const hex = signed(coins, [toBob(2n * coin - 10_000n)])
  expect(engine.admit(hex)).toMatchObject({ ok: true, fee: 10_000n, isKnown: false })
  expect(daemon.asked).toEqual([[{ txid: below.txid, vout: 0 }]])
})
