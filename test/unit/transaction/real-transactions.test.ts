import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'

import {
  decodeTransaction,
  decodeTransactions,
  describeTransaction,
  encodeTransaction,
  isAntaraError,
  transactionId,
} from '../../../src/index.ts'
import { readVectors } from '../../support/vectors.ts'

interface Found {
  sources: string[]
  hex: string
  parsed?: {
    version: number
    overwintered: boolean
    segwit: boolean
    vin: number
    vout: number
    locktime: number
    expiry: number | null
    txid: string
    ccOut: number
    opret: number
  }
  parseError?: string
}

const { transactions } = readVectors<{ transactions: Found[] }>('real/transactions.json')
const ofThisFamily = transactions.filter(({ parsed }) => parsed?.segwit === false)

/** Returns the code of the error that decoding throws, and its offset. */
function refusal(hex: string): { code: string; offset: number | undefined } {
  try {
    decodeTransaction(hex)
  } catch (error) {
    if (isAntaraError(error)) return { code: error.code, offset: error.context.offset }
    throw error
  }
  throw new Error(`decoded: ${hex.slice(0, 80)}`)
}

describe('raw transactions from the documentation and sources of the family', () => {
  test('are 174 of this family, 20 with witnesses and 7 that are not transactions', () => {
    const witnesses = transactions.filter(({ parsed }) => parsed?.segwit === true)
    const others = transactions.filter(({ parsed }) => parsed === undefined)
    expect([ofThisFamily.length, witnesses.length, others.length]).toEqual([174, 20, 7])
  })

  test('decode to what an independent parser read, and encode to the same bytes', () => {
    for (const { hex, parsed } of ofThisFamily) {
      const tx = decodeTransaction(hex)
      expect(encodeTransaction(tx)).toBe(hex)
      expect(transactionId(hex)).toBe(tx.txid)
      expect(tx).toMatchObject({ version: parsed!.version, overwintered: parsed!.overwintered })
      expect(tx.txid).toBe(parsed!.txid)
      expect([tx.inputs.length, tx.outputs.length]).toEqual([parsed!.vin, parsed!.vout])
      expect(tx.lockTime).toBe(parsed!.locktime)
      expect(tx.overwintered ? tx.expiryHeight : null).toBe(parsed!.expiry)
    }
  })

  test('decode to the same in one batch, and from bytes', () => {
    const batch = decodeTransactions(ofThisFamily.map(({ hex }) => hex))
    expect(batch).toEqual(ofThisFamily.map(({ hex }) => decodeTransaction(hex)))
    expect(batch).toEqual(ofThisFamily.map(({ hex }) => decodeTransaction(Buffer.from(hex, 'hex'))))
  })

  test('have the conditions and nulldata that an independent parser saw', () => {
    // The recorded parser did not know conditions followed by dropped data, which end differently.
    for (const { hex, parsed } of ofThisFamily) {
      const scripts = describeTransaction(hex).vout.map(({ scriptPubKey }) => scriptPubKey)
      const bare = scripts.filter((it) => it.type === 'cryptocondition' && it.hex.endsWith('cc'))
      expect(bare.length).toBe(parsed!.ccOut)
      expect(scripts.filter((it) => it.hex.startsWith('6a')).length).toBe(parsed!.opret)
    }
  })

  test('raw transactions with witnesses are refused by name', () => {
    for (const { hex, parsed } of transactions) {
      if (parsed?.segwit) expect(refusal(hex)).toEqual({ code: 'segwit_unsupported', offset: 4 })
    }
  })

  test('refuses blocks and other data as transactions', () => {
    const others = transactions.filter(({ parsed }) => parsed === undefined)
    expect(others.map(({ hex, parseError }) => [parseError, refusal(hex)])).toEqual([
      ['trunc', { code: 'count_over_input', offset: 4 }],
      ['trunc', { code: 'count_over_input', offset: 4 }],
      ['unpack_from requires', { code: 'count_over_input', offset: 4 }],
      ['trailing 275', { code: 'trailing_bytes', offset: 10 }],
      ['trunc', { code: 'count_over_input', offset: 4 }],
      ['trunc', { code: 'count_over_input', offset: 4 }],
      ['trailing 4', { code: 'trailing_bytes', offset: 396 }],
    ])
  })
})

type TransactionRow = [prevouts: [txid: string, index: number, script: string][], hex: string]

/** No inputs and one output: a decoder of witnesses takes the two counts for its marker. */
const withoutInputs = '0100000000010000000000000000015100000000'

describe.each([
  { file: 'komodo/tx_valid.json', decoded: 16, segwit: 0, version2: 0, overwintered: 0 },
  { file: 'komodo/tx_invalid.json', decoded: 27, segwit: 0, version2: 0, overwintered: 0 },
  { file: 'bitcoin/tx_valid.json', decoded: 61, segwit: 28, version2: 30, overwintered: 1 },
  { file: 'bitcoin/tx_invalid.json', decoded: 66, segwit: 13, version2: 14, overwintered: 0 },
])('$file', ({ file, ...expected }) => {
  // A row of tx_invalid is invalid for reasons other than decoding: all rows are well formed.
  const { rows } = readVectors<{ rows: TransactionRow[] }>(file)

  /**
   * Returns how a transaction is written. Only other families write witnesses, and version 2
   * without JoinSplits.
   */
  function familyOf(hex: string): keyof typeof expected {
    if (Buffer.from(hex, 'hex').readInt32LE(0) < 0) return 'overwintered'
    if (hex.slice(8, 12) === '0001' && hex !== withoutInputs) return 'segwit'
    return hex.startsWith('01') ? 'decoded' : 'version2'
  }

  const refusalOf = {
    segwit: () => ({ code: 'segwit_unsupported', offset: 4 }),
    version2: (hex: string) => ({ code: 'truncated', offset: hex.length / 2 }),
    overwintered: () => ({ code: 'unknown_transaction_format', offset: 0 }),
  }

  test('decodes as far as this family goes', () => {
    const counts = { decoded: 0, segwit: 0, version2: 0, overwintered: 0 }
    for (const [, hex] of rows) {
      const family = familyOf(hex)
      counts[family] += 1
      if (family === 'decoded') expect(encodeTransaction(decodeTransaction(hex))).toBe(hex)
      else expect(refusal(hex)).toEqual(refusalOf[family](hex))
    }
    expect(counts).toEqual(expected)
  })

  test('spends what the row says it spends', () => {
    for (const [prevouts, hex] of rows) {
      if (familyOf(hex) !== 'decoded') continue
      const { inputs, txid } = decodeTransaction(hex)
      expect(txid).toBe(doubleSha256(hex))
      const spent = new Set(inputs.map((input) => `${input.txid}:${input.vout}`))
      const listed = new Set(prevouts.map(([hash, index]) => `${hash}:${index >>> 0}`))
      if (hex !== withoutInputs) expect(spent).toEqual(listed)
    }
  })
})

function doubleSha256(hex: string): string {
  const once = createHash('sha256').update(Buffer.from(hex, 'hex')).digest()
  return createHash('sha256').update(once).digest().reverse().toString('hex')
}
