import { describe, expect, test } from 'vitest'

import {
  type InclusionProof,
  inclusionFault,
  verifyInclusion,
} from '../../../src/electrum/index.ts'
import { decodeTransaction } from '../../../src/index.ts'
import { publicBlocks } from '../../support/headers.ts'
import { branchOf, parent, reversed, rowsOf } from '../../support/merkle.ts'
import { leadingTransactions } from '../../support/transactions.ts'

/** Every transaction of every block, with the proof that a server gives. */
const inclusions = publicBlocks.flatMap(({ chain, txids, header, body }) => {
  const transactions = leadingTransactions(body)
  const coinbase = { transaction: transactions[0]!, merkle: branchOf(txids, 0) }
  return txids.map((txid, pos) => ({
    chain,
    txid,
    header,
    proof: { transaction: transactions[pos]!, merkle: branchOf(txids, pos), pos, coinbase },
  }))
})

const deep = inclusions.filter(({ chain }) => chain === 'zclassic_mainnet')
const [first, second, , , last] = deep as [Inclusion, Inclusion, Inclusion, Inclusion, Inclusion]
type Inclusion = (typeof inclusions)[number]

function faultOf({ txid, proof, header }: Inclusion, changes: Partial<InclusionProof> = {}) {
  return inclusionFault(txid, { ...proof, ...changes }, header)
}

test.each(inclusions)('a transaction of $chain at $proof.pos is in its block', (inclusion) => {
  expect(verifyInclusion(inclusion.txid, inclusion.proof, inclusion.header)).toBe(true)
  expect(faultOf(inclusion, { coinbase: undefined as never })).toBeUndefined()
})

test('the vectors have a block of five transactions', () => {
  expect(deep).toHaveLength(5)
})

describe('a forged proof is refused by name', () => {
  test('other bytes than those of the transaction', () => {
    expect(faultOf(second, { transaction: first.proof.transaction })).toBe('inclusion_txid')
    expect(faultOf(second, { transaction: '' })).toBe('inclusion_transaction')
    expect(faultOf(second, { transaction: `${second.proof.transaction}00` })).toBe(
      'inclusion_transaction',
    )
  })

  test('an inner node that is presented as a transaction', () => {
    const [left, right] = rowsOf(deep.map(({ txid }) => txid))[1] as [string, string]
    const node = { ...second, txid: parent(left, right) }
    const changes = {
      transaction: reversed(left) + reversed(right),
      merkle: second.proof.merkle.slice(2),
    }
    expect(faultOf(node, changes)).toBe('inclusion_node')
  })

  test('a branch with another hash, without one, or with one more', () => {
    for (const level of second.proof.merkle.keys()) {
      const merkle = second.proof.merkle.with(level, '11'.repeat(32))
      expect(faultOf(second, { merkle })).toBe('inclusion_root')
    }
    const { merkle } = second.proof
    expect(faultOf(second, { merkle: merkle.slice(0, -1) })).toBe('inclusion_root')
    expect(faultOf(second, { merkle: merkle.slice(1) })).toBe('inclusion_root')
    expect(faultOf(second, { merkle: [...merkle, '22'.repeat(32)] })).toBe('inclusion_root')
    expect(faultOf(second, { merkle: [] })).toBe('inclusion_position')
  })

  test.each([[''], ['11'], ['zz'.repeat(32)], ['11'.repeat(33)], [7], [null]])(
    '%j in a branch is not a hash',
    (hash) => {
      const merkle = [hash as string, ...second.proof.merkle.slice(1)]
      expect(faultOf(second, { merkle })).toBe('inclusion_branch')
    },
  )

  test('a branch for more transactions than a block can hold', () => {
    const merkle = Array.from({ length: 17 }, () => '11'.repeat(32))
    expect(faultOf(second, { merkle })).toBe('inclusion_branch')
    expect(faultOf(second, { merkle: merkle.slice(1) })).toBe('inclusion_root')
  })

  test.each([8, 9, -1, 1.5, 2 ** 32 + 1, Number.NaN, Number.POSITIVE_INFINITY])(
    'position %d in a tree of eight leaves',
    (pos) => {
      expect(faultOf(second, { pos })).toBe('inclusion_position')
    },
  )

  test('the first position for a transaction that is not a coinbase, and another for one', () => {
    expect(faultOf(second, { pos: 0 })).toBe('inclusion_position')
    expect(faultOf(first, { pos: 1 })).toBe('inclusion_position')
    expect(faultOf(second, { pos: 2 })).toBe('inclusion_root')
  })

  test('a position behind the last transaction, where the tree repeats it', () => {
    expect(last.proof.pos).toBe(4)
    expect(faultOf(last)).toBeUndefined()
    expect(faultOf(last, { pos: 5 })).toBe('inclusion_duplicate')
    expect(faultOf(last, { pos: 6 })).toBe('inclusion_duplicate')
  })

  test('a coinbase with a branch of another length, another block, or that is none', () => {
    const { coinbase } = second.proof
    const other = inclusions.find(({ chain }) => chain === 'zelcash_mainnet')!.proof.coinbase
    const forged = [
      { ...coinbase, merkle: coinbase.merkle.slice(1) },
      { ...coinbase, merkle: [...coinbase.merkle, '11'.repeat(32)] },
      { ...coinbase, transaction: second.proof.transaction },
      { ...coinbase, transaction: '00' },
      other,
    ]
    for (const given of forged) expect(faultOf(second, { coinbase: given })).toBe('inclusion_depth')
  })

  test('the header of another block', () => {
    for (const { header, txid } of inclusions) {
      const isOwn = deep.some((it) => it.txid === txid)
      expect(inclusionFault(second.txid, second.proof, header)).toBe(
        isOwn ? undefined : 'inclusion_root',
      )
    }
  })
})

test('a txid and hashes in upper case count as in lower case', () => {
  const merkle = second.proof.merkle.map((it) => it.toUpperCase())
  const upper = { ...second, txid: second.txid.toUpperCase() }
  expect(faultOf(upper, { merkle })).toBeUndefined()
})

test.each([
  [undefined],
  [{}],
  [{ ...second.proof, transaction: 7 }],
  [{ ...second.proof, merkle: 'abc' }],
  [{ ...second.proof, pos: '1' }],
  [{ ...second.proof, coinbase: {} }],
])('an argument of another type is a TypeError', (proof) => {
  expect(() => inclusionFault(second.txid, proof as never, second.header)).toThrow(TypeError)
})

test('the transactions of the vectors are the ones that the blocks name', () => {
  for (const { txid, proof } of inclusions) {
    expect(decodeTransaction(proof.transaction).txid).toBe(txid)
  }
})
