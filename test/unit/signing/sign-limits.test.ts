// These tests cover which inputs the signer signs and which it leaves alone, with a row for each
// side of a limit. The engine confirms every signature that the signer returns.

import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { Point, recoverPublicKey, Signature } from '@noble/secp256k1'
import bs58check from 'bs58check'
import { describe, expect, test, vi } from 'vitest'

import {
  addressOf,
  addressOfScript,
  type ConditionTree,
  decodeFulfillment,
  decodeTransaction,
  decodeWif,
  defineNetwork,
  encodeCondition,
  encodeTransaction,
  encodeWif,
  networks,
  type PrevoutToSign,
  publicKeyOf,
  signatureHash,
  signatureHashes,
  signMessage,
  signTransaction,
  verifyInputs,
  verifyInputsAsync,
  verifyMessage,
  verifySignature,
} from '../../../src/index.ts'
import { isCompressedPoint } from '../../../src/script/public-key.ts'
import { pushOf } from '../../../src/script/push.ts'
import { redactName, scriptsOfName } from '../../../src/signing/own-scripts.ts'
import { putModulesBack } from '../../support/own-modules.ts'
import { refusalOf } from '../../support/refusal.ts'
import { replaceableEngine } from '../../support/replaceable-engine.ts'
import { compact, der } from '../../support/sign.ts'

const [key1, key2, key3] = [1, 2, 3].map((key) => `${key}`.padStart(64, '0')) as [
  string,
  string,
  string,
]
const [public1, public2, public3] = [key1, key2, key3].map((key) => publicKeyOf(key)) as [
  string,
  string,
  string,
]
const hash160 = (hex: string): string =>
  createHash('ripemd160')
    .update(createHash('sha256').update(Buffer.from(hex, 'hex')).digest())
    .digest('hex')
const paysHash = (publicKey: string) => `76a914${hash160(publicKey)}88ac`
const paysScript = (script: string) => `a914${hash160(script)}87`
const multisig = (required: number, keys: readonly string[]) =>
  `${(0x50 + required).toString(16)}${keys.map((key) => pushOf(key)).join('')}${(0x50 + keys.length).toString(16)}ae`
const twoOfThree = multisig(2, [public1, public2, public3])

const header = { version: 4, overwintered: true, versionGroupId: 0x892f2085, lockTime: 0 }
const spending = (scriptSigs: readonly string[], outputs = 1) => ({
  ...header,
  inputs: scriptSigs.map((scriptSig, vout) => {
    return { txid: 'ab'.repeat(32), vout, scriptSig, sequence: 0xffffffff }
  }),
  outputs: Array.from({ length: outputs }, () => ({ value: 7n, script: paysHash(public1) })),
})
const scriptSigsOf = (hex: string) => decodeTransaction(hex).inputs.map((input) => input.scriptSig)

const engine = replaceableEngine()
const proven = { ...engine }
putModulesBack()

describe('multisig', () => {
  const prevouts = [{ value: 5n, script: twoOfThree }]
  const sign = (keys: readonly string[], scriptSig = '') =>
    signTransaction(spending([scriptSig]), keys, prevouts)

  test.each([
    ['the first two', [key1, key2], true],
    ['the first and the last', [key1, key3], true],
    ['the last two', [key2, key3], true],
    ['all three', [key1, key2, key3], true],
    ['one', [key2], false],
  ])('%s of its keys', (_, keys, complete) => {
    const signed = sign(keys)
    expect(signed.complete).toBe(complete)
    const [verdict] = verifyInputs(signed.hex, prevouts)
    const named = [...keys].slice(0, 2).map((key) => publicKeyOf(key))
    expect(verdict!.publicKeys).toEqual(complete ? named : [])
  })

  test('a multisig of other keys than the requested ones is left as it was', () => {
    expect(scriptSigsOf(sign(['44'.repeat(32)]).hex)).toEqual([''])
  })

  test('rightly signed by two stays so, though a third key is there', () => {
    const { hex } = sign([key2, key3])
    const [signed] = scriptSigsOf(hex) as [string]
    expect(sign([key1, key2, key3], signed)).toMatchObject({ hex, complete: true })
    expect(sign([key1, key2, key3]).hex).not.toBe(hex)
  })

  test('keeps what the other has signed, and nothing else that stands there', () => {
    const [theirs] = scriptSigsOf(sign([key3]).hex) as [string]
    expect(sign([key1], theirs).complete).toBe(true)
    // no push, a number, somebody's key
    expect(sign([key1], `${theirs}76`).complete).toBe(true)
    // The last number is shown in decimal as 3000001, which has an odd number of digits.
    for (const number of ['0165', '01e5', '03c1c62d']) {
      expect(sign([key1], `${theirs}${number}`).complete).toBe(true)
    }
    expect(sign([key1], `${theirs}51${pushOf(public2)}`).complete).toBe(true)
    // the same signature under another hash type signs something else
    for (const type of ['02', '03', '81']) {
      const changed = `${theirs.slice(0, -2)}${type}`
      const signed = sign([key1], changed)
      expect(signed.complete).toBe(false)
      expect(signed.hex).toBe(sign([key1]).hex)
    }
  })

  test.each([1, 2, 3, 0x81, 0x82, 0x83])(
    'keeps a signature that the other made with hash type %s',
    (hashType) => {
      const unsigned = encodeTransaction(spending(['']))
      const { branchId } = networks.assetChain
      const terms = { scriptCode: twoOfThree, value: 5n, hashType, branchId }
      const type = hashType.toString(16).padStart(2, '0')
      const theirs = der(compact(signatureHash(unsigned, 0, terms), key3, false)) + type
      const signed = sign([key1], `00${pushOf(theirs)}`)
      expect(scriptSigsOf(signed.hex)[0]).toContain(theirs)
      expect(signed.complete).toBe(true)
    },
  )

  test.each([2, 3, 0x81, 0x82, 0x83])(
    'drops a signature with hash type %s if enough of the others sign everything',
    (hashType) => {
      const unsigned = encodeTransaction(spending(['']))
      const { branchId } = networks.assetChain
      const terms = { scriptCode: twoOfThree, value: 5n, hashType, branchId }
      const type = hashType.toString(16).padStart(2, '0')
      const theirs = der(compact(signatureHash(unsigned, 0, terms), key2, false)) + type
      const open = `00${pushOf(theirs)}`
      expect(sign([key1, key3], open).hex).toBe(sign([key1, key3]).hex)
      const [third] = scriptSigsOf(sign([key3], open).hex) as [string]
      expect(third).toContain(theirs)
    },
  )

  test('a single signature without its output signs nothing, and is left out', () => {
    const both = [1n, 2n].map((value) => ({ value, script: twoOfThree }))
    const theirs = `${der(compact('11'.repeat(32), key3, false))}03`
    const old = { version: 1, overwintered: false, versionGroupId: 0, expiryHeight: 0 }
    const fields = { ...spending(['', `00${pushOf(theirs)}`]), ...old }
    const { hex, complete } = signTransaction(fields, [key1], both)
    expect(complete).toBe(false)
    expect(hex).not.toContain(theirs)
  })

  test('behind a hash is signed only where its script is known', () => {
    const hidden = { value: 5n, script: paysScript(twoOfThree) }
    const keys = [key1, key2]
    const bare = pushOf(twoOfThree)
    expect(signTransaction(spending([bare]), keys, [hidden]).complete).toBe(true)
    for (const scriptSig of ['', '0076', '51', pushOf(multisig(1, [public1]))]) {
      const { hex, complete } = signTransaction(spending([scriptSig]), keys, [hidden])
      expect([complete, ...scriptSigsOf(hex)]).toEqual([false, scriptSig])
    }
    const wrong = { ...hidden, redeemScript: multisig(1, [public1]) }
    expect(refusalOf(() => signTransaction(spending(['']), keys, [wrong]))).toEqual({
      code: 'script_hash_mismatch',
      path: 'prevouts[0].redeemScript',
    })
  })

  test('behind a hash, in a script that no input can push, is refused and not half signed', () => {
    const keys = Array.from({ length: 16 }, (_, at) => publicKeyOf(`${at + 1}`.padStart(64, '0')))
    const redeemScript = multisig(1, keys)
    expect(redeemScript.length / 2).toBe(547)
    const prevout = { value: 5n, script: paysScript(redeemScript), redeemScript }
    const refused = refusalOf(() => signTransaction(spending([redeemScript]), [key1], [prevout]))
    expect(refused).toMatchObject({ path: 'inputs[0]' })
    const fifteen = multisig(1, keys.slice(0, 15))
    const allowed = { value: 5n, script: paysScript(fifteen), redeemScript: fifteen }
    expect(signTransaction(spending(['']), [key1], [allowed]).complete).toBe(true)
  })
})

describe('conditions', () => {
  const evaluated: ConditionTree = { type: 'eval-sha-256', code: 'f2' }
  const treeOf = (key: ConditionTree): ConditionTree => ({
    type: 'threshold-sha-256',
    threshold: 2,
    subconditions: [evaluated, { type: 'threshold-sha-256', threshold: 1, subconditions: [key] }],
  })
  const paying = (tree: ConditionTree) => `${pushOf(encodeCondition(tree))}cc`
  const ofKey = (publicKey: string) => treeOf({ type: 'secp256k1-sha-256', publicKey })

  test('stay as they are without their key', () => {
    const prevout = { value: 5n, script: paying(ofKey(public2)) }
    const signed = signTransaction(spending(['']), [key1], [prevout])
    expect(scriptSigsOf(signed.hex)).toEqual([''])
    expect(signTransaction(spending(['']), [key1, key2], [prevout]).complete).toBe(true)
  })

  test('behind the hash of a key are signed by that key alone, in any order of keys', () => {
    const tree = treeOf({ type: 'secp256k1hash-sha-256', publicKeyHash: hash160(public1) })
    const prevout = { value: 5n, script: paying(tree) }
    for (const keys of [
      [key1, key2],
      [key2, key1],
    ]) {
      const { hex, complete } = signTransaction(spending(['']), keys, [prevout], networks.tokel)
      expect(complete).toBe(true)
      const [verdict] = verifyInputs(hex, [prevout], networks.tokel)
      expect(verdict!.publicKeys).toEqual([public1])
    }
  })

  test('behind a script hash are not looked for: chains take none there', () => {
    const redeemScript = paying(ofKey(public1))
    const prevout = { value: 5n, script: paysScript(redeemScript), redeemScript }
    const signed = signTransaction(spending(['']), [key1], [prevout])
    expect([signed.complete, ...scriptSigsOf(signed.hex)]).toEqual([false, ''])
  })

  test('mean nothing for an output that has none', () => {
    const prevout = { value: 5n, script: paysHash(public1), condition: ofKey(public2) }
    expect(signTransaction(spending(['']), [key1], [prevout]).complete).toBe(true)
  })

  test('conditions that the engine cannot encode raise its error', () => {
    const prevout = { value: 5n, script: paying(ofKey(public1)), condition: ofKey(public1) }
    engine.encodeTrees = () => {
      throw new Error('out of order')
    }
    expect(() => signTransaction(spending(['']), [key1], [prevout])).toThrow('out of order')
    // the condition is encoded first, and then what fulfills it
    let calls = 0
    engine.encodeTrees = (...given) => {
      calls += 1
      if (calls > 1) throw new Error('out of order')
      return Reflect.apply(proven.encodeTrees!, engine, given)
    }
    expect(() => signTransaction(spending(['']), [key1], [prevout])).toThrow('out of order')
  })

  test('need no keys if their trees hold the signatures', () => {
    const prevout = { value: 5n, script: paying(ofKey(public1)) }
    const signed = signTransaction(spending(['']), [key1], [prevout])
    const [verdict] = verifyInputs(signed.hex, [prevout])
    const condition = decodeFulfillment(verdict!.fulfillment!)
    for (const keys of [[], [key2]]) {
      expect(signTransaction(spending(['']), keys, [{ ...prevout, condition }])).toEqual(signed)
    }
    // the key replaces a signature that the tree has for another transaction
    const renewed = signTransaction(spending([''], 2), [key1], [{ ...prevout, condition }])
    expect(renewed.complete).toBe(true)
    const unsigned = { ...prevout, condition: ofKey(public1) }
    expect(signTransaction(spending(['']), [], [unsigned]).complete).toBe(false)
  })

  // as few keys as it takes, in their order
  test('conditions of one key of two are signed by the first that is given', () => {
    const condition: ConditionTree = {
      type: 'threshold-sha-256',
      threshold: 2,
      subconditions: [
        evaluated,
        {
          type: 'threshold-sha-256',
          threshold: 1,
          subconditions: [public1, public2].map((publicKey) => ({
            type: 'secp256k1-sha-256',
            publicKey,
          })),
        },
      ],
    }
    const prevout = { value: 5n, script: paying(condition), condition }
    const signedBy = (...keys: string[]) => signTransaction(spending(['']), keys, [prevout])
    expect(signedBy(key1).complete).toBe(true)
    expect(signedBy(key1).hex).not.toBe(signedBy(key2).hex)
    expect(signedBy(key1, key2)).toEqual(signedBy(key1))
    expect(signedBy(key2, key1)).toEqual(signedBy(key2))
  })
})

test("somebody else's input stays as it is, however wrong", () => {
  const scripts = [paysHash(public1), paysHash(public2), `21${public2}ac`, twoOfThree]
  const prevouts: PrevoutToSign[] = scripts.map((script) => ({ value: 5n, script }))
  const wrong = pushOf(`30060201010201${'01'}01`)
  const scriptSigs = ['', `${wrong}${pushOf(public2)}`, wrong, '00']
  const signed = signTransaction(
    spending(scriptSigs),
    [key1],
    prevouts.slice(0, 3).concat([{ value: 5n, script: '51' }]),
  )
  expect(scriptSigsOf(signed.hex).slice(1)).toEqual(scriptSigs.slice(1))
  expect(verifyInputs(signed.hex, prevouts)[0]!.ok).toBe(true)
  expect(signed.complete).toBe(false)
})

test('a verdict has no members without a meaning', () => {
  const prevouts = [{ value: 5n, script: paysHash(public1) }]
  const { hex } = signTransaction(spending(['']), [key1], prevouts)
  const membersOf = (source: string) => Object.keys(verifyInputs(source, prevouts)[0]!).sort()
  expect(membersOf(hex)).toEqual(['hashType', 'ok', 'publicKeys', 'type'])
  expect(membersOf(encodeTransaction(spending([''])))).toEqual(['code', 'ok', 'publicKeys', 'type'])
})

test('later changes to the given bytes change no verdict', async () => {
  const tree: ConditionTree = {
    type: 'threshold-sha-256',
    threshold: 2,
    subconditions: [
      { type: 'eval-sha-256', code: 'f2' },
      { type: 'secp256k1-sha-256', publicKey: public1 },
    ],
  }
  const script = `${pushOf(encodeCondition(tree))}cc`
  const prevouts = [{ value: 5n, script, condition: tree }]
  const { hex, complete } = signTransaction(spending(['']), [key1], prevouts)
  expect(complete).toBe(true)
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'))
  const verdicts = verifyInputsAsync(bytes, prevouts)
  bytes.fill(0)
  expect(await verdicts).toEqual(verifyInputs(hex, prevouts))
})

test('bytes of another realm are signed as the hex of them', () => {
  const hex = encodeTransaction(spending(['']))
  const bytes = runInNewContext('Uint8Array.from(bytes)', { bytes: [...Buffer.from(hex, 'hex')] })
  const prevouts = [{ value: 5n, script: paysHash(public1) }]
  expect(signTransaction(bytes as Uint8Array, [key1], prevouts)).toEqual(
    signTransaction(hex, [key1], prevouts),
  )
})

test('a signature that the engine does not confirm does not leave', () => {
  const verify = proven.verifySignature!
  // as if the library that signs had signed another hash
  engine.verifySignature = (joined, ...rest) => {
    const other = (joined as string).startsWith('0') ? '1' : '0'
    return Reflect.apply(verify, engine, [`${other}${(joined as string).slice(1)}`, ...rest])
  }
  const prevout = { value: 5n, script: paysHash(public1) }
  const refused = { code: 'signature_mismatch' }
  expect(refusalOf(() => signTransaction(spending(['']), [key1], [prevout]))).toMatchObject(refused)
  expect(refusalOf(() => signMessage('text', key1, networks.komodo))).toMatchObject(refused)
})

test('the first call of a process has room for as many previous outputs as there are', async () => {
  const tx = encodeTransaction(spending(Array.from({ length: 4800 }, () => '')))
  const prevouts = Array.from({ length: 4800 }, (_, at) => {
    return { value: BigInt(at), script: paysHash(public1) }
  })
  const hashes = signatureHashes(tx, prevouts)
  vi.resetModules()
  const anew = await import('../../../src/index.ts')
  expect(anew.signatureHashes).not.toBe(signatureHashes)
  expect(anew.signatureHashes(tx, prevouts)).toEqual(hashes)
  const tooMuch = prevouts.map((prevout) => ({ ...prevout, value: 2n ** 63n }))
  expect(() => anew.signatureHashes(tx, tooMuch)).toThrow(/^prevouts\[0\]\.value: /)
})

describe('a fault of a previous output is reported with its place', () => {
  const hex = encodeTransaction(spending(['', ''], 1))
  const prevout = { value: 5n, script: paysHash(public1) }

  test.each([null, undefined, 5, 'text'])('%j in place of one', (given) => {
    const prevouts = [prevout, given as never]
    expect(() => verifyInputs(hex, prevouts)).toThrow('prevouts[1]')
    expect(() => signatureHashes(hex, prevouts)).toThrow('prevouts[1]')
  })

  test('accepts a previous output for each input', () => {
    expect(signatureHashes(hex, [prevout, prevout])).toHaveLength(2)
  })

  test('a value that is not a bigint', () => {
    for (const value of [5, '5', null, undefined]) {
      const prevouts = [prevout, { ...prevout, value: value as never }]
      expect(() => verifyInputs(hex, prevouts)).toThrow(/^prevouts\[1\]\.value: /)
    }
  })

  test('a script that is not text', () => {
    for (const script of [undefined, null, 7, new Uint8Array(2), ['76', 'a9']]) {
      const prevouts = [prevout, { value: 5n, script: script as never }]
      expect(() => verifyInputs(hex, prevouts)).toThrow(/^prevouts\[1\]\.script: /)
      expect(() => verifyInputs(hex, prevouts)).toThrow(TypeError)
    }
  })

  test('a script with letters whose last byte is that of a digit', () => {
    // U+0137 and U+0037, which is 7
    const script = prevout.script.replace('7', '\u0137')
    const reported = { code: 'malformed_hex', path: 'prevouts[1].script' }
    for (const call of [verifyInputs, signatureHashes]) {
      expect(refusalOf(() => call(hex, [prevout, { value: 5n, script }]))).toMatchObject(reported)
    }
  })

  test.each([0, 1, 3])('%d of them for two inputs', (actual) => {
    const prevouts = Array.from({ length: actual }, () => prevout)
    const context = { path: 'prevouts', expected: 2, actual }
    const reported = expect.objectContaining({ code: 'prevout_count_mismatch', context })
    expect(() => verifyInputs(hex, prevouts)).toThrow(reported)
    expect(() => signatureHashes(hex, prevouts)).toThrow(reported)
  })

  test('a value beyond 63 bits', () => {
    const most = (1n << 63n) - 1n
    const options = { scriptCode: prevout.script, value: most }
    expect(signatureHash(hex, 0, options)).toMatch(/^[0-9a-f]{64}$/)
    expect(signTransaction(hex, [], [prevout, { ...prevout, value: most }]).complete).toBe(false)
    for (const value of [most + 1n, -1n]) {
      const out = { code: 'amount_out_of_range' }
      expect(refusalOf(() => signatureHash(hex, 0, { ...options, value }))).toMatchObject(out)
      const prevouts = [prevout, { ...prevout, value }]
      const path = 'prevouts[1].value'
      expect(refusalOf(() => signTransaction(hex, [], prevouts))).toMatchObject({ ...out, path })
      expect(refusalOf(() => verifyInputs(hex, prevouts))).toMatchObject({ ...out, path })
    }
  })

  test('an input that is not there, a redeem script that is missing', () => {
    const options = { scriptCode: prevout.script, value: 5n }
    expect(refusalOf(() => signatureHash(hex, 2, options))).toEqual({
      code: 'input_index_out_of_range',
      path: 'inputIndex',
    })
    const hidden = { value: 5n, script: paysScript(twoOfThree) }
    expect(refusalOf(() => signatureHashes(hex, [prevout, hidden]))).toEqual({
      code: 'redeem_script_missing',
      path: 'inputs[1]',
    })
    const { versionGroupId: _, ...fields } = spending(['', ''])
    const old = encodeTransaction({ ...fields, version: 1, overwintered: false })
    expect(refusalOf(() => signatureHashes(old, [prevout, prevout], { hashType: 3 }))).toEqual({
      code: 'single_without_output',
      path: 'inputs[1]',
    })
  })

  test('a transaction that no chain takes has no place, one cut short has', () => {
    const outputs = [{ value: 1n, script: '6a'.repeat(200_000) }]
    const { versionGroupId: _, ...version1 } = {
      ...spending(['']),
      version: 1,
      overwintered: false,
    }
    const large = encodeTransaction({ ...version1, outputs })
    const contextOf = (call: () => unknown) => {
      try {
        call()
      } catch (error) {
        const { code, context } = error as { code: string; context: { offset?: number } }
        return { code, offset: context.offset }
      }
      return undefined
    }
    const options = { scriptCode: '', value: 0n }
    expect(contextOf(() => signatureHash(large, 0, options))).toEqual({
      code: 'transaction_over_limit',
      offset: undefined,
    })
    expect(contextOf(() => signatureHash(hex.slice(0, 20), 0, options))).toEqual({
      code: 'count_over_input',
      offset: 8,
    })
  })

  test('a hash of another length', () => {
    const parts = { publicKey: public1, signature: '00', encoding: 'der' } as const
    const call = () => verifySignature({ ...parts, hash: '11'.repeat(31) })
    expect(call).toThrow(expect.objectContaining({ code: 'wrong_length' }))
    expect(call).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ expected: 32, actual: 31 }) }),
    )
  })

  test('a part of a signature that is too long, the longer one', () => {
    const parts = { hash: '11'.repeat(32), encoding: 'der' } as const
    const long = '00'.repeat(2_000_000)
    const pathOf = (publicKey: string, signature: string) =>
      refusalOf(() => verifySignature({ ...parts, publicKey, signature })).path
    expect(pathOf(`${long}00`, long)).toBe('publicKey')
    expect(pathOf(long, `${long}00`)).toBe('signature')
    expect(pathOf(long, long)).toBe('signature')
  })
})

describe('wallet import format', () => {
  // leading zeros are a character each, so that what is too long is still a short text
  const prefix = 0
  const network = defineNetwork({ privateKeyPrefix: prefix })
  const wifOf = (...parts: (number | string)[]) =>
    bs58check.encode(
      Buffer.concat(
        parts.map((it) => (typeof it === 'string' ? Buffer.from(it, 'hex') : Buffer.from([it]))),
      ),
    )

  test('has 33 bytes, or 34 that end with 01', () => {
    expect(decodeWif(wifOf(prefix, key1), network).isCompressed).toBe(false)
    expect(decodeWif(wifOf(prefix, key1, 1), network).isCompressed).toBe(true)
  })

  test.each([
    ['another mark', [prefix, key1, 2], 'Base58Check of something else'],
    ['no mark that counts', [prefix, key1, 0], 'Base58Check of something else'],
    ['a byte behind the mark', [prefix, key1, 1, 0], 'Base58Check of something else'],
    ['a byte less', [prefix, key1.slice(2)], 'Base58Check of something else'],
    ['an address', [prefix, '11'.repeat(20)], 'an address'],
    ['an address with a byte more', [prefix, '11'.repeat(21)], 'Base58Check of something else'],
    ['no number of a key', [prefix, '00'.repeat(32), 1], 'a number that the curve does not have'],
    ['a number too large', [prefix, 'ff'.repeat(32), 1], 'a number that the curve does not have'],
  ])('names the kind of a refused text: %s', (_, parts, words) => {
    const refused = () => decodeWif(wifOf(...parts), network)
    expect(refusalOf(refused)).toEqual({ code: 'malformed_private_key', path: 'wif' })
    expect(refused).toThrow(words)
    const context = { path: 'wif', actual: words }
    expect(refused).toThrow(expect.objectContaining({ context }))
  })

  // komodo src/chainparams.cpp, base58Prefixes[SECRET_KEY]: 188; Bitcoin's is 128
  test("reports the network's own prefix for a key of another network", () => {
    const refused = () => decodeWif(wifOf(128, key1, 1), networks.komodo)
    const expected = `prefix 188 of ${networks.komodo.name}`
    const context = { path: 'wif', expected, actual: 'prefix 128, of another network' }
    expect(refused).toThrow(expect.objectContaining({ context }))
  })
})

describe('a text that is not a key is described, and not quoted', () => {
  const uncompressedHex = `04${'ab'.repeat(64)}`
  const base58 = 'a character that Base58 does not have'
  const mistyped = 'a checksum that does not match: a character is mistyped'
  test.each([
    ['', '0 digits of hex'],
    [' \n', 'blanks'],
    [' g', 'blanks around it'],
    ['g\n', 'blanks around it'],
    [public1, 'a public key'],
    [uncompressedHex.toUpperCase(), 'a public key'],
    [`${public1}0`, '67 digits of hex'],
    [`0${public1}`, '67 digits of hex'],
    [`${uncompressedHex}0`, '131 digits of hex'],
    [`1${uncompressedHex}`, '131 digits of hex'],
    [`05${'ab'.repeat(64)}`, '130 digits of hex'],
    [`04${'ab'.repeat(32)}`, '66 digits of hex'],
    ['1'.repeat(50), '50 digits of hex'],
    ['1'.repeat(51), mistyped],
    ['1'.repeat(52), mistyped],
    ['1'.repeat(53), '53 digits of hex'],
    [`g${'1'.repeat(49)}`, '50 characters'],
    [`${'1'.repeat(49)}g`, '50 characters'],
    ['g'.repeat(51), mistyped],
    ['g'.repeat(52), mistyped],
    ['g'.repeat(53), '53 characters'],
    ['0'.repeat(51), base58],
    ['0gggg', base58],
    ['gggg0', base58],
    ['ggIgg', base58],
    ['ggOgg', base58],
    ['gglgg', base58],
  ])('%j', (text, words) => {
    expect(() => decodeWif(text, networks.komodo)).toThrow(
      expect.objectContaining({ context: { path: 'wif', actual: words } }),
    )
  })

  test('where keys may be hex, only 64 digits are one', () => {
    for (const text of [`0${key1}`, `${key1}0`, key1.slice(1)]) {
      const refused = { code: 'malformed_private_key', path: 'key' }
      expect(refusalOf(() => publicKeyOf(text))).toEqual(refused)
    }
    expect(publicKeyOf(key1.toUpperCase())).toBe(public1)
  })
})

describe('a name of own coins', () => {
  test.each([paysHash(public1), paysScript(twoOfThree), `21${public1}ac`, twoOfThree])(
    'is told where it is a script: %s',
    (script) => {
      expect(redactName(script.toUpperCase())).toBe(script)
      expect(scriptsOfName(script.toUpperCase(), networks.komodo)).toEqual([script])
    },
  )

  test('is not told where it may be a private key', () => {
    for (const key of [key1, encodeWif(key1, networks.komodo), `${key1}01`]) {
      expect(redactName(key)).not.toContain(key)
      expect(scriptsOfName(key, networks.komodo)).toEqual([])
    }
  })

  test('is not looked up on what is not a network', () => {
    expect(() => scriptsOfName('text', null as never)).toThrow(TypeError)
  })
})

describe('a point of the curve', () => {
  test.each([
    ['a key', public1, true],
    ['the same again', public1, true],
    ['a key with more before it', `02${public1}`, false],
    ['a key with more behind it', `${public1}00`, false],
    ['no key', `02${'ff'.repeat(32)}`, false],
    ['the same again', `02${'ff'.repeat(32)}`, false],
    ['a key in upper case', public2.toUpperCase(), false],
  ])('%s', (_, text, expected) => {
    expect(isCompressedPoint(text)).toBe(expected)
  })

  test('is computed once, and 1024 of them are remembered', () => {
    let computed = 0
    engine.readPublicKeys = (...given) => {
      computed += 1
      return Reflect.apply(proven.readPublicKeys!, engine, given)
    }
    const keys = Array.from({ length: 1100 }, (_, at) =>
      publicKeyOf(`${at + 100}`.padStart(64, '0')),
    )
    for (const key of keys.slice(0, 100)) isCompressedPoint(key)
    const first = computed
    for (const key of keys.slice(0, 100)) isCompressedPoint(key)
    // Only keys that the cache dropped before are computed again.
    expect(computed - first).toBeLessThan(100)
    for (const key of keys) isCompressedPoint(key)
    for (const key of keys.slice(-20)) isCompressedPoint(key)
    const before = computed
    for (const key of keys.slice(-20)) expect(isCompressedPoint(key)).toBe(true)
    expect(computed).toBe(before)
    isCompressedPoint(keys[0]!)
    expect(computed).toBe(before + 1)
  })

  test('a point as the public key of an address stands alone', () => {
    for (const text of [`00${public1}`, `${public1}00`]) {
      const refused = refusalOf(() => addressOf(text, networks.komodo))
      expect(refused).toEqual({ code: 'malformed_public_key', path: 'publicKey' })
    }
  })
})

describe('a message', () => {
  const compactSize = (length: number): Buffer => {
    if (length < 0xfd) return Buffer.from([length])
    const sized = Buffer.alloc(length <= 0xffff ? 3 : 5)
    sized[0] = length <= 0xffff ? 0xfd : 0xfe
    if (length <= 0xffff) sized.writeUInt16LE(length, 1)
    else sized.writeUInt32LE(length, 1)
    return sized
  }
  /** As komodo src/rpc/misc.cpp, signmessage, hashes: written here a second time. */
  const hashOf = (text: string): Buffer => {
    const magic = Buffer.from('Komodo Signed Message:\n')
    const bytes = Buffer.from(text)
    const parts = [compactSize(magic.length), magic, compactSize(bytes.length), bytes]
    const once = createHash('sha256').update(Buffer.concat(parts)).digest()
    return createHash('sha256').update(once).digest()
  }

  test.each([0, 1, 252, 253, 254, 255, 256, 65_535, 65_536, 70_000])(
    'signs and verifies a text of %d bytes',
    (length) => {
      const text = 'm'.repeat(length)
      const signature = Buffer.from(signMessage(text, key1, networks.komodo), 'base64')
      const verdict = verifySignature({
        hash: hashOf(text).toString('hex'),
        publicKey: public1,
        signature: signature.subarray(1).toString('hex'),
        encoding: 'compact',
      })
      expect(verdict).toEqual({ ok: true })
    },
  )

  test("has the header of its key's form and of the sign of R", () => {
    const headers = new Set<number>()
    for (let at = 0; at < 24; at += 1) {
      for (const isCompressed of [true, false]) {
        const wif = encodeWif(key1, networks.komodo, { isCompressed })
        const signature = signMessage(`${at}`, wif, networks.komodo)
        headers.add(Buffer.from(signature, 'base64')[0]!)
        const address = addressOf(publicKeyOf(wif, networks.komodo), networks.komodo)
        expect(verifyMessage(`${at}`, signature, address, networks.komodo)).toBe(true)
      }
    }
    expect([...headers].sort()).toEqual([27, 28, 31, 32])
  })

  test('signed with an R beyond the order of the group has the headers for that', () => {
    // An R like this does not occur by chance. It determines the key of a signature: SEC 1, 4.1.6
    const text = 'R'
    const found: number[] = []
    for (let r = 1; found.length < 4 && r < 50; r += 1) {
      for (const recovery of [2, 3]) {
        const compact = Buffer.alloc(64)
        compact[31] = r
        compact[63] = 7
        let key: Uint8Array
        try {
          const recovered = Signature.fromBytes(compact, 'compact').addRecoveryBit(recovery)
          key = recoverPublicKey(recovered.toBytes('recovered'), hashOf(text), { prehash: false })
        } catch {
          continue
        }
        const publicKey = Buffer.from(key).toString('hex')
        const parts = { hash: hashOf(text).toString('hex'), publicKey }
        const signature = compact.toString('hex')
        expect(verifySignature({ ...parts, signature, encoding: 'compact' }).ok).toBe(true)
        for (const [header, form] of [
          [27 + recovery, Buffer.from(Point.fromBytes(key).toBytes(false)).toString('hex')],
          [31 + recovery, publicKey],
        ] as const) {
          const signed = Buffer.concat([Buffer.from([header]), compact]).toString('base64')
          const address = addressOf(form, networks.komodo)
          expect([header, verifyMessage(text, signed, address, networks.komodo)]).toEqual([
            header,
            true,
          ])
          found.push(header)
        }
      }
    }
    expect(new Set(found)).toEqual(new Set([29, 30, 33, 34]))
  })

  test.each([
    ['a header below', (bytes: Buffer) => Buffer.concat([Buffer.from([26]), bytes.subarray(1)])],
    ['a header above', (bytes: Buffer) => Buffer.concat([Buffer.from([35]), bytes.subarray(1)])],
    ['a byte less', (bytes: Buffer) => bytes.subarray(0, 64)],
    ['a byte more', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from([0])])],
    ['three bytes more', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from([0, 0, 0])])],
  ])('a message with %s is signed by nobody', (_, change) => {
    const address = addressOf(public1, networks.komodo)
    for (const text of ['1', '2', '3', '4']) {
      const bytes = Buffer.from(signMessage(text, key1, networks.komodo), 'base64')
      expect(verifyMessage(text, bytes.toString('base64'), address, networks.komodo)).toBe(true)
      const changed = change(bytes).toString('base64')
      expect(verifyMessage(text, changed, address, networks.komodo)).toBe(false)
    }
  })

  test('a message for the address of a script is refused', () => {
    const address = addressOfScript(paysScript(twoOfThree), networks.komodo)!
    const signature = signMessage('text', key1, networks.komodo)
    expect(
      refusalOf(() => verifyMessage('text', signature, address, networks.komodo)),
    ).toMatchObject({ code: 'unknown_address', path: 'address' })
  })
})
