// Private keys enter the engine in one way: the addon's `signHash` and `derivePublicKey` take them as
// bytes. No other input of a call and no words that were written for one contain a key, as bytes, as
// hex or as text. Nothing of them enters WebAssembly.

import { beforeEach, expect, test } from 'vitest'

import * as call from '../../../src/engine/call.ts'
import {
  type ConditionTree,
  decodeWif,
  encodeWif,
  networks,
  parseCase,
  publicKeyOf,
  signCase,
  signFulfillment,
  signMessage,
  signTransaction,
} from '../../../src/index.ts'
import { isWasm, root, runProgram } from '../../support/built.ts'
import { textOf } from '../../support/files.ts'

const wif = textOf('examples/throw-away-key.txt').trim()
const network = networks.assetChain
const { privateKey } = decodeWif(wif, network)

/** All that went in since the last test, as text, as bytes in hex. */
const given: string[] = []
/** The keys that went in where they belong, as hex. */
const taken: string[] = []
beforeEach(() => {
  given.length = 0
  taken.length = 0
})

/** The position of the private key among the inputs. */
const keyInputs: Readonly<Record<string, number>> = { derivePublicKey: 0, signHash: 1 }

const engine = call.startEngine().engine as unknown as Record<string, unknown>
for (const [name, original] of Object.entries(engine)) {
  if (typeof original !== 'function' || name === 'makeScratch') continue
  engine[name] = (...args: unknown[]): unknown => {
    const keyInput = keyInputs[name] ?? -1
    given.push(hexOf(call.words), ...args.filter((_, at) => at !== keyInput).map(reported))
    if (keyInput >= 0) taken.push(reported(args[keyInput]))
    return Reflect.apply(original, engine, args)
  }
}

const hexOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex')

function reported(value: unknown): string {
  if (ArrayBuffer.isView(value)) return hexOf(value)
  return typeof value === 'string' ? value.toLowerCase() : ''
}

/**
 * The key forwards and backwards, and the text that wallets exchange, in any letters and as bytes.
 */
const forms = [
  privateKey,
  Buffer.from(privateKey, 'hex').reverse().toString('hex'),
  wif.toLowerCase(),
  Buffer.from(wif).toString('hex'),
]
const held = () => given.filter((text) => forms.some((form) => text.includes(form)))

test('the search would find what it looks for', () => {
  for (const source of [privateKey, privateKey.toUpperCase(), Buffer.from(privateKey, 'hex')]) {
    given.length = 0
    call.native.hash160(source)
    expect(held()).toHaveLength(1)
  }
  call.words.set(new Uint32Array(Uint8Array.from(Buffer.from(privateKey, 'hex')).buffer), 4)
  given.length = 0
  call.native.splitScript('51')
  expect(held()).toHaveLength(1)
  call.words.fill(0)
})

const unsigned = () =>
  runProgram(process.execPath, [
    `${root}dist/cli/main.js`,
    'transfer',
    `${root}examples/transfer-request.json`,
  ]).stdout
const tree: ConditionTree = {
  type: 'threshold-sha-256',
  threshold: 1,
  subconditions: [{ type: 'secp256k1-sha-256', publicKey: publicKeyOf(wif, network) }],
}
const prevout = { value: 1n, script: `21${publicKeyOf(wif, network)}ac` }
const spend = `0100000001${'11'.repeat(32)}0000000000ffffffff010100000000000000016a00000000`

test.each([
  ['a case', () => signCase(parseCase(unsigned()), [wif])],
  ['a case, the key as hex', () => signCase(parseCase(unsigned()), [privateKey])],
  ['a message', () => signMessage('hello', wif, networks.komodo)],
  ['a fulfillment', () => signFulfillment(tree, '00'.repeat(32), privateKey)],
  ['a transaction', () => signTransaction(spend, [wif], [prevout], network).complete || undefined],
])('%s is signed', (_, sign) => {
  expect(sign()).toBeDefined()
  expect(given).not.toEqual([])
  expect(held()).toEqual([])
  expect(taken.includes(privateKey)).toBe(!isWasm)
  if (isWasm) expect(taken).toEqual([])
})

test('keys are read and written without it', () => {
  expect(encodeWif(decodeWif(wif, network).privateKey, network)).toBe(wif)
  expect([given, taken]).toEqual([[], []])
})

test('a public key is derived in the addon', () => {
  expect(publicKeyOf(privateKey, network)).toMatch(/^0[23]/)
  expect(held()).toEqual([])
  expect(taken).toEqual(isWasm ? [] : [privateKey])
})
