import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hash160 } from '../../../src/engine/calls.ts'
import {
  type ConditionTree,
  decodeFulfillment,
  decodeTransaction,
  defineNetwork,
  encodeCondition,
  encodeWif,
  networks,
  type PrevoutToSign,
  signTransaction,
  type Transaction,
  type TransactionFields,
  verifyInputs,
  verifyInputsAsync,
} from '../../../src/index.ts'
import { bytesFromHex, hexFromBytes } from '../../../src/primitives/hex.ts'
import { publicKeyFormsOf } from '../../../src/primitives/secp256k1.ts'
import { pushOf } from '../../../src/script/push.ts'
import { shareOf } from '../../support/share.ts'

function vectors(path: string) {
  return JSON.parse(readFileSync(new URL(`../../vectors/${path}`, import.meta.url), 'utf8'))
}

function codeOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    return (error as { code: string }).code
  }
  return 'none'
}

/**
 * Private keys of modules, which the daemons publish. komodo and tokel src/cc/CCcustom.cpp, CCinit
 */
const moduleKeys = [
  '1d0d0dce2dd2e19df5b626d5ada0f00add7a727d1735b5e32c6ca9a203164bcf', // tokens
  '9b1766e58266acb6ba438374f763113bf0f3506fd96b6785f97af0544db13077', // assets
  '46583b18ee1663516f606e09df9d27c8a7a272a5d46a9bcbd54f7d1cb12e6321', // assets v2
]

const compressed = (key: string) => hexFromBytes(publicKeyFormsOf(bytesFromHex(key))[0])

interface ChainKey {
  readonly pubkey: string
  readonly wif: string
}

const { A, B, C } = vectors('komodod/keys.json')
const chainKeys: readonly ChainKey[] = [A, B, C]

function unsigned(transaction: Transaction): TransactionFields {
  const inputs = transaction.inputs.map((input) => ({ ...input, scriptSig: '' }))
  return { ...transaction, inputs }
}

function withoutSignatures(tree: ConditionTree): ConditionTree {
  if (tree.type === 'threshold-sha-256') {
    return { ...tree, subconditions: tree.subconditions.map(withoutSignatures) }
  }
  if (tree.type !== 'secp256k1-sha-256') return tree
  return { type: tree.type, publicKey: tree.publicKey }
}

describe.each([
  ['komodod', networks.assetChain, 349, 410],
  ['tokeld', networks.tokel, 43, 80],
])('the chain of %s', (daemon, network, transactionCount, inputCount) => {
  test('is signed again to the same bytes', () => {
    const keys = new Map<string, string>([
      ...chainKeys.map(({ pubkey, wif }): [string, string] => [pubkey, wif]),
      ...moduleKeys.map((key): [string, string] => [compressed(key), key]),
    ])
    const rows: { txid: string; hex: string }[] = vectors(
      `${daemon}/90-chain-dump.json`,
    ).transactions
    const chain = new Map(rows.map(({ txid, hex }) => [txid, decodeTransaction(hex)]))
    const counts = { transactions: 0, inputs: 0 }
    const tried = shareOf(rows)
    for (const { txid, hex } of tried) {
      const transaction = chain.get(txid)!
      if (transaction.inputs[0]!.vout === 0xffffffff) continue
      const outputs = transaction.inputs.map(
        ({ txid: spent, vout }) => chain.get(spent)!.outputs[vout]!,
      )
      const verdicts = verifyInputs(hex, outputs, network)
      const prevouts = outputs.map((output, index): PrevoutToSign => {
        const { type, fulfillment } = verdicts[index]!
        // All that hashes hide: of conditions only those of several keys, or of several trees.
        if (type === 'scripthash') {
          const { scriptSig } = transaction.inputs[index]!
          return { ...output, redeemScript: scriptSig.slice(scriptSig.lastIndexOf('5221')) }
        }
        if (fulfillment === undefined || !/a5(?:65|27).*a5(?:65|27)/.test(fulfillment))
          return output
        return { ...output, condition: withoutSignatures(decodeFulfillment(fulfillment)) }
      })
      const signed = signTransaction(
        unsigned(transaction),
        [...new Set(verdicts.flatMap(({ publicKeys }) => publicKeys))].map((key) => keys.get(key)!),
        prevouts,
        network,
      )
      expect(signed, txid).toEqual({ hex, txid, complete: true })
      counts.transactions += 1
      counts.inputs += prevouts.length
    }
    if (tried.length === rows.length) {
      expect(counts).toEqual({ transactions: transactionCount, inputs: inputCount })
    } else expect(counts.inputs).toBeGreaterThan(4)
  })
})

const key1 = `${'00'.repeat(31)}01`
const key2 = `${'00'.repeat(31)}02`
const key3 = `${'00'.repeat(31)}03`
const uncompressed = (key: string) => hexFromBytes(publicKeyFormsOf(bytesFromHex(key))[1])
const paysKey = (publicKey: string) => `${pushOf(publicKey)}ac`
const paysHash = (publicKey: string) => `76a914${hash160(publicKey)}88ac`
const paysScript = (script: string) => `a914${hash160(script)}87`
const twoOfThree = `52${[key1, key2, key3].map((key) => pushOf(compressed(key))).join('')}53ae`

const versions: [
  string,
  Partial<TransactionFields> & { version: number; overwintered: boolean },
][] = [
  ['version 1', { version: 1, overwintered: false }],
  ['version 2', { version: 2, overwintered: false }],
  ['version 3', { version: 3, overwintered: true, versionGroupId: 0x03c48270 }],
  ['version 4', { version: 4, overwintered: true, versionGroupId: 0x892f2085 }],
]

function spending(
  inputs: number,
  header: (typeof versions)[number][1] = versions[3]![1],
): TransactionFields {
  return {
    ...header,
    inputs: Array.from({ length: inputs }, (_, vout) => ({
      txid: 'ab'.repeat(32),
      vout,
      scriptSig: '',
      sequence: 0xffffffff,
    })),
    outputs: [{ value: 7n, script: paysHash(compressed(key1)) }],
    lockTime: 0,
  }
}

test('the worked example is signed to its bytes', () => {
  // The creation of a token by the key 1. Hash and signature were worked out by hand from komodo
  // src/script/interpreter.cpp, SignatureHash, and from RFC 6979.
  const hex =
    '0400008085202f89011111111111111111111111111111111111111111111111111111111111111111000000004847304402207ae6632a4e8b14df2bc18fcfebc99f46ce075ce8505a48c25c503e0b8f58c966022005acaae08cdc6f4dc189dde19d4c5ef30a9d86afa7499e3bf4e73a52b4418eb101ffffffff041027000000000000302ea22c8020432de388aabcb6b4e3326351d1d815cee8be9a8d37b055cd1c0cf8782e5c50c08103120c008203000401cc6400000000000000302ea22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401ccbcf30e000000000023210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798ac0000000000000000306a2ef263210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f817980444454d4f0464656d6f00000000b00400000000000000000000000000'
  const prevouts = [{ value: 1_000_000n, script: paysKey(compressed(key1)) }]
  const signed = signTransaction(unsigned(decodeTransaction(hex)), [key1], prevouts)
  expect(signed.hex).toBe(hex)
  expect(signed.txid).toBe('012a2033461046ef331b5ded9957293033a7bc8b1f96c884bed3c19dda629d00')
})

describe.each(versions)('%s', (_, header) => {
  const scripts = [
    paysKey(compressed(key1)),
    paysKey(uncompressed(key1)),
    paysHash(compressed(key2)),
    paysHash(uncompressed(key2)),
    twoOfThree,
  ]
  const prevouts: PrevoutToSign[] = [
    ...scripts.map((script) => ({ value: 5n, script })),
    ...scripts.map((script) => ({ value: 6n, script: paysScript(script), redeemScript: script })),
  ]

  test('keys, hashes, multisig, and all of them behind script hashes', () => {
    const { hex, complete } = signTransaction(
      spending(prevouts.length, header),
      [key1, key2],
      prevouts,
    )
    expect(complete).toBe(true)
    const publicKeys = [
      [compressed(key1)],
      [uncompressed(key1)],
      [compressed(key2)],
      [uncompressed(key2)],
      [compressed(key1), compressed(key2)],
    ]
    const types = ['pubkey', 'pubkey', 'pubkeyhash', 'pubkeyhash', 'multisig']
    expect(verifyInputs(hex, prevouts)).toEqual(
      [...types, ...types.map(() => 'scripthash')].map((type, index) => ({
        ok: true,
        type,
        hashType: 1,
        publicKeys: publicKeys[index % 5],
      })),
    )
  })

  test("commits to its network's branch where it commits to one", async () => {
    const network = defineNetwork({ branchId: 0x2bb40e60 })
    const tx = spending(prevouts.length, header)
    const { hex, complete } = signTransaction(tx, [key1, key2], prevouts, network)
    expect(complete).toBe(true)
    const isOfOneBranch = header.version === 4
    expect(verifyInputs(hex, prevouts).every(({ ok }) => ok)).toBe(!isOfOneBranch)
    for (const source of [hex, bytesFromHex(hex)]) {
      expect(verifyInputs(source, prevouts, network).every(({ ok }) => ok)).toBe(true)
      const verdicts = await verifyInputsAsync(source, prevouts, network)
      expect(verdicts.every(({ ok }) => ok)).toBe(true)
    }
  })

  test('keeps signatures and adds missing ones', () => {
    const first = signTransaction(spending(prevouts.length, header), [key1], prevouts)
    expect(first.complete).toBe(false)
    const codes = verifyInputs(first.hex, prevouts).map(({ code = 'ok' }) => code)
    const missing = 'signature_missing'
    const expected = ['ok', 'ok', missing, missing, missing]
    expect(codes).toEqual([...expected, ...expected])

    // The second signer needs no redeem scripts where the first has left them.
    const bare = prevouts.map(({ value, script }) => ({ value, script }))
    const second = signTransaction(first.hex, [key2], [...prevouts.slice(0, 9), bare[9]!])
    const both = signTransaction(spending(prevouts.length, header), [key2, key1], prevouts)
    expect(second).toEqual(both)
    expect(second.complete).toBe(true)
    expect(signTransaction(second.hex, [key3], prevouts)).toEqual(second)
  })
})

describe('a condition', () => {
  const secp = (key: string): ConditionTree => ({
    type: 'secp256k1-sha-256',
    publicKey: compressed(key),
  })
  const evaluated: ConditionTree = { type: 'eval-sha-256', code: 'f2' }
  const keysOf = (threshold: number, keys: string[]): ConditionTree => ({
    type: 'threshold-sha-256',
    threshold,
    subconditions: keys.map(secp),
  })
  const withEval = (inner: ConditionTree): ConditionTree => ({
    type: 'threshold-sha-256',
    threshold: 2,
    subconditions: [evaluated, inner],
  })
  const paying = (condition: ConditionTree) => ({
    value: 5n,
    script: `${pushOf(encodeCondition(condition))}cc`,
    condition,
  })

  test.each([
    ['of one key', keysOf(1, [key1]), [key1], true],
    ['of either of two keys', keysOf(1, [key1, key2]), [key2], true],
    ['of either of two keys, both there', keysOf(1, [key1, key2]), [key1, key2], true],
    ['of two of three keys', keysOf(2, [key1, key2, key3]), [key3, key1], true],
    ['of two of three keys, one there', keysOf(2, [key1, key2, key3]), [key3], false],
    ['of another key', keysOf(1, [key1]), [key2], false],
  ])('%s', (_, keys, ours, complete) => {
    const prevout = paying(withEval(keys))
    const signed = signTransaction(spending(1), ours, [prevout])
    expect(signed.complete).toBe(complete)
    const [verdict] = verifyInputs(signed.hex, [prevout])
    expect(verdict).toMatchObject(
      complete ? { ok: true, hashType: 1 } : { ok: false, code: 'signature_missing' },
    )
  })

  describe('with a signature of another signer that signs nothing', () => {
    // r and s are 1
    const signature = '1'.padStart(64, '0').repeat(2)
    const claimed = (key: string): ConditionTree => ({ ...secp(key), signature }) as ConditionTree
    const ofTwo = (...members: readonly ConditionTree[]) =>
      paying(withEval({ type: 'threshold-sha-256', threshold: 2, subconditions: members }))

    test.each([
      ['before', ofTwo(claimed(key1), secp(key2), secp(key3)), [key2, key3]],
      ['between', ofTwo(secp(key1), claimed(key2), secp(key3)), [key1, key3]],
      ['behind', ofTwo(secp(key1), secp(key2), claimed(key3)), [key1, key2]],
    ])('is completed where it stands %s those of enough keys', (_, prevout, ours) => {
      const { hex, complete } = signTransaction(spending(1), ours, [prevout])
      expect(complete).toBe(true)
      const [verdict] = verifyInputs(hex, [prevout])
      expect(verdict).toMatchObject({ ok: true, publicKeys: ours.map(compressed) })
    })

    test('lacks signatures where the others are too few', () => {
      const prevout = ofTwo(claimed(key1), secp(key2), secp(key3))
      const { hex, complete } = signTransaction(spending(1), [key2], [prevout])
      expect(complete).toBe(false)
      expect(verifyInputs(hex, [prevout])[0]).toMatchObject({ code: 'signature_missing' })
    })

    test('is completed behind the hash of a key too', () => {
      const hashed = (key: string, more: object = {}): ConditionTree =>
        ({
          type: 'secp256k1hash-sha-256',
          publicKeyHash: hash160(compressed(key)),
          ...more,
        }) as ConditionTree
      const bad = hashed(key1, { publicKey: compressed(key1), signature })
      const prevout = ofTwo(bad, hashed(key2), hashed(key3))
      const { complete } = signTransaction(spending(1), [key2, key3], [prevout], networks.tokel)
      expect(complete).toBe(true)
    })
  })

  test('a condition of a key behind its hash is signed on chains that have such conditions', () => {
    const inner: ConditionTree = {
      type: 'threshold-sha-256',
      threshold: 1,
      subconditions: [{ type: 'secp256k1hash-sha-256', publicKeyHash: hash160(compressed(key1)) }],
    }
    const { value, script } = paying(withEval(inner))
    expect(signTransaction(spending(1), [key1], [{ value, script }], networks.tokel).complete).toBe(
      true,
    )
    expect(
      signTransaction(spending(1), [key1], [{ value, script }], networks.assetChain),
    ).toMatchObject({ complete: false })
  })

  test('given for another output is refused', () => {
    const prevout = {
      ...paying(withEval(keysOf(1, [key1]))),
      condition: withEval(keysOf(1, [key2])),
    }
    expect(codeOf(() => signTransaction(spending(1), [key1], [prevout]))).toBe('condition_mismatch')
  })
})

describe('an input that is not signed', () => {
  const prevout = { value: 5n, script: paysKey(compressed(key1)) }

  test('an output that the engine cannot verify', () => {
    const scripts = ['51', '', `0400000000b175${paysHash(compressed(key1))}`, '6a0102']
    for (const script of scripts) {
      const signed = signTransaction(spending(1), [key1], [{ value: 1n, script }])
      expect(signed.complete).toBe(false)
      expect(decodeTransaction(signed.hex).inputs[0]!.scriptSig).toBe('')
    }
  })

  test('a script hash without its script', () => {
    const script = paysScript(twoOfThree)
    expect(signTransaction(spending(1), [key1], [{ value: 1n, script }]).complete).toBe(false)
    const wrong = { value: 1n, script, redeemScript: paysKey(compressed(key1)) }
    expect(codeOf(() => signTransaction(spending(1), [key1], [wrong]))).toBe('script_hash_mismatch')
  })

  test('a condition where the chain has none', () => {
    const { inputs } = spending(1)
    const script = vectors('komodod/91-sighash.json').vectors.find(
      ({ kind }: { kind: string }) => kind === 'cryptocondition',
    ).scriptPubKey
    const [{ wif }] = chainKeys as [ChainKey]
    const signed = signTransaction(
      { ...spending(1), inputs },
      [wif],
      [{ value: 1n, script }],
      networks.komodo,
    )
    expect(signed.complete).toBe(false)
  })

  test.each([
    [
      'too few prevouts',
      () => signTransaction(spending(2), [key1], [prevout]),
      'prevout_count_mismatch',
    ],
    [
      'a malformed key',
      () => signTransaction(spending(1), ['zz'], [prevout]),
      'malformed_private_key',
    ],
    ['a truncated transaction', () => signTransaction('04000080', [key1], [prevout]), 'truncated'],
  ])('%s', (_, call, code) => {
    expect(codeOf(call)).toBe(code)
  })

  test('misuse is a TypeError', () => {
    expect(() => signTransaction(1 as never, [key1], [prevout])).toThrow(TypeError)
    expect(() => signTransaction(spending(1), key1 as never, [prevout])).toThrow(TypeError)
    expect(() => signTransaction(spending(1), [1 as never], [prevout])).toThrow(TypeError)
    expect(() => signTransaction(spending(1), [key1], prevout as never)).toThrow(TypeError)
  })
})

describe('keys', () => {
  afterEach(() => vi.restoreAllMocks())

  test('are in no error, no result, no log and no inspection', () => {
    const secret = '389c258d06d0ec9cac085f19f635ec4dca3fa0f0aeb597be30908190fb9b7d78'
    const wif = encodeWif(secret, networks.komodo)
    const logged: unknown[] = []
    for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
      vi.spyOn(console, method).mockImplementation((...parts) => logged.push(parts))
    }
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((chunk) => logged.push(chunk) > 0)
    }
    const prevout = { value: 5n, script: paysKey(compressed(secret)) }
    const tokens = vectors('komodod/91-sighash.json').vectors[0].scriptPubKey
    const wrongNetwork = encodeWif(secret, networks.komodoTestnet)
    const calls = [secret, secret.toUpperCase(), wif].flatMap((key) => [
      () => signTransaction(spending(1), [key], [prevout]),
      () => signTransaction(spending(1), [key], [{ value: 5n, script: tokens }]),
      () => signTransaction(spending(2), [key], [prevout]),
      () => signTransaction(spending(1), [key], [{ ...prevout, value: -1n }]),
      () => signTransaction('00', [key], [prevout]),
      () => signTransaction(spending(1), [key.slice(1)], [prevout]),
      () => signTransaction(spending(1), [`${key}00`], [prevout]),
      () => signTransaction(spending(1), [`${key.slice(0, -1)}!`], [prevout]),
      () => signTransaction(spending(1), [wrongNetwork], [prevout]),
      () => signTransaction(spending(1), key as never, [prevout]),
      () => signTransaction(key, [key], [prevout]),
    ])
    const seen: unknown[] = []
    for (const call of calls) {
      try {
        seen.push(call())
      } catch (error) {
        seen.push(error)
      }
    }
    vi.restoreAllMocks()
    const text = inspect([seen, logged], {
      depth: Infinity,
      showHidden: true,
      maxArrayLength: Infinity,
      maxStringLength: Infinity,
    })
    expect(seen.length).toBe(calls.length)
    for (const shown of [secret, BigInt(`0x${secret}`).toString(), wif, wrongNetwork]) {
      // Not even a part that would help: a third of the key.
      for (const part of [shown, shown.slice(5, 25), shown.slice(-22, -2)]) {
        expect(text.toLowerCase().includes(part.toLowerCase())).toBe(false)
      }
    }
  })
})
