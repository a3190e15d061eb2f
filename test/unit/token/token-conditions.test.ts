// How the daemons look at the scripts that hold tokens, and at those that spend them: what komodo
// src/script/script.cpp, IsPayToCryptoCondition and GetBalancedData, and src/pubkey.h take.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type ConditionTree,
  chainModules,
  conditionScript,
  conditionScriptSig,
  encodeFulfillment,
  moduleCondition,
  networks,
  tokenAddress,
  tokenConditionTree,
  tokenScript,
} from '../../../src/index.ts'
import { hashOfKey } from '../../../src/script/public-key.ts'
import {
  conditionKeys,
  conditionKeysOf,
  conditionPart,
  conditionScriptsOf,
  keysCondition,
  leadingCondition,
  paysToCondition,
  readConditionScript,
} from '../../../src/token/rules/condition-script.ts'
import { fulfillmentsOf, tokenInputs } from '../../../src/token/rules/fulfillment.ts'
import { fundingOf, outputAt } from '../../../src/token/rules/funding.ts'
import { paysKeyOtherwise } from '../../../src/token/rules/lookalike.ts'
import {
  conditionKey,
  type Slot,
  slotScript,
  slotScripts,
  tokenEvalCodes,
} from '../../../src/token/rules/slot-script.ts'
import type { Transaction } from '../../../src/transaction/types.ts'
import { replaceableEngine } from '../../support/replaceable-engine.ts'
import { a, b, c } from '../../support/resigned.ts'
import { keyTokens, shown, tokenMarker } from '../../support/tokel-market.ts'

// Made by a komodod for the public key of 1: test/unit/script/condition-script.test.ts
const key1 = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const tokens1 =
  '2ea22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401cc'

describe('a script pays to a condition', () => {
  test.each<[string, string, boolean]>([
    ['as a komodod makes it', tokens1, true],
    ['whatever it pushes, one byte', '01aacc', true],
    ['whatever it pushes, 75 bytes', `4b${'aa'.repeat(75)}cc`, true],
    ['not with a push of nothing', '00cc', false],
    ['not with a push of another form', `4c${'aa'.repeat(76)}cc`, false],
    ['not without the opcode', '01aaac', false],
    ['not when it is cut', tokens1.slice(0, -2), false],
    ['not when it is empty', '', false],
    ['with data that are dropped', `${tokens1}02010275`, true],
    ['with two that are dropped', `${tokens1}02010201037575`, true],
    ['with a number that is dropped', `${tokens1}5175`, true],
    ['with the largest number that is dropped', `${tokens1}6075`, true],
    ['with nothing that is dropped', `${tokens1}0075`, true],
    ['not with data that stay', `${tokens1}020102`, false],
    ['not with one of two that stays', `${tokens1}0102010375`, false],
    ['not with a drop alone', `${tokens1}75`, false],
    ['not with a drop before what it drops', `${tokens1}750101`, false],
    ['not with one drop too many, made up for', `${tokens1}010175750101`, false],
    ['not with an opcode, though it is dropped', `${tokens1}6175`, false],
    ['not with a number that is none', `${tokens1}5075`, false],
    ['not with a push over the end', `${tokens1}02aa`, false],
  ])('%s', (_, script, expected) => {
    expect(paysToCondition(script)).toBe(expected)
    const end = 2 * (Number.parseInt(script.slice(0, 2), 16) + 2)
    expect(conditionPart(script)).toBe(expected ? script.slice(0, end) : undefined)
  })

  test('bytes after a condition do not matter to its beginning', () => {
    expect(leadingCondition(`${tokens1}75ffff`)).toBe(tokens1)
    expect(leadingCondition(tokens1.slice(0, -2))).toBeUndefined()
  })

  test("reports malformed hex as the caller's error", () => {
    expect(() => conditionPart(`${tokens1}zz75`)).toThrow()
  })
})

describe('keys as a condition holds them', () => {
  const x = 'ab'.repeat(32)
  // komodo src/pubkey.h, CPubKey::GetLen and Set: the first byte tells how many there must be
  test.each<[string, string, string | undefined]>([
    ['nothing', '', undefined],
    ['02 and 32 bytes', `02${x}`, `02${x}`],
    ['03 and 32 bytes', `03${x}`, `03${x}`],
    ['02 and 31 bytes', `02${x.slice(2)}`, undefined],
    ['02 and 64 bytes', `02${x}${x}`, `02${x}`],
    ['02 and 65 bytes', `02${x}${x}00`, undefined],
    ['04 and 64 bytes', `04${x}${x}`, `04${x}`],
    ['06 and 64 bytes', `06${x}${x}`, `06${x}`],
    ['07 and 64 bytes', `07${x}${x}`, `07${x}`],
    ['04 and 63 bytes', `04${x}${x.slice(2)}`, undefined],
    ['04 and 32 bytes', `04${x}`, undefined],
    ['05 and 64 bytes', `05${x}${x}`, undefined],
    ['00 and 32 bytes', `00${x}`, undefined],
  ])('%s', (_, bytes, key) => {
    expect(conditionKey(bytes)).toBe(key)
  })
})

describe('scripts that hold tokens', () => {
  // komodo src/cc/CCtokens.cpp, IsTokensvout: f2 stands once, and a second code of 0 is not a code
  test.each<[number, number | undefined, number[]]>([
    [0xf2, undefined, [0xf2]],
    [0xf1, undefined, [0xf1, 0xf2]],
    [0xf1, 0, [0xf1, 0xf2]],
    [0xf1, 0xe3, [0xf1, 0xf2, 0xe3]],
    [0xf2, 0xe3, [0xf2, 0xe3]],
    [0x00, undefined, [0x00, 0xf2]],
  ])('derives the eval codes of tokens from %j and %j', (code, second, codes) => {
    expect(tokenEvalCodes(code, second)).toEqual(codes)
  })

  test('are a komodod’s, one by one or together, the first time and the next', () => {
    const slot = { pubkeys: [key1] as const, evalCodes: [0xf2] }
    const sale = { pubkeys: [key1] as const, evalCodes: [0xe3, 0xf2] }
    // tokens+assets of one key, and tokens of one of two: komodo src/cc/CCtokenutils.cpp
    const saleScript =
      '2ea22c802028cd286b31d74a750cc4d18fd0ddb776140b44b4c19952e8eead643ee655bc6e81032210008203000401cc'
    const key2 = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'
    const both = { pubkeys: [key1, key2] as const, evalCodes: [0xf2] }
    const bothScript =
      '2ea22c802001974ccce32af1d10651f36877e2daee607250a8a6552888944167429b5edd6181031210008203000401cc'
    expect(slotScript([key1], [0xf2])).toBe(tokens1)
    expect(slotScript([key1], [0xf2])).toBe(tokens1)
    expect(slotScripts([sale, slot, both])).toEqual([saleScript, tokens1, bothScript])
    expect(slotScripts([both, slot, sale, slot])).toEqual([
      bothScript,
      tokens1,
      saleScript,
      tokens1,
    ])
    expect(slotScripts([])).toEqual([])
  })

  test('are no other’s with codes that look alike when they are written together', () => {
    const of = (...evalCodes: number[]) => slotScript([key1], evalCodes)
    const scripts = [of(0), of(0, 0), of(1), of(0, 1), of(1, 0), of(0xff), of(0, 0xff)]
    expect(new Set(scripts).size).toBe(6)
    // SET OF: the order of codes is not a part of a condition
    expect(of(0, 1)).toBe(of(1, 0))
  })

  // Komodod makes a condition even of bytes that are not a key. The DER is written by hand, by
  // draft-thomas-crypto-conditions-04, 8.
  const sha256 = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
  function keylessScript(key: string): string {
    const keyCondition = `a5278020${sha256(`30238021${key}`)}8103020000`
    const keys = sha256(`302e800101a129${keyCondition}`)
    const keysCondition = `a22b8020${keys}810302040082020204`
    const evalCondition = `af278020${sha256('f2')}8103100000`
    const outer = sha256(`305b800102a156${keysCondition}${evalCondition}`)
    return `2ea22c8020${outer}8103120c008203000401cc`
  }

  test('makes scripts of keys that are not points too', () => {
    expect(keylessScript(key1)).toBe(tokens1)
    const keyless = [`02${'ff'.repeat(32)}`, `04${'ab'.repeat(32)}`]
    const scripts = keyless.map((key) => slotScript([key], [0xf2]))
    expect(scripts).toEqual(keyless.map(keylessScript))
    const among = [key1, `03${'ff'.repeat(32)}`, b].map((key): Slot => {
      return { pubkeys: [key], evalCodes: [0xf2] }
    })
    expect(slotScripts(among)).toEqual([
      tokens1,
      keylessScript(`03${'ff'.repeat(32)}`),
      tokenScript(b),
    ])
  })

  test('more than are asked for at once come in their order', () => {
    const slots = Array.from({ length: 1100 }, (_, at): Slot => {
      return { pubkeys: [c], evalCodes: [at % 256, (at >> 8) + 1] }
    })
    const scripts = slotScripts(slots)
    expect(scripts).toHaveLength(1100)
    for (const at of [0, 1, 1023, 1024, 1099]) {
      expect(scripts[at]).toBe(tokenScript(c, { evalCodes: slots[at]!.evalCodes }))
    }
  })

  test('refuses an eval code above 255 with a TypeError, and a short key with an error', () => {
    expect(() => slotScript([c], [256])).toThrow(TypeError)
    const error = expect.objectContaining({ code: 'wrong_length' })
    expect(() => slotScript(['abcd'], [0xf2])).toThrow(error)
  })

  const engine = replaceableEngine()

  /**
   * Counts calls that give the engine a text meanwhile, and the digits that it was given. A call that
   * only makes more room for an answer is not counted: it depends on earlier questions.
   */
  function crossings(run: () => void): [calls: number, digits: number] {
    const uncounted = { ...engine }
    let calls = 0
    let digits = 0
    for (const [name, original] of Object.entries(uncounted)) {
      if (typeof original !== 'function') continue
      engine[name] = (...given) => {
        const texts = (given as unknown[]).filter((it) => typeof it === 'string')
        if (texts.length > 0) calls += 1
        for (const text of texts) digits += text.length
        return Reflect.apply(original, engine, given)
      }
    }
    run()
    Object.assign(engine, uncounted)
    return [calls, digits]
  }

  test('are asked for once, a thousand at a time, and not remembered for ever', () => {
    // no other test has these
    const of = (at: number): Slot => ({
      pubkeys: [b],
      evalCodes: [at >> 16, at >> 8, at].map((it) => it & 0xff),
    })
    const some = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => of(0x100000 + from + at))
    const [, each] = crossings(() => slotScripts(some(0, 1)))
    const asked = (from: number, count: number) => {
      const [calls, digits] = crossings(() => slotScripts(some(from, count)))
      return [calls, digits / each]
    }
    expect(asked(1, 3)).toEqual([1, 3])
    expect(asked(1, 3)).toEqual([0, 0])
    const [{ pubkeys, evalCodes }] = some(1, 1) as [Slot]
    expect(crossings(() => slotScript(pubkeys, evalCodes))).toEqual([0, 0])
    expect(asked(2, 3)).toEqual([1, 1])
    expect(asked(100, 1024)).toEqual([1, 1024])
    expect(asked(2000, 1025)).toEqual([2, 1025])
    expect(asked(4000, 10_000)).toEqual([10, 10_000])
    expect(asked(0, 1)).toEqual([1, 1])
    expect(asked(13_999, 1)).toEqual([0, 0])
  })

  test('have addresses where there are conditions', () => {
    expect(tokenAddress(key1, networks.assetChain)).toBe('RCCahKiyBWPEcj9RhqDirfFrgu9eLeUPnd')
    expect(() => tokenAddress(key1, networks.komodo)).toThrow(/^network: komodo has no crypto/)
  })

  const address = 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA'
  test.each<[string, string | [string, string], string, object]>([
    [
      'one byte less',
      key1.slice(2),
      'wrong_length',
      { path: 'pubkeys[0]', expected: '33 bytes', actual: '32 bytes' },
    ],
    ['one byte more', `${key1}00`, 'wrong_length', { actual: '34 bytes' }],
    ['the second of two', [key1, '02'], 'wrong_length', { path: 'pubkeys[1]', actual: '1 bytes' }],
    [
      'an address',
      address,
      'malformed_hex',
      { path: 'pubkeys[0]', offset: 0, expected: 'a public key' },
    ],
  ])('refuses a condition of wrong keys: %s', (_, pubkeys, code, context) => {
    const error = expect.objectContaining({ code, context: expect.objectContaining(context) })
    expect(() => tokenScript(pubkeys)).toThrow(error)
  })

  test('a key that is not a string is misuse', () => {
    expect(() => tokenScript([key1, 5 as never])).toThrow(/^pubkeys\[1\]/)
    expect(() => tokenConditionTree(undefined as never)).toThrow(TypeError)
  })
})

describe('keys that scripts of tokeld show', () => {
  const tree = moduleCondition([a], { evalCodes: [0xf5] })

  test('is their eval codes, of one byte', () => {
    expect(readConditionScript(tokenMarker)?.evalCodes).toEqual([0xf5])
    const long: ConditionTree = {
      type: 'threshold-sha-256',
      threshold: 2,
      subconditions: [
        { type: 'eval-sha-256', code: 'f501' },
        { type: 'eval-sha-256', code: 'e3' },
      ],
    }
    expect(readConditionScript(conditionScript(long, { form: 'N' }))?.evalCodes).toEqual([0xe3])
  })

  test.each([
    ['komodod’s form', tokenScript(a)],
    ['no condition', `21${a}ac`],
    [
      'a tree that is not a threshold',
      conditionScript({ type: 'eval-sha-256', code: 'f5' }, { form: 'N' }),
    ],
  ])('is nothing for %s', (_, script) => {
    expect(readConditionScript(script)).toBeUndefined()
  })

  test('is read once for all outputs of a transaction', () => {
    const outputs = [tokenMarker, tokenScript(a)].map((script) => ({ value: 1n, script }))
    const read = conditionScriptsOf(outputs)
    expect(read.map((it) => it?.evalCodes)).toEqual([[0xf5], undefined])
    expect(conditionScriptsOf(outputs)).toBe(read)
  })

  test('is what they drop', () => {
    const naming = readConditionScript(
      conditionScript(tree, { form: 'M' }) + shown('f5', [a], 1, ['f574']),
    )
    expect(naming?.data).toEqual(['f574'])
    expect(readConditionScript(tokenMarker)?.data).toEqual([])
    expect(readConditionScript(tokenMarker)?.params).toBeUndefined()
  })

  // draft-thomas-crypto-conditions-04, 8: the condition of 1 of the key
  const keysOf = (key: string) => keysCondition([key], 1)!
  const hidden = conditionScript(tree, { form: 'M' })

  test('are the keys that they name, if they make the condition', () => {
    expect(conditionKeys(readConditionScript(keyTokens(a))!)).toEqual({
      keyHashes: [],
      keysCondition: keysOf(a),
      pubkeys: [a],
    })
    const wrong = readConditionScript(hidden + shown('f5', [b]))!
    expect(conditionKeys(wrong)).toEqual({ keyHashes: [], keysCondition: keysOf(a) })
    const silent = readConditionScript(hidden)!
    expect(conditionKeys(silent)).toEqual({ keyHashes: [], keysCondition: keysOf(a) })
    expect(keysOf(a)).not.toBe(keysOf(b))
  })

  test('are as many of them as are required', () => {
    const shared = moduleCondition([a, b, c], { evalCodes: [0xf5], required: 2 })
    const script = conditionScript(shared, { form: 'M' })
    const named = (required: number, keys: string[]) =>
      conditionKeys(readConditionScript(script + shown('f5', keys, required))!).pubkeys
    expect(named(2, [a, b, c])).toEqual([a, b, c])
    expect(named(1, [a, b, c])).toBeUndefined()
    expect(named(2, [a, b])).toBeUndefined()
  })

  test('are found for each of several, what names no key among them', () => {
    const keyless = `02${'ff'.repeat(32)}`
    const scripts = [
      keyTokens(a),
      conditionScript(moduleCondition([hashOfKey(c)], { evalCodes: [0xf5] }), { form: 'N' }) +
        shown('f5', [c]),
      // parameters of a version that names no keys
      `${hidden}0a0407f5000004abcdef0175`,
      hidden + shown('f5', [keyless]),
      hidden,
      conditionScript(moduleCondition([hashOfKey(b)], { evalCodes: [0xf5] }), { form: 'N' }),
      keyTokens(b),
    ]
    const found = conditionKeysOf(scripts.map((script) => readConditionScript(script)!))
    expect(found.map((it) => it.pubkeys)).toEqual([
      [a],
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      [b],
    ])
    expect(found.map((it) => it.keyHashes)).toEqual([
      [],
      [hashOfKey(c)],
      [],
      [],
      [],
      [hashOfKey(b)],
      [],
    ])
    expect(found.map((it) => it.keysCondition)).toEqual([
      keysOf(a),
      undefined,
      keysOf(a),
      keysOf(a),
      keysOf(a),
      undefined,
      keysOf(b),
    ])
    expect(conditionKeysOf([])).toEqual([])
  })

  test('are hashes of keys, whether they are revealed or not', () => {
    const hash = hashOfKey(a)
    const other = hashOfKey(b)
    const members: ConditionTree[] = [
      { type: 'eval-sha-256', code: 'f5' },
      {
        type: 'threshold-sha-256',
        threshold: 1,
        subconditions: [
          { type: 'secp256k1hash-sha-256', publicKeyHash: hash },
          {
            type: 'condition',
            conditionType: 'secp256k1hash-sha-256',
            fingerprint: other,
            cost: 131072n,
            subtypes: [],
          },
          {
            type: 'condition',
            conditionType: 'secp256k1-sha-256',
            fingerprint: '11'.repeat(32),
            cost: 131072n,
            subtypes: [],
          },
          { type: 'secp256k1-sha-256', publicKey: c },
        ],
      },
    ]
    expect(conditionKeys({ evalCodes: [0xf5], data: [], members, isUsual: true })).toEqual({
      keyHashes: [hash, other],
    })
  })

  test('makes no condition of a wrong key, and refuses other types with a TypeError', () => {
    expect(keysCondition([`02${'ff'.repeat(32)}`], 1)).toBeUndefined()
    expect(keysCondition([a], 2)).toBeUndefined()
    expect(() => keysCondition([5 as never], 1)).toThrow(TypeError)
  })
})

const input = (txid: string, vout: number, scriptSig: string) => {
  return { txid, vout, scriptSig, sequence: 0xffffffff }
}

describe('keys and codes that a fulfillment shows', () => {
  const signature = '11'.repeat(64)
  const signed: ConditionTree = { type: 'secp256k1-sha-256', publicKey: a, signature }
  const evalOf = (code: string): ConditionTree => ({ type: 'eval-sha-256', code })
  const all = (subconditions: ConditionTree[]): ConditionTree => {
    return { type: 'threshold-sha-256', threshold: subconditions.length, subconditions }
  }
  // komodo src/cc/CCutils.cpp, cc_visit: depth first, in the order of the bytes
  test.each<[string, ConditionTree, string[], string[]]>([
    ['an eval', evalOf('f2'), ['f2'], []],
    ['a key', signed, [], [a]],
    [
      'a key that is known by its hash',
      {
        type: 'secp256k1hash-sha-256',
        publicKeyHash: hashOfKey(b),
        publicKey: b,
        signature,
      },
      [],
      [b],
    ],
    [
      'what is behind a prefix',
      {
        type: 'prefix-sha-256',
        prefix: 'ab',
        maxMessageLength: 0,
        subcondition: all([evalOf('e3'), signed]),
      },
      ['e3'],
      [a],
    ],
    ['what is in thresholds', all([all([signed]), evalOf('e3'), evalOf('f2')]), ['e3', 'f2'], [a]],
    ['nothing of other kinds', { type: 'preimage-sha-256', preimage: 'f2' }, [], []],
  ])('%s', (_, tree, evalCodes, pubkeys) => {
    const inputs = [input('11'.repeat(32), 0, conditionScriptSig(encodeFulfillment(tree)))]
    expect(fulfillmentsOf({ inputs })).toEqual([{ evalCodes, pubkeys }])
  })

  test('is nothing where no condition is fulfilled, and it is read once', () => {
    const inputs = [input('11'.repeat(32), 0, ''), input('11'.repeat(32), 1, '06af038001f201')]
    const read = fulfillmentsOf({ inputs })
    expect(read).toEqual([undefined, { evalCodes: ['f2'], pubkeys: [] }])
    expect(fulfillmentsOf({ inputs })).toBe(read)
  })

  test('a key whose hash stands for it shows nothing', () => {
    const tree: ConditionTree = {
      type: 'threshold-sha-256',
      threshold: 1,
      subconditions: [evalOf('f5'), { type: 'secp256k1hash-sha-256', publicKeyHash: hashOfKey(b) }],
    }
    const inputs = [input('11'.repeat(32), 0, conditionScriptSig(encodeFulfillment(tree)))]
    expect(fulfillmentsOf({ inputs })).toEqual([{ evalCodes: ['f5'], pubkeys: [] }])
  })

  test('tells the inputs that bring tokens, and the first key of each', () => {
    const two = all([evalOf('f2'), all([signed, { ...signed, publicKey: b }])])
    const txid = '22'.repeat(32)
    const inputs = [
      input(txid, 0, ''),
      input(txid, 1, conditionScriptSig(encodeFulfillment(two))),
      input(txid, 2, '06af038001e301'),
      input(txid, 3, '06af038001f201'),
    ]
    const found = tokenInputs({ inputs }, 'f2')
    expect(found.map(({ vout }) => vout)).toEqual([1, 3])
    expect([a, b]).toContain(found[0]!.key)
    expect(found[1]).toEqual({ txid, vout: 3, key: '' })
    expect(tokenInputs({ inputs }, 'f5')).toEqual([])
  })
})

describe('coins that an owner put into a creation', () => {
  const parent = '33'.repeat(32)
  const outputs = [
    { value: 5n, script: `21${a}ac` },
    { value: 7n, script: `76a914${hashOfKey(a)}88ac` },
    { value: 11n, script: `21${b}ac` },
    { value: -1n, script: `21${a}ac` },
    { value: 0n, script: `21${a}ac` },
    { value: 13n, script: tokenScript(a) },
  ]
  const find = (txid: string) =>
    txid === parent ? ({ outputs } as never as Transaction) : undefined
  const funding = (...inputs: [txid: string, vout: number, scriptSig?: string][]) => {
    const all = inputs.map(([txid, vout, scriptSig = '']) => input(txid, vout, scriptSig))
    const { paid, paying, missing } = fundingOf({ inputs: all } as never, a, find)
    return { paid, paying: paying.map(({ vout }) => vout), missing }
  }

  // komodo src/cc/CCtokens.cpp, IsTokensvout, 'c': normal inputs from the owner, P2PK or P2PKH
  test('counts coins of the key, in either form', () => {
    expect(funding([parent, 0], [parent, 1], [parent, 2])).toEqual({
      paid: 12n,
      paying: [0, 1],
      missing: [],
    })
  })

  test('counts no conditions, whatever they spend', () => {
    expect(funding([parent, 0, '06af038001f201'], [parent, 5])).toEqual({
      paid: 0n,
      paying: [],
      missing: [],
    })
  })

  test('names what is not known, but for conditions', () => {
    const other = '44'.repeat(32)
    expect(funding([other, 0], [parent, 0], [other, 1, '06af038001f201'])).toEqual({
      paid: 5n,
      paying: [0],
      missing: [other],
    })
  })

  test('finds no output with a negative amount, nor a missing one', () => {
    expect(funding([parent, 3], [parent, 6])).toEqual({ paid: 0n, paying: [], missing: [] })
    expect(outputAt({ txid: parent, vout: 3 }, find)).toBeUndefined()
    expect(outputAt({ txid: parent, vout: 6 }, find)).toBeUndefined()
    expect(outputAt({ txid: '44'.repeat(32), vout: 0 }, find)).toBeUndefined()
    expect(outputAt({ txid: parent, vout: 4 }, find)).toBe(outputs[4])
  })
})

describe('a script that pays a key otherwise', () => {
  test.each<[string, string, boolean]>([
    ['its plain address', `76a914${hashOfKey(a)}88ac`, true],
    ['the key itself', `21${a}ac`, true],
    ['the condition of a module', tokenScript(a, { evalCodes: [0xf1] }), true],
    [
      'the condition of the first module',
      tokenScript(a, { evalCodes: [chainModules[0]!.evalCode] }),
      true,
    ],
    ['another address', `76a914${hashOfKey(b)}88ac`, false],
    ['another key', `21${b}ac`, false],
    ['the condition of another', tokenScript(b, { evalCodes: [0xf1] }), false],
    ['the condition of no module', tokenScript(a, { evalCodes: [0xc0] }), false],
    ['nothing', '', false],
  ])('%s', (_, script, expected) => {
    expect(paysKeyOtherwise(script, a)).toBe(expected)
  })
})
