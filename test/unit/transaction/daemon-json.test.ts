import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import {
  decodeRawTransaction,
  decodeTransaction,
  describeTransaction,
  encodeTransaction,
  networks,
  tokenScript,
} from '../../../src/index.ts'

interface Decode {
  file: string
  note: string
  hex: string
  result: string
}

const { decodes }: { decodes: Decode[] } = JSON.parse(
  readFileSync(new URL('../../vectors/komodod/decodes.json', import.meta.url), 'utf8'),
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

test('outputs of conditions are nonstandard on a chain without them, as on KMD', () => {
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

interface Exchange {
  request: string
  response: string
}

test('every recorded decoderawtransaction of a tokeld is reproduced, with the conditions it prints', () => {
  const { exchanges }: { exchanges: Exchange[] } = JSON.parse(
    readFileSync(new URL('../../vectors/rpc/tokeld.json', import.meta.url), 'utf8'),
  )
  let withCondition = 0
  for (const { request, response } of exchanges) {
    if (!request.includes('"method": "decoderawtransaction"')) continue
    const [hex] = (JSON.parse(request) as { params: [string] }).params
    const result = response.slice('{"result":'.length, response.lastIndexOf(',"error":'))
    expect(decodeRawTransaction(hex, { network: networks.tokel })).toBe(result)
    if (result.includes('"condition"')) withCondition += 1
  }
  expect(withCondition).toBe(26)
})

test('only forms that show their condition have it printed, and only by tokeld', () => {
  const code = (hex: string) =>
    `3e4da23ba00aa003800102af0380${hex}a12da22b802096fec31e85a06720706ef9214c9c8b2df26940aac250e1d80f23a772b18b5a4a810302040082020204cc`
  const of = (script: string, network = networks.tokel) =>
    describeTransaction(
      encodeTransaction({
        ...decodeTransaction(decodes[1]!.hex),
        outputs: [{ value: 0n, script }],
      }),
      { network },
    ).vout[0]!.scriptPubKey.condition
  expect(of(code('01f5'))).toMatchObject({ subconditions: [{ EvalCode: 'EVAL_TOKENSV2' }, {}] })
  // a code of no module, by tokeld's name for it
  expect(of(code('0105'))).toMatchObject({ subconditions: [{ EvalCode: '0x5' }, {}] })
  expect(of(code('01f5'), networks.assetChain)).toBeUndefined()
  expect(
    of(tokenScript('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')),
  ).toBeUndefined()
})
