import { describe, expect, test, vi } from 'vitest'
import { networks } from '../../../src/chain/network.ts'
import { AntaraError } from '../../../src/errors/antara-error.ts'
import { byteHex } from '../../../src/primitives/wire.ts'
import { conditionScriptSig } from '../../../src/script/condition-script.ts'
import { encodeTokenPayload } from '../../../src/token/payload/encode.ts'
import { decodeTokenTransaction } from '../../../src/token/read/read.ts'
import type { TokenTransaction } from '../../../src/token/read/token-transaction.ts'
import { tokenScript } from '../../../src/token/rules/token-script.ts'
import { decodeTransaction } from '../../../src/transaction/decode.ts'
import { encodeTransaction } from '../../../src/transaction/encode.ts'
import { chainTransaction, daemonMade, keys, readVectors } from '../../support/komodod.ts'
import { replaceableEngine } from '../../support/replaceable-engine.ts'
import { isQuick } from '../../support/share.ts'

const alice = keys.A.pubkey
const bob = keys.B.pubkey
const tokeld: { height: number; hex: string }[] = readVectors<{
  transactions: { height: number; hex: string }[]
}>('tokeld/90-chain-dump.json').transactions
const komodod: { height: number; txid: string; hex: string }[] = readVectors<{
  transactions: { height: number; txid: string; hex: string }[]
}>('komodod/90-chain-dump.json').transactions

function read(hex: string): TokenTransaction {
  const found = decodeTokenTransaction(hex)
  if (found === undefined) throw new Error('no token transaction')
  return found
}
const rolesOf = ({ outputs }: TokenTransaction) => outputs.map(({ role }) => role)
const inputRolesOf = ({ inputs }: TokenTransaction) => inputs.map(({ role }) => role)

const tokensKey = '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95'
function daemonMadeTxid(method: string): string {
  const { hex } = daemonMade.find((it) => it.method === method)!
  return decodeTransaction(hex).txid
}

test.each([
  ['komodod', komodod, bob],
  ['tokeld', tokeld, bob],
] as const)('a bidder who fills the own bid on %s gets tokens and change', (_, chain, bidder) => {
  const isFill = ({ hex }: { hex: string }) =>
    hex.includes('6a4c') &&
    read(hex).payload.extras.some(({ order }) => order?.action === 'fillBid')
  const { hex } = chain.findLast((it) => decodeTransaction(it.hex).inputs.length > 1 && isFill(it))!
  const tx = decodeTransaction(hex)
  const wanted = ['order', 'native-change', 'destination', 'order-marker', 'token-change']
  expect(rolesOf(read(hex)).slice(0, 5)).toEqual(wanted)
  // the same, with the bid made by who fills it
  const { outputs } = tx
  const own = outputs.map((it, at) => {
    if (at === 2) return { ...it, script: outputs[4]!.script }
    const isNulldata = at === outputs.length - 1
    return isNulldata ? { ...it, script: it.script.replaceAll(bidder, alice) } : it
  })
  const roles = rolesOf(read(encodeTransaction({ ...tx, outputs: own })))
  expect(roles.filter((_, at) => at !== 3).slice(0, 4)).toEqual([
    'order',
    'native-change',
    'destination',
    'token-change',
  ])
  // An output to another party after the bidder's is not the filler's.
  const more = own.map((it, at) => (at === 4 ? { ...it, script: outputs[2]!.script } : it))
  expect(rolesOf(read(encodeTransaction({ ...tx, outputs: more })))[4]).not.toBe('token-change')
})

describe('transactions of a komodod', () => {
  const creations = daemonMade.filter(({ method }) => method === 'tokencreate')
  test.each(creations)('$file: tokencreate $params', ({ params, hex }) => {
    const found = read(hex)
    const data = params[3]
    const tx = decodeTransaction(hex)
    expect(found).toMatchObject({
      kind: 'create',
      layout: 'komodo-v1',
      tokenid: tx.txid,
      txid: tx.txid,
    })
    expect(rolesOf(found)).toEqual(['marker', 'issuance', 'native-change', 'nulldata'])
    expect(found.supply).toBe(tx.outputs[1]?.value)
    expect(new Set(inputRolesOf(found))).toEqual(new Set(['native']))
    const code = /^[0-9a-f]{2}/i.exec(data ?? '')?.[0]
    expect(found.nonFungibleEvalCode).toBe(
      code === undefined ? undefined : Number.parseInt(code, 16),
    )
    expect(found.outputs[1]?.pubkeys).toEqual([alice])
    const codes = code === undefined || code === 'f2' ? [0xf2] : [Number.parseInt(code, 16), 0xf2]
    expect(found.outputs[1]?.evalCodes).toEqual(codes)
  })

  const transfers = daemonMade.filter(({ method }) => method === 'tokentransfer')
  test.each(transfers)('$file: tokentransfer $params', ({ params, hex }) => {
    const [tokenid = '', destination = '', amount = ''] = params
    const found = read(hex)
    const [first, second] = found.outputs
    expect(found).toMatchObject({ kind: 'transfer', tokenid: tokenid.toLowerCase() })
    expect(inputRolesOf(found).filter((role) => role !== 'native')).not.toHaveLength(0)
    expect(new Set(inputRolesOf(found))).toEqual(new Set(['native', 'token']))
    expect(first?.value).toBe(BigInt(Number.parseInt(amount, 10)))
    const sender = found.inputs.find(({ role }) => role === 'token')?.pubkeys?.[0]
    // an output to a sender that the payload names counts as any other destination
    const change = sender === destination ? 'destination' : 'token-change'
    const changes = found.outputs.length === 4 ? [change] : []
    // daemons make conditions of anything, but list only what looks like a key
    const looksLikeKey = /^0[23].{64}$|^04.{128}$/i.test(destination)
    const isModule = destination === tokensKey
    const role = isModule ? 'marker' : looksLikeKey ? 'destination' : 'unexpected'
    expect(rolesOf(found)).toEqual([role, ...changes, 'native-change', 'nulldata'])
    if (role === 'destination')
      expect(first?.pubkeys).toEqual([destination.toLowerCase().slice(0, 66)])
    if (second?.role === 'token-change') expect(second.pubkeys).toEqual(found.inputs[1]?.pubkeys)
  })

  test('addresses are those of the network', () => {
    const { outputs } = read(chainTransaction(daemonMadeTxid('tokentransfer')))
    expect(outputs.map(({ address }) => address)).toEqual([
      'RMnyDjuWiGCeQoo4wVRt42nHQ1J3iEopij',
      'RNYuPekegLgPANq3vBuYKZeC2ReiR7oSfL',
      'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb',
      undefined,
    ])
  })

  // komodo src/cc/CCassetstx.cpp: what each order is made of
  test.each([
    [
      99,
      ['order', 'order-marker', 'token-change', 'native-change', 'nulldata'],
      ['native', 'token'],
    ],
    [
      100,
      ['order', 'destination', 'payment', 'order-marker', 'native-change', 'nulldata'],
      ['native', 'order'],
    ],
    [
      101,
      ['destination', 'native-change', 'native-change', 'nulldata'],
      ['native', 'order', 'order'],
    ],
    [102, ['order', 'order-marker', 'native-change', 'nulldata'], ['native']],
    [
      103,
      [
        'order',
        'native-change',
        'destination',
        'order-marker',
        'token-change',
        'native-change',
        'nulldata',
      ],
      ['native', 'order', 'token'],
    ],
  ])('the order of block %i', (height, roles, inputRoles) => {
    const made = komodod
      .filter((it) => it.height === height)
      .map((it) => decodeTokenTransaction(it.hex))
    const found = made.find((it) => it?.kind === 'transfer')!
    expect(rolesOf(found)).toEqual(roles)
    expect(inputRolesOf(found)).toEqual(inputRoles)
  })
})

describe('transactions of a tokeld', () => {
  const at = (height: number) => read(tokeld.filter((it) => it.height === height).at(-1)!.hex)

  // blocks 7 to 12 are v1 calls, 13 to 36 v2 calls, 44 to 48 orders: tokel src/cc/CCassetstx_impl.h
  test.each([
    [7, 'tokel-v1', ['marker', 'issuance', 'native-change', 'nulldata'], ['native']],
    [
      8,
      'tokel-v1',
      ['destination', 'token-change', 'native-change', 'nulldata'],
      ['native', 'token'],
    ],
    [12, 'tokel-v1', ['destination', 'native-change', 'nulldata'], ['native', 'token']],
    [13, 'tokens-v2', ['marker', 'issuance', 'native-change', 'nulldata'], ['native']],
    [
      14,
      'tokens-v2',
      ['destination', 'token-change', 'native-change', 'nulldata'],
      ['native', 'token'],
    ],
    [17, 'tokens-v2', ['destination', 'native-change', 'nulldata'], ['native', 'token', 'token']],
    [
      44,
      'tokens-v2',
      ['order', 'order-marker', 'token-change', 'native-change', 'nulldata'],
      ['native', 'token'],
    ],
    [
      45,
      'tokens-v2',
      ['order', 'destination', 'payment', 'order-marker', 'payment', 'nulldata'],
      ['native', 'order'],
    ],
    [46, 'tokens-v2', ['destination', 'nulldata'], ['order', 'order']],
    [47, 'tokens-v2', ['order', 'order-marker', 'native-change', 'nulldata'], ['native']],
    [
      48,
      'tokens-v2',
      [
        'order',
        'native-change',
        'destination',
        'order-marker',
        'token-change',
        'native-change',
        'nulldata',
      ],
      ['native', 'order', 'token', 'token'],
    ],
  ])('block %i: %s %s', (height, layout, roles, inputRoles) => {
    const found = at(height)
    expect(found.layout).toBe(layout)
    expect(rolesOf(found)).toEqual(roles)
    expect(inputRolesOf(found)).toEqual(inputRoles)
  })

  test('keys of v2 outputs are read where they are named, or known by their hash', () => {
    expect(at(13).outputs[1]).toMatchObject({ evalCodes: [0xf5], pubkeys: [alice], value: 1000n })
    expect(at(13).supply).toBe(1000n)
    // a destination by key hash: the transaction tells an address only
    expect(at(14).outputs[0]?.pubkeys).toBeUndefined()
    expect(at(14).outputs[0]?.address).toMatch(/^C/)
    expect(at(45).outputs[1]).toMatchObject({ evalCodes: [0xf5], pubkeys: [bob] })
  })
})

describe('a transaction that is not signed yet', () => {
  const unsigned = (hex: string) => {
    const { inputs, ...rest } = decodeTransaction(hex)
    return encodeTransaction({
      ...rest,
      inputs: inputs.map(({ txid, vout, sequence }) => ({ txid, vout, sequence, scriptSig: '' })),
    })
  }

  test('shows destinations and no change', () => {
    const { hex } = daemonMade.find(({ file }) => file.startsWith('07'))!
    const found = read(unsigned(hex))
    expect(rolesOf(found)).toEqual(['destination', 'unexpected', 'payment', 'nulldata'])
    expect(inputRolesOf(found)).toEqual(['unknown', 'unknown'])
  })

  test('shows a non-fungible token’s eval code all the same', () => {
    const { hex } = daemonMade.find(
      ({ file, method }) => file.startsWith('24') && method === 'tokentransfer',
    )!
    const found = read(unsigned(hex))
    expect(found.nonFungibleEvalCode).toBe(0xf1)
    expect(found.outputs[0]).toMatchObject({ role: 'destination', evalCodes: [0xf1, 0xf2] })
  })
})

describe('an odd transaction', () => {
  const tokenid = 'ab'.repeat(32)
  const marker = tokenScript(tokensKey)
  const outputs = (...scripts: string[]) =>
    encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
      outputs: scripts.map((script, at) => ({ value: BigInt(at), script })),
      lockTime: 0,
    })
  const transfer = (...pubkeys: string[]) =>
    encodeTokenPayload({ layout: 'komodo-v1', kind: 'transfer', tokenid, pubkeys })

  test.each([
    ['a shared destination', tokenScript([alice, bob]), 'destination'],
    ['the destination’s coins instead of tokens', `21${alice}ac`, 'payment'],
    ['a script hash', `a914${'00'.repeat(20)}87`, 'payment'],
    ['a marker in a transfer', marker, 'marker'],
    ['somebody else’s tokens', tokenScript(keys.C.pubkey), 'unexpected'],
    ['bytes after the condition', `${tokenScript(alice)}0175`, 'unexpected'],
    ['another nulldata output', transfer(bob), 'unexpected'],
    ['anything', '51', 'unexpected'],
  ])('%s', (_, script, role) => {
    expect(read(outputs(script, transfer(alice, bob))).outputs[0]?.role).toBe(role)
  })

  test('everything but the marker is issued in a creation, whoever holds it', () => {
    const create = encodeTokenPayload({
      layout: 'komodo-v1',
      kind: 'create',
      owner: alice,
      name: 'T',
      description: '',
    })
    const found = read(outputs(tokenScript(bob), marker, tokenScript(alice), create))
    expect(rolesOf(found)).toEqual(['issuance', 'marker', 'issuance', 'nulldata'])
    expect(found.supply).toBe(2n)
    expect(found.outputs.map(({ pubkeys }) => pubkeys)).toEqual([
      undefined,
      undefined,
      [alice],
      undefined,
    ])
  })

  test('a payload that is not last is not seen by chains, nor here', () => {
    expect(decodeTokenTransaction(outputs(transfer(alice), `21${alice}ac`))).toBeUndefined()
    expect(decodeTokenTransaction(outputs())).toBeUndefined()
  })

  test('a malformed payload is an error at its byte of the transaction', () => {
    const script = `6a23f274${tokenid}03`
    for (const others of [[], [`21${alice}ac`, `6a4cff${'00'.repeat(255)}`]]) {
      const hex = outputs(...others, script)
      let error: unknown
      try {
        decodeTokenTransaction(hex)
      } catch (thrown) {
        error = thrown
      }
      if (!(error instanceof AntaraError)) throw new Error('nothing was thrown')
      const { offset = 0, path } = error.context
      expect(error.code).toBe('pubkey_count')
      expect(path).toBe(`outputs[${others.length}].script`)
      expect(hex.slice(2 * (offset - 36), 2 * offset + 2)).toBe(script)
    }
  })

  const engine = replaceableEngine()

  test('many keys beside many eval codes cost scripts by the bytes, not by their product', () => {
    const spenders = isQuick ? 250 : 1000
    const signedBy = (key: string, codes: number[]): string =>
      conditionScriptSig({
        type: 'threshold-sha-256',
        threshold: codes.length + 1,
        subconditions: [
          ...codes.map((code) => ({ type: 'eval-sha-256' as const, code: byteHex(code) })),
          { type: 'secp256k1-sha-256', publicKey: key, signature: '11'.repeat(64) },
        ],
      })
    let keysUsed = 0
    const digitsEncoded = (codesOf: (at: number) => number[]): number => {
      const inputs = Array.from({ length: spenders }, (_, at) => {
        // Never seen by any file of tests, because scripts of keys are remembered.
        keysUsed += 1
        const key = `02${keysUsed.toString(16).padStart(64, '7')}`
        const scriptSig = signedBy(key, codesOf(at))
        return { txid: '22'.repeat(32), vout: at, scriptSig, sequence: 0xffffffff }
      })
      const spent = decodeTransaction(outputs(tokenScript(keys.C.pubkey), transfer(bob)))
      const hex = encodeTransaction({ ...spent, inputs })
      const encode = vi.spyOn(engine, 'encodeTrees')
      expect(rolesOf(read(hex))).toEqual(['unexpected', 'nulldata'])
      const digits = encode.mock.calls.reduce((sum, [parts]) => sum + String(parts).length, 0)
      encode.mockRestore()
      return digits
    }
    // as many as a token's condition holds, and more than it does
    for (const codesOf of [
      () => [0xf2],
      (at: number) => [0xf2, at % 241, (at + 1) % 241],
      (at: number) => Array.from({ length: 80 }, (_, code) => (at + code) % 256),
    ]) {
      const digits = digitsEncoded(codesOf)
      expect(digits).toBeGreaterThan(0)
      // digits of a script, a key and up to three codes
      expect(digits).toBeLessThan(10 * spenders * (66 + 6))
    }
  })

  test('addresses are those of the network that was named', () => {
    const hex = outputs(tokenScript(alice), transfer(alice))
    const addressOn = (network: keyof typeof networks) =>
      decodeTokenTransaction(hex, networks[network])?.outputs[0]?.address
    expect(addressOn('assetChain')).toMatch(/^R/)
    expect(addressOn('tokel')).toMatch(/^C/)
    expect(addressOn('komodo')).toBeUndefined()
  })
})
