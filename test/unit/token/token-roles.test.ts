// These tests cover the roles of the parts of a token transaction, by its scripts alone. They have
// each form of scriptSig and scriptPubKey, and a near miss of each. Sources: komodo
// src/cc/CCassetstx.cpp, CCtokens.cpp.

import { describe, expect, test } from 'vitest'
import { AntaraError } from '../../../src/errors/antara-error.ts'
import { byteHex } from '../../../src/primitives/wire.ts'
import { conditionScriptSig } from '../../../src/script/condition-script.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import { encodeTokenPayload } from '../../../src/token/payload/encode.ts'
import type { TokenPayloadFields } from '../../../src/token/payload/payload.ts'
import { conditionsOf, decodeTokenTransaction } from '../../../src/token/read/read.ts'
import type {
  TokenInput,
  TokenOutput,
  TokenTransaction,
} from '../../../src/token/read/token-transaction.ts'
import { tokenScript } from '../../../src/token/rules/token-script.ts'
import { decodeTransaction } from '../../../src/transaction/decode.ts'
import { encodeTransaction } from '../../../src/transaction/encode.ts'
import { keys } from '../../support/komodod.ts'
import { assetsKey } from '../../support/orders.ts'
import { mixedScript } from '../../support/sign-tokel.ts'
import {
  asks,
  assetsKey as assetsV2Key,
  bids,
  hashTokens,
  keyTokens,
  markerOf,
  namedTokens,
  sharedTokens,
  shown,
  tokenMarker,
} from '../../support/tokel-market.ts'

const alice = keys.A.pubkey
const bob = keys.B.pubkey
const carol = keys.C.pubkey
const tokenid = 'ab'.repeat(32)
const plainTransfer = transferOf()

const transferV2 = encodeTokenPayload({
  layout: 'tokens-v2',
  kind: 'transfer',
  tokenid,
  pubkeys: [],
})

function createOf(layout: TokenPayloadFields['layout'], data = '', owner = alice): string {
  const extras = data === '' ? [] : [{ id: 0x11, kind: 'nonFungible' as const, data }]
  return encodeTokenPayload({ layout, kind: 'create', owner, name: 'T', description: '', extras })
}

function transferOf(pubkeys: readonly string[] = [], orders: readonly string[] = []): string {
  return transferWith(pubkeys, ...orders.map((data): [number, string] => [0x12, data]))
}

function transferWith(pubkeys: readonly string[], ...given: readonly [number, string][]): string {
  const extras = given.map(([id, data]) => ({ id, kind: 'unknown' as const, data }))
  return encodeTokenPayload({ layout: 'komodo-v1', kind: 'transfer', tokenid, pubkeys, extras })
}

function transaction(
  scriptSigs: readonly string[],
  scripts: readonly string[],
  overwintered = true,
): string {
  return encodeTransaction({
    version: overwintered ? 4 : 1,
    overwintered,
    ...(overwintered && { versionGroupId: 0x892f2085 }),
    inputs: scriptSigs.map((scriptSig, vout) => {
      return { txid: '11'.repeat(32), vout, scriptSig, sequence: 0xffffffff }
    }),
    outputs: scripts.map((script, at) => ({ value: BigInt(at + 1), script })),
    lockTime: 0,
  })
}

function read(scriptSigs: readonly string[], scripts: readonly string[]): TokenTransaction {
  return decodeTokenTransaction(transaction(scriptSigs, scripts))!
}

const rolesOf = ({ outputs }: TokenTransaction) => outputs.map(({ role }) => role)

/** A scriptSig that fulfills a condition of eval codes and keys, all of them. */
const fulfilled = (codes: readonly string[], ...pubkeys: string[]): string =>
  conditionScriptSig({
    type: 'threshold-sha-256',
    threshold: codes.length + pubkeys.length,
    subconditions: [
      ...codes.map((code) => ({ type: 'eval-sha-256' as const, code })),
      ...pubkeys.map((publicKey) => ({
        type: 'secp256k1-sha-256' as const,
        publicKey,
        signature: '11'.repeat(64),
      })),
    ],
  })

/** A push of a DER signature with its hash type, of so many bytes. */
const signature = (bytes: number) => `${byteHex(bytes)}30${'00'.repeat(bytes - 1)}`
const uncompressed = (head: string) => `${head}${'77'.repeat(64)}`

describe('an input', () => {
  const usual = signature(0x47)
  const rows: [string, string, TokenInput['role'], string?][] = [
    ['without a scriptSig', '', 'unknown'],
    // BIP 66: 9 to 73 bytes
    ...[0x09, 0x0a, 0x0f, 0x10, 0x2b, 0x3f, 0x40, 0x47, 0x48, 0x49].map(
      (bytes): [string, string, 'native'] => [
        `with a signature of ${bytes} bytes`,
        signature(bytes),
        'native',
      ],
    ),
    ['with a signature of 8 bytes', signature(0x08), 'unknown'],
    ['with a signature of 74 bytes', signature(0x4a), 'unknown'],
    ['with a signature of 80 bytes, at its length', signature(0x50), 'unknown'],
    ['with a signature that is cut', usual.slice(0, -2), 'unknown'],
    ['with what is no sequence', usual.replace('4730', '4731'), 'unknown'],
    ['with something before its signature', `00${usual}`, 'unknown'],
    ['with a signature and a key', `${usual}21${alice}`, 'native', alice],
    ['with an odd key', `${usual}2103${'55'.repeat(32)}`, 'native', `03${'55'.repeat(32)}`],
    ['with a compressed key of 04', `${usual}2104${'55'.repeat(32)}`, 'unknown'],
    ['with a key that is cut', `${usual}21${alice.slice(2)}`, 'unknown'],
    ['with a key and more', `${usual}21${alice}00`, 'unknown'],
    ['with something before its key', `${usual}0021${alice}`, 'unknown'],
    ['with two keys', `${usual}21${bob}21${alice}`, 'unknown'],
    ...['04', '06', '07'].map((head): [string, string, 'native', string] => [
      `with an uncompressed key of ${head}`,
      `${usual}41${uncompressed(head)}`,
      'native',
      uncompressed(head),
    ]),
    ['with an uncompressed key of 05', `${usual}41${uncompressed('05')}`, 'unknown'],
    ['with an uncompressed key that is cut', `${usual}41${uncompressed('04').slice(2)}`, 'unknown'],
  ]
  test.each(rows)('%s', (_, scriptSig, role, pubkey) => {
    const { inputs } = read([scriptSig], [plainTransfer])
    expect(inputs).toEqual([
      { role, txid: '11'.repeat(32), vout: 0, ...(pubkey !== undefined && { pubkeys: [pubkey] }) },
    ])
  })

  const tokensKey = '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95'
  const tokensV2Key = '032fd27f72591b02f13a7f9701246eb0296b2be7cfdad32c520e594844ec3d4801'
  // komodo src/cc/eval.h, CCcustom.cpp: eval codes and the modules' keys
  test.each([
    ['of tokens', plainTransfer, ['f2'], alice, 'token'],
    ['of tokens with another module', plainTransfer, ['f2', 'e4'], alice, 'token'],
    ['of another module', plainTransfer, ['e4'], alice, 'condition'],
    ['of assets', plainTransfer, ['e3'], alice, 'order'],
    ['of tokens in assets', plainTransfer, ['e3', 'f2'], assetsKey, 'order'],
    ['of the tokens module', plainTransfer, ['f2'], tokensKey, 'marker'],
    ['of tokens v2 in a transfer of v1', plainTransfer, ['f5'], alice, 'condition'],
    ['of tokens v2', transferV2, ['f5'], alice, 'token'],
    ['of assets v2', transferV2, ['f6'], alice, 'order'],
    ['of the tokens v2 module', transferV2, ['f5'], tokensV2Key, 'marker'],
    ['of tokens v1 in a transfer of v2', transferV2, ['f2'], alice, 'condition'],
  ] as const)('an input with a fulfillment has its role: %s', (_, payload, codes, pubkey, role) => {
    const { inputs } = read([fulfilled(codes, pubkey)], [payload])
    expect(inputs).toMatchObject([{ role, pubkeys: [pubkey] }])
    expect(inputs[0]!.evalCodes!.toSorted()).toEqual(
      codes.map((code) => Number.parseInt(code, 16)).toSorted(),
    )
  })

  test('an input with a code of more bytes shows the first byte', () => {
    const { inputs } = read([fulfilled(['e4aa'], alice)], [plainTransfer])
    expect(inputs).toMatchObject([{ role: 'condition', evalCodes: [0xe4] }])
  })

  test('an input with two keys belongs to the first alone', () => {
    const scriptSig = fulfilled(['f2'], alice, bob)
    const [first, second] = read([scriptSig], [plainTransfer]).inputs[0]!.pubkeys!
    expect([first, second].toSorted()).toEqual([alice, bob].toSorted())
    const paid = read([scriptSig], [`21${first}ac`, `21${second}ac`, plainTransfer])
    expect(rolesOf(paid)).toEqual(['native-change', 'payment', 'nulldata'])
    const held = read([scriptSig], [tokenScript(first!), tokenScript(second!), plainTransfer])
    expect(rolesOf(held)).toEqual(['token-change', 'unexpected', 'nulldata'])
  })

  test("fulfilled by a module's public key proves no sender", () => {
    const scripts = [`21${assetsKey}ac`, pubkeyHashScript(assetsKey), plainTransfer]
    const spent = read([fulfilled(['e3', 'f2'], assetsKey)], scripts)
    expect(rolesOf(spent)).toEqual(['payment', 'payment', 'nulldata'])
  })
})

describe('an output to', () => {
  const spent = [`${signature(0x47)}21${alice}`]
  const old = uncompressed('04')
  const rows: [string, string, string, (readonly string[])?][] = [
    ['the signing key', `21${alice}ac`, 'native-change', [alice]],
    ['the signing key’s hash', pubkeyHashScript(alice), 'native-change', [alice]],
    ['another key', `21${bob}ac`, 'payment', [bob]],
    ['another key’s hash', pubkeyHashScript(bob), 'payment'],
    ['a script’s hash', `a914${'00'.repeat(20)}87`, 'payment'],
    ['an uncompressed key', `41${old}ac`, 'payment'],
    ['what begins as a key does not', `2104${'55'.repeat(32)}ac`, 'unexpected'],
    ['another key and more', `21${bob}ac00`, 'unexpected'],
    ['another key, after something', `0021${bob}ac`, 'unexpected'],
    ['another key’s hash and more', `${pubkeyHashScript(bob)}00`, 'unexpected'],
    ['another key’s hash, after something', `00${pubkeyHashScript(bob)}`, 'unexpected'],
    ['a script’s hash and more', `a914${'00'.repeat(20)}8700`, 'unexpected'],
    ['a script’s hash, after something', `00a914${'00'.repeat(20)}87`, 'unexpected'],
    ['a script’s hash that is cut', `a914${'00'.repeat(19)}87`, 'unexpected'],
    ['a key’s hash that is cut', `76a914${'00'.repeat(19)}88ac`, 'unexpected'],
    ['an uncompressed key and more', `41${old}ac00`, 'unexpected'],
    ['an uncompressed key, after something', `0041${old}ac`, 'unexpected'],
    ['an uncompressed key that is cut', `41${old.slice(2)}ac`, 'unexpected'],
    ['a key that is cut', `21${bob.slice(2)}ac`, 'unexpected'],
    ['nobody', '', 'unexpected'],
  ]
  test.each(rows)('%s', (_, script, role, pubkeys) => {
    const [found] = read(spent, [script, plainTransfer]).outputs
    expect(found).toMatchObject({ role, value: 1n, script })
    expect(found!.pubkeys).toEqual(pubkeys)
  })

  test('a signing key that is uncompressed', () => {
    const scripts = [`41${old}ac`, pubkeyHashScript(old), `21${old}ac`, plainTransfer]
    const found = read([`${signature(0x47)}41${old}`], scripts)
    expect(rolesOf(found)).toEqual(['native-change', 'native-change', 'unexpected', 'nulldata'])
  })

  test('an owner that is not a key', () => {
    const found = read([''], ['21ac', '00ac', createOf('komodo-v1', '', '')])
    expect(rolesOf(found)).toEqual(['unexpected', 'unexpected', 'nulldata'])
  })
})

// komodo src/cc/CCassetsCore.cpp, CCtokenutils.cpp: the keys that the daemon's payloads name
describe('before it is signed, what goes back is known', () => {
  const price = '0100000000000000'
  const order = (letter: string, rest = `${price}21${alice}`) =>
    `e3${Buffer.from(letter).toString('hex')}${rest}`
  const rows: [string, string, 'native-change' | 'payment'][] = [
    ['by a bid', transferOf([], [order('b')]), 'native-change'],
    ['by an ask', transferOf([assetsKey], [order('s')]), 'native-change'],
    [
      'by a bid beside what is none',
      transferWith([], [0x13, 'aa'], [0x12, order('b')]),
      'native-change',
    ],
    ['by who fills an ask', transferOf([alice], [order('S', `${price}21${bob}`)]), 'native-change'],
    ['by who takes an ask back', transferOf([alice], [order('x', '')]), 'native-change'],
    ['not by who is asked', transferOf([bob], [order('S')]), 'payment'],
    ['not by whose bid is filled', transferOf([alice], [order('B')]), 'payment'],
    ['not by a bid that is taken back', transferOf([alice], [order('o', '')]), 'payment'],
    ['not by who swaps', transferOf([], [order('e', `${tokenid}${price}21${alice}`)]), 'payment'],
    ['not by a destination', transferOf([alice]), 'payment'],
    ['not by an order that is none', transferOf([alice], [order('S', '00')]), 'payment'],
  ]
  test.each(rows)('%s', (_, payload, role) => {
    const found = read([''], [`21${alice}ac`, pubkeyHashScript(alice), payload])
    expect(rolesOf(found)).toEqual([role, role, 'nulldata'])
  })

  test('the change of a creation is known before it is signed', () => {
    const scripts = [`21${alice}ac`, `21${bob}ac`, createOf('komodo-v1')]
    expect(rolesOf(read([''], scripts))).toEqual(['native-change', 'payment', 'nulldata'])
  })
})

describe('a malformed payload is reported at its byte of the transaction', () => {
  const malformed = `6a23f274${tokenid}03`
  const many = Array.from({ length: 252 }, () => '51')
  test.each([
    ['of the old format', [''], [], false],
    ['of many inputs', Array.from({ length: 253 }, () => ''), [], true],
    ['after a scriptSig', ['51'.repeat(252)], [], true],
    ['after a long scriptSig', ['51'.repeat(253)], [], true],
    ['after two scriptSigs', ['51', '5151'], ['51'], true],
    ['as the 253rd output', [''], many, true],
    ['as the 254th output', [''], [...many, '51'], true],
  ])('%s', (_, scriptSigs, scripts, overwintered) => {
    const hex = transaction(scriptSigs, [...scripts, malformed], overwintered)
    let error: unknown
    try {
      decodeTokenTransaction(hex)
    } catch (thrown) {
      error = thrown
    }
    if (!(error instanceof AntaraError)) throw new Error('nothing was thrown')
    // the offset is that of the count of keys, 36 bytes into the script
    const { offset = 0, path } = error.context
    expect(path).toBe(`outputs[${scripts.length}].script`)
    expect(offset).toBe(hex.indexOf(malformed) / 2 + 36)
  })
})

test('the role of a condition of tokens v2 can be read by itself', () => {
  const hex = transaction([''], [keyTokens(bob), tokenScript(alice), transferV2])
  const tell = conditionsOf(decodeTransaction(hex), decodeTokenTransaction(hex)!.payload)
  const reported = [keyTokens(bob), tokenScript(alice), `21${alice}ac`].map((it) => tell(it)?.role)
  expect(reported).toEqual(['destination', 'unexpected', undefined])
})

test('the role of a condition can be read by itself', () => {
  const hex = transaction([''], [tokenScript(alice), tokenScript(carol), transferOf([alice])])
  const { payload } = decodeTokenTransaction(hex)!
  const tell = conditionsOf(decodeTransaction(hex), payload)
  expect(tell(tokenScript(alice))?.role).toBe('destination')
  expect(tell(tokenScript(carol))?.role).toBe('unexpected')
  expect(tell(`21${alice}ac`)).toBeUndefined()
})

const held = (pubkey: string | [string, string], ...evalCodes: number[]): string =>
  tokenScript(pubkey, { evalCodes: evalCodes.length === 0 ? [0xf2] : evalCodes })
const marker = held('03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95')
const dropped = '01aa75'

describe('in a creation', () => {
  type Row = [string, string, string, TokenOutput['role'], number[]?]
  // komodo src/cc/CCtokens.cpp, IsTokensvout, CreateToken; tokeld's data put
  // no code into conditions of tokens v1
  const rows: Row[] = [
    ['the owner’s tokens', createOf('komodo-v1'), held(alice), 'issuance', [0xf2]],
    ['another’s', createOf('komodo-v1'), held(bob), 'issuance'],
    [
      'with the code of the data',
      createOf('komodo-v1', 'f1'),
      held(alice, 0xf1, 0xf2),
      'issuance',
      [0xf1, 0xf2],
    ],
    ['beside the code of the data', createOf('komodo-v1', 'f1'), held(alice), 'issuance', [0xf2]],
    ['with another code', createOf('komodo-v1', 'f1'), held(alice, 0xe4, 0xf2), 'issuance'],
    ['with a code but no data', createOf('komodo-v1'), held(alice, 0xf1, 0xf2), 'issuance'],
    ['of no owner', createOf('komodo-v1', '', '02'), held(alice), 'issuance'],
    ['tokeld’s', createOf('tokel-v1'), held(alice), 'issuance', [0xf2]],
    ['tokeld’s with a code', createOf('tokel-v1', 'f701'), held(alice, 0xf7, 0xf2), 'issuance'],
    [
      'tokeld’s that drops something',
      createOf('tokel-v1'),
      held(alice) + dropped,
      'issuance',
      [0xf2],
    ],
    ['komodod’s that drops something', createOf('komodo-v1'), held(alice) + dropped, 'issuance'],
    ['the marker', createOf('komodo-v1'), marker, 'marker'],
    ['tokeld’s marker', createOf('tokel-v1'), marker, 'marker'],
    ['tokeld’s marker that drops something', createOf('tokel-v1'), marker + dropped, 'marker'],
    ['komodod’s marker that drops something', createOf('komodo-v1'), marker + dropped, 'issuance'],
  ]
  test.each(rows)('%s', (_, payload, script, role, evalCodes) => {
    const [found] = read([''], [script, payload]).outputs
    expect(found!.role).toBe(role)
    expect(found!.evalCodes).toEqual(evalCodes)
    expect(found!.pubkeys).toEqual(evalCodes && [alice])
  })

  test('the supply is what is issued, and no more', () => {
    const scripts = [marker, held(alice), held(bob), `21${alice}ac`, createOf('komodo-v1')]
    expect(read([''], scripts).supply).toBe(2n + 3n)
    expect(read([''], [held(alice), plainTransfer]).supply).toBeUndefined()
  })

  test('the code of a non-fungible token is the first byte of its data, on komodod’s chains', () => {
    const codeOf = (payload: string) => read([''], [held(alice), payload]).nonFungibleEvalCode
    expect(codeOf(createOf('komodo-v1', 'f1aa'))).toBe(0xf1)
    expect(codeOf(createOf('komodo-v1'))).toBeUndefined()
    expect(codeOf(createOf('tokel-v1', 'f701'))).toBeUndefined()
  })
})

describe('in a transfer', () => {
  const byAlice = fulfilled(['f2'], alice)
  const byBob = fulfilled(['f2'], bob)
  const rare = fulfilled(['f1', 'f2'], alice)
  type Row = [string, readonly string[], string, string, TokenOutput['role'], string[]?]
  // komodo src/cc/CCtokens.cpp, IsTokensvout, 't'
  const rows: Row[] = [
    ['who is named', [byAlice], transferOf([bob]), held(bob), 'destination', [bob]],
    ['who spends tokens', [byAlice], transferOf([bob]), held(alice), 'token-change', [alice]],
    [
      'who spends tokens besides',
      [byAlice, byBob],
      plainTransfer,
      held(bob),
      'token-change',
      [bob],
    ],
    [
      'who spends coins',
      [`${signature(0x47)}21${alice}`],
      plainTransfer,
      held(alice),
      'unexpected',
    ],
    [
      'who spends of another module',
      [fulfilled(['e4'], alice)],
      plainTransfer,
      held(alice),
      'unexpected',
    ],
    [
      'who spends an order',
      [fulfilled(['e3', 'f2'], alice)],
      plainTransfer,
      held(alice),
      'token-change',
      [alice],
    ],
    [
      'one of two who are named',
      [byAlice],
      transferOf([bob, carol]),
      held([bob, carol]),
      'destination',
      [bob, carol],
    ],
    ['what drops something', [byAlice], transferOf([bob]), held(bob) + dropped, 'unexpected'],
    ['the marker', [byAlice], transferOf([bob]), marker, 'marker'],
    // a code that the data of the token put into its conditions, as who spends it shows
    [
      'a code that is shown',
      [rare],
      plainTransfer,
      held(alice, 0xf1, 0xf2),
      'token-change',
      [alice],
    ],
    ['a code that is not shown', [byAlice], plainTransfer, held(alice, 0xf1, 0xf2), 'unexpected'],
    [
      'a code that another shows',
      [rare, byBob],
      plainTransfer,
      held(bob, 0xf1, 0xf2),
      'unexpected',
    ],
    [
      'a code that both show',
      [rare, fulfilled(['f1', 'f2'], bob)],
      plainTransfer,
      held(bob, 0xf1, 0xf2),
      'token-change',
      [bob],
    ],
    [
      'a named key with a code that is shown',
      [rare],
      transferOf([bob]),
      held(bob, 0xf1, 0xf2),
      'destination',
      [bob],
    ],
    [
      'one of three codes',
      [fulfilled(['ee', 'f1', 'f2'], alice)],
      plainTransfer,
      held(alice, 0xf1, 0xf2),
      'token-change',
      [alice],
    ],
    [
      'one of four codes',
      [fulfilled(['ea', 'ee', 'f1', 'f2'], alice)],
      plainTransfer,
      held(alice, 0xf1, 0xf2),
      'unexpected',
    ],
    [
      'any code before it is signed',
      [''],
      transferOf([bob]),
      held(bob, 0xf1, 0xf2),
      'destination',
      [bob],
    ],
    [
      'the last code before it is signed',
      [''],
      transferOf([bob]),
      held(bob, 0xff, 0xf2),
      'destination',
      [bob],
    ],
  ]
  test.each(rows)('%s', (_, scriptSigs, payload, script, role, pubkeys) => {
    const [found] = read(scriptSigs, [script, payload]).outputs
    expect(found!.role).toBe(role)
    if (role !== 'marker') expect(found!.pubkeys).toEqual(pubkeys)
  })

  // komodo src/cc/CCinclude.h, opretid: ids from 0x80 on are of no module
  test.each([
    ['gateways', 0x13, 'destination'],
    ['the last module', 0x7f, 'destination'],
    ['a burn', 0x80, 'unexpected'],
  ])('the code of %s, %i, makes tokens: %s', (_, id, role) => {
    const [found] = read(
      [byAlice],
      [held(bob, 0xf1, 0xf2), transferWith([bob], [id, 'f1'])],
    ).outputs
    expect(found!.role).toBe(role)
  })

  test('a code is of the first of two keys that are shown', () => {
    const scriptSig = fulfilled(['f1', 'f2'], alice, bob)
    const [first, second] = read([scriptSig], [plainTransfer]).inputs[0]!.pubkeys!
    const scripts = [held(first!, 0xf1, 0xf2), held(second!, 0xf1, 0xf2), plainTransfer]
    expect(rolesOf(read([scriptSig], scripts))).toEqual(['token-change', 'unexpected', 'nulldata'])
  })

  test('tokeld’s may drop something', () => {
    const payload = encodeTokenPayload({
      layout: 'tokel-v1',
      kind: 'transfer',
      tokenid,
      pubkeys: [bob],
    })
    const scripts = [held(bob) + dropped, marker + dropped, held(carol) + dropped, payload]
    expect(rolesOf(read([byAlice], scripts))).toEqual([
      'destination',
      'marker',
      'unexpected',
      'nulldata',
    ])
  })

  test('tokeld’s extras are all of modules', () => {
    const extras = [{ kind: 'unknown' as const, data: 'f1' }]
    const payload = encodeTokenPayload({
      layout: 'tokel-v1',
      kind: 'transfer',
      tokenid,
      pubkeys: [bob],
      extras,
    })
    const [found] = read([byAlice], [held(bob, 0xf1, 0xf2), payload]).outputs
    expect(found).toMatchObject({ role: 'destination', pubkeys: [bob], evalCodes: [0xf1, 0xf2] })
  })

  const codeOf = (scripts: string[], payload: string) =>
    read([''], [...scripts, payload]).nonFungibleEvalCode
  test('the code of a non-fungible token is what its tokens show beside those of modules', () => {
    expect(codeOf([held(bob)], transferOf([bob]))).toBeUndefined()
    expect(codeOf([held(bob, 0xf1, 0xf2)], transferOf([bob]))).toBe(0xf1)
    const asked = transferOf([assetsKey], [`e373${'00'.repeat(8)}21${alice}`])
    expect(codeOf([held(assetsKey, 0xf1, 0xf2, 0xe3)], asked)).toBe(0xf1)
    expect(codeOf([held(assetsKey, 0xe3, 0xf2), held(alice, 0xe3)], asked)).toBeUndefined()
    // its data are not an order, so the markers of one are of a module that is not named
    expect(codeOf([held(alice, 0xe3)], transferOf([alice], ['aa']))).toBeUndefined()
    expect(read([rare], [held(alice, 0xf1, 0xf2), plainTransfer]).nonFungibleEvalCode).toBe(0xf1)
    expect(read([''], [keyTokens(bob), transferV2]).nonFungibleEvalCode).toBeUndefined()
  })
})

describe('in an order', () => {
  const bidOf = (origin: string) => transferOf([], [`e362${'00'.repeat(8)}21${origin}`])
  type Row = [string, readonly string[], string, string, TokenOutput['role'], string[]?]
  const e3 = 0xe3
  // komodo src/cc/CCassetstx.cpp: MakeCC1vout(e3, …) of the module and of who ordered
  const rows: Row[] = [
    ['the coins of a bid', [''], bidOf(alice), held(assetsKey, e3), 'order', [assetsKey]],
    ['the bidder’s marker', [''], bidOf(alice), held(alice, e3), 'order-marker', [alice]],
    [
      'the bidder’s marker that either spends',
      [''],
      bidOf(alice),
      held([alice, assetsKey], e3),
      'order-marker',
      [alice, assetsKey],
    ],
    ['another’s marker', [''], bidOf(alice), held(bob, e3), 'unexpected'],
    [
      'the marker of who is named',
      [''],
      transferOf([bob], ['e378']),
      held(bob, e3),
      'order-marker',
      [bob],
    ],
    [
      'the marker of who spends tokens',
      [fulfilled(['f2'], carol)],
      transferOf([bob], ['e378']),
      held(carol, e3),
      'order-marker',
      [carol],
    ],
    [
      'a marker beside data that are not an order',
      [''],
      transferOf([bob], ['aa']),
      held(bob, e3),
      'order-marker',
      [bob],
    ],
    [
      'the coins where no key is named',
      [''],
      transferOf(['02'], ['e378']),
      held(assetsKey, e3),
      'order',
      [assetsKey],
    ],
    ['coins without an order', [''], transferOf([bob]), held(assetsKey, e3), 'unexpected'],
    ['a marker without an order', [''], transferOf([bob]), held(bob, e3), 'unexpected'],
    [
      'the tokens of an ask',
      [''],
      transferOf([assetsKey], [`e373${'00'.repeat(8)}21${alice}`]),
      held(assetsKey, e3, 0xf2),
      'order',
      [assetsKey],
    ],
    [
      'what is offered to either',
      [''],
      transferOf([bob, assetsKey], ['e378']),
      held([bob, assetsKey], e3, 0xf2),
      'order',
      [bob, assetsKey],
    ],
  ]
  test.each(rows)('%s', (_, scriptSigs, payload, script, role, pubkeys) => {
    const [found] = read(scriptSigs, [script, payload]).outputs
    expect(found!.role).toBe(role)
    expect(found!.pubkeys).toEqual(pubkeys)
    if (role === 'order-marker') expect(found!.evalCodes).toEqual([e3])
  })

  test('may stand after what another module says, and must be there', () => {
    const bidBeside = transferWith([], [0x13, 'aa'], [0x12, `e362${'00'.repeat(8)}21${alice}`])
    expect(rolesOf(read([''], [held(alice, e3), bidBeside]))).toEqual(['order-marker', 'nulldata'])
    const none = transferWith([bob], [0x13, 'aa'])
    expect(rolesOf(read([''], [held(bob, e3), none]))).toEqual(['unexpected', 'nulldata'])
  })

  // outputs of a fill: komodo src/cc/CCassetstx.cpp, FillBuyOffer
  describe('that fills a bid', () => {
    const fill = (key: string) => transferOf([key], [`e342${'00'.repeat(8)}21${key}`])
    const byAlice = fulfilled(['f2'], alice)
    const roles = (payload: string, ...scripts: string[]) =>
      rolesOf(read([byAlice], [...scripts, payload])).slice(0, -1)
    const coins = held(assetsKey, e3)
    const own = held(alice)

    test('a filled bid of another maker gives the seller change at any output', () => {
      const found = roles(fill(bob), coins, `21${alice}ac`, held(bob), held(bob, e3), own)
      expect(found).toEqual([
        'order',
        'native-change',
        'destination',
        'order-marker',
        'token-change',
      ])
    })
    test('a filled bid of the own maker pays the bidder at the third output, and change after it', () => {
      const found = roles(fill(alice), own, own, own, own)
      expect(found).toEqual(['destination', 'destination', 'destination', 'token-change'])
    })
    test('a filled bid of a bidder who is not named pays the third output all the same', () => {
      const found = roles(fill(bob), own, own, own, own)
      expect(found).toEqual(['token-change', 'token-change', 'destination', 'token-change'])
    })
    test('a bidder’s second output is none of the seller’s', () => {
      const found = roles(fill(bob), coins, coins, held(bob), held(bob))
      expect(found).toEqual(['order', 'order', 'destination', 'destination'])
    })
    test('beside what another module says', () => {
      const payload = transferWith([alice], [0x13, 'aa'], [0x12, `e342${'00'.repeat(8)}21${alice}`])
      expect(roles(payload, own, own, own, own).at(-1)).toBe('token-change')
    })
    test('outputs to a payer of the fee, or to either of two keys, are not change', () => {
      const scriptSigs = [`${signature(0x47)}21${bob}`, byAlice]
      const scripts = [coins, coins, held(bob), held(bob), fill(bob)]
      expect(rolesOf(read(scriptSigs, scripts))[3]).toBe('destination')
      const either = transferWith([bob, alice], [0x12, `e342${'00'.repeat(8)}21${bob}`])
      expect(roles(either, coins, coins, held(bob), held([bob, alice], e3, 0xf2)).at(-1)).toBe(
        'destination',
      )
    })
    test('the seller is the first of two keys that are shown', () => {
      const scriptSig = fulfilled(['f2'], alice, carol)
      const [first, second] = read([scriptSig], [plainTransfer]).inputs[0]!.pubkeys!
      const rolesTo = (key: string) => {
        const payload = transferWith([bob, key], [0x12, `e342${'00'.repeat(8)}21${bob}`])
        return rolesOf(read([scriptSig], [coins, coins, held(bob), held(key), payload]))[3]
      }
      expect([first!, second!].map(rolesTo)).toEqual(['token-change', 'destination'])
    })
    test('other transactions find change by keys alone', () => {
      expect(roles(transferOf([bob]), held(bob), held(bob), own)[2]).toBe('token-change')
      const cancelled = transferOf([alice], ['e378'])
      expect(roles(cancelled, own, own, own, own)).toEqual(Array(4).fill('destination'))
    })
  })
})

// tokel src/cc/CCutils.cpp, MakeCCcondMofN; src/cc/CCassetstx_impl.h
describe('in tokens v2', () => {
  const byAlice = fulfilled(['f5'], alice)
  const byBob = fulfilled(['f5'], bob)
  const create = createOf('tokens-v2')
  const hidden = mixedScript([alice], [0xf5])
  const tokensV2Code = 0xf5
  type Row = [
    string,
    readonly string[],
    string,
    string,
    TokenOutput['role'],
    (string[] | undefined)?,
    number[]?,
  ]
  const rows: Row[] = [
    ['what is issued', [''], create, keyTokens(alice), 'issuance', [alice]],
    ['what is issued to another', [''], create, keyTokens(bob), 'issuance', [bob]],
    ['the marker', [''], create, tokenMarker, 'marker'],
    [
      'what another module holds of a creation',
      [''],
      create,
      mixedScript([alice], [0xe4]),
      'unexpected',
      undefined,
      [0xe4],
    ],
    ['what goes back to a key', [byAlice], transferV2, keyTokens(alice), 'token-change', [alice]],
    ['what goes back to its hash', [byAlice], transferV2, hashTokens(alice), 'token-change'],
    ['what goes back to a key that is not told', [byAlice], transferV2, hidden, 'destination'],
    ['what goes to another', [byAlice], transferV2, keyTokens(bob), 'destination', [bob]],
    ['what goes to another’s hash', [byAlice], transferV2, hashTokens(bob), 'destination'],
    [
      'what nobody signs for',
      [byAlice],
      transferV2,
      mixedScript([bob], [0xf5], { form: 'N', params: '050402f5000075' }),
      'destination',
    ],
    [
      'what goes to either',
      [byAlice],
      transferV2,
      sharedTokens(1, [alice, bob]),
      'token-change',
      [alice, bob],
    ],
    [
      'what goes to both',
      [byAlice],
      transferV2,
      sharedTokens(2, [alice, bob]),
      'destination',
      [alice, bob],
    ],
    [
      'what goes back to both',
      [byAlice, byBob],
      transferV2,
      sharedTokens(2, [alice, bob]),
      'token-change',
      [alice, bob],
    ],
    [
      'what goes to two others',
      [byAlice],
      transferV2,
      sharedTokens(1, [carol, bob]),
      'destination',
      [carol, bob],
    ],
    [
      'what who pays only holds',
      [`${signature(0x47)}21${alice}`],
      transferV2,
      keyTokens(alice),
      'destination',
      [alice],
    ],
    [
      'what who takes an order back holds',
      [fulfilled(['f6'], alice)],
      transferV2,
      keyTokens(alice),
      'destination',
      [alice],
    ],
    ['what an ask offers', [byAlice], transferV2, asks, 'order', [assetsV2Key], [0xf5, 0xf6]],
    ['what a bid offers', [byAlice], transferV2, bids, 'order', undefined, [0xf6]],
    [
      'the marker of an order',
      [byAlice],
      transferV2,
      markerOf(alice),
      'order-marker',
      undefined,
      [0xf6],
    ],
    [
      'what the module holds with a code of its own',
      [byAlice],
      transferV2,
      mixedScript([alice], [0xe4]),
      'unexpected',
      undefined,
      [0xe4],
    ],
    ['what tokens v1 hold', [byAlice], transferV2, held(alice), 'unexpected', undefined],
    ['coins', [byAlice], transferV2, `21${bob}ac`, 'payment', [bob]],
  ]
  test.each(rows)('%s', (what, scriptSigs, payload, script, role, pubkeys, evalCodes) => {
    const [found] = read(scriptSigs, [script, payload]).outputs
    expect(found!.role).toBe(role)
    expect(found!.pubkeys).toEqual(pubkeys)
    const shows = !/v1|coins/.test(what)
    expect(found!.evalCodes?.toSorted()).toEqual(evalCodes ?? (shows ? [tokensV2Code] : undefined))
  })
})

// tokel src/cc/CCtokens.cpp, TokensV2::CheckTokensvout: what an output drops stands for the payload
describe('outputs that name their tokens themselves', () => {
  const other = 'cd'.repeat(32)

  test('are read where the last output says nothing', () => {
    const scripts = [
      keyTokens(carol),
      namedTokens(bob, tokenid),
      namedTokens(alice, other),
      `21${alice}ac`,
    ]
    const found = read([fulfilled(['f5'], alice)], scripts)
    expect(found).toMatchObject({ kind: 'transfer', layout: 'tokens-v2', tokenid })
    expect(found.outputs.map(({ role, tokenid: named }) => [role, named])).toEqual([
      ['destination', undefined],
      ['destination', tokenid],
      ['token-change', other],
      ['native-change', undefined],
    ])
  })

  test('are not where it does', () => {
    const scripts = [namedTokens(bob, other), transferV2]
    const found = read([fulfilled(['f5'], alice)], scripts)
    expect(found.tokenid).toBe(tokenid)
    expect(found.outputs[0]).not.toHaveProperty('tokenid')
    expect(rolesOf(found)).toEqual(['destination', 'nulldata'])
  })

  test('are none where they drop no payload, or that of a creation', () => {
    const dropping = (data: string) =>
      mixedScript([bob], [0xf5], { params: shown('f5', [bob], 1, [data]) })
    expect(read([''], [dropping('f5'), `21${alice}ac`])).toBeUndefined()
    const created = dropping(createOf('tokens-v2').slice(4))
    const found = read([''], [created, namedTokens(bob, tokenid), `21${alice}ac`])
    expect(found).toMatchObject({ kind: 'create', tokenid: found.txid })
    expect(found.outputs[0]).not.toHaveProperty('tokenid')
    expect(found.outputs[1]).toMatchObject({ tokenid })
  })
})
