import { readFileSync } from 'node:fs'
import { getPublicKey } from '@noble/secp256k1'
import { describe, expect, test } from 'vitest'

import {
  type AntaraError,
  addressOfScript,
  burnPublicKeys,
  type ConditionParams,
  type ConditionTree,
  chainModules,
  conditionAddress,
  conditionScript,
  conditionScriptSig,
  decodeCondition,
  decodeConditionParams,
  decodeConditionScript,
  decodeConditionScriptSig,
  decodeTransaction,
  defineNetwork,
  encodeCondition,
  encodeConditionParams,
  encodeFulfillment,
  moduleCondition,
  moduleOfEvalCode,
  networks,
  signatureHash,
  signFulfillment,
  type Transaction,
  tokenConditionTree,
  tokenScript,
  verifyFulfillment,
} from '../../../src/index.ts'

import { conditionTree } from '../../../src/script/condition-script.ts'
import {
  decodeConditionScriptSigs,
  decodeConditionScripts,
} from '../../../src/script/read-condition-script.ts'

function errorOf(call: () => unknown): Partial<AntaraError> {
  try {
    call()
  } catch (error) {
    return error as AntaraError
  }
  return {}
}

const key1 = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const key2 = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'
const keyHash1 = '751e76e8199196d454941c45d1b3a323f1433bd6'
const { assetChain, tokel } = networks

// Bytes and addresses as the daemons made them, for the public keys of 1 and 2.
const tokens1of1 =
  '2ea22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401cc'
const built: [string, string[], number[], string][] = [
  ['tokens of one key', [key1], [0xf2], tokens1of1],
  [
    'tokens of another',
    [key2],
    [0xf2],
    '2ea22c8020e705044ab884fdcc492bdcf52ac5c6be3f21f4bdd4334caa2abd7d9eee6235248103120c008203000401cc',
  ],
  [
    'tokens of one of two',
    [key1, key2],
    [0xf2],
    '2ea22c802001974ccce32af1d10651f36877e2daee607250a8a6552888944167429b5edd6181031210008203000401cc',
  ],
  [
    'tokens on sale',
    [key1],
    [0xe3, 0xf2],
    '2ea22c802028cd286b31d74a750cc4d18fd0ddb776140b44b4c19952e8eead643ee655bc6e81032210008203000401cc',
  ],
  [
    'tokens under three modules',
    [key1],
    [0xe3, 0xf2, 0x10],
    '2ea22c802064811d6c15600983914aa4943625e3dfeefb83b31174739f5129333f44314c4481033214008203000401cc',
  ],
]

describe('scripts of modules', () => {
  test.each(built)('%s', (_, keys, evalCodes, script) => {
    expect(conditionScript(moduleCondition(keys, { evalCodes }))).toBe(script)
    // The order of codes and keys is not a part of a condition.
    const turned = moduleCondition([...keys].reverse(), { evalCodes: [...evalCodes].reverse() })
    expect(conditionScript(turned)).toBe(script)
    const pubkeys = keys.length === 1 ? keys[0]! : ([keys[0]!, keys[1]!] as const)
    expect(tokenScript(pubkeys, { evalCodes })).toBe(script)
    expect(conditionScript(tokenConditionTree(pubkeys, { evalCodes }))).toBe(script)
  })

  test('an eval code counts once, and 0 is none', () => {
    const tree = moduleCondition([key1], { evalCodes: [0xf2, 0, 0xf2] })
    expect(conditionScript(tree)).toBe(tokens1of1)
  })

  test("Tokel's form M hides the keys", () => {
    const tree = moduleCondition([key1], { evalCodes: [0xf5] })
    const script =
      '3e4da23ba00aa003800102af038001f5a12da22b80207e2ecf3417cdc9938da6a49a32044035f6a2f7c169e71045eb79327f73858401810302040082020204cc'
    expect(conditionScript(tree, { form: 'M' })).toBe(script)
    expect(conditionAddress(tree, tokel, { form: 'M' })).toBe('CWv3rLNdDcXgaFcGv8a3jEHbNQt3AufXX5')
    expect(decodeConditionScript(script, tokel)).toMatchObject({ form: 'M', dropped: [] })
    expect(decodeConditionScript(script)).toBeUndefined()
  })

  test("Tokel's form N shows them", () => {
    const tree = moduleCondition([keyHash1], { evalCodes: [0xf5] })
    const script =
      '394ea236a032a003800102a226a005a003800101a11da61b8014751e76e8199196d454941c45d1b3a323f1433bd68103020000af038001f5a100cc'
    expect(conditionScript(tree, { form: 'N' })).toBe(script)
    expect(conditionAddress(tree, tokel, { form: 'N' })).toBe('CT8AZiaVU9xMYcCYk6x27s1a1Bhm8m4bH5')
    const decoded = decodeConditionScript(script, tokel)!
    expect(decoded.form).toBe('N')
    expect(encodeCondition(decoded.condition)).toBe(encodeCondition(tree))
    expect(encodeCondition(decoded.tree!)).toBe(encodeCondition(tree))
  })

  test('addresses have the prefix of their chain', () => {
    const tree = moduleCondition([key1], { evalCodes: [0xf2] })
    expect(conditionAddress(tree, assetChain)).toBe('RCCahKiyBWPEcj9RhqDirfFrgu9eLeUPnd')
    expect(conditionAddress(tree, tokel)).toBe('CKPHBrBkTjZCSrgevQZXLeYgYkuTeBSMxz')
    const oneOfTwo = moduleCondition([key1, key2], { evalCodes: [0xf2] })
    expect(conditionAddress(oneOfTwo, assetChain)).toBe('RRnKmGNBidcVbZgwmq5S6mu2nvkWxm4Bho')
    expect(() => conditionAddress(tree, networks.komodo)).toThrow(TypeError)
  })

  test.each<[string, string[], number[], string]>([
    ['an uncompressed key', [`04${'11'.repeat(64)}`], [0xf2], 'wrong_length'],
    ['no key', [], [0xf2], 'condition_threshold'],
    ['a coordinate beyond the field', [`02${'ff'.repeat(32)}`], [0xf2], 'condition_public_key'],
  ])('%s is refused', (_, keys, evalCodes, code) => {
    expect(errorOf(() => conditionScript(moduleCondition(keys, { evalCodes }))).code).toBe(code)
  })

  test.each([0x100, -1, 1.5, '2'])('eval code %o is misuse', (code) => {
    expect(() => moduleCondition([key1], { evalCodes: [code as number] })).toThrow(TypeError)
  })
})

describe('parameters', () => {
  const params: ConditionParams = {
    version: 2,
    evalCode: 0xf5,
    m: 1,
    n: 1,
    pubkeys: [key1],
    data: [],
  }

  test('are pushed and dropped', () => {
    const tree = moduleCondition([key1], { evalCodes: [0xf5] })
    const script = conditionScript(tree, { form: 'M', params })
    expect(script).toBe(`${conditionScript(tree, { form: 'M' })}270402f5010121${key1}75`)
    expect(decodeConditionScript(script, tokel)).toMatchObject({
      params,
      dropped: [encodeConditionParams(params)],
    })
    // They are not a part of the address.
    expect(addressOfScript(script, tokel)).toBe(conditionAddress(tree, tokel, { form: 'M' }))
  })

  const header = (version: number, m: number, n: number) =>
    `04${Buffer.from([version, 0xf2, m, n]).toString('hex')}`
  const key = `21${key1}`

  // source: komodo and tokel src/script/standard.cpp, COptCCParams::COptCCParams
  test.each<[string, string, number | undefined, number | undefined]>([
    ['version 1 with its key', `${header(1, 1, 1)}${key}`, 1, 0],
    ['version 1 with its keys and data', `${header(1, 1, 2)}${key}${key}02abcd`, 2, 0],
    ['version 1 with data alone', `${header(1, 1, 1)}02abcd`, undefined, 0],
    ['version 1 with nothing', header(1, 1, 1), undefined, undefined],
    ['version 1, 1 of 3', `${header(1, 1, 3)}${key}${key}${key}`, undefined, undefined],
    ['version 1, 2 of 2', `${header(1, 2, 2)}${key}${key}`, undefined, undefined],
    ['version 2', `${header(2, 1, 1)}${key}`, undefined, 1],
    ['version 2, 3 of 2', `${header(2, 3, 2)}${key}${key}`, undefined, 2],
    ['version 2, of none', `${header(2, 1, 0)}${key}`, undefined, undefined],
    ['version 2 with a bad key', `${header(2, 1, 1)}02abcd`, undefined, undefined],
    ['version 2, cut', `${header(2, 1, 1)}${key.slice(2)}`, undefined, undefined],
    ['version 7', `${header(7, 0, 0)}02abcd`, undefined, 0],
    ['version 0', `${header(0, 1, 1)}${key}`, undefined, undefined],
    ['a header of 3 bytes', '0301f201', undefined, undefined],
    ['an opcode', `${header(1, 1, 1)}${key}ac`, undefined, undefined],
    ['a small number as data', `${header(1, 1, 1)}${key}5200`, 1, 0],
    ['nothing', '', undefined, undefined],
  ])('%s', (_, blob, komodoKeys, tokelKeys) => {
    expect(decodeConditionParams(blob)?.pubkeys.length).toBe(komodoKeys)
    expect(decodeConditionParams(blob, 'tokel')?.pubkeys.length).toBe(tokelKeys)
  })

  test('small numbers are bytes', () => {
    expect(decodeConditionParams(`${header(1, 1, 1)}${key}520060`)?.data).toEqual([
      '02',
      '00',
      '10',
    ])
  })

  test('survive writing and reading', () => {
    for (const data of [[], ['ab'], ['00'.repeat(75)], ['11'.repeat(76), '22'.repeat(300)]]) {
      const written = { ...params, version: 1, data }
      expect(decodeConditionParams(encodeConditionParams(written))).toEqual(written)
    }
  })

  const long =
    '410479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'

  // source: komodo src/pubkey.h, CPubKey::GetLen
  test.each<[string, string, boolean]>([
    ['02 and 32 bytes', key, true],
    ['03 and 32 bytes', `2103${key1.slice(2)}`, true],
    ['04 and 64 bytes', long, true],
    ['06 and 64 bytes', `4106${long.slice(4)}`, true],
    ['07 and 64 bytes', `4107${long.slice(4)}`, true],
    ['05 and 64 bytes', `4105${long.slice(4)}`, false],
    ['04 and 32 bytes', `2104${key1.slice(2)}`, false],
    ['02 and 64 bytes', `4102${long.slice(4)}`, false],
    ['a form in its middle', `21aa02${key1.slice(4)}`, false],
    ['a long form in its middle', `41aa04${long.slice(6)}`, false],
  ])('a key of %s fits: %s', (_, pushed, fits) => {
    expect(decodeConditionParams(`${header(1, 1, 1)}${pushed}`) !== undefined).toBe(fits)
    expect(decodeConditionParams(`${header(2, 1, 1)}${pushed}`, 'tokel') !== undefined).toBe(fits)
  })

  // source: tokel src/script/standard.cpp, COptCCParams: m and n from 1 to 128, with n elements
  test.each<[number, number, number, number | undefined]>([
    [0, 1, 1, undefined],
    [1, 0, 1, undefined],
    [1, 1, 0, undefined],
    [1, 2, 1, undefined],
    [128, 1, 1, 1],
    [129, 1, 1, undefined],
    [1, 128, 128, 128],
    [1, 129, 129, undefined],
    [1, 1, 2, 1],
  ])('%i of %i with %i elements', (m, n, elements, keys) => {
    const blob = `${header(2, m, n)}${key.repeat(elements)}`
    expect(decodeConditionParams(blob, 'tokel')?.pubkeys.length).toBe(keys)
  })

  test('names the element that it refuses', () => {
    const refused = (pubkeys: string[], data: string[]) =>
      errorOf(() => encodeConditionParams({ ...params, pubkeys, data })).context?.path
    expect(refused([key1, ''], [])).toBe('params.pubkeys[1]')
    expect(refused([key1], ['ab', ''])).toBe('params.data[1]')
    expect(refused([key1, key2], [''])).toBe('params.data[0]')
  })

  test('parameters of more bytes than a block are an error, not absent', () => {
    expect(errorOf(() => decodeConditionParams('51'.repeat(4_000_100))).code).toBe(
      'input_over_limit',
    )
  })

  test('count their keys as the daemon of their chain does', () => {
    const tree = moduleCondition([key1], { evalCodes: [0xf2] })
    const script = conditionScript(tree, { params: { ...params, version: 1 } })
    expect(decodeConditionScript(script, assetChain)?.params?.pubkeys).toEqual([key1])
    expect(decodeConditionScript(script, tokel)?.params?.pubkeys).toEqual([])
  })

  test.each(['version', 'evalCode', 'm', 'n'] as const)('have a byte as %s', (name) => {
    for (const value of [0, 255]) {
      const written = encodeConditionParams({ ...params, pubkeys: [], data: [], [name]: value })
      expect(written).toContain(value.toString(16).padStart(2, '0'))
      expect(written).toHaveLength(10)
    }
    for (const value of [-1, 256, 1.5, '1']) {
      expect(() => encodeConditionParams({ ...params, [name]: value as number })).toThrow(
        new TypeError(`params.${name}: expected an integer from 0 to 255, got ${value}`),
      )
    }
  })

  test('errors tell lengths in bytes', () => {
    const short = errorOf(() => moduleCondition(['02'], { evalCodes: [0xf2] }))
    expect(short.context?.actual).toBe('1 bytes')
    const over = errorOf(() => conditionScriptSig('00'.repeat(10_001)))
    expect(over).toMatchObject({ code: 'fulfillment_over_limit' })
    expect(over.context?.actual).toBe('10001 bytes')
  })

  test('refuses scripts that cannot be spent', () => {
    const tree = moduleCondition([key1], { evalCodes: [0xf2] })
    const fits = { ...params, pubkeys: [], data: ['00'.repeat(520 - 5 - 3)] }
    expect(conditionScript(tree, { params: fits }).length / 2).toBe(48 + 3 + 520 + 1)
    const tooLong = { ...params, pubkeys: [], data: ['00'.repeat(520 - 5 - 2)] }
    expect(errorOf(() => conditionScript(tree, { params: tooLong })).code).toBe('size_out_of_range')
    const empty = { ...params, data: [''] }
    expect(errorOf(() => encodeConditionParams(empty)).code).toBe('size_out_of_range')
    expect(() => encodeConditionParams({ ...params, m: 256 })).toThrow(TypeError)
  })
})

describe('scripts that pay no condition', () => {
  test.each([
    ['nothing', ''],
    ['a key', `21${key1}ac`],
    ['an unbalanced drop', `${tokens1of1}75`],
    ['data that stays', `${tokens1of1}0401020304`],
    ['a push over the end', `${tokens1of1}0501020304`],
    ['a long push', `4c${tokens1of1}`],
    ['no condition inside', '0401020304cc'],
    [
      'a fingerprint of another size',
      `0d${encodeCondition({ type: 'preimage-sha-256', preimage: '' }).slice(0, 26)}cc`,
    ],
  ])('%s', (_, script) => {
    expect(decodeConditionScript(script)).toBeUndefined()
  })

  test('scripts on a chain without conditions pay no condition', () => {
    expect(decodeConditionScript(tokens1of1, networks.komodo)).toBeUndefined()
    expect(decodeConditionScript(tokens1of1, defineNetwork({ conditions: 'none' }))).toBeUndefined()
  })

  test('a lax condition is read, and marked', () => {
    const lax = `2fa2812c${tokens1of1.slice(6)}`
    expect(decodeConditionScript(lax)?.condition.isCanonical).toBe(false)
    expect(decodeConditionScript(tokens1of1)?.condition.isCanonical).toBe(true)
  })
})

describe('scriptSigs', () => {
  const fulfillment = 'af038001f2'

  test('are one push of a fulfillment and a hash type', () => {
    expect(conditionScriptSig(fulfillment)).toBe('06af038001f201')
    expect(decodeConditionScriptSig('06af038001f201')).toEqual({
      fulfillment,
      tree: { type: 'eval-sha-256', code: 'f2' },
      hashType: 1,
    })
    expect(decodeConditionScriptSig('4c06af038001f283')?.hashType).toBe(0x83)
    expect(errorOf(() => conditionScriptSig('00'.repeat(2048))).code).toBe('fulfillment_over_limit')
    expect(() => conditionScriptSig(fulfillment, 256)).toThrow(TypeError)
  })

  test.each([
    '',
    '00',
    '0101',
    '06af038001f2',
    '06af038001f20101',
    '06af038001f301ac',
    '51',
    '05af038001f2',
    '0501020304',
  ])('%s is none', (scriptSig) => {
    expect(decodeConditionScriptSig(scriptSig)).toBeUndefined()
  })
})

describe('limits of what is built', () => {
  test('a hash type is a byte', () => {
    expect(conditionScriptSig('af038001f2', 0)).toBe('06af038001f200')
    expect(conditionScriptSig('af038001f2', 255)).toBe('06af038001f2ff')
    for (const hashType of [-1, 256, 1.5, Number.NaN]) {
      expect(() => conditionScriptSig('af038001f2', hashType)).toThrow(TypeError)
    }
  })

  test('an eval code is a byte', () => {
    const script = (code: number) => conditionScript(moduleCondition([key1], { evalCodes: [code] }))
    expect(decodeConditionScript(script(0xff))?.condition.subtypes).toContain('eval-sha-256')
    expect(script(1)).not.toBe(script(0xff))
    expect(() => script(256)).toThrow(TypeError)
    expect(conditionTree([0], [])).toMatchObject({
      subconditions: [{ type: 'eval-sha-256', code: '00' }, {}],
    })
  })

  // komodo src/script/script.h, MAX_SCRIPT_CRYPTOCONDITION_FULFILLMENT_SIZE
  test('a fulfillment is pushed with its hash type, below 2048 bytes', () => {
    expect(conditionScriptSig('00'.repeat(2047))).toHaveLength(2 * (3 + 2048))
    expect(errorOf(() => conditionScriptSig('00'.repeat(2048))).code).toBe('fulfillment_over_limit')
  })

  test('scripts that are read together are read as one by one', () => {
    const scripts = [
      tokens1of1,
      '51',
      conditionScript(moduleCondition([key2], { evalCodes: [0xf5] }), { form: 'M' }),
      conditionScript(moduleCondition([key2], { evalCodes: [0xe3] })),
    ]
    const together = decodeConditionScripts(scripts, tokel)
    expect(together).toEqual(scripts.map((script) => decodeConditionScript(script, tokel)))
    expect(together.map((it) => it?.form)).toEqual(['condition', undefined, 'M', 'condition'])
    const scriptSigs = ['51', '06af038001f201', '', '06af038001e301']
    expect(decodeConditionScriptSigs(scriptSigs)).toEqual(
      scriptSigs.map((scriptSig) => decodeConditionScriptSig(scriptSig)),
    )
    expect(decodeConditionScriptSigs(scriptSigs)[3]?.tree).toMatchObject({ code: 'e3' })
    const many = Array.from({ length: 40_000 }, () => tokens1of1)
    expect(new Set(decodeConditionScripts(many, tokel).map((it) => it?.form))).toEqual(
      new Set(['condition']),
    )
  })
})

describe('module keys', () => {
  const eval_ = (code: number) =>
    moduleCondition([moduleOfEvalCode(code)!.key!.publicKey], { evalCodes: [code] })

  test('are twenty, with three defects', () => {
    expect(chainModules.length).toBe(24)
    expect(chainModules.filter(({ key }) => key !== undefined).length).toBe(20)
    const defects = chainModules.filter(({ key }) => key?.defect !== undefined)
    expect(defects.map(({ name }) => name)).toEqual(['FSM', 'LOTTO', 'ORACLES'])
    expect(Object.isFrozen(chainModules) && Object.isFrozen(chainModules[0]!.key)).toBe(true)
  })

  test.each(chainModules.filter(({ key }) => key !== undefined))(
    '$name',
    ({ evalCode, name, key }) => {
      const {
        publicKey,
        privateKey,
        conditionAddress: address,
        keyAddress,
        tokelConditionAddress,
      } = key!
      const derived = Buffer.from(getPublicKey(Buffer.from(privateKey, 'hex'))).toString('hex')
      expect(derived === publicKey).toBe(name !== 'ORACLES')
      if (name === 'ORACLES') expect(derived).toBe(moduleOfEvalCode(0xf1)!.key!.publicKey)
      if (address !== undefined) expect(conditionAddress(eval_(evalCode), assetChain)).toBe(address)
      if (keyAddress !== undefined)
        expect(addressOfScript(`21${publicKey}ac`, assetChain)).toBe(keyAddress)
      if (tokelConditionAddress !== undefined) {
        const form = evalCode >= 0xf5 ? 'M' : 'condition'
        expect(conditionAddress(eval_(evalCode), tokel, { form })).toBe(tokelConditionAddress)
      }
      if (key!.publishedConditionAddress !== undefined) {
        expect(key!.publishedConditionAddress).not.toBe(address)
        expect(key!.defect).toMatch(/address/)
      }
    },
  )

  test('markers belong to them', () => {
    expect(conditionScript(eval_(0xf2))).toBe(
      '2ea22c8020432de388aabcb6b4e3326351d1d815cee8be9a8d37b055cd1c0cf8782e5c50c08103120c008203000401cc',
    )
    expect(conditionScript(eval_(0xf5), { form: 'M' })).toBe(
      '3e4da23ba00aa003800102af038001f5a12da22b802096fec31e85a06720706ef9214c9c8b2df26940aac250e1d80f23a772b18b5a4a810302040082020204cc',
    )
  })

  test('tokens are burned to a key that is not a point', () => {
    const tree = moduleCondition([burnPublicKeys.komodo], { evalCodes: [0xf2] })
    expect(conditionAddress(tree, assetChain)).toBe('RGhSYviAys2a7LTr2i4uqXKJhxuPtJVMJg')
  })
})

describe('signing', () => {
  const one = '00'.repeat(31).concat('01')

  test('a token input, as the worked example has it', () => {
    const hash = '04413695e0765354acc697710e6b53947dd7d445407b7c56ed1dd0592cfde15e'
    const signed = signFulfillment(tokenConditionTree(key1), hash, one)
    const fulfillment = encodeFulfillment(signed)
    expect(fulfillment).toBe(
      'a276a072a26ba067a56580210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f817988140621a6a17e969ef6b9b4b79ec7c71be495e6da72a7ccbe59925eeb1dbf102fa1f5c80db6be1c1866f506cdcfe7767b0f3a6377afb69ffd1385d9591b15c83a6eca100af038001f2a100',
    )
    const condition = encodeCondition(signed)
    expect(verifyFulfillment(fulfillment, hash, condition)).toEqual({
      ok: true,
      code: 'eval_decided_by_chain',
    })
    expect(verifyFulfillment(fulfillment, `00${hash.slice(2)}`, condition)).toEqual({
      ok: false,
      code: 'signature_mismatch',
    })
    expect(conditionScriptSig(signed).slice(0, 4)).toBe('4c79')
  })

  test('a condition of two keys is signed with one of them', () => {
    const signed = signFulfillment(tokenConditionTree([key2, key1]), '11'.repeat(32), one)
    const fulfillment = encodeFulfillment(signed)
    expect(fulfillment.length / 2).toBe(164)
    expect(verifyFulfillment(fulfillment, '11'.repeat(32), encodeCondition(signed)).ok).toBe(true)
  })

  test('a key that is known by its hash', () => {
    const tree = moduleCondition([keyHash1], { evalCodes: [0xf5] })
    const signed = signFulfillment(tree, '11'.repeat(32), one)
    const fulfillment = encodeFulfillment(signed)
    expect(fulfillment).toContain(`a6658021${key1}8140`)
    expect(verifyFulfillment(fulfillment, '11'.repeat(32), encodeCondition(tree)).ok).toBe(true)
  })

  test('Ed25519, with the prefixes around it', () => {
    // RFC 8032, section 7.1, test 2
    const seed = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'
    const leaf: ConditionTree = {
      type: 'ed25519-sha-256',
      publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    }
    expect(signFulfillment(leaf, '72', seed)).toMatchObject({
      signature:
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    })
    const tree: ConditionTree = {
      type: 'prefix-sha-256',
      prefix: 'ab',
      maxMessageLength: 0,
      subcondition: {
        type: 'prefix-sha-256',
        prefix: 'cd',
        maxMessageLength: 0,
        subcondition: leaf,
      },
    }
    const signed = signFulfillment(tree, '72', seed)
    const fulfillment = encodeFulfillment(signed)
    const inner = signFulfillment(leaf, 'cdab72', seed)
    expect(fulfillment).toContain(encodeFulfillment(inner))
    expect(verifyFulfillment(fulfillment, '72', encodeCondition(tree))).toEqual({ ok: true })
    expect(verifyFulfillment(fulfillment, '73', encodeCondition(tree)).ok).toBe(false)
  })

  test('secp256k1 keys are neither signed nor verified where a prefix is', () => {
    const leaf: ConditionTree = { type: 'secp256k1-sha-256', publicKey: key1 }
    const prefixed: ConditionTree = {
      type: 'prefix-sha-256',
      prefix: '',
      maxMessageLength: 0,
      subcondition: leaf,
    }
    expect(signFulfillment(prefixed, '11'.repeat(32), one)).toEqual(prefixed)
    const subcondition = signFulfillment(leaf, '11'.repeat(32), one)
    const fulfillment = encodeFulfillment({ ...prefixed, subcondition } as ConditionTree)
    expect(verifyFulfillment(fulfillment, '11'.repeat(32), encodeCondition(prefixed))).toEqual({
      ok: false,
      code: 'secp256k1_with_prefix',
    })
  })

  test('signing without a matching key changes nothing', () => {
    const tree = tokenConditionTree(key2)
    expect(signFulfillment(tree, '11'.repeat(32), one)).toEqual(tree)
  })

  test.each(['', '00', `${one}00`, `0x${one.slice(2)}`, 'zz'.repeat(32)])(
    'a private key %o is refused, and not shown',
    (key) => {
      const error = errorOf(() => signFulfillment(tokenConditionTree(key1), '11', key))
      expect(error.code).toBe('malformed_private_key')
      if (key !== '') expect(JSON.stringify([error.message, error.context])).not.toContain(key)
    },
  )

  test.each(['00'.repeat(32), 'ff'.repeat(32)])(
    '%s is not a secp256k1 key, so it signs nothing',
    (key) => {
      const tree = tokenConditionTree(key1)
      expect(signFulfillment(tree, '11'.repeat(32), key)).toEqual(tree)
    },
  )

  test.each([
    [
      'a high s',
      (r: string, s: bigint) => r + (order - s).toString(16).padStart(64, '0'),
      'signature_high_s',
    ],
    [
      'an r of zero',
      (_: string, s: bigint) => '00'.repeat(32) + s.toString(16).padStart(64, '0'),
      'signature_out_of_range',
    ],
    ['an s of zero', (r: string) => r + '00'.repeat(32), 'signature_out_of_range'],
    ['an s of the order', (r: string) => r + order.toString(16), 'signature_out_of_range'],
    [
      'an r beyond the order',
      (_: string, s: bigint) => 'ff'.repeat(32) + s.toString(16).padStart(64, '0'),
      'signature_out_of_range',
    ],
  ])('%s never verifies', (_, change, code) => {
    const hash = '11'.repeat(32)
    const signed = signFulfillment({ type: 'secp256k1-sha-256', publicKey: key1 }, hash, one)
    const { signature } = signed as { signature: string }
    const changed = change(signature.slice(0, 64), BigInt(`0x${signature.slice(64)}`))
    const fulfillment = encodeFulfillment({ ...signed, signature: changed } as ConditionTree)
    expect(verifyFulfillment(fulfillment, hash, encodeCondition(signed))).toEqual({
      ok: false,
      code,
    })
  })

  test('a key that is not a point never verifies', () => {
    const publicKey = burnPublicKeys.komodo
    const tree: ConditionTree = {
      type: 'secp256k1-sha-256',
      publicKey,
      signature: `${'00'.repeat(31)}01`.repeat(2),
    }
    const verdict = verifyFulfillment(
      encodeFulfillment(tree),
      '11'.repeat(32),
      encodeCondition(tree),
    )
    expect(verdict).toEqual({ ok: false, code: 'public_key_off_curve' })
  })
})

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

function vectors(path: string) {
  return JSON.parse(readFileSync(new URL(`../../vectors/${path}`, import.meta.url), 'utf8'))
}

describe.each([
  ['komodod', assetChain, 674, 52],
  ['tokeld', tokel, 79, 34],
] as const)('the chain of %s', (daemon, network, outputs, inputs) => {
  const chain = new Map<string, { hex: string; tx: Transaction }>()
  for (const { txid, hex } of vectors(`${daemon}/90-chain-dump.json`).transactions) {
    chain.set(txid, { hex, tx: decodeTransaction(hex) })
  }

  test(`has ${outputs} outputs that pay conditions, all canonical`, () => {
    let found = 0
    for (const { tx } of chain.values()) {
      for (const { script } of tx.outputs) {
        const decoded = decodeConditionScript(script, network)
        if (decoded === undefined) continue
        found += 1
        expect(decoded.condition.isCanonical).toBe(true)
        const { form, params, tree, condition } = decoded
        const held = tree ?? condition
        const rebuilt = conditionScript(held, { form: form === 'M' ? 'N' : form })
        const expected = form === 'M' ? rebuilt.replace(/^(..)4e/, '$14d') : rebuilt
        expect(script.startsWith(expected)).toBe(true)
        if (params !== undefined) expect(script).toBe(`${expected}${dropOf(params)}`)
      }
    }
    expect(found).toBe(outputs)
  })

  test(`has ${inputs} inputs whose fulfillments are of the conditions they spend`, () => {
    let found = 0
    for (const { hex, tx } of chain.values()) {
      tx.inputs.forEach((input, index) => {
        const spent = chain.get(input.txid)?.tx.outputs[input.vout]
        const output = spent && decodeConditionScript(spent.script, network)
        if (spent === undefined || output === undefined) return
        found += 1
        const { fulfillment, tree, hashType } = decodeConditionScriptSig(input.scriptSig)!
        expect(hashType).toBe(1)
        expect(encodeFulfillment(tree)).toBe(fulfillment)
        const condition = encodeCondition(tree)
        expect(decodeCondition(condition)).toEqual(strictly(output.condition))
        const hash = signatureHash(hex, index, {
          scriptCode: conditionScript(tree),
          value: spent.value,
        })
        expect(verifyFulfillment(fulfillment, hash, condition)).toEqual({
          ok: true,
          code: 'eval_decided_by_chain',
        })
        expect(
          verifyFulfillment(
            fulfillment,
            hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
            condition,
          ).ok,
        ).toBe(false)
      })
    }
    expect(found).toBe(inputs)
  })
})

function dropOf(params: ConditionParams): string {
  const blob = encodeConditionParams(params)
  const bytes = blob.length / 2
  const length = bytes.toString(16).padStart(2, '0')
  return `${bytes < 0x4c ? length : `4c${length}`}${blob}75`
}

function strictly({ isCanonical, ...condition }: { isCanonical?: boolean } & object) {
  expect(isCanonical).toBe(true)
  return condition
}
