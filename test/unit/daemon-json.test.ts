import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { decodeRawTransaction, describeTransaction, networks } from '../../src/index.ts'

interface Decode {
  file: string
  note: string
  hex: string
  result: string
}

const { decodes }: { decodes: Decode[] } = JSON.parse(
  readFileSync(new URL('../vectors/komodod/decodes.json', import.meta.url), 'utf8'),
)

test('every recorded decoderawtransaction is reproduced byte for byte', () => {
  expect(decodes.length).toBe(54)
  for (const { hex, result } of decodes) {
    expect(decodeRawTransaction(hex, { network: networks.assetChain })).toBe(result)
    expect(decodeRawTransaction(Buffer.from(hex, 'hex'))).toBe(result)
  }
})

test('two recordings have bytes after the transaction, which only the daemon overlooks', () => {
  const codes = decodes.flatMap(({ hex }) => {
    try {
      describeTransaction(hex)
      return []
    } catch (error) {
      return [(error as { code: string }).code]
    }
  })
  expect(codes).toEqual(['trailing_bytes', 'segwit_unsupported'])
})

test('without crypto-conditions their outputs are nonstandard, as on KMD', () => {
  const transfer = decodes.find(({ file }) => file.startsWith('07-'))!
  const described = describeTransaction(transfer.hex, { network: networks.komodo })
  expect(described.vout.map(({ scriptPubKey }) => scriptPubKey.type)).toEqual([
    'nonstandard',
    'nonstandard',
    'pubkey',
    'nulldata',
  ])
  expect(described.vout[0]!.scriptPubKey).not.toHaveProperty('addresses')
})

test('the lowest amount is printed as a number, unlike the daemon does', () => {
  const lowest = `01000000000100000000000000800000000000`
  expect(decodeRawTransaction(lowest)).toContain(
    '"value":-92233720368.54775808,"valueZat":-9223372036854775808',
  )
})
