import { describe, expect, test } from 'vitest'

import {
  decodeRawTransaction,
  decodeTransaction,
  describeTransaction,
  encodeTransaction,
} from '../../../src/index.ts'
import { readVectors } from '../../support/vectors.ts'

interface PrintedDecode {
  /** Page and line. */
  printed: string[]
  hex: string
  result: PrintedResult
}

interface PrintedResult {
  txid: string
  size?: number
  vout: { scriptPubKey: { type: string; asm: string; hex: string } }[]
  vjoinsplit?: unknown[]
}

interface PrintedTransaction {
  source: string
  hex: string
  parsed: {
    version: number
    overwintered: boolean
    bytes: number
    locktime: number
    txid: string
    vin: number
    vout: number
    cc_outputs: number
    op_return?: string
    versiongroupid?: string
    expiryheight?: number
    valueBalance?: number
  }
}

const { decodes } = readVectors<{ decodes: PrintedDecode[] }>('docs/decodes.json')
const { transactions } = readVectors<{ transactions: PrintedTransaction[] }>(
  'docs/raw-transactions.json',
)

// The lists below name what the documentation prints differently from any daemon, by page and line.

/** The result of another transaction than the one whose hex is shown. */
const ofAnotherTransaction = ['heir.md:681']
/** An older daemon's name for the type. */
const olderTypeName = ['faucet.md:196', 'faucet.md:415']
/** A find-and-replace put a dollar sign in place of a zero. */
const dollarForZero = ['oracles.md:1385']
/** Most pages show the older form without JoinSplits; these show the empty list. */
const emptyJoinSplits = [
  'rawtransactions.md:126',
  'oracles.md:232',
  'oracles.md:1385',
  'oracles.md:1732',
  'rewards.md:121',
  'rewards.md:456',
  'rewards.md:867',
  'rewards.md:1155',
]

function asPrinted(ours: PrintedResult, { printed }: PrintedDecode): PrintedResult {
  const isOneOf = (places: string[]) => printed.some((place) => places.includes(place))
  if (isOneOf(emptyJoinSplits)) {
    expect(ours).not.toHaveProperty('vjoinsplit')
    ours.vjoinsplit = []
  }
  for (const { scriptPubKey } of ours.vout) {
    if (isOneOf(olderTypeName) && scriptPubKey.type === 'cryptocondition') {
      scriptPubKey.type = 'condition'
    }
    if (isOneOf(dollarForZero) && scriptPubKey.type === 'nulldata') {
      scriptPubKey.asm = scriptPubKey.asm.replace(/00000$/, '$0000')
      scriptPubKey.hex = scriptPubKey.hex.replace(/0$/, '$')
    }
  }
  return ours
}

describe('printed decodes', () => {
  const sound = decodes.filter(({ printed }) => !ofAnotherTransaction.includes(printed[0]!))
  const legacy = sound.filter(({ result }) => result.size !== undefined)
  const current = sound.filter(({ result }) => result.size === undefined)

  test('are 16 of the older form and 19 of the current one', () => {
    expect([legacy.length, current.length, decodes.length]).toEqual([16, 19, 36])
  })

  test.each(legacy)('dialect legacy says what $printed.0 prints', (decode) => {
    const ours = JSON.parse(decodeRawTransaction(decode.hex, { dialect: 'legacy' }))
    expect(asPrinted(ours, decode)).toEqual(decode.result)
  })

  test.each(current)('dialect current says what $printed.0 prints', (decode) => {
    const ours = JSON.parse(decodeRawTransaction(decode.hex, { dialect: 'current' }))
    expect(asPrinted(ours, decode)).toEqual(decode.result)
  })

  test('a page that shows the result of another transaction is noticed', () => {
    const { hex, result } = decodes.find(({ printed }) => printed[0] === ofAnotherTransaction[0])!
    expect(decodeTransaction(hex).txid).toBe(
      '7dccdd51034bec6e3c7d40acf4c99c218935eb819d0bc2e77cc1e9bea1a0a820',
    )
    expect(result.txid).not.toBe(decodeTransaction(hex).txid)
  })
})

describe('printed raw transactions', () => {
  const bitcoinCashTxid = '7b58248f3486079951a57d6dbd41c019a83f2b876c9fa3afa6fcc5a7c595b837'
  const ofThisFamily = transactions.filter(({ parsed }) => parsed.txid !== bitcoinCashTxid)

  test('decode to what an independent parser read, and encode to the same bytes', () => {
    expect(ofThisFamily.length).toBe(82)
    for (const { hex, parsed } of ofThisFamily) {
      const tx = decodeTransaction(hex)
      expect(encodeTransaction(tx)).toBe(hex)
      expect({
        version: tx.version,
        overwintered: tx.overwintered,
        bytes: hex.length / 2,
        locktime: tx.lockTime,
        txid: tx.txid,
        vin: tx.inputs.length,
        vout: tx.outputs.length,
        ...(tx.overwintered && {
          versiongroupid: tx.versionGroupId.toString(16),
          expiryheight: tx.expiryHeight,
          valueBalance: Number(tx.valueBalance),
        }),
      }).toEqual(
        Object.fromEntries(
          Object.entries(parsed).filter(([name]) => !/^cc_|^op_return$/.test(name)),
        ),
      )
    }
  })

  test('have the conditions and nulldata that an independent parser saw', () => {
    // The recorded parser did not know conditions followed by dropped data, which end differently.
    for (const { hex, parsed } of ofThisFamily) {
      const scripts = describeTransaction(hex).vout.map(({ scriptPubKey }) => scriptPubKey)
      const bare = scripts.filter((it) => it.type === 'cryptocondition' && it.hex.endsWith('cc'))
      expect(bare.length).toBe(parsed.cc_outputs)
      const nulldata = scripts.find((it) => it.type === 'nulldata')
      expect(nulldata?.hex).toBe(parsed.op_return)
    }
  })

  test('a version 2 of Bitcoin Cash lacks the JoinSplit count that version 2 has here', () => {
    const { hex } = transactions.find(({ parsed }) => parsed.txid === bitcoinCashTxid)!
    expect(() => decodeTransaction(hex)).toThrow(
      expect.objectContaining({ code: 'truncated', context: { offset: hex.length / 2 } }),
    )
  })
})
