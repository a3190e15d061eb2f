// Shielded parts as text: those of transactions that the daemon's authors made, beside each other
// in every form that this library writes.

import { describe, expect, test } from 'vitest'
import {
  decodeRawTransaction,
  decodeTransaction,
  encodeTransaction,
  type Transaction,
} from '../../../src/index.ts'
import { decodeWithTxid } from '../../../src/transaction/decode.ts'
import { transactionJson } from '../../../src/transaction/transaction-json.ts'
import { shareOf } from '../../support/share.ts'
import { readVectors } from '../../support/vectors.ts'

const { rows } = readVectors<{ rows: [hex: string][] }>('signing/komodo-sighash.json')
const all = shareOf(rows, 0, 4).map(([hex]) => ({ hex, tx: decodeTransaction(hex) }))
const withJoinSplits = all.filter(({ tx }) => tx.joinSplits.length > 0)
const withSpends = all.filter(({ tx }) => tx.shieldedSpends.length > 0)
const withOutputs = all.filter(({ tx }) => tx.shieldedOutputs.length > 0)
const plain = all.filter(
  ({ tx }) =>
    tx.joinSplits.length + tx.shieldedSpends.length + tx.shieldedOutputs.length === 0 &&
    tx.inputs.length > 1,
)

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? it.toString() : it))
}

/** The members of `Transaction`, in their order. */
function inOrder(tx: Transaction): object {
  const { txid, version, overwintered, versionGroupId, inputs, outputs, lockTime } = tx
  const { expiryHeight, valueBalance, shieldedSpends, shieldedOutputs, joinSplits } = tx
  const { joinSplitPubKey, joinSplitSig, bindingSig } = tx
  return {
    txid,
    version,
    overwintered,
    versionGroupId,
    inputs,
    outputs,
    lockTime,
    expiryHeight,
    valueBalance,
    shieldedSpends,
    shieldedOutputs,
    joinSplits,
    joinSplitPubKey,
    joinSplitSig,
    bindingSig,
  }
}

test('transactions with every shielded part were made by the authors', () => {
  const counts = [withJoinSplits, withSpends, withOutputs, plain].map(({ length }) => length)
  expect(Math.min(...counts)).toBeGreaterThan(5)
})

describe('the JSON of a transaction', () => {
  test.each([
    ['with joinsplits', withJoinSplits],
    ['with shielded spends', withSpends],
    ['with shielded outputs', withOutputs],
    ['without shielded parts', plain],
    ['of each kind', all],
  ])('%s is what JSON.stringify writes', (_, some) => {
    for (const { tx } of some) {
      const text = transactionJson(tx)
      expect(JSON.parse(text)).toEqual(JSON.parse(textOf(inOrder(tx))))
      expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(JSON.parse(textOf(inOrder(tx)))))
    }
  })

  test.each(['shieldedSpends', 'shieldedOutputs', 'joinSplits'] as const)(
    'has %s alone too',
    (name) => {
      const { tx } = all.find(
        ({ tx: it }) => it.overwintered === (name !== 'joinSplits') && it[name].length > 0,
      )!
      const others = (['shieldedSpends', 'shieldedOutputs', 'joinSplits'] as const).filter(
        (it) => it !== name,
      )
      const parts = { ...inOrder(tx), ...Object.fromEntries(others.map((it) => [it, []])) }
      expect(JSON.parse(transactionJson(parts as unknown as Transaction))).toEqual(
        JSON.parse(textOf(parts)),
      )
    },
  )

  test('has its txid when it is passed to JSON.stringify', () => {
    const { tx, hex } = plain[0]!
    const parsed = JSON.parse(textOf(decodeTransaction(hex)))
    expect(parsed.txid).toBe(tx.txid)
    expect(Object.keys(parsed)).toContain('outputs')
  })
})

/** The daemon prints numbers of 32 bytes from the highest byte on: komodo src/uint256.cpp, GetHex. */
function shown<Fields extends object>(fields: Fields): object {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'string' || value.length !== 64) return value
    return Buffer.from(value, 'hex').reverse().toString('hex')
  }
  return Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, reversed(it)]))
}

interface Printed {
  overwintered?: boolean
  version: number
  versiongroupid?: string
  expiryheight?: number
  size?: number
  valueBalance?: number
  vShieldedSpend?: object[]
  vShieldedOutput?: object[]
  bindingSig?: string
  vjoinsplit?: Record<string, unknown>[]
}

// source: komodo src/rpc/rawtransaction.cpp, TxToJSON, TxJoinSplitToJSON, TxShieldedSpendsToJSON and
// TxShieldedOutputsToJSON
describe.each(['current', 'legacy'] as const)('the JSON of the %s daemon', (dialect) => {
  const printed = () =>
    all.map(({ hex, tx }) => ({
      tx,
      hex,
      it: JSON.parse(decodeRawTransaction(hex, { dialect })) as Printed,
    }))

  test('names the version, its group, and the expiry where they exist', () => {
    for (const { tx, hex, it } of printed()) {
      expect(it.version).toBe(tx.version)
      expect(it.overwintered ?? false).toBe(tx.overwintered)
      expect('versiongroupid' in it).toBe(tx.overwintered)
      expect('expiryheight' in it).toBe(tx.overwintered)
      if (tx.overwintered) {
        expect(it.versiongroupid).toBe(tx.versionGroupId!.toString(16).padStart(8, '0'))
        expect(it.expiryheight).toBe(tx.expiryHeight)
      }
      expect(it.size).toBe(dialect === 'legacy' ? hex.length / 2 : undefined)
    }
  })

  test('has the spends, outputs and signature of Sapling from version 4 on', () => {
    let signed = 0
    for (const { tx, it } of printed()) {
      const isSapling = tx.overwintered && tx.version >= 4
      expect('valueBalance' in it).toBe(isSapling)
      expect(it.vShieldedSpend).toEqual(
        isSapling
          ? tx.shieldedSpends.map(({ cv, anchor, nullifier, rk, proof, spendAuthSig }) =>
              shown({ cv, anchor, nullifier, rk, proof, spendAuthSig }),
            )
          : undefined,
      )
      expect(it.vShieldedOutput).toEqual(
        isSapling
          ? tx.shieldedOutputs.map((output) =>
              shown({
                cv: output.cv,
                cmu: output.cmu,
                ephemeralKey: output.ephemeralKey,
                encCiphertext: output.encCiphertext,
                outCiphertext: output.outCiphertext,
                proof: output.proof,
              }),
            )
          : undefined,
      )
      expect(it.bindingSig).toBe(tx.bindingSig)
      if (tx.bindingSig !== undefined) signed += 1
    }
    expect(signed).toBeGreaterThan(5)
  })

  test('has the joinsplits of a transaction', () => {
    for (const { tx, it } of printed()) {
      // The older form leaves an empty list out.
      const isShown = dialect === 'current' || tx.joinSplits.length > 0
      expect(it.vjoinsplit).toEqual(
        isShown
          ? tx.joinSplits.map((joinSplit) => ({
              ...shown({
                anchor: joinSplit.anchor,
                nullifiers: joinSplit.nullifiers,
                commitments: joinSplit.commitments,
                onetimePubKey: joinSplit.ephemeralKey,
                randomSeed: joinSplit.randomSeed,
                macs: joinSplit.macs,
              }),
              vpub_old: expect.any(Number),
              vpub_oldZat: Number(joinSplit.vpubOld),
              vpub_new: expect.any(Number),
              vpub_newZat: Number(joinSplit.vpubNew),
              proof: joinSplit.proof,
              ciphertexts: joinSplit.ciphertexts,
            }))
          : undefined,
      )
    }
  })
})

describe('a decode that computes the txid at once', () => {
  test('gives what the decode gives, from hex of either case and from bytes', () => {
    for (const { hex, tx } of all) {
      for (const source of [hex, hex.toUpperCase(), Buffer.from(hex, 'hex')]) {
        const decoded = decodeWithTxid(source)
        expect(decoded).toEqual(tx)
        expect(decoded.txid).toBe(tx.txid)
        expect(encodeTransaction(decoded)).toBe(hex)
      }
    }
  })
})

test.each(['nullifiers', 'commitments', 'macs', 'ciphertexts'] as const)(
  'refuses to encode a joinsplit with one or three %s',
  (name) => {
    const { tx } = withJoinSplits[0]!
    const [first, ...rest] = tx.joinSplits
    for (const parts of [first![name].slice(0, 1), [...first![name], first![name][0]!]]) {
      const joinSplits = [{ ...first!, [name]: parts as unknown as [string, string] }, ...rest]
      expect(() => encodeTransaction({ ...tx, joinSplits })).toThrow(
        new TypeError(`joinSplits[0].${name}: expected two, got ${parts.length}`),
      )
    }
  },
)
