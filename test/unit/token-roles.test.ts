// What the parts of a token transaction are for, told by its scripts alone: each form of scriptSig and
// of scriptPubKey, and one that is not quite it. spec/transaction.md, spec/tokens.md 3.

import { describe, expect, test } from 'vitest'
import { AntaraError } from '../../src/errors/antara-error.ts'
import { conditionScriptSig } from '../../src/script/condition-script.ts'
import { pubkeyHashScript } from '../../src/script/key-script.ts'
import { byteHex } from '../../src/token/payload/bytes.ts'
import { encodeTokenPayload } from '../../src/token/payload/encode.ts'
import type { TokenPayloadFields } from '../../src/token/payload/payload.ts'
import { conditionsOf, decodeTokenTransaction } from '../../src/token/read/read.ts'
import type { TokenInput, TokenTransaction } from '../../src/token/read/token-transaction.ts'
import { tokenScript } from '../../src/token/rules/token-script.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import { encodeTransaction } from '../../src/transaction/encode.ts'
import { keys } from '../support/komodod.ts'
import { assetsKey } from '../support/orders.ts'

const alice = keys.A.pubkey
const bob = keys.B.pubkey
const carol = keys.C.pubkey
const tokenid = 'ab'.repeat(32)
const plainTransfer = transferOf()

function transferOf(pubkeys: readonly string[] = [], extras: readonly string[] = []): string {
  return encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'transfer',
    tokenid,
    pubkeys,
    extras: extras.map((data) => ({ id: 0x12, kind: 'assets', data })),
  })
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
  const tokensKey = '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95'
  const tokensV2Key = '032fd27f72591b02f13a7f9701246eb0296b2be7cfdad32c520e594844ec3d4801'
  const transferV2 = encodeTokenPayload({
    layout: 'tokens-v2',
    kind: 'transfer',
    tokenid,
    pubkeys: [],
  })
  // spec/cc-scripts.md 7 and 8: eval codes and the modules' keys
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
  ] as const)('with a fulfillment %s', (_, payload, codes, pubkey, role) => {
    const { inputs } = read([fulfilled(codes, pubkey)], [payload])
    expect(inputs).toMatchObject([{ role, pubkeys: [pubkey] }])
    expect(inputs[0]!.evalCodes!.toSorted()).toEqual(
      codes.map((code) => Number.parseInt(code, 16)).toSorted(),
    )
  })

  test('that shows two keys is signed by the first alone', () => {
    const scriptSig = fulfilled(['f2'], alice, bob)
    const [first, second] = read([scriptSig], [plainTransfer]).inputs[0]!.pubkeys!
    expect([first, second].toSorted()).toEqual([alice, bob].toSorted())
    const paid = read([scriptSig], [`21${first}ac`, `21${second}ac`, plainTransfer])
    expect(rolesOf(paid)).toEqual(['native-change', 'payment', 'nulldata'])
    const held = read([scriptSig], [tokenScript(first!), tokenScript(second!), plainTransfer])
    expect(rolesOf(held)).toEqual(['token-change', 'unexpected', 'nulldata'])
  })

  test('that a module’s key fulfills makes nothing the sender’s: anyone can', () => {
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

  test('an owner that is no key', () => {
    const create = encodeTokenPayload({
      layout: 'komodo-v1',
      kind: 'create',
      owner: '',
      name: 'T',
      description: '',
    })
    const found = read([''], ['21ac', '00ac', create])
    expect(rolesOf(found)).toEqual(['unexpected', 'unexpected', 'nulldata'])
  })
})

// spec/tokens.md 3: whom the daemon's payloads name
describe('before it is signed, what goes back is known', () => {
  const price = '0100000000000000'
  const order = (letter: string, rest = `${price}21${alice}`) =>
    `e3${Buffer.from(letter).toString('hex')}${rest}`
  const rows: [string, string, 'native-change' | 'payment'][] = [
    ['by a bid', transferOf([], [order('b')]), 'native-change'],
    ['by an ask', transferOf([assetsKey], [order('s')]), 'native-change'],
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

  test('by a creation', () => {
    const create: TokenPayloadFields = {
      layout: 'komodo-v1',
      kind: 'create',
      owner: alice,
      name: 'T',
      description: '',
    }
    const scripts = [`21${alice}ac`, `21${bob}ac`, encodeTokenPayload(create)]
    expect(rolesOf(read([''], scripts))).toEqual(['native-change', 'payment', 'nulldata'])
  })
})

describe('a malformed payload is told at its byte of the transaction', () => {
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
    // of the count of keys, 36 bytes into the script
    const { offset = 0, path } = error.context
    expect(path).toBe(`outputs[${scripts.length}].script`)
    expect(offset).toBe(hex.indexOf(malformed) / 2 + 36)
  })
})

test('conditions are told apart alone, too', () => {
  const hex = transaction([''], [tokenScript(alice), tokenScript(carol), transferOf([alice])])
  const { payload } = decodeTokenTransaction(hex)!
  const tell = conditionsOf(decodeTransaction(hex), payload)
  expect(tell(tokenScript(alice))?.role).toBe('destination')
  expect(tell(tokenScript(carol))?.role).toBe('unexpected')
  expect(tell(`21${alice}ac`)).toBeUndefined()
})
